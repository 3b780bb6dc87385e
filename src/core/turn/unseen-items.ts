// What a reply holds that none of its other events tells: items of kinds that nobody knows, messages and calls that
// could not be read, image results, and thoughts without a word (requirements D2, D3, D4, D7, F2). Made for the eye:
// the item itself goes back as it came, whatever stands here. What is encrypted is counted and never shown (D5).
import type { ItemView, OutputItem, Reply, ReplyEvent } from "../api/reply.ts";
import { foundImage } from "../api/response-items.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { asArray, asObject, type JsonObject, parseJson } from "../util/json.ts";
import { plainText } from "../util/plain-text.ts";

/** More than this of something unknown helps nobody. */
const longest = 4_000;

interface Unseen {
  readonly kind: string;
  readonly value: unknown;
}

export class UnseenItems {
  #count = 0;
  /** Since the last item that was whole. */
  #thoughtAloud = false;

  take(turn: string, request: number, event: ReplyEvent): ConversationEvent[] {
    if (event.type === "reasoning") this.#thoughtAloud = true;
    if (event.type !== "item") return [];
    const { view, raw } = event.item;
    if (view.kind === "reasoning") return this.#thoughts(turn, request, view);
    const unseen = unseenOf(event.item);
    if (unseen === undefined) return [];
    const bytes = unseen.value === undefined ? Buffer.byteLength(raw) : sizeOf(unseen.value);
    const json = written(unseen.value ?? parseJson(raw)).slice(0, longest);
    const id = this.#name(request);
    return [{ type: "other", turn, id, kind: plainText(unseen.kind, 100), bytes, json }];
  }

  #thoughts(
    turn: string,
    request: number,
    { summary, text }: Extract<ItemView, { kind: "reasoning" }>,
  ): ConversationEvent[] {
    const wasAloud = this.#thoughtAloud || summary.join("") !== "" || text !== "";
    this.#thoughtAloud = false;
    return wasAloud ? [] : [{ type: "reasoning", turn, part: this.#name(request), delta: "" }];
  }

  #name(request: number): string {
    this.#count += 1;
    return `${request}/unseen-${this.#count}`;
  }
}

/** Requirements G7: what came of a reply that could not be understood at all, under the name that the service gave it. */
export const unreadOf = (turn: string, request: number, { unread }: Reply): ConversationEvent[] =>
  unread === undefined
    ? []
    : [
        {
          ...{ type: "other", turn, id: `${request}/unread`, kind: unread.contentType || "?" },
          ...{ bytes: unread.bytes, json: unread.text },
        },
      ];

/** `value` where only a part of the item is unseen. */
function unseenOf({ view, raw }: OutputItem): Unseen | undefined {
  switch (view.kind) {
    case "other":
      return { kind: view.type, value: undefined };
    case "message":
      return view.parts.length > 0 || saysNothing(asObject(parseJson(raw)) ?? {})
        ? undefined
        : { kind: "message", value: undefined };
    case "search":
      return unseenResults(view.results);
    case "call":
    case "reasoning":
      return undefined;
    default:
      return view satisfies never;
  }
}

/** Pictures are told with their search. */
function unseenResults(results: readonly unknown[]): Unseen | undefined {
  const unread = results.filter((result) => foundImage(result) === undefined);
  return unread.length === 0 ? undefined : { kind: "web_search_call.results", value: unread };
}

const saysNothing = ({ content }: JsonObject): boolean =>
  Array.isArray(content) && asArray(content).length === 0;

const sizeOf = (value: unknown): number => Buffer.byteLength(written(value, 0));

/** Empty when it is nested deeper than it can be written again. */
function written(value: unknown, indent = 2): string {
  const open = (name: string, inner: unknown) =>
    name === "encrypted_content" ? `(${Buffer.byteLength(String(inner))} bytes)` : inner;
  try {
    return JSON.stringify(value, open, indent) ?? "";
  } catch {
    return "";
  }
}
