// Names of code colours, and code as runs of one colour each, coloured piece by piece. Independent of the highlighter.

export type Colour =
  | "comment"
  | "keyword"
  | "string"
  | "number"
  | "constant"
  | "function"
  | "type"
  | "variable"
  | "property"
  | "tag"
  | "attribute"
  | "regexp"
  | "meta"
  | "heading"
  | "added"
  | "removed"
  | "strong"
  | "emphasis";

export interface Run {
  readonly text: string;
  readonly colour: Colour | undefined;
}

/** The lines of a code block, each as runs. */
export type Coloured = readonly (readonly Run[])[];

export interface ColouredCode {
  readonly lines: Coloured;
  /** The code ends outside of every construct: what follows can be coloured on its own. */
  readonly isOutside: boolean;
}

/** Colours whole lines in one language; returns undefined where the highlighter gave up. */
export type Colouring = (code: string) => ColouredCode | undefined;

/** Coloured lines, starting with line `from`; later lines have no colours. */
interface Piece {
  readonly from: number;
  readonly lines: Coloured;
}

export interface ColourPieces {
  /** The next lines that are worth colouring. `complete` means that no more lines follow. */
  next(lines: readonly string[], complete: boolean): Piece | undefined;
  /** Whether `next` would return a piece for this many lines. */
  isDue(lines: number, complete: boolean): boolean;
  /** The lines from this one on have changed. */
  changed(line: number): void;
}

/** An open block with fewer lines is not worth colouring. */
const fewest = 8;
const pieceLength = 32;
/** Longest piece in characters: code inside a longer construct stays plain from there on. */
const longestPiece = 40_000;
/** Code stays plain beyond this total length: colours that block the page are worse than none. */
const longestCode = 200_000;
/** Code stays plain from a longer line on, since nobody wrote that by hand. */
const longestLine = 5_000;

/**
 * Colours code in pieces, so that no piece blocks the page and final colours are not computed again. A piece ends where
 * the highlighter is outside of every construct, after 32, 64, 128 … lines, so it depends only on the code and not on
 * how it arrived. Pure: the caller draws the result.
 */
export function colourPieces(colour: Colouring): ColourPieces {
  /** Lines that have their final colours, and their number of characters. */
  let done = 0;
  let doneLength = 0;
  /** Number of lines after those that have provisional colours. */
  let tried = 0;
  let stopped = false;

  return {
    isDue: (lines, complete) => wanted(lines, complete) > 0,
    next(lines, complete) {
      const count = wanted(lines.length, complete);
      if (count === 0) return undefined;
      const from = done;
      const isPiece = count === reach();
      const source = `${lines.slice(from, from + count).join("\n")}\n`;
      const found = isReadable(source) ? colour(source) : undefined;
      tried = count;
      if (found === undefined) stopped = isPiece || complete;
      else if (found.isOutside && isPiece) {
        done += count;
        doneLength += source.length;
        tried = 0;
      }
      return { from, lines: found?.lines ?? [] };
    },
    changed(line) {
      if (line >= done + tried) return;
      done = 0;
      doneLength = 0;
      tried = 0;
      stopped = false;
    },
  };

  /** The length at which a piece may end, given that it could not end earlier. */
  function reach(): number {
    let length = pieceLength;
    while (length <= tried) length *= 2;
    return length;
  }

  /** How many lines after the finished ones should be coloured now. */
  function wanted(lines: number, complete: boolean): number {
    const left = lines - done;
    if (stopped || left <= tried) return 0;
    if (left >= reach()) return reach();
    if (complete) return left;
    const worth = Math.max(fewest, tried * 2);
    return left < pieceLength && left >= worth ? worth : 0;
  }

  function isReadable(source: string): boolean {
    if (source.length > longestPiece || doneLength + source.length > longestCode) return false;
    return source.length <= longestLine || source.split("\n").every(({ length }) => length <= longestLine);
  }
}
