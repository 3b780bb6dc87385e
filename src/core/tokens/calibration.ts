// Learns what each kind of character is worth in tokens of one model, from counts the service gave anyway: recursive
// least squares from reasoned beginnings. Errors are relative, so every count weighs the same, however long its text.
import { addFeatures, type FeatureName, type Features, featureCount, featureNames } from "./text-features.ts";

/** Texts come in hundredths of a token of a common vocabulary, and a model may be off by as much as this. */
const ofText = [0.01, 0.004] as const;

/** Where learning begins, and how unsure that is. */
const beginnings: Readonly<Record<FeatureName, readonly [weight: number, doubt: number]>> = {
  words: ofText,
  numbers: ofText,
  marks: ofText,
  blanks: ofText,
  casedLetters: ofText,
  ideographs: ofText,
  syllables: ofText,
  otherLetters: ofText,
  messages: [4, 3],
  images: [1000, 1000],
};

/** How far a count may lie from a straight line although nothing is wrong. */
const noise = 0.015 ** 2;
/** Beyond both a count is of something else than the text: a search added pages, a field was not told. */
const strange = { share: 0.6, deviations: 4 };
const firstError = 0.12;
const errorMemory = 0.2;

export interface CalibrationState {
  readonly weights: readonly number[];
  /** Row by row. */
  readonly covariance: readonly number[];
  readonly counts: number;
  /** Mean relative error of the last estimates, made before their count was learnt. */
  readonly error: number;
}

export interface LocalCount {
  readonly tokens: number;
  /** The estimate is usually no further off than this share of it. */
  readonly margin: number;
  /** How many counts of the service it rests on. */
  readonly counts: number;
}

export class Calibration {
  readonly #weights: Float64Array;
  readonly #covariance: Float64Array;
  #counts: number;
  #error: number;

  constructor(state: CalibrationState = beginning()) {
    this.#weights = Float64Array.from(state.weights);
    this.#covariance = Float64Array.from(state.covariance);
    this.#counts = state.counts;
    this.#error = state.error;
  }

  get state(): CalibrationState {
    const [weights, covariance] = [[...this.#weights], [...this.#covariance]];
    return { weights, covariance, counts: this.#counts, error: this.#error };
  }

  estimate(features: Features): LocalCount {
    const tokens = Math.max(0, Math.round(dot(this.#weights, features)));
    return { tokens, margin: Math.min(1, 2 * this.#error), counts: this.#counts };
  }

  /** A count of exactly this text: one step of recursive least squares, on shares of the count. */
  learn(features: Features, tokens: number): void {
    if (!(tokens > 0) || !(dot(this.#weights, features) > 0)) return;
    const x = features.map((value) => value / tokens);
    const spread = times(this.#covariance, x);
    const variance = noise + dot(x, spread);
    const miss = 1 - dot(this.#weights, x);
    // The first counts of a model may be far off, because its tokenizer is, and so may those of a kind of text that was
    // never counted; where much is known, there must be a reason.
    const allowed = Math.max(strange.share, strange.deviations * Math.sqrt(variance));
    if (this.#counts >= 3 && Math.abs(miss) > allowed) return;
    addFeatures(this.#weights, spread, miss / variance);
    for (let row = 0; row < featureCount; row += 1)
      addFeatures(this.#row(row), spread, -(spread[row] ?? 0) / variance);
    const error = Math.abs(miss);
    this.#error =
      this.#counts === 0
        ? Math.max(error, firstError / 2)
        : this.#error + errorMemory * (error - this.#error);
    this.#counts += 1;
  }

  #row(row: number): Float64Array {
    return this.#covariance.subarray(row * featureCount, (row + 1) * featureCount);
  }
}

function beginning(): CalibrationState {
  const covariance = new Array<number>(featureCount * featureCount).fill(0);
  featureNames.forEach((name, at) => {
    covariance[at * featureCount + at] = beginnings[name][1] ** 2;
  });
  const weights = featureNames.map((name) => beginnings[name][0]);
  return { weights, covariance, counts: 0, error: firstError };
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum;
}

const times = (matrix: Float64Array, vector: Float64Array): Float64Array =>
  vector.map((_, row) => dot(matrix.subarray(row * vector.length, (row + 1) * vector.length), vector));

const finite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const isNumbers = (value: unknown, length: number): boolean =>
  Array.isArray(value) && value.length === length && value.every(finite);

/** What was saved, if it still fits. */
export function isCalibrationState(value: unknown): value is CalibrationState {
  if (typeof value !== "object" || value === null) return false;
  const { weights, covariance, counts, error } = value as Partial<Record<keyof CalibrationState, unknown>>;
  return (
    isNumbers(weights, featureCount) &&
    isNumbers(covariance, featureCount ** 2) &&
    finite(counts) &&
    finite(error)
  );
}
