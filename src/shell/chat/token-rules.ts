// What a colour theme says about code, and what of it the page can use. Themes colour TextMate scopes; the page's
// highlighter knows a dozen kinds of words, and each takes the colour of the scope that it would have. Pure.
import { type CodeColour, type CodeColours, hexColour } from "../../bridge/code-colours.ts";
import { skipBlank, skipString } from "../../core/util/json-text.ts";

export interface TokenRule {
  readonly scope: string;
  readonly foreground: string;
}

/** Scopes in the order in which they are asked for. */
const scopesOf: Readonly<Record<CodeColour, readonly string[]>> = {
  comment: ["comment.line"],
  keyword: ["keyword", "storage.type", "keyword.control"],
  string: ["string.quoted.double"],
  number: ["constant.numeric.decimal"],
  constant: ["constant.language", "constant"],
  function: ["entity.name.function", "support.function"],
  type: ["entity.name.type.class", "entity.name.class", "support.type", "support.class"],
  variable: ["variable.other.readwrite"],
  property: ["variable.other.property", "support.type.property-name", "variable.other"],
  tag: ["entity.name.tag"],
  regexp: ["string.regexp"],
  meta: ["meta.preprocessor", "keyword.control"],
  added: ["markup.inserted"],
  removed: ["markup.deleted"],
};

/** A theme's `tokenColors`, or `textMateRules` of a user. */
export function readTokenRules(written: unknown): readonly TokenRule[] {
  return Array.isArray(written) ? written.flatMap(rulesOf) : [];
}

function rulesOf(written: unknown): readonly TokenRule[] {
  const { scope, settings } = fieldsOf(written);
  const { foreground } = fieldsOf(settings);
  if (typeof foreground !== "string" || !hexColour.test(foreground)) return [];
  const scopes = typeof scope === "string" ? scope.split(",") : Array.isArray(scope) ? scope : [];
  // A scope inside another one ("meta.import string") says nothing about words alone.
  return scopes.flatMap((name) =>
    typeof name === "string" && !/\s/.test(name.trim()) ? [{ scope: name.trim(), foreground }] : [],
  );
}

export function codeColoursOf(rules: readonly TokenRule[]): CodeColours {
  const found: Partial<Record<CodeColour, string>> = {};
  for (const [name, scopes] of Object.entries(scopesOf) as [CodeColour, readonly string[]][]) {
    const colour = scopes.map((scope) => colourOf(scope, rules)).find((each) => each !== undefined);
    if (colour !== undefined) found[name] = colour;
  }
  return found;
}

/** The rule that says most about it; of two that say as much, the later one. */
function colourOf(scope: string, rules: readonly TokenRule[]): string | undefined {
  let best: TokenRule | undefined;
  for (const rule of rules) {
    if (scope !== rule.scope && !scope.startsWith(`${rule.scope}.`)) continue;
    if (best === undefined || rule.scope.length >= best.scope.length) best = rule;
  }
  return best?.foreground;
}

/** JSON as themes write it: with comments, and commas before closing brackets. */
export function parseLoosely(text: string): unknown {
  const marked = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return JSON.parse(without(without(marked, commentAt), lastCommaAt));
}

/** The text without stretches that stand outside of its strings; `endOf` says where one ends that begins here. */
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
