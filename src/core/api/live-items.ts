// The output items of a reply while it arrives: which one a record belongs to, and the texts of each. Ids and
// indexes may be missing, unknown or change between records (some gateways re-encrypt every id), so an item is
// found by id, then by position, then as the only one that fits. What an item comes to is read here, too. Knows no event names.
import { asArray, type JsonObject } from "../util/json.ts";
import { withMember } from "./raw-json.ts";
import type { ItemView, MessagePart, OutputItem } from "./reply.ts";
import { limitPieces } from "./reply-weight.ts";
import type { Place, TextFamily } from "./response-events.ts";
import { callInput, type ItemKind, itemKind, messageParts, viewItem } from "./response-items.ts";
import { TextPart } from "./text-part.ts";

export interface LiveItem {
  /** Unique within the reply and stable, unlike the ids on the wire. */
  readonly key: string;
  /** As it first came on the wire; others may have the same. */
  readonly id: string | undefined;
  readonly index: number | undefined;
  type: string;
  readonly kind: ItemKind;
  readonly parts: Map<string, LivePart>;
  /** The index of the newest part of each family. */
  readonly lastIndex: Map<TextFamily, number>;
  /** Where the last delta went; the next one mostly goes there too. */
  newest: LivePart | undefined;
  call: { name: string; callId: string; announced: boolean };
  search: { status: string; query?: string; shown: string };
  added: boolean;
  /** Set when the item was received whole. */
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
  /** By kind, and of any kind; of the open ones those that became whole are dropped when they are met. */
  readonly #made = new Map<ItemKind | undefined, LiveItem[]>();
  readonly #open = new Map<ItemKind | undefined, LiveItem[]>();
  /** Items and parts. */
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

  find(at: Pick<Place, "itemId" | "index">, kind: ItemKind | undefined): LiveItem | undefined {
    const fits = (item: LiveItem | undefined): item is LiveItem =>
      item !== undefined && (kind === undefined || item.kind === kind);
    const placed = this.byIndex(at.index);
    const named = this.byId(at.itemId);
    // Of two under one id the position tells.
    if (fits(placed) && placed.id === at.itemId) return placed;
    if (fits(named)) return named;
    if (fits(placed)) return placed;
    if (at.itemId !== undefined || at.index !== undefined) return undefined;
    const made = this.#made.get(kind) ?? [];
    const open = this.#open.get(kind) ?? [];
    while (open.at(-1)?.whole !== undefined) open.pop();
    return open.at(-1) ?? made.at(-1);
  }

  create(at: Pick<Place, "itemId" | "index">, type: string): LiveItem {
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

  /** Without an index: the one that text of this family went to last. */
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

  /** The same item under one more id. */
  alias(id: string | undefined, item: LiveItem): void {
    if (id !== undefined && id !== "" && !this.#byId.has(id)) this.#byId.set(id, item);
  }

  /** In the order of `output` where the service tells positions, else in the order of arrival. */
  ordered(): readonly LiveItem[] {
    if (this.#kept || this.#all.some((item) => item.index === undefined)) return this.#all;
    return [...this.#all].sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  }

  /** The final snapshot names the items there are; whatever it leaves out was not said. */
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

/** By kind, the first last: items that an element without a name or place of its own may be. */
export type Spare = ReadonlyMap<string, LiveItem[]>;

export function sparesOf(items: readonly LiveItem[], named: ReadonlySet<unknown>): Spare {
  const spare = new Map<string, LiveItem[]>();
  for (const item of items.toReversed()) {
    if (item.id !== undefined && named.has(item.id)) continue;
    const list = spare.get(item.kind) ?? [];
    spare.set(item.kind, list);
    list.push(item);
  }
  return spare;
}

/** How the stream tells of an item: announced, whole, or in passing. */
export type Mention = "added" | "done" | "glimpse";

/** Another item under an id that is taken already: at another position, and not the same one told again. */
export function isTwin(known: LiveItem, raw: string, index: number | undefined, mention: Mention): boolean {
  if (mention === "glimpse" || index === undefined || known.index === undefined || index === known.index)
    return false;
  return known.whole === undefined ? mention === "added" && known.added : known.whole.raw !== raw;
}

/** `undefined` unless it was received whole. */
export function outputItem(item: LiveItem): OutputItem | undefined {
  if (item.whole === undefined) return undefined;
  const { value, raw } = item.whole;
  const view = viewOf(item, item.whole);
  // Roles from the service are limited to its own: a `system` message must not enter the history by this way.
  const foreign = view.kind === "message" && (value["role"] ?? "assistant") !== "assistant";
  if (foreign) return { raw: withMember(raw, "role", '"assistant"'), view };
  // A call that names no id could never be answered: it goes back with the one that we answer it under.
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

/** The item's own parts, and what was said behind them; if it has no text, all that the deltas said. */
export function messagePartsOf(item: LiveItem): readonly MessagePart[] {
  const own = item.whole === undefined ? [] : messageParts(item.whole.value);
  // A text that stands beside an empty list is the first part all the same.
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
