// Where a finding stands while its file changes. At first, and after a time in which nobody watched the file, it is where
// the line it quotes is; from then on it follows each edit by itself. Pure: lines are counted from 0.
import { secretMark } from "../files/secrets.ts";

/** Both ends included. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

export interface Place {
  readonly line: number;
  readonly character: number;
}

/** One replacement, as an editor reports it: places of the text before it. */
export interface Edit {
  readonly start: Place;
  readonly end: Place;
  readonly text: string;
}

/** Where these lines are in the text: as near as possible to where they are said to be. `undefined`: nowhere. */
export function locateFinding(code: string, stated: Lines, text: readonly string[]): Lines | undefined {
  const quoted = code.trim();
  const length = stated.last - stated.first;
  const from = (first: number): Lines => ({ first, last: Math.min(first + length, text.length - 1) });
  // What the model was not shown cannot be compared, and neither can an empty line.
  if (quoted === "" || quoted.includes(secretMark))
    return stated.first < text.length ? from(stated.first) : undefined;
  const isThere = (line: number) => text[line]?.trim() === quoted;
  const middle = Math.min(stated.first, text.length - 1);
  for (let away = 0; away <= text.length; away++) {
    if (isThere(middle - away)) return from(middle - away);
    if (isThere(middle + away)) return from(middle + away);
  }
  return undefined;
}

/** Where they are after the edit; `undefined` once nothing of them is left. */
export function followed({ first, last }: Lines, edit: Edit): Lines | undefined {
  const { start, end } = edit;
  const added = edit.text.split(/\r\n|\r|\n/).length - 1;
  const moved = added - (end.line - start.line);
  /** The line at which the edit begins keeps what stands before it, that at which it ends what stands behind. */
  const isStartKept = start.character > 0;
  const after = (line: number): number | undefined => {
    if (line < start.line) return line;
    if (line > end.line) return line + moved;
    // Nothing before it is left on it: the rest of it is where the new text ends.
    if (line === end.line && (line > start.line || !isStartKept)) return line + moved;
    return line === start.line && isStartKept ? line : undefined;
  };
  const kept = [firstOf(first, last, after), firstOf(last, first, after)];
  const [begin, finish] = kept;
  return begin === undefined || finish === undefined ? undefined : { first: begin, last: finish };
}

/** The first of these lines, in this direction, that is still there. */
function firstOf(from: number, to: number, after: (line: number) => number | undefined): number | undefined {
  const step = from <= to ? 1 : -1;
  for (let line = from; line !== to + step; line += step) {
    const now = after(line);
    if (now !== undefined) return now;
  }
  return undefined;
}
