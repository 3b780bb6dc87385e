// Learns what a character is worth in tokens from counts the service gave anyway: recursive least squares from
// reasoned beginnings, for one model. Errors are relative, so every count weighs the same, however long its text.
import { type ContentKind, contentKind, contentKinds } from "./content-kind.ts";
import { addFeatures, type FeatureName, type Features, featureCount, featureNames } from "./features.ts";

/** Where learning begins: what common byte-pair vocabularies make of such characters, and how unsure that is. */
const beginnings: Readonly<Record<FeatureName, readonly [weight: number, doubt: number]>> = {
  words: [1.02, 0.2],
  longWords: [0.12, 0.1],
  humps: [0.75, 0.4],
  capitals: [0.35, 0.25],
  numbers: [0.45, 0.4],
  digits: [0.3, 0.2],
  markRuns: [0.8, 0.3],
  marks: [0.35, 0.4],
  blanks: [0.03, 0.1],
  wideBlanks: [0.9, 0.4],
  indents: [0.5, 0.5],
  moreBlanks: [0.02, 0.04],
  lines: [0.5, 0.5],
  emptyLines: [0.1, 0.2],
  casedLetters: [0.4, 0.2],
  ideographs: [0.8, 0.35],
  syllables: [0.8, 0.35],
  otherLetters: [0.6, 0.35],
  halves: [0.9, 0.5],
  symbols: [0.9, 0.5],
  messages: [4, 3],
  images: [1000, 1000],
};

/** How far a count may lie from a straight line although nothing is wrong. */
const noise = 0.015 ** 2;
/** Beyond this a count is of something else than the text: a search added pages, a field was not told. */
const strange = 0.6;
const kindDoubt = 0.06 ** 2;
const firstError = 0.12;
const errorMemory = 0.2;

interface KindState {
  /** What the line misses for this kind of text, as a factor, and how unsure it still is. */
  readonly factor: number;
  readonly variance: number;
  readonly counts: number;
  /** Mean relative error of the last estimates, made before their count was learnt. */
  readonly error: number;
}

export interface CalibrationState {
  readonly weights: readonly number[];
  /** Row by row. */
  readonly covariance: readonly number[];
  readonly kinds: Readonly<Record<ContentKind, KindState>>;
}

export interface LocalCount {
  readonly tokens: number;
  /** The estimate is usually no further off than this share of it. */
  readonly margin: number;
  /** How many counts of the service it rests on. */
  readonly counts: number;
}

export class Calibration {
  #weights: Float64Array;
  #covariance: Float64Array;
  #kinds: Record<ContentKind, KindState>;

  constructor(state: CalibrationState = beginning()) {
    this.#weights = Float64Array.from(state.weights);
    this.#covariance = Float64Array.from(state.covariance);
    this.#kinds = { ...state.kinds };
  }

  get state(): CalibrationState {
    return {
      weights: [...this.#weights],
      covariance: [...this.#covariance],
      kinds: { ...this.#kinds },
    };
  }

  estimate(features: Features): LocalCount {
    const { factor, counts, error } = this.#kinds[contentKind(features)];
    const tokens = Math.max(0, Math.round(dot(this.#weights, features) * factor));
    return { tokens, margin: Math.min(1, 2 * error), counts };
  }

  /** A count of exactly this text. */
  learn(features: Features, tokens: number): void {
    const line = dot(this.#weights, features);
    if (!(tokens > 0) || !(line > 0)) return;
    const kind = contentKind(features);
    const { factor, variance, counts, error } = this.#kinds[kind];
    const miss = Math.abs(line * factor - tokens) / tokens;
    // The first counts of a model may be far off, because its tokenizer is; later ones must have a reason.
    if (counts >= 3 && miss > strange) return;
    this.#fit(features, tokens);
    const gain = variance / (variance + noise);
    const left = tokens / Math.max(1, dot(this.#weights, features));
    this.#kinds[kind] = {
      factor: factor + gain * (left - factor),
      variance: (1 - gain) * variance + noise / 100,
      counts: counts + 1,
      error: counts === 0 ? Math.max(miss, firstError / 2) : error + errorMemory * (miss - error),
    };
  }

  /** One step of recursive least squares, on shares of the count. */
  #fit(features: Features, tokens: number): void {
    const x = features.map((value) => value / tokens);
    const spread = times(this.#covariance, x);
    const scale = 1 / (noise + dot(x, spread));
    const miss = 1 - dot(this.#weights, x);
    addFeatures(this.#weights, spread, scale * miss);
    for (let row = 0; row < featureCount; row += 1)
      for (let column = 0; column < featureCount; column += 1) {
        const at = row * featureCount + column;
        const less = scale * (spread[row] ?? 0) * (spread[column] ?? 0);
        this.#covariance[at] = (this.#covariance[at] ?? 0) - less;
      }
  }
}

function beginning(): CalibrationState {
  const covariance = new Array<number>(featureCount * featureCount).fill(0);
  featureNames.forEach((name, at) => {
    covariance[at * featureCount + at] = beginnings[name][1] ** 2;
  });
  const kind = { factor: 1, variance: kindDoubt, counts: 0, error: firstError };
  return {
    weights: featureNames.map((name) => beginnings[name][0]),
    covariance,
    kinds: { prose: kind, code: kind, data: kind, wide: kind },
  };
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum;
}

function times(matrix: Float64Array, vector: Float64Array): Float64Array {
  return vector.map((_, row) => dot(matrix.subarray(row * vector.length, (row + 1) * vector.length), vector));
}

const finite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const isNumbers = (value: unknown, length: number): boolean =>
  Array.isArray(value) && value.length === length && value.every(finite);

const isKind = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  ["factor", "variance", "counts", "error"].every((key) => finite((value as Record<string, unknown>)[key]));

/** What was saved, if it still fits: other features than today's mean learning anew. */
export function isCalibrationState(value: unknown): value is CalibrationState {
  if (typeof value !== "object" || value === null) return false;
  const { weights, covariance, kinds } = value as Partial<Record<keyof CalibrationState, unknown>>;
  return (
    isNumbers(weights, featureCount) &&
    isNumbers(covariance, featureCount ** 2) &&
    typeof kinds === "object" &&
    kinds !== null &&
    contentKinds.every((kind) => isKind((kinds as Record<string, unknown>)[kind]))
  );
}
