// Repairs what gateways get wrong, before a reply is put together: every event gets its item and its part. Ids and
// indexes may be missing, unknown, taken twice or different in each event (some gateways encrypt every id again), so an
// item is found by id, then by position, then as the only one that fits. A service that keeps to its own ids and
// positions is read as it speaks. Knows which item is which; what it contains is in reply-output.ts.
import { asArray, asString, isObject, type JsonObject } from "../../util/json.ts";
import { type ItemKind, itemKind, itemType, rawAt, rawElements } from "../response-items.ts";
import { inOrder, type LiveItem, type LivePart, type ReplyOutput, type TextFamily } from "./reply-output.ts";
import type { ReplyPosition, ResponseEvent } from "./response-events.ts";
import type { Authority } from "./text-part.ts";

/** An output item that is mentioned, with the item of the reply that it is. */
export interface PlacedItem {
  readonly item: LiveItem;
  readonly value: JsonObject;
  readonly raw: string;
}

/** An event of a Responses stream with the item or part that it concerns. */
export type PlacedEvent =
  | { readonly kind: "delta"; readonly part: LivePart; readonly delta: string }
  | {
      readonly kind: "text";
      readonly part: LivePart;
      readonly text: string;
      readonly level: Authority;
      /** The name of the tool, and the call that it belongs to. */
      readonly named: { readonly item: LiveItem; readonly name: string } | undefined;
    }
  | ({ readonly kind: "item"; readonly done: boolean } & PlacedItem)
  | { readonly kind: "search"; readonly item: LiveItem; readonly status: string }
  | Extract<ResponseEvent, { kind: "snapshot" | "error" | "ignored" }>;

const kindOfFamily: Record<TextFamily, ItemKind> = {
  text: "message",
  refusal: "message",
  summary: "reasoning",
  raw: "reasoning",
  input: "call",
};

type Place = Pick<ReplyPosition, "itemId" | "index">;

/** How the stream reports an item: announced, complete, or as part of an interim snapshot. */
type Stage = "added" | "done" | "interim";

export class ResponseRepairs {
  readonly #output: ReplyOutput;
  readonly #byId = new Map<string, LiveItem>();
  readonly #byIndex = new Map<number, LiveItem>();
  /** By kind, and under `undefined` for any kind. Completed items are removed from the open ones when encountered. */
  readonly #made = new Map<ItemKind | undefined, LiveItem[]>();
  readonly #open = new Map<ItemKind | undefined, LiveItem[]>();
  readonly #added = new Set<LiveItem>();

  constructor(output: ReplyOutput) {
    this.#output = output;
  }

  /** `data` is the record that the event was read from, byte for byte. */
  place(event: ResponseEvent, data: string): PlacedEvent {
    switch (event.kind) {
      case "delta":
        return { kind: "delta", part: this.#partAt(event.at, event.family), delta: event.delta };
      case "text":
      case "part": {
        const { at, family, text, level, name } = event;
        const call = name === undefined ? undefined : this.#find(at, "call");
        const named = name === undefined || call === undefined ? undefined : { item: call, name };
        return { kind: "text", part: this.#partAt(at, family), text, level, named };
      }
      case "item": {
        const { item: value, index, done } = event;
        const raw = rawAt(data, ["item"]) ?? "";
        const item = this.#itemOf(value, raw, index, done ? "done" : "added");
        if (!done) this.#added.add(item);
        return { kind: "item", done, item, value, raw };
      }
      case "search": {
        const item = this.#find(event.at, "search") ?? this.#create(event.at, "search");
        return { kind: "search", item, status: event.status };
      }
      default:
        return event;
    }
  }

  /** The items of a snapshot that is not the final one, each placed when it is asked for. */
  *interim(output: unknown): Generator<PlacedItem, void> {
    for (const [index, value] of asArray(output).filter(isObject).entries())
      yield { item: this.#itemOf(value, "", index, "interim"), value, raw: "" };
  }

  /** The items of the final snapshot, each placed when it is asked for; `json` is its `output`, byte for byte. */
  *final(output: unknown, json: string): Generator<PlacedItem, void> {
    const raws = rawElements(json);
    const elements = asArray(output).flatMap((value, index) =>
      isObject(value) ? [{ value, raw: raws[index] ?? "" }] : [],
    );
    const placed = new Set<LiveItem>();
    const spare = this.#unnamed(new Set(elements.map(({ value }) => value["id"])));
    for (const [index, { value, raw }] of elements.entries()) {
      const item = this.#matching(value, index, placed, spare);
      placed.add(item);
      yield { item, value, raw };
    }
  }

  /** Without an index, the part that last received text of this family. */
  #partAt(at: ReplyPosition, named: TextFamily | undefined): LivePart {
    const family = named ?? this.#familyAt(at);
    const kind = kindOfFamily[family];
    const item = this.#find(at, kind) ?? this.#create(at, kind);
    const { newest } = item;
    if (newest?.family === family && (at.part === undefined || newest.index === at.part)) return newest;
    return this.#output.part(item, family, at.part ?? item.lastIndex.get(family) ?? 0);
  }

  /** A delta whose name does not tell what it is continues what the item is. */
  #familyAt(at: Place): TextFamily {
    const kind = this.#find(at, undefined)?.kind;
    return kind === "call" ? "input" : kind === "reasoning" ? "raw" : "text";
  }

  #named(id: string | undefined): LiveItem | undefined {
    return id === undefined || id === "" ? undefined : this.#byId.get(id);
  }

  #placed(index: number | undefined): LiveItem | undefined {
    return index === undefined ? undefined : this.#byIndex.get(index);
  }

  #find(at: Place, kind: ItemKind | undefined): LiveItem | undefined {
    const fits = (item: LiveItem | undefined): item is LiveItem =>
      item !== undefined && (kind === undefined || item.kind === kind);
    const placed = this.#placed(at.index);
    const named = this.#named(at.itemId);
    // If two items share an id, the position decides.
    if (fits(placed) && placed.id === at.itemId) return placed;
    if (fits(named)) return named;
    if (fits(placed)) return placed;
    if (at.itemId !== undefined || at.index !== undefined) return undefined;
    const made = this.#made.get(kind) ?? [];
    const open = this.#open.get(kind) ?? [];
    while (open.at(-1)?.whole !== undefined) open.pop();
    return open.at(-1) ?? made.at(-1);
  }

  #create({ itemId: id, index }: Place, kind: ItemKind): LiveItem {
    const isFree = id !== undefined && id !== "" && !this.#byId.has(id);
    const item = this.#output.open({ key: isFree ? id : `#${this.#output.items.length}`, id, index, kind });
    for (const each of [kind, undefined]) {
      listIn(this.#made, each).push(item);
      listIn(this.#open, each).push(item);
    }
    if (isFree) this.#byId.set(id, item);
    if (index !== undefined) this.#byIndex.set(index, item);
    return item;
  }

  #itemOf(value: JsonObject, raw: string, index: number | undefined, stage: Stage): LiveItem {
    const id = asString(value["id"]);
    const kind = itemKind(itemType(value));
    const known = this.#find({ itemId: id, index }, kind);
    if (known !== undefined && known === this.#named(id) && !this.#isTwin(known, raw, index, stage))
      return known;
    if (known !== undefined && id !== undefined && id !== "" && known.id === id && known.index === index)
      return known;
    const placed = this.#find({ itemId: undefined, index }, kind);
    if (placed === undefined || !this.#isSame(placed, id, index, stage !== "added"))
      return this.#create({ itemId: id, index }, kind);
    if (id !== undefined && id !== "" && !this.#byId.has(id)) this.#byId.set(id, placed);
    return placed;
  }

  /** Whether this is another item under an id that is already taken: at another position, and not a repetition. */
  #isTwin(known: LiveItem, raw: string, index: number | undefined, stage: Stage): boolean {
    if (stage === "interim" || index === undefined || known.index === undefined || index === known.index)
      return false;
    return known.whole === undefined ? stage === "added" && this.#added.has(known) : known.whole.raw !== raw;
  }

  /** A second announcement at a taken position is a new item, and so is a complete item with another id. */
  #isSame(placed: LiveItem, id: string | undefined, index: number | undefined, repeated: boolean): boolean {
    if (placed.whole === undefined) return repeated || !this.#added.has(placed);
    const known = placed.whole.value["id"];
    return repeated && index !== undefined && (id === undefined || known === undefined || id === known);
  }

  #matching(value: JsonObject, index: number, taken: ReadonlySet<LiveItem>, spare: UnnamedItems): LiveItem {
    const id = asString(value["id"]);
    const kind = itemKind(itemType(value));
    const free = (item: LiveItem | undefined) =>
      item !== undefined && item.kind === kind && !taken.has(item) ? item : undefined;
    const known = free(this.#named(id)) ?? free(this.#placed(index));
    if (known !== undefined) return known;
    const left = spare.get(kind) ?? [];
    while (left.length > 0 && free(left.at(-1)) === undefined) left.pop();
    return left.at(-1) ?? this.#create({ itemId: id, index }, kind);
  }

  #unnamed(names: ReadonlySet<unknown>): UnnamedItems {
    const spare = new Map<ItemKind, LiveItem[]>();
    for (const item of this.#output.items.toReversed())
      if (item.id === undefined || !names.has(item.id)) listIn(spare, item.kind).push(item);
    return spare;
  }
}

/** By kind, the first item last: candidates for an element without an id or position of its own. */
type UnnamedItems = ReadonlyMap<ItemKind, LiveItem[]>;

function listIn<K>(lists: Map<K, LiveItem[]>, key: K): LiveItem[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** Which call a piece of a chat reply belongs to: its index may be missing, reused or interleaved (wire §7). */
export class ChatRepairs {
  readonly #output: ReplyOutput;
  readonly #calls: LiveItem[] = [];
  readonly #newestAt = new Map<number, LiveItem>();
  readonly #firstById = new Map<string, LiveItem>();

  constructor(output: ReplyOutput) {
    this.#output = output;
  }

  /** Another id at a known index is another call: some servers give every call the index 0. */
  callAt(index: number | undefined, id: string): LiveItem {
    const isAt = (call: LiveItem) => index === undefined || call.index === undefined || index === call.index;
    const same = ({ call: { callId } }: LiveItem) => id === "" || callId === "" || callId === id;
    const placed = index === undefined ? undefined : this.#newestAt.get(index);
    const named = this.#firstById.get(id);
    const known =
      (placed !== undefined && same(placed) ? placed : undefined) ??
      (named !== undefined && isAt(named) ? named : undefined) ??
      (index === undefined && id === "" ? this.#calls.at(-1) : undefined);
    const call = known ?? this.#create(index);
    if (id !== "" && !this.#firstById.has(id)) this.#firstById.set(id, call);
    return call;
  }

  get any(): boolean {
    return this.#calls.length > 0;
  }

  /** One id is one call, however often it occurs. */
  calls(): readonly LiveItem[] {
    const seen = new Set<string>();
    return inOrder(this.#calls).filter(({ call: { callId } }) => {
      if (seen.has(callId)) return false;
      if (callId !== "") seen.add(callId);
      return true;
    });
  }

  #create(index: number | undefined): LiveItem {
    const key = `call-${this.#calls.length}`;
    const call = this.#output.open({ key, id: undefined, index, kind: "call" });
    this.#calls.push(call);
    if (index !== undefined) this.#newestAt.set(index, call);
    return call;
  }
}
