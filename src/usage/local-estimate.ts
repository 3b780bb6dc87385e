// Estimates tokens locally and immediately, with one calibration per model that is kept between windows. It learns from
// counts that the service returns anyway and never causes a request.

import type { Turn } from "../conversation/state.ts";
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../util/json.ts";
import {
  addFeatures,
  type FeatureName,
  type Features,
  featureCount,
  featureNames,
  noFeatures,
  scanText,
  withFeature,
} from "./text-features.ts";

/**
 * Features of text are in hundredths of a token of a common vocabulary; a model may deviate by as much as the second
 * number.
 */
const ofText = [0.01, 0.004] as const;

/** The initial weights and their uncertainty. */
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

/** How far a count may normally deviate from the linear model. */
const noise = 0.015 ** 2;
/** A count beyond both limits includes more than the text: a search added pages, or a field was not reported. */
const strange = { share: 0.6, deviations: 4 };
const firstError = 0.12;
const errorMemory = 0.2;

interface CalibrationState {
  readonly weights: readonly number[];
  /** Row by row. */
  readonly covariance: readonly number[];
  readonly counts: number;
  /** Mean relative error of the last estimates, each made before its count was learned. */
  readonly error: number;
}

export interface LocalCount {
  readonly tokens: number;
  /** The estimate's relative error is usually no larger. */
  readonly margin: number;
  /** The number of service counts that it is based on. */
  readonly counts: number;
}

/**
 * Learns the tokens per kind of character for one model, from counts that the service returned anyway: recursive least
 * squares from estimated initial weights. Errors are relative, so each count has the same weight regardless of the
 * length of its text.
 */
class Calibration {
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

  /** Learns from a count of exactly this text: one step of recursive least squares, on shares of the count. */
  learn(features: Features, tokens: number): void {
    if (!(tokens > 0) || !(dot(this.#weights, features) > 0)) return;
    const x = features.map((value) => value / tokens);
    const spread = times(this.#covariance, x);
    const variance = noise + dot(x, spread);
    const miss = 1 - dot(this.#weights, x);
    // The first counts of a model may be far off because of its tokenizer, and so may counts of a kind of text that was
    // never counted. When much is known already, a large deviation means that something else was counted.
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

/** Whether a saved state has the expected shape. */
function isCalibrationState(value: unknown): value is CalibrationState {
  if (typeof value !== "object" || value === null) return false;
  const { weights, covariance, counts, error } = value as Partial<Record<keyof CalibrationState, unknown>>;
  return (
    isNumbers(weights, featureCount) &&
    isNumbers(covariance, featureCount ** 2) &&
    finite(counts) &&
    finite(error)
  );
}

/** What is to be counted, as far as a local estimate can see it. */
interface Countable {
  readonly texts: readonly string[];
  readonly images?: number;
  /** Messages or items; each has a small overhead besides its text. */
  readonly messages?: number;
}

export function featuresOf({ texts, images = 0, messages = 0 }: Countable): Features {
  const sum = noFeatures();
  for (const text of texts) addFeatures(sum, scanText(text));
  return withFeature(withFeature(sum, "messages", messages), "images", images);
}

const version = 1;

export class LocalEstimate {
  readonly #models = new Map<string, Calibration>();

  /** `saved` is the result of `save`, or anything else: what does not fit is learned again. */
  constructor(saved?: unknown) {
    const file = saved as { version?: unknown; models?: unknown } | null | undefined;
    if (file?.version !== version || typeof file.models !== "object" || file.models === null) return;
    for (const [model, state] of Object.entries(file.models))
      if (isCalibrationState(state)) this.#models.set(model, new Calibration(state));
  }

  count(model: string, features: Features): LocalCount {
    return this.#of(model).estimate(features);
  }

  /** Learns from the service's count of exactly these features. */
  learn(model: string, features: Features, tokens: number): void {
    const calibration = this.#of(model);
    calibration.learn(features, tokens);
    this.#models.set(model, calibration);
  }

  save(): object {
    const models = Object.fromEntries([...this.#models].map(([model, { state }]) => [model, state]));
    return { version, models };
  }

  #of(model: string): Calibration {
    return this.#models.get(model) ?? new Calibration();
  }
}

const looksBack = 8;

/**
 * The margin of the next estimate in a conversation: at least the errors of its latest requests. Keeps the displayed ±
 * realistic: a conversation whose estimates were off by a tenth must not claim a precision of a hundredth (requirements
 * I9). Based on figures in the journal, so other windows know them too.
 */
export function widenMargin(margin: number, turns: readonly Turn[]): number {
  let [widest, left] = [margin, looksBack];
  for (let at = turns.length - 1; at >= 0 && left > 0; at -= 1)
    for (const share of sharesOf(turns[at]).slice(-left)) {
      widest = Math.max(widest, share);
      left -= 1;
    }
  return Math.min(1, widest);
}

/** The absolute value of `input_tokens − estimate`, relative to `input_tokens`. */
const sharesOf = (turn: Turn | undefined): number[] =>
  (turn?.usage ?? []).flatMap(({ input = 0, estimate }) =>
    estimate === undefined || !(input > 0) ? [] : [Math.abs(input - estimate) / input],
  );

export interface RequestPieces {
  readonly instructions?: string;
  /** Raw JSON, as it is sent. */
  readonly tools?: readonly string[];
  readonly input: readonly string[];
}

/**
 * The features of a whole Responses request for the local estimate. Uses the same pieces that are sent, so that the
 * input tokens reported afterwards can improve the estimate. Encrypted reasoning is opaque and not counted.
 */
export function featuresOfRequest({ instructions = "", tools = [], input }: RequestPieces): Features {
  const seen = input.map(piecesOf);
  const framed = instructions === "" ? [] : [instructions];
  return featuresOf({
    texts: [...tools, ...framed, ...seen.flatMap(({ texts }) => texts)],
    images: seen.reduce((sum, { images }) => sum + images, 0),
    messages: framed.length + input.length,
  });
}

interface Block {
  /** Its position in the body, and what it is. */
  readonly name: string;
  readonly features: Features;
}

/** The same for each block of a body, on either route, in the order in which the cache sees them. */
export function featuresOfBlocks(body: string): readonly Block[] {
  const json = asObject(parseJson(body)) ?? {};
  const instructions = asString(json["instructions"]);
  const blocksOf = (field: string, pieces: (raw: string) => RequestPieces) =>
    asArray(json[field]).map((value, at) => ({
      name: `${field}[${at}] ${nameOf(value)}`,
      features: featuresOfRequest(pieces(JSON.stringify(value))),
    }));
  return [
    ...blocksOf("tools", (tool) => ({ tools: [tool], input: [] })),
    ...(instructions === undefined
      ? []
      : [{ name: "instructions", features: featuresOfRequest({ instructions, input: [] }) }]),
    ...blocksOf("input", (item) => ({ input: [item] })),
    ...blocksOf("messages", (message) => ({ input: [message] })),
  ];
}

function nameOf(value: unknown): string {
  const item = asObject(value) ?? {};
  return ["type", "role", "name"].flatMap((key) => asString(item[key]) ?? []).join(" ");
}

interface Pieces {
  readonly texts: readonly string[];
  readonly images: number;
}

function piecesOf(raw: string): Pieces {
  const item = parseJson(raw);
  if (!isObject(item)) return { texts: [raw], images: 0 };
  const fields = ["name", "arguments", "input", "output"].map((name) => asString(item[name]) ?? "");
  const parts = [...asArray(item["content"]), ...asArray(item["summary"])].filter(isObject);
  const texts = [
    asString(item["content"]) ?? "",
    ...fields,
    ...parts.map((part) => asString(part["text"]) ?? ""),
  ];
  return { texts: texts.filter((text) => text !== ""), images: parts.filter(isImage).length };
}

const isImage = ({ image_url: url, type }: JsonObject): boolean =>
  url !== undefined || type === "input_image";
