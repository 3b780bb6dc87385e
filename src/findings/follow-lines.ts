// Follows a finding's place while its file changes. At first, and after a time in which nobody watched the file, the
// place is that of the line that the finding quotes; after that it follows each edit. Pure. Lines are counted from 0.
import { secretMark } from "../files/privacy.ts";

/** Both ends are included. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** One replacement, as an editor reports it: positions refer to the text before it. */
export interface Edit {
  readonly start: TextPosition;
  readonly end: TextPosition;
  readonly text: string;
}

/** A range of lines and the text of its first line. */
interface Quoted extends LineSpan {
  readonly code: string;
}

/**
 * Finds each quoted line in the text, as near as possible to its reported place; `undefined` if it does not occur.
 * Scans the text once for all findings, since it may be very long.
 */
export function locateFindings(
  wanted: readonly Quoted[],
  text: readonly string[],
): readonly (LineSpan | undefined)[] {
  const words = wanted.map(({ code }) => code.trim());
  // A redacted line cannot be compared, because the model did not see its text. Empty lines cannot be compared either.
  const isCompared = (quoted: string) => quoted !== "" && !quoted.includes(secretMark);
  const places = new Map<string, number[]>(words.filter(isCompared).map((quoted) => [quoted, []]));
  const starts = new Set([...places.keys()].map((quoted) => quoted.charCodeAt(0)));
  for (let line = 0; line < text.length && places.size > 0; line++) {
    const said = text[line] ?? "";
    let from = 0;
    while (isBlank(said.charCodeAt(from))) from += 1;
    // Other kinds of white space are rare and left to the language's own check.
    const start = said.charCodeAt(from);
    if (starts.has(start) || start > 0x7f) places.get(said.trim())?.push(line);
  }
  return wanted.map(({ first, last }, at) => {
    const lines = places.get(words[at] ?? "");
    const found = lines === undefined ? first : nearest(lines, Math.min(first, text.length - 1));
    if (found === undefined || found >= text.length) return undefined;
    return { first: found, last: Math.min(found + last - first, text.length - 1) };
  });
}

export const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

interface LocationQuestion {
  readonly wanted: readonly Quoted[];
  readonly text: string;
}

/** The task for texts of any length. */
export const locating = {
  name: "locate",
  run: ({ wanted, text }: LocationQuestion) => locateFindings(wanted, linesOf(text)),
};

const isBlank = (unit: number): boolean => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);

/** Of two lines at the same distance, the upper one. */
function nearest(lines: readonly number[], to: number): number | undefined {
  let found: number | undefined;
  for (const line of lines)
    if (found === undefined || Math.abs(line - to) < Math.abs(found - to)) found = line;
  return found;
}

/** Where the lines are after the edit; `undefined` if none of them is left. */
export function shiftLines({ first, last }: LineSpan, edit: Edit): LineSpan | undefined {
  const { start, end } = edit;
  const added = edit.text.split(/\r\n|\r|\n/).length - 1;
  const moved = added - (end.line - start.line);
  /** The line where the edit begins keeps the text before it, the line where it ends keeps the text after it. */
  const isStartKept = start.character > 0;
  const after = (line: number): number | undefined => {
    if (line < start.line) return line;
    if (line > end.line) return line + moved;
    // Nothing before the edit's end is left of this line; the rest of it is where the new text ends.
    if (line === end.line && (line > start.line || !isStartKept)) return line + moved;
    return line === start.line && isStartKept ? line : undefined;
  };
  const kept = [firstOf(first, last, after), firstOf(last, first, after)];
  const [begin, finish] = kept;
  return begin === undefined || finish === undefined ? undefined : { first: begin, last: finish };
}

/** The first line in this direction that still exists. */
function firstOf(from: number, to: number, after: (line: number) => number | undefined): number | undefined {
  const step = from <= to ? 1 : -1;
  for (let line = from; line !== to + step; line += step) {
    const now = after(line);
    if (now !== undefined) return now;
  }
  return undefined;
}

/** Consecutive lines of a text. Those of the finding begin below the first `above` of them. */
export interface Excerpt {
  readonly lines: readonly string[];
  readonly above: number;
}

/** The first line of the finding if the text contains its excerpt at some of these lines; of several, the nearest. */
export function findExcerpt(
  { lines, above }: Excerpt,
  text: readonly string[],
  { first, last }: LineSpan,
  to: number,
): number | undefined {
  const found: number[] = [];
  const end = Math.min(last, text.length - lines.length);
  for (let from = Math.max(first - lines.length + 1, 0); from <= end; from++)
    if (lines.every((line, at) => text[from + at] === line)) found.push(from + above);
  return nearest(found, to);
}
