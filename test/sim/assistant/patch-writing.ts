// Writes the text of a patch for edits of one file: hunks with context and an anchor, as models write them.

export interface Edit {
  /** Index of the first line that goes, from 0. */
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

const contextLines = 3;

export interface EditedFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly edits: readonly Edit[];
}

export function updatePatch(files: readonly EditedFile[]): string {
  return envelope(files.flatMap(section));
}

function section({ path, lines, edits }: EditedFile): readonly string[] {
  const ordered = edits.toSorted((one, other) => one.at - other.at);
  return [`*** Update File: ${path}`, ...groups(ordered).flatMap((group) => hunk(lines, group))];
}

export function addPatch(path: string, lines: readonly string[]): string {
  return envelope([`*** Add File: ${path}`, ...lines.map((line) => `+${line}`)]);
}

function envelope(lines: readonly string[]): string {
  return `${["*** Begin Patch", ...lines, "*** End Patch"].join("\n")}\n`;
}

/** Edits whose contexts would touch share a hunk. */
function groups(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const made: Edit[][] = [];
  for (const edit of edits) {
    const last = made.at(-1)?.at(-1);
    if (last !== undefined && edit.at - (last.at + last.remove) <= 2 * contextLines) made.at(-1)?.push(edit);
    else made.push([edit]);
  }
  return made;
}

function hunk(lines: readonly string[], edits: readonly Edit[]): readonly string[] {
  const first = edits[0]?.at ?? 0;
  const start = Math.max(0, first - contextLines);
  const written: string[] = [`@@${anchor(lines, start)}`];
  let at = start;
  for (const edit of edits) {
    written.push(...lines.slice(at, edit.at).map((line) => ` ${line}`));
    written.push(...lines.slice(edit.at, edit.at + edit.remove).map((line) => `-${line}`));
    written.push(...edit.insert.map((line) => `+${line}`));
    at = edit.at + edit.remove;
  }
  written.push(...lines.slice(at, at + contextLines).map((line) => ` ${line}`));
  return written;
}

/** The definition the hunk stands in, when it is above the context. */
function anchor(lines: readonly string[], start: number): string {
  const definition = /^(?:export\s|async\s|function\s|class\s|def\s|interface\s)/;
  const found = lines.slice(0, start).findLast((line) => definition.test(line));
  return found === undefined ? "" : ` ${found}`;
}
