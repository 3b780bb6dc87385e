// What a text is made of, as far as tokenizers care: a short list of counts, found in one pass. Counts of two pieces
// add up to the counts of the whole when the cut lies at the beginning of a line, which makes them incremental.
import { classOf } from "./character-classes.ts";
import { lineStart, nextState, type ScanState, stateCount, stateOf } from "./scan-states.ts";

/** In this order everywhere: weights are kept by position. New ones go to the end. */
export const featureNames = [
  /** Runs of ASCII letters, whatever their case. */
  "words",
  /** Small letters beyond the sixth in a row. */
  "longWords",
  /** Capitals after small letters: `camelCase`. */
  "humps",
  /** Capitals beyond the first in a row. */
  "capitals",
  "numbers",
  "digits",
  "markRuns",
  /** Marks beyond the first in a row. */
  "marks",
  "blanks",
  /** Two blanks or more within a line. */
  "wideBlanks",
  /** Blanks at the beginning of a line. */
  "indents",
  /** Blanks beyond the first in a row, anywhere. */
  "moreBlanks",
  "lines",
  /** Line ends beyond the first in a row. */
  "emptyLines",
  "casedLetters",
  "ideographs",
  "syllables",
  "otherLetters",
  "halves",
  "symbols",
  /** Not of the text: what surrounds it. */
  "messages",
  "images",
] as const;

export type FeatureName = (typeof featureNames)[number];

/** One number per name. */
export type Features = Float64Array;

export const featureCount: number = featureNames.length;

const index = Object.fromEntries(featureNames.map((name, at) => [name, at])) as Record<FeatureName, number>;

export const noFeatures = (): Features => new Float64Array(featureCount);

export const featureOf = (features: Features, name: FeatureName): number => features[index[name]] ?? 0;

export function withFeature(features: Features, name: FeatureName, count: number): Features {
  const changed = features.slice();
  changed[index[name]] = count;
  return changed;
}

/** Into the first. */
export function addFeatures(sum: Features, more: Features, times = 1): Features {
  for (let at = 0; at < featureCount; at += 1) sum[at] = (sum[at] ?? 0) + times * (more[at] ?? 0);
  return sum;
}

/** Of a text that begins a line. Two look-ups per character and no decision: that is what makes it fast. */
export function scanText(text: string): Features {
  const visits = new Uint32Array(stateCount);
  let state: number = lineStart;
  for (let at = 0; at < text.length; at += 1) {
    state = nextState[(state << 4) | (classOf[text.charCodeAt(at)] ?? 0)] ?? 0;
    visits[state] = (visits[state] ?? 0) + 1;
  }
  return assemble(visits);
}

function assemble(visits: Uint32Array): Features {
  const of = (...states: ScanState[]) =>
    states.reduce((sum, state) => sum + (visits[stateOf(state)] ?? 0), 0);
  const found: Partial<Record<FeatureName, number>> = {
    words: of("word", "capital word"),
    longWords: of("small 7"),
    humps: of("hump"),
    capitals: of("capitals"),
    numbers: of("digit"),
    digits: of("digit", "digits"),
    markRuns: of("mark"),
    marks: of("marks"),
    blanks: of("blank") - of("two blanks"),
    wideBlanks: of("two blanks"),
    indents: of("indent"),
    moreBlanks: of("two blanks", "blanks", "indents"),
    lines: of("line"),
    emptyLines: of("lines"),
    casedLetters: of("cased"),
    ideographs: of("ideograph"),
    syllables: of("syllable"),
    otherLetters: of("letter"),
    halves: of("half"),
    symbols: of("symbol"),
  };
  return Float64Array.from(featureNames, (name) => found[name] ?? 0);
}
