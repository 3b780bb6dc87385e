// What of a text or request matters for its count of tokens, as a few sums. Sums of two pieces add up to the sums of
// the whole when the cut lies at the beginning of a line, which makes them incremental.

/** In this order everywhere: calibrations are kept by position. */
export const featureNames = [
  // Of the text (character-weights.ts): what characters of such a kind are worth in a common vocabulary, in hundredths.
  "words",
  "numbers",
  "marks",
  "blanks",
  "casedLetters",
  "ideographs",
  "syllables",
  "otherLetters",
  // Of what surrounds it: how many.
  "messages",
  "images",
] as const;

export type FeatureName = (typeof featureNames)[number];

/** One number per name. */
export type Features = Float64Array;

export const featureCount: number = featureNames.length;

export const noFeatures = (): Features => new Float64Array(featureCount);

export const featureOf = (features: Features, name: FeatureName): number =>
  features[featureNames.indexOf(name)] ?? 0;

export function withFeature(features: Features, name: FeatureName, count: number): Features {
  const changed = features.slice();
  changed[featureNames.indexOf(name)] = count;
  return changed;
}

/** Into the first. */
export function addFeatures(sum: Features, more: Features, times = 1): Features {
  for (let at = 0; at < featureCount; at += 1) sum[at] = (sum[at] ?? 0) + times * (more[at] ?? 0);
  return sum;
}
