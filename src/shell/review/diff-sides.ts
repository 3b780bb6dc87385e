// The two sides of a change – the text as it is and as it would be – and where each hunk stands on either. Pure.
import type { PendingFile } from "../../core/changes/pending-file.ts";
import { applyEdits } from "../../core/patch/edits.ts";
import type { FileChange, LineEdit, LineRange } from "../../core/patch/model.ts";

export interface HunkPlace {
  readonly hunk: string;
  /** Lines of the text as it is. */
  readonly before: LineRange;
  /** Lines of the text as it would be. */
  readonly after: LineRange;
  /** What it would write, without the last line end. */
  readonly text: string;
}

const nowhere: LineRange = { first: 0, last: 0 };

/** Of a file of which nothing can be accepted: at its top. */
export const stuckPlace: HunkPlace = { hunk: "conflict", before: nowhere, after: nowhere, text: "" };

/** None where there is no file. */
export const textBefore = (change: FileChange): string | undefined =>
  change.kind === "add" ? undefined : change.base.text;

/** None where there would be no file. */
export function textAfter(change: FileChange): string | undefined {
  if (change.kind === "add") return change.text;
  return change.kind === "delete" ? undefined : applyEdits(change.base.text, change.edits);
}

/** `edits`: where they stand now, if somebody has typed since. */
export function placesIn(
  { change, hunks }: Pick<PendingFile, "change" | "hunks">,
  edits: readonly LineEdit[] = "edits" in change ? change.edits : [],
): HunkPlace[] {
  let shift = 0;
  const after = edits.map(({ lines, written }) => {
    const first = lines.first + shift;
    shift += written - (lines.last - lines.first);
    return { first, last: first + written };
  });
  return hunks.flatMap(({ id, number }) => {
    // What is done to the file itself stands before everything in it, and nowhere where there is more to see.
    if (number === undefined)
      return hunks.length > 1 ? [] : [{ hunk: id, before: nowhere, after: nowhere, text: "" }];
    const edit = edits[number];
    const text = edit?.text.replace(/\r?\n$/, "") ?? "";
    return [{ hunk: id, before: edit?.lines ?? nowhere, after: after[number] ?? nowhere, text }];
  });
}

/** Where the lines stand that both have changed, and what the proposal would have made of them: it is in neither text. */
export function conflictPlaces({
  change,
  conflicts,
}: Pick<PendingFile, "change" | "conflicts">): HunkPlace[] {
  const edits = "edits" in change ? change.edits : [];
  return conflicts.map(({ from, to, theirs }, at) => {
    let shift = 0;
    for (const { lines, written } of edits)
      if (lines.first + shift + written <= from) shift += written - (lines.last - lines.first);
    return {
      hunk: `conflict:${at}`,
      before: { first: from - shift, last: to - shift },
      after: { first: from, last: to },
      text: theirs.join("").replace(/\r?\n$/, ""),
    };
  });
}

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
