// The output items of a reply while it arrives: which item a record belongs to, and the texts of each. Ids and indexes
// may be missing, unknown or change between records (some gateways re-encrypt every id), so an item is found by id,
// then by position, then as the only one that fits. Also derives the final form of an item. Independent of event names.
import { asArray, type JsonObject } from "../../util/json.ts";
import type { ItemView, MessagePart, OutputItem } from "../reply.ts";
import { callInput, type ItemKind, itemKind, messageParts, viewItem, withMember } from "../response-items.ts";
import type { ReplyPosition, TextFamily } from "./response-events.ts";
import { limitPieces } from "./stream-records.ts";
import { TextPart } from "./text-part.ts";

export interface LiveItem {
  /** Unique within the reply and stable, unlike ids from the service. */
  readonly key: string;
  /** The id first received; other items may have the same. */
  readonly id: string | undefined;
  readonly index: number | undefined;
  type: string;
  readonly kind: ItemKind;
  readonly parts: Map<string, LivePart>;
  /** The index of the newest part of each family. */
  readonly lastIndex: Map<TextFamily, number>;
  /** The part of the last delta; the next one mostly continues it. */
  newest: LivePart | undefined;
  call: { name: string; callId: string; announced: boolean };
  search: { status: string; query?: string; shown: string };
  added: boolean;
  /** Set once the item was received completely. */
  whole: { readonly value: JsonObject; readonly raw: string } | undefined;
}

export interface LivePart {
  readonly key: string;
  readonly family: TextFamily;
  readonly index: number;
  readonly text: TextPart;
}

export class LiveItems {
  #all: LiveItem[] = [];
  readonly #byId = new Map<string, LiveItem>();
  readonly #byIndex = new Map<number, LiveItem>();
  /** By kind, and under `undefined` for any kind. Completed items are removed from the open ones when encountered. */
  readonly #made = new Map<ItemKind | undefined, LiveItem[]>();
  readonly #open = new Map<ItemKind | undefined, LiveItem[]>();
  /** The number of items and parts. */
  #pieces = 0;
  #kept = false;

  get all(): readonly LiveItem[] {
    return this.#all;
  }

  byId(id: string | undefined): LiveItem | undefined {
    return id === undefined || id === "" ? undefined : this.#byId.get(id);
  }

  byIndex(index: number | undefined): LiveItem | undefined {
    return index === undefined ? undefined : this.#byIndex.get(index);
  }

  find(at: Pick<ReplyPosition, "itemId" | "index">, kind: ItemKind | undefined): LiveItem | undefined {
    const fits = (item: LiveItem | undefined): item is LiveItem =>
      item !== undefined && (kind === undefined || item.kind === kind);
    const placed = this.byIndex(at.index);
    const named = this.byId(at.itemId);
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

  create(at: Pick<ReplyPosition, "itemId" | "index">, type: string): LiveItem {
    limitPieces(++this.#pieces);
    const free = at.itemId !== undefined && at.itemId !== "" && !this.#byId.has(at.itemId);
    const item: LiveItem = {
      key: free && at.itemId !== undefined ? at.itemId : `#${this.#all.length}`,
      id: at.itemId,
      index: at.index,
      type,
      kind: itemKind(type),
      parts: new Map(),
      lastIndex: new Map(),
      newest: undefined,
      call: { name: "", callId: "", announced: false },
      search: { status: "", shown: "" },
      added: false,
      whole: undefined,
    };
    this.#all.push(item);
    for (const kind of [item.kind, undefined]) {
      listIn(this.#made, kind).push(item);
      listIn(this.#open, kind).push(item);
    }
    if (free && at.itemId !== undefined) this.#byId.set(at.itemId, item);
    if (at.index !== undefined) this.#byIndex.set(at.index, item);
    return item;
  }

  /** Without an index, the part that last received text of this family. */
  partOf(item: LiveItem, family: TextFamily, given: number | undefined): LivePart {
    const { newest } = item;
    if (newest?.family === family && (given === undefined || newest.index === given)) return newest;
    const index = given ?? item.lastIndex.get(family) ?? 0;
    const name = family === "input" ? "input" : `${family}-${index}`;
    const part = item.parts.get(name) ?? this.#newPart(item, name, family, index);
    item.newest = part;
    return part;
  }

  #newPart(item: LiveItem, name: string, family: TextFamily, index: number): LivePart {
    limitPieces(++this.#pieces);
    const part = { key: `${item.key}/${name}`, family, index, text: new TextPart() };
    item.parts.set(name, part);
    item.lastIndex.set(family, index);
    return part;
  }

  /** Registers another id for the same item. */
  alias(id: string | undefined, item: LiveItem): void {
    if (id !== undefined && id !== "" && !this.#byId.has(id)) this.#byId.set(id, item);
  }

  /** In the order of `output` if the service reports positions, otherwise in the order of arrival. */
  ordered(): readonly LiveItem[] {
    if (this.#kept || this.#all.some((item) => item.index === undefined)) return this.#all;
    return [...this.#all].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  }

  /** The final snapshot determines which items exist; items that it omits are dropped. */
  keep(items: readonly LiveItem[]): void {
    this.#all = [...items];
    this.#kept = true;
  }
}

function listIn<K>(lists: Map<K, LiveItem[]>, key: K): LiveItem[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** By kind, the first item last: candidates for an element without an id or position of its own. */
export type UnnamedItems = ReadonlyMap<string, LiveItem[]>;

export function unnamedItemsOf(items: readonly LiveItem[], named: ReadonlySet<unknown>): UnnamedItems {
  const spare = new Map<string, LiveItem[]>();
  for (const item of items.toReversed()) {
    if (item.id !== undefined && named.has(item.id)) continue;
    const list = spare.get(item.kind) ?? [];
    spare.set(item.kind, list);
    list.push(item);
  }
  return spare;
}

/** How the stream reports an item: announced, complete, or as part of an interim snapshot. */
export type ItemStage = "added" | "done" | "glimpse";

/** Whether this is another item under an id that is already taken: at another position, and not a repetition. */
export function isTwin(known: LiveItem, raw: string, index: number | undefined, mention: ItemStage): boolean {
  if (mention === "glimpse" || index === undefined || known.index === undefined || index === known.index)
    return false;
  return known.whole === undefined ? mention === "added" && known.added : known.whole.raw !== raw;
}

/** `undefined` unless the item was received completely. */
export function outputItem(item: LiveItem): OutputItem | undefined {
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
export function messagePartsOf(item: LiveItem): readonly MessagePart[] {
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
