// The words in the box of one conversation, saved a moment after they changed. Whether they were written here or only
// read is remembered, because a draft that was only read is somebody else's to keep.
import type { Log } from "./util/log.ts";

export interface TypedDraftNeeds {
  save(): Promise<void>;
  changed(): void;
  readonly log: Log;
}

const delay = 500;

export class TypedDraft {
  readonly #needs: TypedDraftNeeds;
  #text: string;
  #isTyped: boolean;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(needs: TypedDraftNeeds, text: string, isTyped: boolean) {
    this.#needs = needs;
    this.#text = text;
    this.#isTyped = isTyped;
  }

  get text(): string {
    return this.#text;
  }

  get isTyped(): boolean {
    return this.#isTyped;
  }

  write(text: string): void {
    this.#text = text;
    this.#isTyped = true;
    this.saveSoon();
  }

  /** Words that were not sent after all. */
  putBefore(words: string): void {
    this.#join([words, this.#text]);
  }

  putBehind(words: readonly string[]): void {
    if (words.length > 0) this.#join([this.#text, ...words]);
  }

  saveSoon(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#needs.changed();
      void this.keep();
    }, delay);
  }

  /** Rejects with a sentence when the disk does not take it. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#needs.save();
  }

  /** A draft that no disk takes holds up nothing else. */
  async keep(): Promise<void> {
    try {
      await this.save();
    } catch (error) {
      this.#needs.log.error("The draft could not be saved.", error);
    }
  }

  /** From here on it is saved only when it is asked for. */
  close(): void {
    this.#closed = true;
  }

  #join(texts: readonly string[]): void {
    this.#text = texts.filter((text) => text !== "").join("\n\n");
    this.#isTyped = true;
  }
}
