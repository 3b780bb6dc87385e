// The checks of one folder, on its copy: one at a time, each on a clean copy with or without the proposal. Results
// without the proposal are cached while the files stay the same. Independent of the editor.

import { createMutex } from "../../util/concurrency.ts";
import { raceAbort } from "../../util/timeouts.ts";
import type { Check, CheckCopy, CheckRun, CopySearch, Overlaid } from "../check.ts";
import type { Texts } from "./copy/files-without-links.ts";
import { type CopyDeps, ShadowCopy } from "./copy/shadow-copy.ts";
import { CopyRuns, type RunDeps } from "./copy-runs.ts";

export interface FolderChecksDeps extends CopyDeps, RunDeps {
  readonly folder: string;
  /** Unsaved documents. */
  unsaved(): Texts;
}

const textsOf = (part: Overlaid): Texts => part.map(([{ path }, state]) => [path, state?.text ?? null]);

/** Cached runs without a proposal, and the characters of all their outputs. */
const maxBaselines = 50;
const maxBaselineLetters = 16_000_000;

/** Milliseconds after which a person is asked without the number of files that would be copied. */
const longestMeasured = 3000;

interface Opened {
  readonly copy: ShadowCopy;
  readonly runs: CopyRuns;
}

interface UseOptions {
  progress?(done: number, all: number): void;
  readonly search?: CopySearch | undefined;
}

export class FolderChecks {
  readonly #needs: FolderChecksDeps;
  readonly #one = createMutex();
  readonly #baselines = new Map<string, CheckRun>();
  /** Aborts what runs when the window closes. */
  readonly #closing = new AbortController();
  #copy: Promise<ShadowCopy> | undefined;
  /** How a search has left the copy, which goes on from there if it is served next. */
  #left: { readonly search: CopySearch; readonly opened: Opened } | undefined;

  constructor(deps: FolderChecksDeps) {
    this.#needs = deps;
  }

  /** `proposed`: as a function it is called once nobody else uses the copy. */
  withCopy<T>(
    proposed: Texts | (() => Promise<Texts>),
    use: (copy: CheckCopy) => Promise<T>,
    wanted: AbortSignal,
    { progress, search }: UseOptions = {},
  ): Promise<T> {
    const signal = this.#untilClosed(wanted);
    return this.#one(async () => {
      signal.throwIfAborted();
      const copy = await this.#open();
      const left = this.#left;
      this.#left = undefined;
      const isLeft = search !== undefined && left?.search === search && left.opened.copy === copy;
      if (!isLeft) await left?.opened.runs.end();
      const runs = isLeft ? left.opened.runs : await this.#runsOf(copy, proposed);
      runs.progress = progress;
      const keyOf = async (check: Check) =>
        JSON.stringify([await runs.stateFor(check, signal), check.id, check.isConfined === true]);
      try {
        return await use({
          command: (line, stop) => runs.command(line, this.#untilClosed(stop)),
          run: (check, stop, part) =>
            runs.run(check, part === undefined ? true : textsOf(part), this.#untilClosed(stop)),
          knownBaseline: async (check) => this.#baselines.get(await keyOf(check)),
          baseline: async (check, stop) => {
            const key = await keyOf(check);
            const known = this.#baselines.get(key) ?? (await runs.run(check, false, this.#untilClosed(stop)));
            // Where something else has ended it, the next one may do better.
            if (known.end === "output" || (known.end === "done" && known.code !== undefined))
              this.#keepBaseline(key, known);
            return known;
          },
        });
      } finally {
        if (search === undefined) await runs.end();
        else this.#left = { search, opened: { copy, runs } };
      }
    }, signal);
  }

  #keepBaseline(key: string, run: CheckRun): void {
    this.#baselines.set(key, run);
    let letters = 0;
    for (const { output } of this.#baselines.values()) letters += output.length;
    for (const [first, { output }] of this.#baselines) {
      if (this.#baselines.size <= maxBaselines && letters <= maxBaselineLetters) return;
      this.#baselines.delete(first);
      letters -= output.length;
    }
  }

  async #runsOf(copy: ShadowCopy, proposed: Texts | (() => Promise<Texts>)): Promise<CopyRuns> {
    const texts = typeof proposed === "function" ? await proposed() : proposed;
    const unsaved = this.#needs.unsaved();
    const together = [...new Map([...unsaved, ...texts])];
    return new CopyRuns(copy, { unsaved, together }, this.#needs);
  }

  #untilClosed(stop: AbortSignal): AbortSignal {
    return AbortSignal.any([stop, this.#closing.signal]);
  }

  /** Opens the copy. If that fails, or another window owns it by now, the next call tries again. */
  async #open(): Promise<ShadowCopy> {
    const known = await this.#copy;
    if (known !== undefined && !(await known.isOurs())) {
      await known.close();
      this.#copy = undefined;
    }
    this.#copy ??= ShadowCopy.open(this.#needs.folder, this.#needs).catch((error: unknown) => {
      this.#copy = undefined;
      throw error;
    });
    return this.#copy;
  }

  /**
   * How much would have to be copied before a program of the folder may run; `undefined` if it is little, or if it is not
   * known by the time that `soon` is aborted: a question waits neither for others that use the copy nor for the counting
   * of very many files. Counting that has begun goes on, because ending it would end the thread of the copy.
   */
  async measure(
    signal: AbortSignal,
    soon = AbortSignal.timeout(longestMeasured),
  ): ReturnType<ShadowCopy["measure"]> {
    const waits = AbortSignal.any([signal, soon]);
    const measured = this.#one(async () => (await this.#open()).measure(signal), waits);
    try {
      return await raceAbort(measured, waits);
    } catch (error) {
      signal.throwIfAborted();
      if (soon.aborted) return undefined;
      throw error;
    }
  }

  /** Resolves once nothing runs on the copy or writes to it any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#one(async () => {
      await this.#left?.opened.runs.end();
      await (await this.#copy)?.close();
    });
  }
}
