// What kind of text this is, by what it is made of. Tokenizers differ most between kinds, so what is learnt of one
// is kept apart from what is learnt of the others.
import { type FeatureName, type Features, featureOf } from "./features.ts";

export const contentKinds = ["prose", "code", "data", "wide"] as const;
export type ContentKind = (typeof contentKinds)[number];

export function contentKind(features: Features): ContentKind {
  const count = (...names: FeatureName[]) => names.reduce((sum, name) => sum + featureOf(features, name), 0);
  const wide = count("casedLetters", "ideographs", "syllables", "otherLetters", "halves");
  const words = count("words", "humps");
  const marks = count("markRuns", "marks", "symbols");
  const all = words + marks + wide + count("numbers");
  if (all === 0) return "prose";
  if (wide > all / 4) return "wide";
  if (count("numbers") + marks > 1.5 * words) return "data";
  return marks > words / 3 ? "code" : "prose";
}
