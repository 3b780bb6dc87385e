// The way back: changes that turn what a plan makes into what it found, byte for byte. Undo, export and provenance
// use it; it needs nothing but the plan.
import { applyEdits } from "./edits.ts";
import type { AddChange, Base, FileChange, LineEdit } from "./model.ts";

export function reverseChanges(
  changes: readonly FileChange[],
  sha256: (text: string) => string,
): readonly FileChange[] {
  return changes.map((change) => reverse(change, sha256)).reverse();
}

function reverse(change: FileChange, sha256: (text: string) => string): FileChange {
  const { file, permission } = change;
  switch (change.kind) {
    case "add":
      return { kind: "delete", file, permission, base: written(change.text, sha256) };
    case "delete":
      return { kind: "add", file, permission, text: change.base.text } satisfies AddChange;
    case "update":
    case "move": {
      const base = written(applyEdits(change.base.text, change.edits), sha256);
      const edits = reverseEdits(change.edits);
      if (change.kind === "update") return { kind: "update", file, permission, base, edits, hunks: [] };
      const back = { file: change.to, to: file, toReal: permission.real };
      return {
        kind: "move",
        ...back,
        permission: { ...permission, real: change.toReal },
        base,
        edits,
        hunks: [],
      };
    }
    default:
      return change satisfies never;
  }
}

/** A text that nobody has read yet, so it has no version. */
function written(text: string, sha256: (text: string) => string): Base {
  return { text, sha256: sha256(text), version: undefined };
}

function reverseEdits(edits: readonly LineEdit[]): LineEdit[] {
  let shift = 0;
  let lineShift = 0;
  return edits.map((edit) => {
    const start = edit.start + shift;
    const first = edit.lines.first + lineShift;
    const replaced = edit.lines.last - edit.lines.first;
    shift += edit.text.length - edit.removed.length;
    lineShift += edit.written - replaced;
    return {
      start,
      end: start + edit.text.length,
      removed: edit.text,
      text: edit.removed,
      lines: { first, last: first + edit.written },
      written: replaced,
      hunks: edit.hunks,
    };
  });
}
