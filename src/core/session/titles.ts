// What conversations are called, wherever somebody gives them their names: in the panel, in the list, in another window.
import type { Library } from "../store/library.ts";
import type { Disposable } from "../util/disposables.ts";
import { Emitter } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";

export interface TitlesDeps {
  readonly library: Pick<Library, "find" | "rename" | "onDidChange">;
  readonly log: Log;
}

export class Titles implements Disposable {
  readonly #deps: TitlesDeps;
  readonly #known = new Map<string, string>();
  readonly #changes = new Emitter<void>();
  readonly #listening: Disposable;

  readonly onChange = this.#changes.on;

  constructor(deps: TitlesDeps) {
    this.#deps = deps;
    this.#listening = deps.library.onDidChange(() => {
      for (const id of this.#known.keys()) this.#look(id);
    });
  }

  /** Absent while it is not known, or nothing has been asked yet. Who asks is told by `onChange` once it is. */
  of(id: string): string | undefined {
    if (!this.#known.has(id)) {
      this.#known.set(id, "");
      this.#look(id);
    }
    return this.#known.get(id) || undefined;
  }

  rename(id: string, title: string): Promise<void> {
    return this.#deps.library.rename(id, title);
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #look(id: string): void {
    const { library, log } = this.#deps;
    library.find(id).then(
      (found) => {
        const title = found?.title ?? "";
        if (this.#known.get(id) === title) return;
        this.#known.set(id, title);
        this.#changes.fire();
      },
      (error: unknown) => log.error("The name of the conversation could not be read.", error),
    );
  }
}
