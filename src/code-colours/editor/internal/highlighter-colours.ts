// Reads the code colours of a theme for the page. Themes colour TextMate scopes; the page's highlighter knows a dozen
// token kinds, each of which gets the colour of the corresponding scope. Pure.
import { type CodeColour, type CodeColours, hexColour } from "../../../bridge/view-state.ts";
import { fieldsOf } from "../../../util/json.ts";

export interface TokenRule {
  readonly scope: string;
  readonly foreground: string;
}

/** Scopes in order of preference. */
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

/** Reads a theme's `tokenColors`, or the user's `textMateRules`. */
export function readTokenRules(written: unknown): readonly TokenRule[] {
  return Array.isArray(written) ? written.flatMap(rulesOf) : [];
}

function rulesOf(written: unknown): readonly TokenRule[] {
  const { scope, settings } = fieldsOf(written);
  const { foreground } = fieldsOf(settings);
  if (typeof foreground !== "string" || !hexColour.test(foreground)) return [];
  const scopes = typeof scope === "string" ? scope.split(",") : Array.isArray(scope) ? scope : [];
  // A nested scope ("meta.import string") says nothing about single tokens.
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

/** The most specific rule; among equals, the later one. */
function colourOf(scope: string, rules: readonly TokenRule[]): string | undefined {
  let best: TokenRule | undefined;
  for (const rule of rules) {
    if (scope !== rule.scope && !scope.startsWith(`${rule.scope}.`)) continue;
    if (best === undefined || rule.scope.length >= best.scope.length) best = rule;
  }
  return best?.foreground;
}
