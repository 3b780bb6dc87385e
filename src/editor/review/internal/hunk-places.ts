// The two sides of a change, the current and the proposed text, and where each hunk is on either side. Pure.

import * as vscode from "vscode";
import type { PendingFile } from "../../../changes/pending-changes.ts";
import type { LineEdit, LineRange } from "../../../patch/model.ts";
import { schemes } from "../shown-change.ts";
import type { ReviewModel } from "./review-model.ts";

export interface HunkPlace {
  readonly hunk: string;
  /** Lines in the current text. */
  readonly before: LineRange;
  /** Lines in the proposed text. */
  readonly after: LineRange;
  /** The text it would write, without the last line end. */
  readonly text: string;
}

const nowhere: LineRange = { first: 0, last: 0 };

/** For a file of which nothing can be accepted: at its top. */
export const stuckPlace: HunkPlace = { hunk: "conflict", before: nowhere, after: nowhere, text: "" };

/** `edits`: their current places, if the user has typed since. */
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
    // A change of the file itself (create, move, delete) is at the top, or nowhere if there are other hunks.
    if (number === undefined)
      return hunks.length > 1 ? [] : [{ hunk: id, before: nowhere, after: nowhere, text: "" }];
    const edit = edits[number];
    const text = edit?.text.replace(/\r?\n$/, "") ?? "";
    return [{ hunk: id, before: edit?.lines ?? nowhere, after: after[number] ?? nowhere, text }];
  });
}

/** The lines that both sides have changed, and the proposed text for them, which is in neither document. */
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

/** The hunk at a line, or the nearest one within a few lines. */
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

type ReviewedFiles = Pick<ReviewModel, "find" | "placesOf" | "hunksIn">;

interface Undecided {
  readonly hunk: string;
  readonly line: number;
}

/**
 * After a decision about the change at the cursor, moves the cursor to the next pending one in the same editor, since
 * reviews are read downwards. Opens no editor for it. Call before the decision, which moves lines. The returned
 * function, called after it, returns whether there was a next change. `from`: the change to continue from; by default
 * the one at the cursor.
 */
export function nextHunkFrom(
  editor: vscode.TextEditor,
  decided: readonly string[],
  reviewModel: ReviewedFiles,
  from?: string,
): () => boolean {
  const all = undecidedIn(editor.document, reviewModel);
  const line = all.find(({ hunk }) => hunk === from)?.line ?? editor.selection.active.line;
  const left = all.filter(({ hunk }) => !decided.includes(hunk));
  const wanted = left.find((each) => each.line >= line) ?? left[0];
  return () => {
    const next =
      undecidedIn(editor.document, reviewModel).find(({ hunk }) => hunk === wanted?.hunk) ?? wanted;
    if (next === undefined) return false;
    const at = new vscode.Position(Math.min(next.line, editor.document.lineCount - 1), 0);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return true;
  };
}

function undecidedIn(document: vscode.TextDocument, reviewModel: ReviewedFiles): readonly Undecided[] {
  const { scheme, query } = document.uri;
  if (scheme !== schemes.base && scheme !== schemes.review)
    return reviewModel.hunksIn(document).map(({ place }) => ({ hunk: place.hunk, line: place.before.first }));
  const file = reviewModel.find(query);
  if (file === undefined) return [];
  const side = scheme === schemes.base ? "before" : "after";
  return reviewModel.placesOf(file).map((place) => ({ hunk: place.hunk, line: place[side].first }));
}
