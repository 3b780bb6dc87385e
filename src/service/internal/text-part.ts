// One growing text of a reply: what arrived, from which source, and what has been shown. Used for answers, reasoning,
// arguments and patches. Independent of event names.
import { wellFormed } from "../../util/text.ts";

/** Precedence of sources (wire §3.4): each outranks the ones before it. */
export const authority = { hint: 0, delta: 1, textDone: 2, partDone: 3, item: 4, snapshot: 5 } as const;
export type Authority = (typeof authority)[keyof typeof authority];

/** The display event that is needed after a text was settled. */
export type Correction =
  | { readonly type: "more"; readonly delta: string }
  | { readonly type: "replaced"; readonly text: string };

export class TextPart {
  readonly #shown = new Pieces();
  #level: Authority = authority.hint;
  #half = "";

  /** Returns what can be shown now. A high surrogate waits for its low one. */
  append(delta: string): string {
    if (this.#level > authority.delta) return "";
    this.#level = authority.delta;
    const text = this.#half + delta;
    const last = text.charCodeAt(text.length - 1);
    const waits = last >= 0xd800 && last <= 0xdbff;
    this.#half = waits ? text.slice(-1) : "";
    const showable = wellFormed(waits ? text.slice(0, -1) : text);
    if (showable !== "") this.#shown.add(showable);
    return showable;
  }

  settle(text: string, level: Authority): Correction | undefined {
    if (level < this.#level) return undefined;
    this.#level = level;
    this.#half = "";
    const final = wellFormed(text);
    const shown = this.#shown.toString();
    if (final === shown) return undefined;
    if (final.startsWith(shown)) {
      const delta = final.slice(shown.length);
      this.#shown.add(delta);
      return { type: "more", delta };
    }
    this.#shown.reset(final);
    return { type: "replaced", text: final };
  }

  /** Nothing more follows: a lone surrogate becomes U+FFFD. */
  close(): string {
    if (this.#half === "") return "";
    this.#half = "";
    this.#shown.add("\ufffd");
    return "\ufffd";
  }

  get text(): string {
    return this.#shown.toString();
  }
}

/** Collects many small strings in memory close to their length; a rope would keep a node for each. */
class Pieces {
  #blocks: string[] = [];
  #tail: string[] = [];

  add(piece: string): void {
    this.#tail.push(piece);
    if (this.#tail.length < 1024) return;
    this.#blocks.push(this.#tail.join(""));
    this.#tail = [];
  }

  reset(text: string): void {
    this.#blocks = [text];
    this.#tail = [];
  }

  toString(): string {
    if (this.#tail.length > 0 || this.#blocks.length !== 1) {
      this.reset(this.#blocks.join("") + this.#tail.join(""));
    }
    return this.#blocks[0] ?? "";
  }
}
