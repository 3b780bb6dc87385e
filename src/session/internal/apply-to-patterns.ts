// The patterns of `applyTo`, as VS Code reads them: separated by commas, and each fits at any depth unless it begins with
// a slash.
import { BrokenPattern, type IgnoreRules, readIgnoreRules } from "../../util/ignore-patterns.ts";

const maxPatterns = 50;
const longestPattern = 500;

/** A function for paths relative to their folder; `undefined` if a pattern cannot be read or there is none. */
export function readApplyTo(texts: readonly string[]): ((path: string) => boolean) | undefined {
  const patterns = texts.flatMap(splitAtCommas);
  const isTooMuch = patterns.length > maxPatterns || patterns.some(({ length }) => length > longestPattern);
  if (patterns.length === 0 || isTooMuch) return undefined;
  const rules = rulesOf(patterns.map((each) => (/^(?:\/|\*\*\/)/.test(each) ? each : `**/${each}`)));
  return rules && ((path) => rules.ignores(path, false));
}

function rulesOf(patterns: readonly string[]): IgnoreRules | undefined {
  try {
    return readIgnoreRules(patterns);
  } catch (error) {
    if (error instanceof BrokenPattern) return undefined;
    throw error;
  }
}

/** Commas in braces separate alternatives of one pattern. */
function splitAtCommas(text: string): string[] {
  const pieces = [""];
  let depth = 0;
  for (const letter of text) {
    if (letter === "{") depth++;
    if (letter === "}") depth = Math.max(0, depth - 1);
    if (letter === "," && depth === 0) pieces.push("");
    else pieces[pieces.length - 1] += letter;
  }
  return pieces.map((each) => each.trim().replace(/^\.\//, "")).filter((each) => each !== "");
}
