// Cuts a value out of a JSON text without changing a byte of it: "output items are passed back unchanged"
// (interface, "Input items"), and a parsed copy would lose number forms, escapes and the order of keys.
// Expects text that JSON.parse has accepted.
import { skipBlank, skipString } from "../util/json-text.ts";

/** The raw value at a path of keys; the last of equal keys counts, as it does for JSON.parse. */
export function rawAt(json: string, path: readonly string[]): string | undefined {
  let text: string | undefined = json;
  for (const key of path) text = text === undefined ? undefined : rawMember(text, key);
  return text;
}

export function rawMember(json: string, key: string): string | undefined {
  const range = memberRange(json, key);
  return range && json.slice(...range);
}

/** The same object with this value under a key; one that it does not have comes first. */
export function withMember(json: string, key: string, raw: string): string {
  const range = memberRange(json, key);
  if (range !== undefined) return json.slice(0, range[0]) + raw + json.slice(range[1]);
  const at = skipBlank(json, 0) + 1;
  const rest = json.slice(at);
  const isEmpty = rest[skipBlank(rest, 0)] === "}";
  return `${json.slice(0, at)}${JSON.stringify(key)}:${raw}${isEmpty ? "" : ","}${rest}`;
}

function memberRange(json: string, key: string): readonly [start: number, end: number] | undefined {
  let found: readonly [number, number] | undefined;
  let at = skipBlank(json, 0);
  if (json[at] !== "{") return undefined;
  at = skipBlank(json, at + 1);
  while (at < json.length && json[at] !== "}") {
    const nameEnd = skipValue(json, at);
    const name = json.slice(at, nameEnd);
    const start = skipBlank(json, skipBlank(json, nameEnd) + 1);
    const end = skipValue(json, start);
    if (name === `"${key}"` || (name.includes("\\") && JSON.parse(name) === key)) found = [start, end];
    at = skipSeparator(json, end);
  }
  return found;
}

export function rawElements(json: string): string[] {
  const elements: string[] = [];
  let at = skipBlank(json, 0);
  if (json[at] !== "[") return elements;
  at = skipBlank(json, at + 1);
  while (at < json.length && json[at] !== "]") {
    const end = skipValue(json, at);
    elements.push(json.slice(at, end));
    at = skipSeparator(json, end);
  }
  return elements;
}

function skipSeparator(json: string, from: number): number {
  const at = skipBlank(json, from);
  return json[at] === "," ? skipBlank(json, at + 1) : at;
}

/** Behind the value that begins here; the end of a text that ends before it. */
export function skipValue(json: string, from: number): number {
  const first = json[from];
  if (first === '"') return skipString(json, from);
  if (first === "{" || first === "[") return skipNested(json, from);
  let at = from;
  while (at < json.length && !",]} \n\r\t".includes(json.charAt(at))) at++;
  return at;
}

function skipNested(json: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = skipString(json, at);
      continue;
    }
    if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    at++;
    if (depth === 0) return at;
  }
  return at;
}

const quote = 0x22;
