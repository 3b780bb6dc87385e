// The rules that assign flags to a change, one readable row each and without a model. A row tests patterns on the
// change and the lines around it.
import { takeOutSecrets } from "../../files/privacy.ts";
import { showHidden } from "../../util/hidden-characters.ts";
import type { RiskFlag } from "../flags.ts";
import { asserts, caseStarts, demandsOf, isWeaker, rowsIn, tablesIn } from "./assertions.ts";
import { configChanges } from "./config-files.ts";
import { type Hunk, type Side, touching } from "./hunk.ts";
import { silencesIn } from "./silenced-checks.ts";
import { isProgram, type Language } from "./source.ts";

/** Letters that look like Latin ones: Cyrillic, Greek, Armenian and others. */
const lookAlike =
  "[\\u0410\\u0412\\u0415\\u041A\\u041C\\u041D\\u041E\\u0420\\u0421\\u0422\\u0423\\u0425\\u0405\\u0406\\u0408\\u0430\\u0435\\u043E\\u0440\\u0441\\u0443\\u0445\\u0455\\u0456\\u0458\\u0501\\u051B\\u051D\\u0391\\u0392\\u0395-\\u0397\\u0399\\u039A\\u039C\\u039D\\u039F\\u03A1\\u03A4\\u03A5\\u03A7\\u03BF\\u0555\\u0585\\u057D\\u212A\\uFF21-\\uFF3A\\uFF41-\\uFF5A\\u{1D400}-\\u{1D7FF}]";
const alike = new RegExp(lookAlike, "u");
const mixed = new RegExp(`^(?:[A-Za-z0-9_$]|${lookAlike})+$`, "u");
const disguised = new RegExp(`^${lookAlike}+$`, "u");
const words = /[\p{L}\p{N}_$]+/gu;

const isMixed = (word: string): boolean => alike.test(word) && /[A-Za-z]/.test(word) && mixed.test(word);

/** Plain ASCII contains nothing of the kind, and most changes are plain ASCII. */
const perhaps = /[^\t\n\x20-\x7e]/;

/**
 * Detects invisible characters and letters that look like others: they make code look different from what runs. `code`:
 * the code without literals and comments, in which a name made only of look-alikes counts, too.
 */
function hiddenIn(text: string, { code }: { readonly code: string }): number {
  const inCode = wordsOf(code).filter((word) => disguised.test(word)).length;
  if (!perhaps.test(text)) return inCode;
  const pieces = showHidden(text.replaceAll("\r\n", "\n")).filter(({ hidden }) => hidden).length;
  return pieces + wordsOf(text).filter(isMixed).length + inCode;
}

/** Some editors begin a file with a byte order mark, which nobody would see in a line of code. */
const withoutMark = (text: string, { at }: Side): string =>
  at.first === 0 && at.last > 0 ? text.replace(/^\ufeff/, "") : text;

const wordsOf = (text: string): readonly string[] => (alike.test(text) ? (text.match(words) ?? []) : []);

const constant = String.raw`(?:null|undefined|None|nil|[Tt]rue|[Ff]alse|"\d+"|-?\d{1,9}|\[\s*\]|\{\s*\}|Optional\.empty\(\)|(?:List|Map|Set)\.of\(\))`;
const nothing = String.raw`(?:(?:return(?:[ \t]+${constant})?|continue|break)\s*(?:;\s*)?)?`;

/** What is kept in place of a result: a value that is the same whatever has gone wrong. */
const kept = String.raw`(?:${constant}|\{[ \t]*[\w$]{1,40}:[ \t]*${constant}[ \t]*\}|Object\.create\(null\)|[Ss]tring\.Empty|[A-Z]\w{0,60}(?:\.\w{1,60}){1,3})`;
const keeping = String.raw`(?:[\w.]{1,60}[ \t]{0,4}=[ \t]{0,4}${kept}(?:;\s*|\s+|(?=\}))){1,8}`;

const script = new RegExp(
  [
    String.raw`\bcatch\s*(?:\([^()\n]{0,100}\)\s*)?\{\s*${nothing}\}`,
    // What is returned or kept in its place says nothing of the error.
    String.raw`\bcatch\s*\{\s*return[ \t]{1,4}(?:[^(){};\s][^(){};\n]{0,60}|\{[^(){}\n]{0,100}\})(?:;\s*|\s*)\}`,
    String.raw`\bcatch\s*\((\w{1,40})\)\s*\{\s*return[ \t]{1,4}(?![^\n;]{0,100}\b\1\b)[^(){};\s][^(){};\n]{0,60}(?:;\s*|\s*)\}`,
    String.raw`\bcatch\s*(?:\(\s*\w{1,40}\s*\)\s*)?\{\s*${keeping}\}`,
    String.raw`\.catch\(\s*(?:async\s*)?(?:\(\s*\w{0,60}\s*\)|\w{1,60})\s*=>\s*(?:\{\s*\}|\(\s*\{\s*\}\s*\)|void 0|${constant})\s*,?\s*\)`,
    String.raw`\.catch\(\s*(?:\w{0,20}\.)?(?:noop|function\s*\(\w{0,60}\)\s*\{\s*\})\s*\)`,
  ].join("|"),
  "g",
);

const python = new RegExp(
  [
    String.raw`\bexcept\b[^:\n]{0,200}:[ \t]*(?:\n\s*)?(?:pass|continue|\.\.\.|return(?:[ \t]+${constant})?)[ \t]*(?=\n|$)`,
    // A module that may be missing is often told by a value.
    String.raw`\bexcept\b(?![^:\n]{0,200}(?:ImportError|ModuleNotFoundError))[^:\n]{0,200}:[ \t]*(?:\n\s*)?[\w.]{1,60}(?:\[[^[\]\n]{1,60}\])?[ \t]*=[ \t]*(?:${constant}|"\d+")[ \t]*(?=\n|$)`,
    // A bare `except` catches everything; allowed if it raises again.
    String.raw`\bexcept[ \t]*:(?!(?:[^\n]{0,200}\n){0,4}[^\n]{0,200}\braise\b)`,
    String.raw`\bsuppress\(\s*(?:Base)?Exception\s*\)`,
    String.raw`\bignore_errors[ \t]*=[ \t]*True\b`,
  ].join("|"),
  "g",
);

/** Functions whose second result is not an error. */
const noErrors =
  "Cut\\w*|Split\\w*|Decode\\w*Rune\\w*|Callers?|FuncForPC|copy|append|recover|LookupEnv|Load\\w*|Deadline|ReadBuildInfo|Modf|Frexp|Value|Get|FromContext|Next|Pop|Lookup|Last|First";
/** What a call is not asked for its error, but for the type of a value. */
const ofType = String.raw`(?![^\n;]{0,300}\.\([^()\n]{1,100}\)[ \t]*(?:[\n;]|$))`;
const go = new RegExp(
  [
    String.raw`\b\w{1,60},[ \t]*_[ \t]*:?=[ \t]*${ofType}(?!(?:[\w.]{0,60}\.)?(?:${noErrors})\()[\w.]{1,80}\([^\n]{0,300}?[({,)][ \t]*(?=\n|$)`,
    String.raw`\bif[ \t]+\w{1,60},[ \t]*_[ \t]*:=[ \t]*${ofType}(?!(?:[\w.]{0,60}\.)?(?:${noErrors})\()[\w.]{1,80}\([^\n;]{0,300}\)[ \t]*;`,
    String.raw`(?<![,\w][ \t]{0,4})\b_[ \t]*=[ \t]*(?!(?:[\w.]{0,80}(?:Close|Fprint\w*)|(?:[\w.]{0,60}\.)?(?:${noErrors}))\()[\w.]{1,80}\([^\n]{0,300}`,
    String.raw`\bif\b[^{}\n]{0,200}\berr(?:or)?\s*!=\s*nil\s*\{\s*\}`,
  ].join("|"),
  "g",
);

const rust = new RegExp(
  [
    String.raw`\blet\s+_\s*=\s*(?!write(?:ln)?!)(?![^;\n]{0,300}\?[ \t]*;)[^;=\n]{0,300}\(`,
    // Matches at the beginning of a line. `^` would also match after each carriage return.
    String.raw`(?<![^\n])(?![^\n]{0,300}(?:\blet\b|\breturn\b|=))[^\n]{0,300}?\.ok\(\)\s*;`,
    String.raw`\bErr\(_\w{0,40}\)\s*=>\s*(?:\{\s*\}|\(\s*\))`,
    String.raw`\bErr\(_\w{0,40}\)\s*=>\s*(?:\{\s*)?(?:return|continue|break)\b(?![^,;\n]{0,200}(?:[Ee]rr|ERR|\?|!\())`,
    String.raw`\bif\s+let\s+Err\(_\w{0,40}\)\s*=\s*[^{}\n]{0,300}\{\s*\}`,
  ].join("|"),
  "g",
);

/** What is returned in place of a result, without a word of the error, whose name is the group before. */
const unsaid = (group: number) =>
  [
    String.raw`return[ \t]{1,4}(?![^\n;]{0,100}(?<!\w)`,
    `\\${group}`,
    String.raw`(?!\w))[^(){};\s][^(){};\n]{0,60};\s*`,
  ].join("");

/** In Kotlin the last value of a block is its result, and a name follows a type elsewhere. */
const java = new RegExp(
  [
    String.raw`\bcatch\s*\([^()\n]{0,200}\)\s*\{\s*(?:${keeping}|${constant}\s*|${nothing})\}`,
    String.raw`\bcatch\s*\([^():\n]{0,200}[\s|&$](\w{1,60})\)\s*\{\s*${unsaid(1)}\}`,
    String.raw`\bcatch\s*\(\s*(\w{1,60})\s*:[^()\n]{1,200}\)\s*\{\s*(?:return(?:@\w{1,60})?[ \t]{1,4})?(?!(?:return|throw|continue|break)\b|[^\n;]{0,60}(?<!\w)\2(?!\w))[\w.:]{1,60}\s*\}`,
    String.raw`\bcatch\s*\(\s*[\w\\|]{1,120}\s*\)\s*\{\s*return[ \t]{1,4}[^(){};\s][^(){};\n]{0,60};\s*\}`,
  ].join("|"),
  "g",
);
/** The exception need not be named, and a filter may follow. */
const csharp = new RegExp(
  [
    String.raw`\bcatch\s*(?:\([^()\n]{0,200}\)\s*)?(?:when\s*\([^{}\n]{0,200}\)\s*)?\{\s*(?:return[ \t]{1,4}(?:default(?:\([^()\n]{0,80}\))?|string\.Empty);\s*|${keeping}|${nothing})\}`,
    // The exception has no name, or is not named in what is returned.
    String.raw`\bcatch\s*(?:\(\s*[\w.]{1,100}\s*\)\s*)?\{\s*return[ \t]{1,4}[^(){};\s][^(){};\n]{0,60};\s*\}`,
    String.raw`\bcatch\s*\(\s*[\w.]{1,100}\s+(\w{1,60})\s*\)\s*\{\s*${unsaid(1)}\}`,
  ].join("|"),
  "g",
);
/** Whoever requires a file that may be missing goes on without it. */
const ruby = new RegExp(
  [
    String.raw`\brescue[ \t]+nil\b`,
    String.raw`\brescue(?![ \t]+(?:::)?LoadError[ \t]*(?:\n|=>))(?:[ \t]+[\w:*]{1,80}(?:[ \t]*,\s*[\w:*]{1,80}){0,8})?(?:[ \t]*=>[ \t]*\w{1,60})?[ \t]*(?:\n|;|\bthen\b)\s*(?:(?:(?:return|next)[ \t]+)?(?:nil|true|false|"\d+"|\[\]|\{\}|-?\d{1,9})\s+|(?:return|next|break)\s+)?end\b`,
  ].join("|"),
  "g",
);

/**
 * Errors that are caught or returned and then dropped: not handled and not reported. Patterns on code without comments.
 * Returning a constant instead counts as dropping the error, too.
 */
const swallowing: Readonly<Partial<Record<Language, RegExp>>> = {
  script,
  python,
  go,
  rust,
  java,
  csharp,
  ruby,
};

/** `except (A, B): pass` drops two kinds of errors. */
const kindsIn = (found: string): number =>
  1 + (/^except\b([^:\n]{0,200}):/.exec(found)?.[1]?.match(/,(?=[ \t]*\w)/g)?.length ?? 0);

/** The functions of a file that give no error, once for all its changes. */
const withoutErrors = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Functions of this Go file with results, none of which is an error. A method may be that of another type. */
function harmlessIn(code: readonly string[]): ReadonlySet<string> {
  let found = withoutErrors.get(code);
  if (found === undefined) {
    const heads = code.filter((line) => line.startsWith("func "));
    const named = heads.map((line) =>
      /^func (\w{1,80})\((?:[^{}]|\{\}){0,300}\)\s*([^(){}\s][^(){}]{0,79}|\([^()]{1,200}\))\s*\{/.exec(
        line.slice(0, 500),
      ),
    );
    found = new Set(
      named.flatMap((each) =>
        each === null || /[eE]rr(?:or)?s?\b/.test(each[2] ?? "") ? [] : (each[1] ?? []),
      ),
    );
    withoutErrors.set(code, found);
  }
  return found;
}

/** How many errors these words drop: what a function next to them gives may be none. */
function droppedBy({ source: { code } }: Side, language: Language): (found: string) => number {
  if (language !== "go") return kindsIn;
  return (found) => {
    const [, called] = /_[ \t]*:?=[ \t]*(\w{1,80})\(/.exec(found) ?? [];
    // What is called on its result may give one.
    return called !== undefined && !found.includes(").") && harmlessIn(code).has(called) ? 0 : 1;
  };
}

/** Cases of a test that runs with many, in the lines of this side. */
function casesOf({ source: { code }, at: { first, last } }: Side): number {
  return first === last ? 0 : rowsIn(code.slice(first, last), code.slice(Math.max(0, first - 80), first));
}

/** Whether a case that has several lines is gone, here and from the file. */
function isCaseGone(before: Side, after: Side): boolean {
  const of = ({ source, at }: Side) => caseStarts(source, at);
  if (of(before) <= of(after)) return false;
  const inAll = ({ source }: Side) => caseStarts(source, { first: 0, last: source.lines.length });
  return inAll(before) > inAll(after);
}

/** Whether an error is swallowed now around an assertion, whose failure is one. */
function isDropped(language: Language, before: Side, after: Side): boolean {
  // Elsewhere an assertion is no error that is caught.
  const pattern = language === "go" || language === "rust" ? undefined : swallowing[language];
  if (pattern === undefined || !more(touching(after, pattern), () => touching(before, pattern))) return false;
  // A test that is new has demanded nothing before.
  const isNew = !/\w/.test(before.code) && demandsOf(after.code, language).tests > 0;
  if (isNew) return false;
  const { source, at } = after;
  return asserts(source.code.slice(Math.max(0, at.first - 4), at.last).join("\n"), language);
}

/** A test of Rust that only some systems have. */
const onSome =
  /#\[cfg\((?!test\b|all\(test\b|any\(test\b)[^\n\]]{0,200}\]\s*(?:#\[[^\n\]]{0,200}\]\s*){0,4}#\[(?:\w{1,40}::)?test\b|#\[(?:\w{1,40}::)?test\b[^\n\]]{0,80}\]\s*(?:#\[[^\n\]]{0,200}\]\s*){0,3}#\[cfg\((?!test\b)/g;

/** Whether a test that was there before is left out of some systems now. */
function isLeftOut(language: Language, before: Side, after: Side): boolean {
  if (language !== "rust" || !more(touching(after, onSome), () => touching(before, onSome))) return false;
  return demandsOf(after.code, language).tests <= demandsOf(before.code, language).tests;
}

interface Rule {
  readonly flag: RiskFlag;
  /** Whether the change alone deserves the flag. */
  readonly holds: (hunk: Hunk) => boolean;
}

/** Counts the old side only if the new one has any matches; most changes have none. */
function more(now: number, before: () => number): boolean {
  return now > 0 && now > before();
}

/** Removed lines minus added ones. */
const many = 30;
const notWritten = /(?:\.lock|\.min\.[cm]?js|-lock\.json|-lock\.yaml|\.sum|\.snap|\.map|\.svg|\.csv)$/i;

/**
 * In order of severity. `public-api` and `out-of-scope` depend on more than one change, and `format-only` (hunk.ts)
 * on the absence of all others.
 */
export const rules: readonly Rule[] = [
  {
    flag: "hidden-characters",
    holds: ({ added, removed, after, before }) =>
      more(hiddenIn(withoutMark(added, after), after), () => hiddenIn(withoutMark(removed, before), before)),
  },
  {
    flag: "secret",
    holds: ({ added, removed, after, before }) =>
      more(secretsIn(`${keyAbove(after)}${added}`), () => secretsIn(`${keyAbove(before)}${removed}`)),
  },
  {
    flag: "test-weakened",
    // An adjacent change may have added what this one removes.
    holds({ isTest, language, before, after, near }) {
      if (!isTest) return false;
      if (casesOf(before) > casesOf(after) || isCaseGone(before, after)) return true;
      if (isDropped(language, before, after) || isLeftOut(language, before, after)) return true;
      const asks = (code: string) => demandsOf(code, language);
      if (!isWeaker(asks(before.code), asks(after.code))) return false;
      const beside = near();
      const [then, now] = [asks(beside.before), asks(beside.after)];
      // The rows may be further up than this change.
      if (tablesIn(after.source.code) > tablesIn(before.source.code) && then.tests <= now.tests)
        return (now.strengths[0] ?? 0) < (then.strengths[0] ?? 0);
      return isWeaker(then, now);
    },
  },
  {
    flag: "check-silenced",
    holds({ silencers, before, after, removed, added }) {
      const of = ({ code, notes }: Hunk["after"], text: string) =>
        silencesIn({ code, notes, text }, silencers);
      return more(of(after, added), () => of(before, removed));
    },
  },
  { flag: "executable-config", holds: (hunk) => configChanges(hunk).includes("executable-config") },
  { flag: "dependency", holds: (hunk) => configChanges(hunk).includes("dependency") },
  {
    flag: "errors-swallowed",
    holds({ language, before, after, isTest }) {
      const pattern = swallowing[language];
      if (pattern === undefined || isTest) return false;
      const of = (side: Side) => touching(side, pattern, droppedBy(side, language));
      return more(of(after), () => of(before));
    },
  },
  {
    flag: "large-deletion",
    holds: ({ path, fewer }) => fewer >= many && !notWritten.test(path),
  },
];

/**
 * The secret filter cuts holes into code and takes `$` for a variable; between two letters of a literal, it belongs to
 * a password.
 */
/** A longer key is none. */
const longestKey = 120;

/** The first line of a private key that goes on into the change; empty if there is none. */
function keyAbove({ source: { lines }, at }: Side): string {
  if (at.first === at.last) return "";
  for (let row = at.first - 1; row >= Math.max(0, at.first - longestKey); row--) {
    const line = lines[row] ?? "";
    if (line.includes("-----END ")) return "";
    if (/-----BEGIN [A-Z ]{0,40}PRIVATE KEY/.test(line)) return `${line.trimStart()}\n`;
  }
  return "";
}

const secretsIn = (text: string): number =>
  text === "" ? 0 : takeOutSecrets(text.replace(/(?<=[A-Za-z0-9])\$(?=[A-Za-z0-9])/g, "+")).removed;

/** Nobody calls names that are declared in tests or prose. */
export const hasNames = ({ isTest, language }: Pick<Hunk, "isTest" | "language">): boolean =>
  isProgram(language) && !isTest;
