// The two sides of a change – the text as it is and as it would be – and where each hunk stands on either. Pure.
import { applyEdits } from "../../core/patch/edits.ts";
import type { FileChange, LineEdit, LineRange } from "../../core/patch/model.ts";
import { hasHunks, hunkName } from "../../core/tools/patch-view.ts";

export interface HunkPlace {
  readonly hunk: string;
  /** Lines of the text as it is. */
  readonly before: LineRange;
  /** Lines of the text as it would be. */
  readonly after: LineRange;
  /** What it would write, without the last line end. */
  readonly text: string;
}

/** None where there is no file. */
export const textBefore = (change: FileChange): string | undefined =>
  change.kind === "add" ? undefined : change.base.text;

/** With only the hunks that are taken; none where there would be no file. */
export function textAfter(change: FileChange, takes: (hunk: number) => boolean): string | undefined {
  if (change.kind === "add") return change.text;
  if (change.kind === "delete") return undefined;
  return applyEdits(change.base.text, takenEdits(change.edits, takes));
}

/** Edits that several hunks made together are taken with all of them or not at all. */
const takenEdits = (edits: readonly LineEdit[], takes: (hunk: number) => boolean): readonly LineEdit[] =>
  edits.filter(({ hunks }) => hunks.every(takes));

/** `path` is how the change is named in the review. */
export function placesIn(change: FileChange, path: string, takes: (hunk: number) => boolean): HunkPlace[] {
  const nowhere = { first: 0, last: 0 };
  if (!hasHunks(change)) return [{ hunk: hunkName(path), before: nowhere, after: nowhere, text: "" }];
  const places = new Map<number, HunkPlace>();
  let shift = 0;
  for (const edit of change.edits) {
    const taken = edit.hunks.every(takes);
    const length = edit.lines.last - edit.lines.first;
    const first = edit.lines.first + shift;
    const after = { first, last: first + (taken ? edit.written : length) };
    for (const number of edit.hunks) {
      const known = places.get(number);
      places.set(number, {
        hunk: hunkName(path, number),
        before: joined(known?.before, edit.lines),
        after: joined(known?.after, after),
        text: [...(known === undefined ? [] : [known.text]), edit.text.replace(/\r?\n$/, "")].join("\n"),
      });
    }
    if (taken) shift += edit.written - length;
  }
  return [...places.entries()].sort(([one], [other]) => one - other).map(([, place]) => place);
}

const joined = (known: LineRange | undefined, next: LineRange): LineRange =>
  known === undefined
    ? next
    : { first: Math.min(known.first, next.first), last: Math.max(known.last, next.last) };

/** The hunk that a line belongs to: on it, or nearest to it within a few lines. */
export function hunkAt(
  places: readonly HunkPlace[],
  line: number,
  side: "before" | "after",
): string | undefined {
  const near = 3;
  let best: { hunk: string; distance: number } | undefined;
  for (const place of places) {
    const { first, last } = place[side];
    const distance = line < first ? first - line : Math.max(0, line - Math.max(first, last - 1));
    if (distance <= near && (best === undefined || distance < best.distance))
      best = { hunk: place.hunk, distance };
  }
  return best?.hunk;
}
