// Reads JSON from others: each value is checked before it is used, and long texts can be searched without parsing them.

export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined);
export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asString = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The strings of a list; none if it is no list. */
export const stringsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

/** An integer of at least zero. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** When writing, the engine compares each level with all those above it, so thousands of levels would be slow. */
const deepest = 1_000;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));

/** Returns an empty string when the value is nested too deep to be written. */
export function writeJson(value: unknown): string {
  if (isDeeper(value, deepest)) return "";
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** Returns `undefined` when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Steps over white space and strings in a JSON text without parsing it. Takes linear time for any input.

export function skipBlank(json: string, from: number): number {
  let at = from;
  while (json.charCodeAt(at) <= 32) at++;
  return at;
}

/** Returns the position after the string that begins here, or the end of the text if it is cut off. */
export function skipString(json: string, from: number): number {
  const end = endOfString(json, from);
  return end === undefined ? json.length : end + 1;
}

const backslash = 0x5c;

/** Returns the position of the quote that closes the string beginning here. */
function endOfString(json: string, from: number): number | undefined {
  for (let at = from + 1; ; ) {
    const end = json.indexOf('"', at);
    if (end === -1) return undefined;
    let slashes = 0;
    while (end - 1 - slashes >= at && json.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
    at = end + 1;
  }
}

/**
 * Parses JSON with comments and trailing commas, as in themes, grammars and language configurations. The result is
 * unknown; read it with `fieldsOf`.
 * @throws SyntaxError where it is not even that.
 */
export function parseLoosely(text: string): unknown {
  const marked = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return JSON.parse(without(without(marked, commentAt), lastCommaAt));
}

/** Removes stretches outside of strings; `endOf` returns the end of a stretch that begins at a position. */
function without(text: string, endOf: (text: string, at: number) => number | undefined): string {
  const pieces: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const end = endOf(text, at);
    if (end === undefined) at = text.charAt(at) === '"' ? skipString(text, at) : at + 1;
    else {
      pieces.push(text.slice(copied, at));
      copied = end;
      at = end;
    }
  }
  return pieces.join("") + text.slice(copied);
}

function commentAt(text: string, at: number): number | undefined {
  if (text.startsWith("//", at)) return endOr(text, text.indexOf("\n", at));
  if (text.startsWith("/*", at)) return endOr(text, text.indexOf("*/", at + 2), 2);
  return undefined;
}

const endOr = (text: string, found: number, length = 0): number => (found < 0 ? text.length : found + length);

function lastCommaAt(text: string, at: number): number | undefined {
  if (text.charAt(at) !== ",") return undefined;
  const next = skipBlank(text, at + 1);
  return "]}".includes(text.charAt(next)) && next < text.length ? next : undefined;
}

export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const field = '"encrypted_content"';

/**
 * Replaces the encrypted contents of a JSON text without a regular expression: a content may have millions of escapes,
 * and the regex engine would keep a backtracking position for each. Inside a JSON string every quote is escaped, so
 * nothing else looks like the field. In a truncated text, the last content may end with the text. Empty contents are
 * kept.
 */
export function replaceEncrypted(json: string, replace: (content: string) => string): string {
  const pieces: string[] = [];
  let copied = 0;
  let found = json.indexOf(field);
  while (found >= 0) {
    const colon = skipBlank(json, found + field.length);
    const quote = skipBlank(json, colon + 1);
    const isField = json[colon] === ":" && json[quote] === '"';
    const end = isField ? (endOfString(json, quote) ?? json.length) : colon;
    if (isField && end > quote + 1) {
      pieces.push(json.slice(copied, quote + 1), replace(json.slice(quote + 1, end)));
      copied = end;
    }
    found = json.indexOf(field, end);
  }
  return pieces.join("") + json.slice(copied);
}
