// Finds words in turns as they are known, drawn or not. Markdown marks are taken out first, so that what is found is
// what can be read; the page then shows where. Knows no DOM.
import type { Turn } from "../core/conversation/state.ts";

export interface Match {
  /** Index of the turn among those that are here. */
  readonly turn: number;
  /** Which of the matches in that turn. */
  readonly nth: number;
}

/** Upper and lower case are the same; every other character stands for itself. */
export function patternOf(query: string): RegExp | undefined {
  if (query === "") return undefined;
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), "giu");
}

/** More than this is not a search but the text itself. */
const maxMatches = 10_000;

/** `read`: what can be read in a turn, in the order in which it is drawn. */
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

/** Not a parser: what is left may differ from what is drawn in rare places, and then only the count is off. */
export const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/!?\[([^[\]\n]*)\]\([^()\n]*\)/g, "$1")
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|(?:[-*+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)/gm, "")
    .replace(/^[ \t]*(?:```|~~~).*$/gm, "")
    .replace(/\*\*|__|~~|`+/g, "")
    .replace(/(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])/g, "");
