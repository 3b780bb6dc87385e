// Code gets its colours in pieces, so that none holds up the page and what is final is not coloured again. A piece ends
// where the highlighter stands outside of everything, after 32 lines, or 64, or 128 …: where that is follows from the
// code alone and not from how it arrived. Pure; whoever asks draws what is answered.
import type { Coloured, Colouring } from "./colours.ts";

/** Lines from `from` on, in their colours; those after them have none. */
export interface Piece {
  readonly from: number;
  readonly lines: Coloured;
}

export interface ColourPieces {
  /** The next lines that are worth it. `complete`: no line comes after these. */
  next(lines: readonly string[], complete: boolean): Piece | undefined;
  /** Whether `next` would answer something for so many lines. */
  isDue(lines: number, complete: boolean): boolean;
  /** The lines from this one on are others now. */
  changed(line: number): void;
}

/** An open block is not worth colouring before it has this many lines. */
const fewest = 8;
const pieceLength = 32;
/** Characters of a piece: code that is inside of something for longer stays plain from there on. */
const longestPiece = 40_000;
/** So does what is longer altogether: colours that hold up the page are worth less than none. */
const longestCode = 200_000;
/** And what comes from a longer line on, which nobody has written by hand. */
const longestLine = 5_000;

export function colourPieces(colour: Colouring): ColourPieces {
  /** Lines that have their final colours, and their characters. */
  let done = 0;
  let doneLength = 0;
  /** Lines after those that have colours for now. */
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

  /** Where a piece that could not end before may end. */
  function reach(): number {
    let length = pieceLength;
    while (length <= tried) length *= 2;
    return length;
  }

  /** How many lines after those that are done shall get colours now. */
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
