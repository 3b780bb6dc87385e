// The texts that a change set speaks of, under the names of their hashes. What is named is in memory at once and on the disk
// before anything that names it; what nobody has asked for in a while is read again.
import { hash } from "node:crypto";
import type { FileState, KeptState } from "./proposal.ts";

export interface TextStore {
  /** Keeps a text under the name of its hash. @throws where there is no room, with the reason. */
  put(text: string): Promise<void>;
  /** `undefined`: it is not kept, or not any more. */
  get(name: string): Promise<string | undefined>;
}

/** In one go: an object for each would cost more than what it says of a hunk. */
export const hashOf = (text: string): string => hash("sha256", text, "hex");

/** In characters: the texts of some long files. */
const maxRemembered = 16_000_000;

export class Texts {
  readonly #store: TextStore;
  readonly #texts = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #unsaved = new Set<string>();
  #size = 0;

  constructor(store: TextStore) {
    this.#store = store;
  }

  /** It is in memory from now on. */
  keep(state: FileState): KeptState | undefined {
    if (state === undefined) return undefined;
    const { file, text } = state;
    const known = this.#names.get(text);
    if (known !== undefined) return { file, text: known };
    const name = hashOf(text);
    this.#remember(name, text);
    this.#unsaved.add(name);
    return { file, text: name };
  }

  /** Of what was loaded or kept; "gone" where it could not be found. */
  stateOf(kept: KeptState | undefined): FileState | "gone" {
    if (kept === undefined) return undefined;
    const text = this.#texts.get(kept.text);
    return text === undefined ? "gone" : { file: kept.file, text };
  }

  async load(kept: readonly (KeptState | undefined)[]): Promise<void> {
    for (const each of kept) {
      if (each === undefined || this.#texts.has(each.text)) continue;
      const text = await this.#store.get(each.text);
      if (text !== undefined) this.#remember(each.text, text);
    }
  }

  /** What is named is on the disk when this resolves. */
  async flush(): Promise<void> {
    for (const name of [...this.#unsaved]) {
      const text = this.#texts.get(name);
      if (text !== undefined) await this.#store.put(text);
      this.#unsaved.delete(name);
    }
    this.#forget();
  }

  #remember(name: string, text: string): void {
    this.#texts.set(name, text);
    this.#names.set(text, name);
    this.#size += text.length;
  }

  /** The oldest first; between two turns, so that nothing that was loaded for one is missing in it. */
  #forget(): void {
    for (const [name, text] of this.#texts) {
      if (this.#size <= maxRemembered) return;
      this.#texts.delete(name);
      this.#names.delete(text);
      this.#size -= text.length;
    }
  }
}
