// Finds text in turns, whether they are drawn or not. Markdown marks are removed first, so that matches are in what is
// readable; the page then locates them. Does not use the DOM.
import type { Turn } from "../../../conversation/state.ts";

export interface Match {
  /** Index of the turn among the loaded turns. */
  readonly turn: number;
  /** Index of the match within that turn. */
  readonly nth: number;
}

/** Matches regardless of case; all other characters are literal. */
export function patternOf(query: string): RegExp | undefined {
  if (query === "") return undefined;
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), "giu");
}

/** A query with more matches is not a useful search. */
const maxMatches = 10_000;

/** `read` returns the readable text of a turn in the order in which it is drawn. */
export function matchesIn(
  turns: readonly Turn[],
  query: string,
  read: (turn: Turn) => readonly string[],
): readonly Match[] {
  const pattern = patternOf(query);
  if (pattern === undefined) return [];
  const found: Match[] = [];
  for (const [turn, one] of turns.entries()) {
    let nth = 0;
    for (const piece of read(one)) {
      for (const _ of piece.matchAll(pattern)) {
        found.push({ turn, nth });
        nth += 1;
        if (found.length >= maxMatches) return found;
      }
    }
  }
  return found;
}

/** Not a parser: in rare cases the result differs from what is drawn, and then only the count is off. */
export const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/!?\[([^[\]\n]*)\]\([^()\n]*\)/g, "$1")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|(?:[-*+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)/gm, "")
    .replace(/^[ \t]*(?:```|~~~).*$/gm, "")
    .replace(/\*\*|__|~~|`+/g, "")
    .replace(/(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])/g, "");
