// Reading unknown JSON without trusting it. Knows nothing of the interface.

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function stringAt(object: unknown, key: string): string | undefined {
  const value = isObject(object) ? object[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

export function listAt(object: unknown, key: string): readonly unknown[] {
  const value = isObject(object) ? object[key] : undefined;
  return isList(value) ? value : [];
}
