// Reading JSON that somebody else wrote: a value is only what it proves to be.

export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);
export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asString = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** A position or a count: an integer from zero. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** The engine compares each level with all above it, when it writes: thousands of them would be felt. */
const deepest = 1_000;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));

/** Empty when the value is nested deeper than it can be written again. */
export function writeJson(value: unknown): string {
  if (isDeeper(value, deepest)) return "";
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** `undefined` when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
