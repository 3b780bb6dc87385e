import { areBlank } from "../edits.ts";
import { type Anchors, rowsOfAnchors } from "./anchors.ts";
import type { Pattern, Place } from "./matching-lines.ts";

/** A hunk without old lines goes directly below its anchor, to the end of the file, or where its range says. */
export function insertionPlaces(anchors: Anchors, { hunk, above }: Pattern): readonly Place[] {
  const { lines } = anchors;
  const gapAt = (row: number): Place => ({ at: row, row, tier: 0 });
  if (hunk.atEndOfFile || lines.count === 0) return [gapAt(lines.count)];
  if (hunk.anchors.length > 0) {
    const skip = (row: number) => (areBlank(lines, row, row + above) ? row + above : row);
    const rows = rowsOfAnchors(anchors, hunk.anchors);
    return rows.map((row) => gapAt(Math.min(skip(row + 1), lines.count)));
  }
  const { range } = hunk;
  return range?.length === 0 && range.start <= lines.count ? [gapAt(range.start)] : [];
}
