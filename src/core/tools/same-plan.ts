// Whether what a patch would do now is what a person has looked at. The text may have grown elsewhere meanwhile: the
// same lines between the same lines, in the same files at the same real paths, are the same change (threats C3; faults,
// row 86). Everything else was not shown, and what was not shown is not applied. Pure.
import type { FileChange, MoveChange, Plan, UpdateChange } from "../patch/model.ts";

/** As many as are shown around a hunk, so that no change stands beside a line that was not seen with it. */
const contextLines = 3;

export const isSamePlan = (shown: Plan, now: Plan): boolean =>
  shown.patchSha256 === now.patchSha256 &&
  shown.changes.length === now.changes.length &&
  shown.changes.every((change, at) => {
    const other = now.changes[at];
    return other !== undefined && identity(change) === identity(other);
  });

/** The two sides are equal where they would look the same to whoever decided. */
function identity(change: FileChange): string {
  const { kind, file, permission } = change;
  switch (kind) {
    case "add":
      return JSON.stringify([kind, file, permission, change.text]);
    case "delete":
      return JSON.stringify([kind, file, permission, change.base.sha256]);
    case "update":
      return JSON.stringify([kind, file, permission, ...seen(change)]);
    case "move":
      return JSON.stringify([kind, file, permission, change.to, change.toReal, ...seen(change)]);
    default:
      return change satisfies never;
  }
}

function seen({ base, edits, hunks }: UpdateChange | MoveChange): unknown[] {
  const rows = edits.map(({ start, end, removed, text, lines, written, hunks: own }) => {
    const around = [linesAbove(base.text, start), linesBelow(base.text, end)];
    return [around, removed, text, lines.last - lines.first, written, own];
  });
  return [rows, hunks.map(({ looseness, onEarlier }) => [looseness, onEarlier])];
}

function linesAbove(text: string, at: number): string {
  let start = at;
  for (let line = 0; line <= contextLines && start >= 0; line++)
    start = start === 0 ? -1 : text.lastIndexOf("\n", start - 1);
  return text.slice(start + 1, at);
}

function linesBelow(text: string, at: number): string {
  let end = at;
  for (let line = 0; line < contextLines && end < text.length; line++) {
    const found = text.indexOf("\n", end);
    end = found === -1 ? text.length : found + 1;
  }
  return text.slice(at, end);
}
