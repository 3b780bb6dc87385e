import { applyEdits, type Lines, lineAt, splitLines } from "./edits.ts";
import type { FileChange, FileName, LineEdit } from "./model.ts";

const contextLines = 3;

/**
 * Prints changes as patch text, for export and provenance. Each hunk has three lines of context and its line range, so
 * that the engine finds it again. What the format cannot express (line ends, a missing last one) is lost. `nameOf`
 * returns a file's path as the patch should name it.
 */
export function printPatch(changes: readonly FileChange[], nameOf: (file: FileName) => string): string {
  const sections = changes.flatMap((change) => printChange(change, nameOf));
  return `${["*** Begin Patch", ...sections, "*** End Patch"].join("\n")}\n`;
}

function printChange(change: FileChange, nameOf: (file: FileName) => string): string[] {
  const name = nameOf(change.file);
  switch (change.kind) {
    case "add":
      return [`*** Add File: ${name}`, ...allLines(splitLines(change.text)).map((line) => `+${line}`)];
    case "delete":
      return [`*** Delete File: ${name}`];
    case "update":
      return [`*** Update File: ${name}`, ...printEdits(change.base.text, change.edits)];
    case "move": {
      const edits = printEdits(change.base.text, change.edits);
      return [`*** Update File: ${name}`, `*** Move to: ${nameOf(change.to)}`, ...edits];
    }
    default:
      return change satisfies never;
  }
}

/** Combines edits that are near each other into one hunk. */
function printEdits(text: string, edits: readonly LineEdit[]): string[] {
  const [before, after] = [splitLines(text), splitLines(applyEdits(text, edits))];
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && edit.lines.first - last.lines.last <= 2 * contextLines) group.push(edit);
    else groups.push([edit]);
  }
  let shift = 0;
  return groups.flatMap((group) => {
    const hunk = printHunk(before, after, group, shift);
    shift += group.reduce((sum, edit) => sum + edit.written - (edit.lines.last - edit.lines.first), 0);
    return hunk;
  });
}

function printHunk(before: Lines, after: Lines, edits: readonly LineEdit[], shift: number): string[] {
  const [first, last] = [edits[0], edits.at(-1)];
  const start = Math.max(0, (first?.lines.first ?? 0) - contextLines);
  const end = Math.min(before.count, (last?.lines.last ?? 0) + contextLines);
  const body: string[] = [];
  let row = start;
  let moved = shift;
  for (const { lines, written } of edits) {
    for (; row < lines.first; row++) body.push(` ${printed(before, row)}`);
    for (; row < lines.last; row++) body.push(`-${printed(before, row)}`);
    for (let step = 0; step < written; step++) body.push(`+${printed(after, lines.first + moved + step)}`);
    moved += written - (lines.last - lines.first);
  }
  for (; row < end; row++) body.push(` ${printed(before, row)}`);
  const header = `@@ ${rangeOf("-", start, end)} ${rangeOf("+", start + shift, end + moved)} @@`;
  return [header, ...body, ...(end === before.count ? ["*** End of File"] : [])];
}

/** An empty range names the line before it, as in unified diffs. */
function rangeOf(sign: string, first: number, last: number): string {
  return last > first ? `${sign}${first + 1},${last - first}` : `${sign}${first},0`;
}

function allLines(lines: Lines): string[] {
  return Array.from({ length: lines.count }, (_, row) => printed(lines, row));
}

/** The parser removes one carriage return from the end of each line. */
function printed(lines: Lines, row: number): string {
  const line = lineAt(lines, row);
  return line.endsWith("\r") ? `${line}\r` : line;
}
