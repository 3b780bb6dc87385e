// Accumulates the output of one Responses reply: which item a text belongs to, which source takes precedence, and which
// display events result. Independent of records and of how a reply ends.
import type { JsonObject } from "../../util/json.ts";
import type { Citation, MessagePart, OutputItem, ReplyEvent, Source } from "../reply.ts";
import { customCallTypes } from "../request.ts";
import {
  callInput,
  itemKind,
  itemType,
  messageParts,
  searchAction,
  textsOf,
  viewItem,
} from "../response-items.ts";
import {
  type ItemStage,
  isTwin,
  type LiveItem,
  LiveItems,
  type LivePart,
  messagePartsOf,
  outputItem,
  type UnnamedItems,
  unnamedItemsOf,
} from "./live-items.ts";
import type { ReplyPosition, TextFamily } from "./response-events.ts";
import { type Authority, authority, type Correction } from "./text-part.ts";

/** The type of an item that is created by a stray delta. */
const typeOfFamily: Record<TextFamily, string> = {
  text: "message",
  refusal: "message",
  summary: "reasoning",
  raw: "reasoning",
  input: "function_call",
};

export class ResponseOutput {
  readonly #items = new LiveItems();
  #events: ReplyEvent[] = [];
  /** The citations already reported for each text. */
  readonly #cited = new Map<string, string>();
  /** Something was shown or received completely. */
  visible = false;

  get isEmpty(): boolean {
    return this.#items.all.length === 0;
  }

  /** What became visible since the last call. */
  take(): ReplyEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  delta(at: ReplyPosition, named: TextFamily | undefined, delta: string, custom = false): void {
    const family = named ?? this.#familyAt(at);
    const item = this.#itemAt(at, family, custom);
    const part = this.#items.partOf(item, family, at.part);
    const more = part.text.append(delta);
    if (more !== "") this.#showText(item, part, { type: "more", delta: more });
  }

  settle(at: ReplyPosition, family: TextFamily, text: string, level: Authority, custom = false): void {
    this.#settle(this.#itemAt(at, family, custom), family, at.part, text, level);
  }

  name(at: ReplyPosition, name: string): void {
    const item = this.#items.find(at, "call");
    if (item !== undefined && item.call.name === "") this.#showCall(item, name, undefined);
  }

  search(at: ReplyPosition, status: string): void {
    const item = this.#items.find(at, "search") ?? this.#items.create(at, "web_search_call");
    item.search = { ...item.search, status };
    this.#showSearch(item, [], []);
  }

  /** Takes an item from the stream, either announced or complete. */
  item(value: JsonObject, raw: string, index: number | undefined, done: boolean): void {
    const item = this.#itemFor(value, raw, index, done ? "done" : "added");
    if (done) this.#finish(item, value, raw, authority.item);
    else {
      item.added = true;
      this.#take(item, value, authority.hint);
    }
  }

  /** Takes an interim snapshot: for display, until a more authoritative source arrives. */
  glimpse(elements: readonly JsonObject[]): void {
    for (const [index, value] of elements.entries())
      this.#take(this.#itemFor(value, "", index, "glimpse"), value, authority.hint);
  }

  /** Replaces what was accumulated by the final snapshot; what it omits is dropped. */
  conclude(elements: readonly { readonly value: JsonObject; readonly raw: string }[]): void {
    const kept = new Set<LiveItem>();
    const spare = unnamedItemsOf(this.#items.all, new Set(elements.map(({ value }) => value["id"])));
    for (const [index, { value, raw }] of elements.entries()) {
      const item = this.#matching(value, index, kept, spare);
      kept.add(item);
      this.#finish(item, value, raw, authority.snapshot);
    }
    for (const item of this.#items.all) {
      if (!kept.has(item) && item.kind === "message") this.#blank(item, () => true);
    }
    this.#items.keep([...kept]);
  }

  close(): void {
    for (const item of this.#items.all) {
      for (const part of item.parts.values()) {
        const delta = part.text.close();
        if (delta !== "") this.#showText(item, part, { type: "more", delta });
      }
    }
  }

  /** Complete items, in order. */
  items(): OutputItem[] {
    return this.#items.ordered().flatMap((item) => outputItem(item) ?? []);
  }

  textOf(type: MessagePart["type"]): string {
    return this.#items
      .ordered()
      .filter((item) => item.kind === "message")
      .flatMap(messagePartsOf)
      .filter((part) => part.type === type)
      .map((part) => part.text)
      .join("");
  }

  #familyAt(at: ReplyPosition): TextFamily {
    const kind = this.#items.find(at, undefined)?.kind;
    return kind === "call" ? "input" : kind === "reasoning" ? "raw" : "text";
  }

  #itemAt(at: ReplyPosition, family: TextFamily, custom: boolean): LiveItem {
    const type = custom ? "custom_tool_call" : typeOfFamily[family];
    return this.#items.find(at, itemKind(type)) ?? this.#items.create(at, type);
  }

  #itemFor(value: JsonObject, raw: string, index: number | undefined, mention: ItemStage): LiveItem {
    const id = typeof value["id"] === "string" ? value["id"] : undefined;
    const type = itemType(value);
    const kind = itemKind(type);
    const known = this.#items.find({ itemId: id, index }, kind);
    if (known !== undefined && known === this.#items.byId(id) && !isTwin(known, raw, index, mention))
      return known;
    if (known !== undefined && id !== undefined && id !== "" && known.id === id && known.index === index)
      return known;
    const placed = this.#items.find({ itemId: undefined, index }, kind);
    if (placed === undefined || !this.#isSame(placed, id, index, mention !== "added")) {
      return this.#items.create({ itemId: id, index }, type);
    }
    this.#items.alias(id, placed);
    placed.type = type;
    return placed;
  }

  /** A second announcement at a taken position is a new item, and so is a complete item with another id. */
  #isSame(placed: LiveItem, id: string | undefined, index: number | undefined, repeated: boolean): boolean {
    if (placed.whole === undefined) return repeated || !placed.added;
    const known = placed.whole.value["id"];
    return repeated && index !== undefined && (id === undefined || known === undefined || id === known);
  }

  #matching(value: JsonObject, index: number, kept: ReadonlySet<LiveItem>, spare: UnnamedItems): LiveItem {
    const id = typeof value["id"] === "string" ? value["id"] : undefined;
    const kind = itemKind(itemType(value));
    const free = (item: LiveItem | undefined) =>
      item !== undefined && item.kind === kind && !kept.has(item) ? item : undefined;
    const known = free(this.#items.byId(id)) ?? free(this.#items.byIndex(index));
    if (known !== undefined) return known;
    const left = spare.get(kind) ?? [];
    while (left.length > 0 && free(left.at(-1)) === undefined) left.pop();
    return left.at(-1) ?? this.#items.create({ itemId: id, index }, itemType(value));
  }

  #finish(item: LiveItem, value: JsonObject, raw: string, level: Authority): void {
    this.#take(item, value, level);
    const before = item.whole;
    // The first version may be richer than its repetition: only one with its encrypted content can be passed back.
    const poorer =
      before?.value["encrypted_content"] !== undefined && value["encrypted_content"] === undefined;
    if (before === undefined || !poorer) item.whole = { value, raw };
    if (before !== undefined) return;
    const output = outputItem(item);
    if (output !== undefined) this.#showItem(output);
  }

  /** Takes the texts that an item contains, with the given authority. */
  #take(item: LiveItem, value: JsonObject, level: Authority): void {
    item.type = itemType(value);
    switch (item.kind) {
      case "message":
        this.#takeMessage(item, value, level);
        return;
      case "reasoning":
        for (const [index, text] of textsOf(value["summary"]).entries())
          this.#settle(item, "summary", index, text, level);
        for (const [index, text] of textsOf(value["content"]).entries())
          this.#settle(item, "raw", index, text, level);
        return;
      case "call": {
        const view = viewItem(value, "");
        if (view.kind === "call") this.#showCall(item, view.name, view.callId);
        const input = callInput(value, customCallTypes.has(item.type));
        if (input !== undefined) this.#settle(item, "input", 0, input, level);
        return;
      }
      case "search":
        this.#takeSearch(item, value);
        return;
      case "other":
        return;
      default:
        item.kind satisfies never;
    }
  }

  #takeMessage(item: LiveItem, value: JsonObject, level: Authority): void {
    const parts = messageParts(value);
    // Only strings count: for an item without any, the deltas remain.
    if (parts.length === 0) return;
    for (const [index, part] of parts.entries()) this.#settle(item, part.type, index, part.text, level);
    if (level < authority.item) return;
    this.#blank(item, (part) => parts[part.index]?.type !== part.family);
    for (const [index, { type, citations }] of parts.entries())
      if (type === "text") this.#showCitations(this.#items.partOf(item, "text", index), citations);
  }

  #takeSearch(item: LiveItem, value: JsonObject): void {
    const { query, sources, images } = searchAction(value);
    const status = typeof value["status"] === "string" ? value["status"] : item.search.status;
    item.search = query === undefined ? { ...item.search, status } : { ...item.search, status, query };
    this.#showSearch(item, sources, images);
  }

  #settle(
    item: LiveItem,
    family: TextFamily,
    index: number | undefined,
    text: string,
    level: Authority,
  ): void {
    const part = this.#items.partOf(item, family, index);
    const correction = part.text.settle(text, level);
    if (correction !== undefined) this.#showText(item, part, correction);
  }

  #blank(item: LiveItem, which: (part: LivePart) => boolean): void {
    for (const part of item.parts.values()) {
      if (which(part)) this.#settle(item, part.family, part.index, "", authority.snapshot);
    }
  }

  // Display events: each thing once, and nothing that cannot be drawn yet.

  #showText(item: LiveItem, part: LivePart, correction: Correction): void {
    const { family, key } = part;
    if (family === "input") this.#showInput(item, correction);
    else if (correction.type === "replace") this.#tell({ type: "replace", part: key, text: correction.text });
    else if (family === "text" || family === "refusal") {
      this.#tell({ type: family, part: key, delta: correction.delta });
    } else this.#tell({ type: "reasoning", part: key, delta: correction.delta, form: family });
  }

  /** Input that arrived before the call's name was held back, because nothing could be drawn around it. */
  #showCall(item: LiveItem, name: string, callId: string | undefined): void {
    if (callId !== undefined && callId !== "" && item.call.callId === "") item.call.callId = callId;
    if (item.call.announced || name === "") return;
    item.call = { ...item.call, announced: true, name };
    this.#tell({ type: "call", item: item.key, name });
    const sofar = this.#items.partOf(item, "input", 0).text.text;
    if (sofar !== "") this.#tell({ type: "call-input", item: item.key, delta: sofar });
  }

  #showCitations({ key }: LivePart, citations: readonly Citation[]): void {
    const now = JSON.stringify(citations);
    if (now === (this.#cited.get(key) ?? "[]")) return;
    this.#cited.set(key, now);
    this.#tell({ type: "cited", part: key, citations });
  }

  #showSearch(item: LiveItem, sources: readonly Source[], images: readonly Source[]): void {
    const { status, query, shown } = item.search;
    const now = JSON.stringify([status, query, sources, images]);
    if (now === shown) return;
    item.search = { ...item.search, shown: now };
    const event = { type: "search" as const, item: item.key, status, sources, images };
    this.#tell(query === undefined ? event : { ...event, query });
  }

  #showItem(item: OutputItem): void {
    this.#tell({ type: "item", item });
  }

  #showInput(item: LiveItem, correction: Correction): void {
    if (!item.call.announced) return;
    if (correction.type === "more") {
      this.#tell({ type: "call-input", item: item.key, delta: correction.delta });
    } else this.#tell({ type: "replace", part: item.key, text: correction.text });
  }

  #tell(event: ReplyEvent): void {
    this.visible = true;
    this.#events.push(event);
  }
}
