// Whether two tellings of an item are about the same one, where ids and positions do not settle it. Changes nothing.
import type { LiveItem } from "./live-items.ts";

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
