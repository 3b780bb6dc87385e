// How many tokens a text has, at once and without asking anybody: one calibration per model, kept between windows.
// What the service counts anyway teaches it; no request is ever made for its sake.
import { Calibration, isCalibrationState, type LocalCount } from "./calibration.ts";
import { scanText } from "./character-weights.ts";
import { addFeatures, type Features, noFeatures, withFeature } from "./text-features.ts";

/** What is to be counted, as far as a local estimate can see it. */
export interface Countable {
  readonly texts: readonly string[];
  readonly images?: number;
  /** Messages or items: each costs a little besides its text. */
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

  /** `saved` is what `save` answered, or anything: what does not fit is learnt again. */
  constructor(saved?: unknown) {
    const file = saved as { version?: unknown; models?: unknown } | null | undefined;
    if (file?.version !== version || typeof file.models !== "object" || file.models === null) return;
    for (const [model, state] of Object.entries(file.models))
      if (isCalibrationState(state)) this.#models.set(model, new Calibration(state));
  }

  count(model: string, features: Features): LocalCount {
    return this.#of(model).estimate(features);
  }

  /** The service has counted exactly this. */
  learn(model: string, features: Features, tokens: number): void {
    const calibration = this.#of(model);
    calibration.learn(features, tokens);
    this.#models.set(model, calibration);
  }

  save(): unknown {
    const models = Object.fromEntries([...this.#models].map(([model, { state }]) => [model, state]));
    return { version, models };
  }

  #of(model: string): Calibration {
    return this.#models.get(model) ?? new Calibration();
  }
}
