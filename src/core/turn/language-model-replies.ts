// What the service answered to others, kept so that it goes back unchanged (interface, "Input items"): the editor hands
// back texts, names and arguments only. A reply is found by its place in a conversation and by what it said, never by an
// id alone: ids repeat, and nothing of one conversation may get into another. In memory only, and not for ever.
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { OutputItem } from "../api/reply.ts";
import { readArguments } from "../api/tool-calls.ts";

const maxReplies = 200;
const maxCharacters = 16 * 1024 * 1024;

export interface LanguageModelCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

interface Kept {
  readonly place: string;
  readonly items: readonly OutputItem[];
  readonly characters: number;
}

export class LanguageModelReplies {
  #kept: Kept[] = [];
  #characters = 0;
  readonly #salt: string;

  /** `salt`: random, of this window. */
  constructor(salt: string) {
    this.#salt = salt;
  }

  /** Where a reply to this input stands: in this conversation, right after its last item. */
  placeOf(conversation: string, input: readonly string[]): string {
    return this.#hash(`${conversation}\n${input.at(-1)}`);
  }

  /**
   * A conversation is known by all that was asked before its first reply: the first item alone is often the same for a whole
   * folder (VS Code's agent begins with the workspace).
   */
  conversationOf(opening: readonly string[]): string {
    return this.#hash(opening.join("\n"));
  }

  keep(place: string, items: readonly OutputItem[]): void {
    if (items.length === 0) return;
    const characters = items.reduce((sum, { raw }) => sum + raw.length, 0);
    this.#kept.push({ place, items, characters });
    this.#characters += characters;
    while (this.#kept.length > maxReplies || this.#characters > maxCharacters)
      this.#characters -= this.#kept.shift()?.characters ?? 0;
  }

  /** The latest one at this place that made these calls, or said this where it made none. */
  find(place: string, text: string, calls: readonly LanguageModelCall[]): readonly OutputItem[] | undefined {
    return this.#kept.findLast((kept) => kept.place === place && isSame(kept.items, text, calls))?.items;
  }

  /** The same for all that begins so, whose beginning the cache may hold; of no meaning beyond this window. */
  cacheIdOf([first = ""]: readonly string[]): string {
    return this.#hash(first).slice(0, 32);
  }

  #hash(text: string): string {
    return createHash("sha256").update(this.#salt).update(text).digest("hex");
  }
}

function isSame(items: readonly OutputItem[], text: string, calls: readonly LanguageModelCall[]): boolean {
  const made = items.flatMap(({ view }) => (view.kind === "call" ? [view] : []));
  if (made.length !== calls.length) return false;
  if (made.length === 0) return textOf(items) === text;
  return made.every(({ callId, name, input }, at) => {
    const call = calls[at];
    return callId === call?.id && name === call.name && isDeepStrictEqual(readArguments(input), call.input);
  });
}

const textOf = (items: readonly OutputItem[]): string =>
  items
    .flatMap(({ view }) => (view.kind === "message" ? view.parts : []))
    .map(({ text }) => text)
    .join("");
