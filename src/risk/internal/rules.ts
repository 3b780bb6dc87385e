// The rules that assign flags to a change, one readable row each and without a model. A row tests patterns on the
// change and the lines around it.
import { takeOutSecrets } from "../../files/privacy.ts";
import { showHidden } from "../../util/hidden-characters.ts";
import type { RiskFlag } from "../flags.ts";
import { asserts, caseStarts, demandsOf, isMoreAllowed, isWeaker, rowsIn, tablesIn } from "./assertions.ts";
import { configChanges } from "./config-files.ts";
import { droppedIn, droppedInTest, dropsWithAssertions, isNewlyDropped } from "./dropped-errors.ts";
import { type Hunk, type Side, touching } from "./hunk.ts";
import { listedIn, silencesIn } from "./silenced-checks.ts";
import { isProgram, isTestName, type Language } from "./source.ts";
import { isUnheard } from "./unheard-errors.ts";
import { asksForLess, isListShorter } from "./weaker-tests.ts";

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
  if (!dropsWithAssertions(language)) return false;
  if (!more(droppedIn(after, language), () => droppedIn(before, language))) return false;
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

/** What only has to compile, or must not: nothing in it says that it is a test. */
const provesByItself =
  /\.test-d\.[cm]?tsx?$|(?:^|\/)tests?\/(?:[^\n]{0,200}\/)?(?:\w{1,40}[-_])?(?:ui|(?:compile|run|build|macro)[-_]?(?:fail|pass))\/[^\n]{1,200}\.rs$/;

/** Languages in which a test may be a program of its own, and what helps such programs. */
const startsAlone: ReadonlySet<Language> = new Set(["shell", "lua", "c"] as const);
const helpsTests =
  /\.(?:h|hh|hpp|hxx|inl)$|(?:helper|util|support|common|setup|fixture|stub|mock|function|init|server|data|bench|lib|compat|polyfill|preload)[^/]{0,60}(?:\/|\.\w{1,5}$)/i;
const showsUse = /(?:^|\/)(?:examples?|samples?|demos?)\//i;

/** Whether a file that is deleted is a test as a whole, whatever stands in it. */
function isWholeTest({ path, language, before }: Hunk): boolean {
  if (provesByItself.test(path)) return true;
  if (!isTestName(path)) return startsAlone.has(language) && !helpsTests.test(path);
  // A test of Go always has a name that says so.
  if (language === "go" || (declaresTests.has(language) && showsUse.test(path)))
    return demandsOf(before.code, language).tests > 0;
  return isProgram(language) || language === "shell";
}

/** Languages in which every test is declared as one. */
const declaresTests: ReadonlySet<Language> = new Set([
  ...(["python", "go", "rust", "java", "csharp", "swift", "elixir", "dart"] as const),
]);

const fixtureFolder = /(?:^|[/_-])(?:fixtures?|testdata|expected|__snapshots__)\//i;

/** Whether a file among the tests has none itself: nothing in it expects an error. */
function isWithoutTests({ path, language, before, after, isDeleted }: Hunk): boolean {
  if (isTestName(path) || fixtureFolder.test(path) || language === "rust") return false;
  if (!declaresTests.has(language) && language !== "script" && language !== "ruby") return false;
  const { source } = isDeleted ? before : after;
  return demandsOf(source.code.join("\n"), language).tests === 0;
}

/** Removed lines minus added ones: so many are much of a file that has no more than five times as many. */
const many = 30;
const part = 0.2;
/** So many are much of any file. */
const most = 100;
/** Lines of code of a file that is deleted. */
const least = 20;

const linesOf = (code: string): number => code.split("\n").filter((line) => line.trim() !== "").length;

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
    holds(hunk) {
      const { path, isTest, wasTest, isDeleted, language, before, after, near } = hunk;
      if (!isTest && !wasTest) return false;
      if (isDeleted && isWholeTest(hunk)) return true;
      // What is no test itself helps others, and may stand in another place now.
      const isHelper = isDeleted && declaresTests.has(language) && !isTestName(path);
      if (isHelper && demandsOf(before.code, language).tests === 0) return false;
      if (casesOf(before) > casesOf(after) || isCaseGone(before, after)) return true;
      if (isDropped(language, before, after) || isLeftOut(language, before, after)) return true;
      if (isMoreAllowed(before, after) || (isProgram(language) && isListShorter(before, after))) return true;
      if (!isDeleted && asksForLess(hunk)) return true;
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
      const of = (side: Side, text: string) =>
        silencesIn({ code: side.code, notes: side.notes, text }, silencers) + listedIn(side, silencers);
      return more(of(after, added), () => of(before, removed));
    },
  },
  { flag: "executable-config", holds: (hunk) => configChanges(hunk).includes("executable-config") },
  { flag: "dependency", holds: (hunk) => configChanges(hunk).includes("dependency") },
  {
    flag: "errors-swallowed",
    holds(hunk) {
      const { path, language, before, after, isTest } = hunk;
      if (notWritten.test(path)) return false;
      const of = (side: Side) => {
        const inAll = droppedIn(side, language);
        return isTest && inAll > 0 && !isWithoutTests(hunk) ? droppedInTest(side, language) : inAll;
      };
      if (more(of(after), () => of(before)) && isNewlyDropped(before, after, language)) return true;
      return !isTest && isUnheard(hunk);
    },
  },
  {
    flag: "large-deletion",
    holds({ path, language, fewer, isDeleted, before }) {
      if (language === "prose" || notWritten.test(path)) return false;
      if (isDeleted && isProgram(language)) return linesOf(before.code) >= least;
      return fewer >= most || (fewer >= many && fewer >= before.source.lines.length * part);
    },
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
