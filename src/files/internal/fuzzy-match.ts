// Fuzzy matching of typed letters with a path: which letters match, and how well they do.

const separators = Uint8Array.from({ length: 128 }, (_, code) =>
  "/\\-_. :+()[]".includes(String.fromCharCode(code)) ? 1 : 0,
);

const isSeparator = (code: number): boolean => separators[code] === 1;

export function isWordStart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isSeparator(code)) return false;
  if (at === 0) return true;
  const previous = text.charCodeAt(at - 1);
  return isSeparator(previous) || (isUpper(code) && !isUpper(previous));
}

const isUpper = (code: number): boolean => code >= 65 && code <= 90;

// Scores of how well a path matches a query, as in quick pickers: beginnings of names and words count most, and letters
// may be skipped. The exact score comes with the matched positions, so it is only used for the best of many candidates.

export interface Match {
  readonly score: number;
  /** The positions in the path of the matched letters. */
  readonly positions: readonly number[];
}

/** Nobody types more to find a file; beyond this length the letters are not scored individually. */
const maxScored = 64;

/** Whether the text contains all letters in order, possibly with others between them. */
function isSpreadOver(text: string, query: string, from: number): boolean {
  let found = 0;
  for (let at = from; at < text.length && found < query.length; at++)
    if (text.charCodeAt(at) === query.charCodeAt(found)) found++;
  return found === query.length;
}

/**
 * Expects a path that matches; a folder ends with "/". A match in the name is better than any match in the folders
 * above.
 */
export function fuzzyMatch(path: string, typed: string): Match {
  const [lower, query] = [lowered(path), lowered(typed)];
  const nameAt = path.lastIndexOf("/", path.length - 2) + 1;
  if (query === "" || query.length > maxScored) return { score: 0, positions: [] };
  const inName = !query.includes("/") && isSpreadOver(lower, query, nameAt);
  const from = inName ? nameAt : 0;
  const text = path.slice(from);
  const found =
    atWordStart(text, lower.slice(from), query, typed) ?? bestPlaces(text, lower.slice(from), query, typed);
  const beginning = lower.startsWith(query, from) ? 100 : 0;
  return {
    score: found.score + (inName ? 1000 : 0) + beginning,
    positions: found.places.map((place) => place + from),
  };
}

const noPlace = -1;

const impossible = Number.NEGATIVE_INFINITY;

const nextToEachOther = 6;

/** The query as a whole at the beginning of a word; a scattered match is then not what was meant. */
function atWordStart(text: string, lower: string, query: string, typed: string) {
  let [best, bestAt] = [impossible, noPlace];
  for (let at = lower.indexOf(query); at >= 0; at = lower.indexOf(query, at + 1)) {
    if (!isWordStart(text, at)) continue;
    let score = nextToEachOther * (query.length - 1);
    for (let letter = 0; letter < query.length; letter++)
      score += letterScore(text, at + letter, typed[letter]);
    if (score > best) [best, bestAt] = [score, at];
  }
  if (bestAt === noPlace) return undefined;
  return { score: best, places: Array.from({ length: query.length }, (_, letter) => bestAt + letter) };
}

/** The matched positions with the highest score. */
function bestPlaces(text: string, lower: string, query: string, typed: string) {
  const width = text.length;
  const scores = new Float64Array(query.length * width).fill(impossible);
  const before = new Int32Array(query.length * width).fill(noPlace);
  for (let letter = 0; letter < query.length; letter++) {
    let best = impossible;
    let bestAt = noPlace;
    for (let at = letter; at < width; at++) {
      const above = (letter - 1) * width;
      // The best position of the previous letter that leaves a gap.
      if (letter > 0 && at > 1 && (scores[above + at - 2] ?? impossible) > best) {
        best = scores[above + at - 2] ?? impossible;
        bestAt = at - 2;
      }
      if (lower[at] !== query[letter]) continue;
      const own = letterScore(text, at, typed[letter]);
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

/** Matching case adds a little. */
const letterScore = (text: string, at: number, typed: string | undefined): number =>
  placeScore(text, at) + (text[at] === typed ? 1 : 0);

/** The score of a match at this position. */
function placeScore(text: string, at: number): number {
  if (at === 0) return 9;
  if (text[at - 1] === "/") return 8;
  if (isSeparator(text.charCodeAt(at - 1))) return 7;
  return isWordStart(text, at) ? 6 : 1;
}

/** Lower case without changing the length: a few characters would grow, and positions would no longer match. */
export function lowered(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}
