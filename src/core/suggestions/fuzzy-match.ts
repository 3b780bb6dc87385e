// How well a path fits what somebody typed, in the way of quick pickers: beginnings of names and words count most, and
// letters in between may be left out. The exact score, with the letters that were meant: for the best ones of many.
import { isSeparator, isWordStart, lowered } from "./path-table.ts";

export interface Match {
  readonly score: number;
  /** Which letters of the path were meant. */
  readonly positions: readonly number[];
}

/** Nobody types more to find a file; beyond this the letters are not told apart. */
const maxScored = 64;

/** Whether the path has all these letters, in order. */
export const fits = (path: string, typed: string): boolean => isSpreadOver(lowered(path), lowered(typed), 0);

/** All letters, in order, with others between them. */
function isSpreadOver(text: string, query: string, from: number): boolean {
  let found = 0;
  for (let at = from; at < text.length && found < query.length; at++)
    if (text.charCodeAt(at) === query.charCodeAt(found)) found++;
  return found === query.length;
}

/** For a path that fits; a folder ends with "/". A name that fits is better than any fit in the folders above it. */
export function matchOf(path: string, typed: string): Match {
  const [lower, query] = [lowered(path), lowered(typed)];
  const nameAt = path.lastIndexOf("/", path.length - 2) + 1;
  if (query === "" || query.length > maxScored) return { score: 0, positions: [] };
  const inName = !query.includes("/") && isSpreadOver(lower, query, nameAt);
  const from = inName ? nameAt : 0;
  const found = bestPlaces(path.slice(from), lower.slice(from), query, typed);
  const beginning = lower.startsWith(query, from) ? 100 : 0;
  return {
    score: found.score + (inName ? 1000 : 0) + beginning,
    positions: found.places.map((place) => place + from),
  };
}

const noPlace = -1;
const impossible = Number.NEGATIVE_INFINITY;
const nextToEachOther = 6;

/** Of all ways to find the letters in the text the one that scores most. */
function bestPlaces(text: string, lower: string, query: string, typed: string) {
  const width = text.length;
  const scores = new Float64Array(query.length * width).fill(impossible);
  const before = new Int32Array(query.length * width).fill(noPlace);
  for (let letter = 0; letter < query.length; letter++) {
    let best = impossible;
    let bestAt = noPlace;
    for (let at = letter; at < width; at++) {
      const above = (letter - 1) * width;
      // The best place of the letter before that leaves a gap.
      if (letter > 0 && at > 1 && (scores[above + at - 2] ?? impossible) > best) {
        best = scores[above + at - 2] ?? impossible;
        bestAt = at - 2;
      }
      if (lower[at] !== query[letter]) continue;
      const own = placeScore(text, at) + (text[at] === typed[letter] ? 1 : 0);
      const close =
        letter > 0 && at > 0 ? (scores[above + at - 1] ?? impossible) + nextToEachOther : impossible;
      const cell = letter * width + at;
      scores[cell] = own + (letter === 0 ? 0 : Math.max(best, close));
      before[cell] = close >= best ? at - 1 : bestAt;
    }
  }
  return trace(scores, before, width, query.length);
}

function trace(scores: Float64Array, before: Int32Array, width: number, letters: number) {
  const last = (letters - 1) * width;
  let at = 0;
  for (let place = 1; place < width; place++)
    if ((scores[last + place] ?? impossible) > (scores[last + at] ?? impossible)) at = place;
  const score = scores[last + at] ?? impossible;
  const places: number[] = [];
  for (let letter = letters - 1; letter >= 0; letter--) {
    places.unshift(at);
    at = before[letter * width + at] ?? noPlace;
  }
  return { score, places };
}

/** What a letter at this place is worth. */
function placeScore(text: string, at: number): number {
  if (at === 0) return 9;
  if (text[at - 1] === "/") return 8;
  if (isSeparator(text.charCodeAt(at - 1))) return 7;
  return isWordStart(text, at) ? 6 : 1;
}
