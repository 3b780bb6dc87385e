// Whether the lines that a hunk only adds stand already where it would put them. Its old lines fit then as they did
// the first time, and nothing but this tells that the patch was sent twice.
import type { Place } from "./find-places.ts";
import type { Pattern } from "./pattern.ts";
import type { Doubt, Splice } from "./splice.ts";
import { type Lines, lineAt } from "./text.ts";

/** A hunk with its place in the text and what it would do there. */
export interface Settled {
  readonly pattern: Pattern;
  readonly place: Place;
  /** Counted from 0 through the file's hunks. */
  readonly number: number;
  readonly splices: readonly Splice[];
}

/** A hunk that has a place, but what it would write there is in doubt. */
export interface Doubted extends Omit<Settled, "splices"> {
  readonly doubt: Doubt;
}

/** The first row of what is there; undefined when the hunk has something to do. */
export function alreadyAt(lines: Lines, { pattern, place, splices }: Settled): number | undefined {
  const end = place.at + pattern.lines.length;
  const rows = splices.map(({ first, last, lines: added }) => {
    if (last > first || added.every((line) => line.trim() === "")) return undefined;
    // Between two lines of context there is no room for them; and what is above a hunk of additions is its anchor.
    if (first === end && reads(lines, first, added)) return first;
    const above = first - added.length;
    const mayBeAbove = first === place.at && (first < end || pattern.hunk.atEndOfFile);
    return mayBeAbove && reads(lines, above, added) ? above : undefined;
  });
  return rows.every((row) => row !== undefined) ? rows[0] : undefined;
}

function reads(lines: Lines, first: number, added: readonly string[]): boolean {
  if (first < 0 || first + added.length > lines.count) return false;
  return added.every((line, step) => lineAt(lines, first + step) === line);
}
