// The features of a text that is being edited: kept in pieces that begin lines, so that a keystroke costs the
// scanning of one piece and a comparison of the rest, which is much faster.

import { scanText } from "./character-weights.ts";
import { addFeatures, type Features, noFeatures } from "./text-features.ts";

interface Piece {
  readonly text: string;
  readonly features: Features;
}

/** Characters; a longer line is a longer piece. */
const pieceLength = 4096;

export class TextCounter {
  #pieces: readonly Piece[] = [];
  #sum: Features = noFeatures();
  /** Characters that were scanned so far: what tests of the increment look at. */
  scanned = 0;

  get features(): Features {
    return this.#sum.slice();
  }

  /** Takes the text as it is now. */
  update(text: string): Features {
    const { head, tail, from, to } = this.#unchanged(text);
    const changed = cutPieces(text.slice(from, to));
    this.scanned += to - from;
    const fresh = changed.map((piece) => ({ text: piece, features: scanText(piece) }));
    for (const { features } of this.#pieces.slice(head, this.#pieces.length - tail))
      addFeatures(this.#sum, features, -1);
    for (const { features } of fresh) addFeatures(this.#sum, features);
    this.#pieces = [
      ...this.#pieces.slice(0, head),
      ...fresh,
      ...this.#pieces.slice(this.#pieces.length - tail),
    ];
    return this.features;
  }

  /** How many pieces at the beginning and at the end still stand, and what of the text lies between them. */
  #unchanged(text: string): { head: number; tail: number; from: number; to: number } {
    const pieces = this.#pieces;
    let head = 0;
    let from = 0;
    for (const piece of pieces) {
      if (!stands(piece, text, from)) break;
      head += 1;
      from += piece.text.length;
    }
    let tail = 0;
    let to = text.length;
    while (tail < pieces.length - head) {
      const piece = pieces[pieces.length - 1 - tail];
      if (piece === undefined || to - piece.text.length < from) break;
      if (!stands(piece, text, to - piece.text.length)) break;
      tail += 1;
      to -= piece.text.length;
    }
    // The last piece that stands may have been the end of the text; what follows now could belong to its last line.
    if (head > 0 && (from < to || tail > 0) && !isCut(text, from)) {
      head -= 1;
      from -= pieces[head]?.text.length ?? 0;
    }
    if (tail > 0 && !isCut(text, to)) {
      to += pieces[pieces.length - tail]?.text.length ?? 0;
      tail -= 1;
    }
    return { head, tail, from, to };
  }
}

/** Comparing two strings is a comparison of memory; `startsWith` looks at one character after the other. */
const stands = (piece: Piece, text: string, at: number): boolean =>
  text.slice(at, at + piece.text.length) === piece.text;

/** A run of line ends is one run: the cut lies behind it. */
const isCut = (text: string, at: number): boolean =>
  at === 0 || at === text.length || (isEnd(text, at - 1) && !isEnd(text, at));

const isEnd = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit === 10 || unit === 13;
};

function cutPieces(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf("\n", start + pieceLength) + 1;
    if (end <= 0) end = text.length;
    while (end < text.length && isEnd(text, end)) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
