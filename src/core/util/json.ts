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

/** Empty when the value is nested deeper than it can be written again. */
export function writeJson(value: unknown): string {
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
