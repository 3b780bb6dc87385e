import type { Library } from "../../store/library.ts";
import type { Disposable } from "../../util/disposables.ts";
import { Emitter } from "../../util/emitter.ts";
import type { Log } from "../../util/log.ts";

interface ConversationTitlesDeps {
  readonly library: Pick<Library, "find" | "rename" | "onDidChange">;
  readonly log: Log;
}

/** Titles of conversations, kept up to date wherever they are renamed: in the panel, in the list, in another window. */
export class ConversationTitles implements Disposable {
  readonly #deps: ConversationTitlesDeps;
  readonly #known = new Map<string, string>();
  readonly #changes = new Emitter<void>();
  readonly #listening: Disposable;

  readonly onChange = this.#changes.on;

  constructor(deps: ConversationTitlesDeps) {
    this.#deps = deps;
    this.#listening = deps.library.onDidChange(() => {
      for (const id of this.#known.keys()) this.#look(id);
    });
  }

  /** Returns undefined while the title is unknown or nothing has been asked; `onChange` fires once it is known. */
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
