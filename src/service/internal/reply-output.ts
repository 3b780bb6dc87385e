// The output of one reply while it arrives, the same for both operations: its items, the parts of each, which source of
// a text takes precedence, and the events that show it. Each call names its item or part; nothing is looked for here.
// Independent of records, of operations and of how a reply ends.
import { asArray, type JsonObject } from "../../util/json.ts";
import { present } from "../../util/present.ts";
import type { Citation, ItemView, MessagePart, OutputItem, ReplyEvent, Source } from "../reply.ts";
import { callInput, type ItemKind, messageParts, viewItem, withMember } from "../response-items.ts";
import { limitPieces } from "./stream-records.ts";
import { type Authority, authority, type Correction, TextPart } from "./text-part.ts";

export type TextFamily = "text" | "refusal" | "summary" | "raw" | "input";

export interface LiveItem {
  /** Unique within the reply and stable, unlike ids from the service. */
  readonly key: string;
  /** The id first received; other items may have the same. */
  readonly id: string | undefined;
  readonly index: number | undefined;
  readonly kind: ItemKind;
  readonly parts: Map<string, LivePart>;
  /** The part that was last written to, and for each family the one that began last. */
  newest: LivePart | undefined;
  readonly lastIndex: Map<TextFamily, number>;
  call: { name: string; callId: string };
  search: { status: string; query?: string; shown: string };
  /** Set once the item was received completely. */
  whole: { readonly value: JsonObject; readonly raw: string } | undefined;
}

export interface LivePart {
  readonly item: LiveItem;
  readonly key: string;
  readonly family: TextFamily;
  readonly index: number;
  readonly text: TextPart;
}

export class ReplyOutput {
  #items: LiveItem[] = [];
  #isFinal = false;
  #pieces = 0;
  #events: ReplyEvent[] = [];
  /** The citations already reported for each text. */
  readonly #cited = new Map<string, string>();
  /** Something was shown or received completely. */
  visible = false;

  /** In the order of arrival. */
  get items(): readonly LiveItem[] {
    return this.#items;
  }

  /** What became visible since the last call. */
  take(): ReplyEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  open({ key, id, index, kind }: Pick<LiveItem, "key" | "id" | "index" | "kind">): LiveItem {
    limitPieces(++this.#pieces);
    const item: LiveItem = {
      key,
      id,
      index,
      kind,
      parts: new Map(),
      newest: undefined,
      lastIndex: new Map(),
      call: { name: "", callId: "" },
      search: { status: "", shown: "" },
      whole: undefined,
    };
    this.#items.push(item);
    return item;
  }

  /** An item has one input, which counts as one piece with it. */
  part(item: LiveItem, family: TextFamily, index: number): LivePart {
    const name = family === "input" ? "input" : `${family}-${index}`;
    const part = item.parts.get(name) ?? this.#newPart(item, name, family, index);
    item.newest = part;
    return part;
  }

  #newPart(item: LiveItem, name: string, family: TextFamily, index: number): LivePart {
    if (family !== "input") limitPieces(++this.#pieces);
    const part = { item, key: `${item.key}/${name}`, family, index, text: new TextPart() };
    item.parts.set(name, part);
    item.lastIndex.set(family, index);
    return part;
  }

  append(part: LivePart, delta: string): void {
    const more = part.text.append(delta);
    if (more !== "") this.#showText(part, { type: "more", delta: more });
  }

  settle(part: LivePart, text: string, level: Authority): void {
    part.item.newest = part;
    const correction = part.text.settle(text, level);
    if (correction !== undefined) this.#showText(part, correction);
  }

  /** Parts that a more authoritative source does not have. */
  blank(item: LiveItem, which: (part: LivePart) => boolean): void {
    for (const part of item.parts.values()) if (which(part)) this.settle(part, "", authority.snapshot);
  }

  /** Input that arrived before the call's name was held back, because nothing could be drawn around it. */
  call(item: LiveItem, name: string, callId: string): void {
    if (item.call.callId === "") item.call.callId = callId;
    if (item.call.name !== "" || name === "") return;
    item.call.name = name;
    this.#tell({ type: "call", item: item.key, name });
    const sofar = this.part(item, "input", 0).text.text;
    if (sofar !== "") this.#tell({ type: "call-input", item: item.key, delta: sofar });
  }

  search(
    item: LiveItem,
    { status, query }: { readonly status?: string | undefined; readonly query?: string | undefined },
    sources: readonly Source[] = [],
    images: readonly Source[] = [],
  ): void {
    const before = item.search;
    const now = { status: status ?? before.status, query: query ?? before.query };
    const shown = JSON.stringify([now.status, now.query, sources, images]);
    item.search = present({ ...now, shown });
    if (shown === before.shown) return;
    this.#tell(present({ type: "search" as const, item: item.key, ...now, sources, images }));
  }

  cite({ key }: LivePart, citations: readonly Citation[]): void {
    const now = JSON.stringify(citations);
    if (now === (this.#cited.get(key) ?? "[]")) return;
    this.#cited.set(key, now);
    this.#tell({ type: "cited", part: key, citations });
  }

  /** An item was received completely. */
  finish(item: LiveItem, value: JsonObject, raw: string): void {
    const before = item.whole;
    // The first version may be richer than its repetition: only one with its encrypted content can be passed back.
    const poorer =
      before?.value["encrypted_content"] !== undefined && value["encrypted_content"] === undefined;
    if (!poorer) item.whole = { value, raw };
    if (before !== undefined) return;
    const output = outputItem(item);
    if (output !== undefined) this.#tell({ type: "item", item: output });
  }

  /** The final output determines which items exist, and their order; items that it omits are dropped. */
  keep(items: ReadonlySet<LiveItem>): void {
    for (const item of this.#items)
      if (!items.has(item) && item.kind === "message") this.blank(item, () => true);
    this.#items = [...items];
    this.#isFinal = true;
  }

  /** Nothing more follows: a text that ends in half a character ends in U+FFFD. */
  close(): void {
    for (const { parts } of this.#items)
      for (const part of parts.values()) {
        const delta = part.text.close();
        if (delta !== "") this.#showText(part, { type: "more", delta });
      }
  }

  /** Complete items, in order. */
  complete(): OutputItem[] {
    return this.#ordered().flatMap((item) => outputItem(item) ?? []);
  }

  textOf(type: MessagePart["type"]): string {
    return this.#ordered()
      .filter((item) => item.kind === "message")
      .flatMap(messagePartsOf)
      .filter((part) => part.type === type)
      .map((part) => part.text)
      .join("");
  }

  /** In the order of `output` if the service reports positions, otherwise in the order of arrival. */
  #ordered(): readonly LiveItem[] {
    return this.#isFinal ? this.#items : inOrder(this.#items);
  }

  // Display events: each thing once, and nothing that cannot be drawn yet.

  #showText({ item, family, key }: LivePart, correction: Correction): void {
    const isInput = family === "input";
    if (isInput && item.call.name === "") return;
    if (correction.type === "replaced") {
      this.#tell({ type: "replaced", part: isInput ? item.key : key, text: correction.text });
      return;
    }
    const { delta } = correction;
    if (isInput) this.#tell({ type: "call-input", item: item.key, delta });
    else if (family === "text" || family === "refusal") this.#tell({ type: family, part: key, delta });
    else this.#tell({ type: "reasoning", part: key, delta });
  }

  #tell(event: ReplyEvent): void {
    this.visible = true;
    this.#events.push(event);
  }
}

/** In the order of their indexes if each has one, otherwise in the order of arrival. */
export function inOrder(items: readonly LiveItem[]): readonly LiveItem[] {
  if (items.some(({ index }) => index === undefined)) return items;
  return items.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}

/** `undefined` unless the item was received completely. */
function outputItem(item: LiveItem): OutputItem | undefined {
  if (item.whole === undefined) return undefined;
  const { value, raw } = item.whole;
  const view = viewOf(item, item.whole);
  // Only the assistant's role is accepted from the service, so that a `system` message cannot enter the history.
  const foreign = view.kind === "message" && (value["role"] ?? "assistant") !== "assistant";
  if (foreign) return { raw: withMember(raw, "role", '"assistant"'), view };
  // A call without an id could never be answered: it is sent back with the id that we answer it under.
  const isNameless = view.kind === "call" && callIdOf(value) === "";
  return { raw: isNameless ? withMember(raw, "call_id", JSON.stringify(view.callId)) : raw, view };
}

function callIdOf(value: JsonObject): string {
  const view = viewItem(value, "");
  return view.kind === "call" ? view.callId : "";
}

function viewOf(item: LiveItem, { value, raw }: NonNullable<LiveItem["whole"]>): ItemView {
  const view = viewItem(value, raw);
  if (view.kind === "message") return { ...view, parts: messagePartsOf(item) };
  if (view.kind !== "call") return view;
  const own = callInput(value, view.call === "custom");
  const { name, callId } = item.call;
  return {
    ...view,
    callId: view.callId || callId || `call_${item.key.replace(/[^\w-]/g, "")}`,
    name: view.name || name,
    input: own ?? item.parts.get("input")?.text.text ?? "",
  };
}

/** The item's own parts, and streamed parts beyond them; if it has no text, all streamed parts. */
function messagePartsOf(item: LiveItem): readonly MessagePart[] {
  const own = item.whole === undefined ? [] : messageParts(item.whole.value);
  // A text next to an empty content list still counts as the first part.
  const known = own.length === 0 ? 0 : Math.max(1, asArray(item.whole?.value["content"]).length);
  const said = [...item.parts.values()]
    .filter(({ index, text }) => index >= known && (known === 0 || text.text !== ""))
    .sort((a, b) => a.index - b.index)
    .map(
      ({ family, text }): MessagePart => ({
        type: family === "refusal" ? "refusal" : "text",
        text: text.text,
        citations: [],
      }),
    );
  return [...own, ...said];
}
