// Finds the lines of texts and files that match, in a thread of its own (search-thread.ts) that can be ended: nothing
// that is searched holds up the editor. A text to look for is an expression like any other.

import { Worker } from "node:worker_threads";
import { maxTextBytes } from "../files/guarded-files.ts";
import { Refusal } from "../files/refusal.ts";
import { message } from "../messages/message.ts";
import type { Disposable } from "../util/disposables.ts";
import { roughPattern, widePattern } from "./rough-pattern.ts";
import {
  type FoundLines,
  type SearchThread,
  type Sifted,
  type StreamedLines,
  type ThreadData,
  threadSource,
} from "./search-thread.ts";

export interface LineMatcher extends Disposable {
  /** The first matching lines, and how many there are. Throws TooSlow. */
  find(text: string, most: number): Promise<FoundLines>;
  /** Which files of this machine's disk may hold a match. Throws TooSlow. */
  sift(places: readonly string[], utf8: boolean): Promise<readonly Sifted[]>;
  /** The first matching lines of a file too large for a text; nothing where it cannot be read. Throws TooSlow. */
  stream(place: string, most: number): Promise<StreamedLines | undefined>;
  /** For another program: it finds these lines and perhaps more. `undefined` where it cannot be told. */
  rough(utf8: boolean): RoughQuery | undefined;
}

export interface RoughQuery {
  /** In the language of ripgrep. */
  readonly pattern: string;
  /** The same where characters take two bytes; `undefined` where that cannot be told, or such files are many. */
  readonly wide: string | undefined;
  readonly ignoreCase: boolean;
}

export interface MatchOptions {
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  /** What one file may take. */
  readonly milliseconds?: number;
}

/** The expression took too long on one text or file, the one of this index among those that were given. */
export class TooSlow extends Refusal {
  readonly index: number;

  constructor(query: string, index: number) {
    super(message("toolRegexSlow", { query }));
    this.index = index;
  }
}

/** Read letter by letter, for another program: whoever looks for more knows where it is. */
const longestQuery = 2000;

export function createLineMatcher(query: string, options: MatchOptions): LineMatcher {
  if (query === "") throw new Refusal(message("toolNoQuery"));
  if (query.length > longestQuery) throw new Refusal(message("toolQueryLong", { most: longestQuery }));
  const { regex, caseSensitive, milliseconds = 2000 } = options;
  const source = regex ? query : escaped(query);
  const ignoring = caseSensitive ? "" : "i";
  // The strict dialect knows Unicode; the old one allows escapes that mean nothing, as models like to write them.
  const flags = [`${ignoring}u`, ignoring].find((each) => isPattern(source, each));
  if (flags === undefined) throw new Refusal(message("toolNoRegex", { query }));
  const progress = new SharedArrayBuffer(4);
  const rough = (utf8: boolean) => roughPattern(source, { unicode: flags.endsWith("u"), utf8 });
  const holds = regex ? (rough(true)?.words ?? []).map(escaped).join("|") : source;
  const data: ThreadData = { source, flags, holds, maxBytes: maxTextBytes, progress };
  const thread = new SearchThreadHandle(data, query, milliseconds);
  return {
    find: (text, most) => thread.ask("text", { text, most }),
    sift: (places, utf8) => thread.ask("files", { places, utf8 }),
    stream: (place, most) => thread.ask("stream", { place, most }).catch(unlessFailed),
    rough(utf8) {
      const found = rough(utf8);
      if (found === undefined) return undefined;
      // In a folder of another encoding any file with zeros may be text.
      const wide = utf8 && !found.isAnchored ? widePattern(found.words) : undefined;
      return { pattern: found.pattern, wide, ignoreCase: !caseSensitive };
    },
    dispose: () => thread.dispose(),
  };
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

class Failed extends Refusal {}

/** What cannot be read has no lines; whatever else went wrong stays an error. */
function unlessFailed(error: unknown): undefined {
  if (!(error instanceof Failed)) throw error;
}

/** One task after the other; the thread is started for the first one, and again after one that had to be ended. */
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
    // Starting a thread is slow on a busy machine, and is not the expression's fault: the clock runs from its answer.
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
