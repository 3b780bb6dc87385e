// Finds matching lines in texts and files. Runs in a worker thread (search-thread.ts) that can be terminated, so no
// search blocks the editor. A plain text is searched for as an expression, too.
import { Worker } from "node:worker_threads";
import { message } from "../conversation/messages.ts";
import { maxTextBytes } from "../files/guarded-files.ts";
import { Refusal } from "../files/refusal.ts";
import type { Disposable } from "../util/disposables.ts";
import { roughPattern, widePattern } from "./internal/ripgrep-pattern.ts";
import {
  type SearchThread,
  type StreamedLines,
  type ThreadData,
  threadSource,
} from "./internal/search-thread.ts";
import type { FoundLines, Sifted, WantedLines } from "./search-lines.ts";

export interface LineMatcher extends Disposable {
  /** Returns the first matching lines with their context, and the total number of matches. Throws TooSlow. */
  find(text: string, wanted: WantedLines): Promise<FoundLines>;
  /** Tells which files on the local disk may contain a match. Throws TooSlow. */
  sift(places: readonly string[], utf8: boolean): Promise<readonly Sifted[]>;
  /**
   * Returns the first matching lines of a file too large to load as a text, `undefined` if it cannot be read. Throws
   * TooSlow.
   */
  stream(place: string, wanted: WantedLines): Promise<StreamedLines | undefined>;
  /** A query for an external program that finds these lines and perhaps more; `undefined` if there is no such query. */
  rough(utf8: boolean): RoughQuery | undefined;
}

interface RoughQuery {
  /** In ripgrep's syntax. */
  readonly pattern: string;
  /**
   * The same pattern for files with two bytes per character; `undefined` if there is none, or if such files are common.
   */
  readonly wide: string | undefined;
  readonly ignoreCase: boolean;
}

interface MatchOptions {
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  /** Time limit per file. */
  readonly milliseconds?: number;
}

/** The expression took too long. `index` is the position of the text or file among those that were given. */
export class TooSlow extends Refusal {
  readonly index: number;

  constructor(query: string, index: number) {
    super(message("toolRegexSlow", { query }));
    this.index = index;
  }
}

/**
 * Longer queries are refused: each is translated letter by letter for an external program, and somebody who has that
 * much of a text knows where it is.
 */
const longestQuery = 2000;

export function createLineMatcher(query: string, options: MatchOptions): LineMatcher {
  if (query === "") throw new Refusal(message("toolNoQuery"));
  if (query.length > longestQuery) throw new Refusal(message("toolQueryLong", { most: longestQuery }));
  const { regex, caseSensitive, milliseconds = 2000 } = options;
  const source = regex ? query : escaped(query);
  const ignoring = caseSensitive ? "" : "i";
  // Prefer Unicode mode. The legacy mode accepts the unnecessary escapes that models like to write.
  const flags = [`${ignoring}u`, ignoring].find((each) => isPattern(source, each));
  if (flags === undefined) throw new Refusal(message("toolNoRegex", { query }));
  const progress = new SharedArrayBuffer(4);
  const rough = (utf8: boolean) => roughPattern(source, { unicode: flags.endsWith("u"), utf8 });
  const holds = regex ? (rough(true)?.words ?? []).map(escaped).join("|") : source;
  const data: ThreadData = { source, flags, holds, maxBytes: maxTextBytes, progress };
  const thread = new SearchThreadHandle(data, query, milliseconds);
  return {
    find: (text, wanted) => thread.ask("text", { text, ...wanted }),
    sift: (places, utf8) => thread.ask("files", { places, utf8 }),
    stream: (place, wanted) => thread.ask("stream", { place, ...wanted }).catch(unlessFailed),
    rough(utf8) {
      const found = rough(utf8);
      if (found === undefined) return undefined;
      // In a folder with another encoding, any file that contains zero bytes may be text.
      const wide = utf8 && !found.isAnchored ? widePattern(found.words) : undefined;
      return { pattern: found.pattern, wide, ignoreCase: !caseSensitive };
    },
    dispose: () => thread.dispose(),
  };
}

/** Whether this is a valid expression in Unicode or legacy mode. */
export const isRegex = (query: string): boolean => isPattern(query, "u") || isPattern(query, "");

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

class Failed extends Refusal {}

/** A file that cannot be read has no lines; any other error is rethrown. */
function unlessFailed(error: unknown): undefined {
  if (!(error instanceof Failed)) throw error;
}

/**
 * Runs one task at a time. The thread is started for the first task, and again after a task for which it had to be
 * terminated.
 */
class SearchThreadHandle {
  readonly #data: ThreadData;
  readonly #query: string;
  readonly #milliseconds: number;
  readonly #progress: Int32Array;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  constructor(data: ThreadData, query: string, milliseconds: number) {
    this.#data = data;
    this.#query = query;
    this.#milliseconds = milliseconds;
    this.#progress = new Int32Array(data.progress);
  }

  ask<Kind extends keyof SearchThread>(
    kind: Kind,
    task: Parameters<SearchThread[Kind]>[0],
  ): Promise<ReturnType<SearchThread[Kind]>> {
    const next = this.#last.then(() => this.#run<ReturnType<SearchThread[Kind]>>([kind, task]));
    this.#last = next.catch(() => undefined);
    return next;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#end();
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #run<Answer>(task: readonly [string, unknown]): Promise<Answer> {
    const failure = () => new Failed(message("toolSearchBroken", { query: this.#query }));
    if (this.#isDisposed) throw failure();
    const worker = this.#worker ?? this.#start();
    this.#worker = worker;
    Atomics.store(this.#progress, 0, 0);
    let seen = -1;
    let timer: NodeJS.Timeout | undefined;
    let settle = (_: TooSlow | Failed | { readonly answer: Answer }) => {};
    const settled = new Promise<Parameters<typeof settle>[0]>((resolve) => {
      settle = resolve;
    });
    // Starting a thread is slow on a busy machine, which is not the expression's fault. The time limit starts with the
    // thread's first response.
    const watch = () => {
      const now = Atomics.load(this.#progress, 0);
      if (now === seen) settle(new TooSlow(this.#query, Math.max(0, now - 1)));
      seen = now;
    };
    const onMessage = ({ started, answer }: { started?: true; answer?: Answer }) => {
      if (started === true) timer = setInterval(watch, this.#milliseconds);
      else settle(answer === undefined ? failure() : { answer });
    };
    const failed = () => settle(failure());
    worker.on("message", onMessage).on("error", failed).on("exit", failed);
    worker.postMessage(task);
    const outcome = await settled;
    clearInterval(timer);
    worker.off("message", onMessage).off("error", failed).off("exit", failed);
    if ("answer" in outcome) return outcome.answer;
    this.#end();
    throw outcome;
  }

  #start(): Worker {
    const worker = new Worker(threadSource, {
      eval: true,
      env: {},
      execArgv: [],
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    return worker.on("error", () => {});
  }
}

function isPattern(query: string, flags: string): boolean {
  try {
    new RegExp(query, flags);
    return true;
  } catch {
    return false;
  }
}
