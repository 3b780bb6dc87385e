// Errors that are caught, or returned, and then dropped: nothing is done about them and nobody is told. Patterns over code
// without comments; a constant in the place of a result tells nobody.
import type { Language } from "./languages.ts";

const constant = String.raw`(?:null|undefined|None|nil|[Tt]rue|[Ff]alse|"\d+"|-?\d{1,9}|\[\s*\]|\{\s*\}|Optional\.empty\(\)|(?:List|Map|Set)\.of\(\))`;
const nothing = String.raw`(?:(?:return(?:[ \t]+${constant})?|continue|break)\s*(?:;\s*)?)?`;

const script = new RegExp(
  [
    String.raw`\bcatch\s*(?:\([^()\n]{0,100}\)\s*)?\{\s*${nothing}\}`,
    String.raw`\.catch\(\s*(?:async\s*)?(?:\(\s*\w{0,60}\s*\)|\w{1,60})\s*=>\s*(?:\{\s*\}|\(\s*\{\s*\}\s*\)|void 0|${constant})\s*,?\s*\)`,
    String.raw`\.catch\(\s*(?:\w{0,20}\.)?(?:noop|function\s*\(\w{0,60}\)\s*\{\s*\})\s*\)`,
  ].join("|"),
  "g",
);

const python = new RegExp(
  [
    String.raw`\bexcept\b[^:\n]{0,200}:[ \t]*(?:\n\s*)?(?:pass|continue|\.\.\.|return(?:[ \t]+${constant})?)[ \t]*(?=\n|$)`,
    // Whatever it is: unless it goes on from there.
    String.raw`\bexcept[ \t]*:(?!(?:[^\n]{0,200}\n){0,4}[^\n]{0,200}\braise\b)`,
    String.raw`\bsuppress\(\s*(?:Base)?Exception\s*\)`,
  ].join("|"),
  "g",
);

/** Their second result is no error. */
const noErrors =
  "Cut\\w*|Split\\w*|Decode\\w*Rune\\w*|Caller|LookupEnv|Load\\w*|Deadline|ReadBuildInfo|Modf|Frexp|Value|Get|FromContext|Next|Pop|Lookup|Last|First";
const go = new RegExp(
  [
    String.raw`\b\w{1,60},[ \t]*_[ \t]*:?=[ \t]*(?!(?:[\w.]{0,60}\.)?(?:${noErrors})\()[\w.]{1,80}\([^\n]{0,300}\)[ \t]*(?=\n|$)`,
    String.raw`(?<![,\w][ \t]{0,4})\b_[ \t]*=[ \t]*(?![\w.]{0,80}(?:Close|Fprint\w*)\()[\w.]{1,80}\(`,
    String.raw`\bif\b[^{}\n]{0,200}\berr(?:or)?\s*!=\s*nil\s*\{\s*\}`,
  ].join("|"),
  "g",
);

const rust = new RegExp(
  [
    String.raw`\blet\s+_\s*=\s*(?!write(?:ln)?!)[^;=\n]{0,300}\(`,
    // At the beginning of a line: `^` would also be one behind each lonely return.
    String.raw`(?<![^\n])(?![^\n]{0,300}(?:\blet\b|\breturn\b|=))[^\n]{0,300}?\.ok\(\)\s*;`,
    String.raw`\bErr\(_\w{0,40}\)\s*=>\s*(?:\{\s*\}|\(\s*\))`,
    String.raw`\bif\s+let\s+Err\(_\w{0,40}\)\s*=\s*[^{}\n]{0,300}\{\s*\}`,
  ].join("|"),
  "g",
);

const java = new RegExp(String.raw`\bcatch\s*\([^()\n]{0,200}\)\s*\{\s*${nothing}\}`, "g");
const ruby = /\brescue(?:\s*=>\s*\w{1,60})?[ \t]*(?:nil\b|\n\s*(?:nil[ \t]*\n\s*)?end\b)/g;

export const swallowing: Readonly<Partial<Record<Language, RegExp>>> = {
  script,
  python,
  go,
  rust,
  java,
  ruby,
};
