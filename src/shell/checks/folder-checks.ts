// The checks of one folder, on its copy: one at a time, each on a copy that is as it should be, with the proposal or without
// it. What a check says without it is kept for as long as the files are the same. Knows no editor.
import { createHash } from "node:crypto";
import { type Check, type CheckCopy, type CheckRun, mostSeconds } from "../../core/checks/check.ts";
import { inOrder } from "../../core/util/in-order.ts";
import type { Texts } from "./copy-files.ts";
import { runCommand } from "./run-command.ts";
import { type CopyDeps, ShadowCopy } from "./shadow-copy.ts";

export interface FolderChecksDeps extends CopyDeps {
  readonly folder: string;
  /** What is open and not saved. */
  unsaved(): Texts;
  /** It wrote into folders that the copy shares with its folder. */
  wroteOut(check: Check): void;
}

/** Runs without a proposal that are remembered. */
const maxBaselines = 50;

export class FolderChecks {
  readonly #needs: FolderChecksDeps;
  readonly #one = inOrder();
  readonly #baselines = new Map<string, CheckRun>();
  /** Checks that were seen not to write into shared folders. */
  readonly #harmless = new Set<string>();
  /** Ends what runs when the window closes. */
  readonly #closing = new AbortController();
  #copy: Promise<ShadowCopy> | undefined;

  constructor(deps: FolderChecksDeps) {
    this.#needs = deps;
  }

  withCopy<T>(
    proposed: Texts,
    use: (copy: CheckCopy) => Promise<T>,
    wanted: AbortSignal,
    progress?: (done: number, all: number) => void,
  ): Promise<T> {
    const untilClosed = (stop: AbortSignal) => AbortSignal.any([stop, this.#closing.signal]);
    const signal = untilClosed(wanted);
    return this.#one(async () => {
      signal.throwIfAborted();
      const shadow = await this.#open();
      const unsaved = this.#needs.unsaved();
      const [without, together] = [unsaved, [...new Map([...unsaved, ...proposed])]];
      const updated = await shadow.update(together, signal, progress);
      const state = hash(JSON.stringify([updated.state, unsaved]));
      let isFresh = true;
      const run = async (check: Check, texts: Texts, stop: AbortSignal): Promise<CheckRun> => {
        if (!isFresh || texts === without) await shadow.restore(texts, stop);
        isFresh = false;
        // The clock of a file system lags behind by some milliseconds.
        const time = Date.now() - 20;
        const { place, temporary } = shadow;
        const { command } = check;
        const done = await runCommand(
          { command, folder: place, temporary, seconds: mostSeconds(check) },
          stop,
        );
        if (updated.linked.length > 0 && !this.#harmless.has(check.id)) {
          if ((await shadow.writtenSince(time, stop)).length > 0) this.#needs.wroteOut(check);
          else this.#harmless.add(check.id);
        }
        return { ...done, output: relativeTo(place, done.output) };
      };
      return use({
        state,
        run: (check, stop) => run(check, together, untilClosed(stop)),
        baseline: async (check, stop) => {
          const key = `${state} ${check.id}`;
          const known = this.#baselines.get(key) ?? (await run(check, without, untilClosed(stop)));
          this.#baselines.set(key, known);
          for (const first of this.#baselines.keys())
            if (this.#baselines.size > maxBaselines) this.#baselines.delete(first);
          return known;
        },
      });
    });
  }

  /** Where it cannot be made now, it may be the next time. */
  #open(): Promise<ShadowCopy> {
    this.#copy ??= ShadowCopy.open(this.#needs.folder, this.#needs).catch((error: unknown) => {
      this.#copy = undefined;
      throw error;
    });
    return this.#copy;
  }

  /** Resolves once nothing runs on the copy and nothing is written into it any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#one(async () => (await this.#copy)?.close());
  }
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** As if it had run in the folder itself. */
const relativeTo = (place: string, output: string): string =>
  output.replaceAll(`${place}/`, "").replaceAll(`${place}\\`, "").replaceAll(place, ".");
