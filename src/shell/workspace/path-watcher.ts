// Hears which names come, go and are moved on a way, from before the last look until after the write. Somebody who swaps
// a step for a link, swaps it back and puts there what should have been written leaves everything as it would be, its
// times too; that it was swapped stays heard (threats C6). Only Linux tells it at once and by name: elsewhere, and where
// nothing can be heard, what stable-path.ts sees is all there is. Nor is anything heard in a folder that the edit itself makes.
import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";
import type { Way } from "./stable-path.ts";

export class PathWatcher {
  readonly #way: Way;
  readonly #ours: ReadonlyMap<string, number>;
  readonly #watchers: FSWatcher[] = [];
  readonly #events = new Map<string, number>();

  /** `ours`: how often the edit itself makes, moves or removes a file; nothing else on the way is to be heard. */
  constructor(way: Way, ours: ReadonlyMap<string, number>) {
    [this.#way, this.#ours] = [way, ours];
    if (process.platform !== "linux") return;
    const folders = new Set([...way.keys()].map((step) => dirname(step)));
    // From above, so that nobody can turn a step unheard while those below it begin to be heard.
    for (const folder of [...folders].sort((one, other) => one.length - other.length)) this.#listen(folder);
  }

  #listen(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (kind, name) => {
        const step = join(folder, name ?? "");
        if (kind === "rename") this.#events.set(step, (this.#events.get(step) ?? 0) + 1);
      });
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch {
      // It is not there yet, or the system hears no more folders.
    }
  }

  /** A step that was in other hands than the edit's: before it, after it, or once it has been put back as well. */
  async findTurned(ways: 0 | 1 | 2 = 1): Promise<string | undefined> {
    // What has happened until now is told before the second turn of the event loop.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    return [...this.#way.keys()].find((step) => (this.#events.get(step) ?? 0) > ways * this.#timesOurs(step));
  }

  /** Folders that the edit needs come with it. */
  #timesOurs(step: string): number {
    return this.#ours.get(step) ?? (this.#way.get(step)?.kind === "nothing" ? 1 : 0);
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
