// Ways to ask less of a test that leave the number of its assertions as it is: a condition around one, a return before it, a
// part of what it compares left out, anything in place of a value, fewer runs.
import { asserting } from "./assertion-tables.ts";
import { count, type Hunk, indentOf, type Side } from "./hunk.ts";
import type { Language } from "./source.ts";

/** Longer lines are cut. */
const longestLine = 500;
const codeOf = ({ source: { code }, at }: Side): readonly string[] =>
  code.slice(at.first, at.last).map((line) => line.slice(0, longestLine));
const isBlank = (line: string): boolean => line.trim() === "";

const opensCondition = /^\s*(?:\}\s*)?(?:(?:else[ \t]{1,4}|el)?if|unless|guard|when)\b[^\n]{0,400}$/;

/** Whether an assertion that was there before stands in a condition now. */
function isConditional({ before, after, language }: Hunk): boolean {
  const starts = asserting[language]?.starts;
  if (starts === undefined) return false;
  const [then, now] = [codeOf(before), codeOf(after)];
  const openers = (lines: readonly string[]) => lines.filter((line) => opensCondition.test(line)).length;
  if (openers(now) <= openers(then)) return false;
  const old = new Set(then.map((line) => line.trim()));
  /** How far the condition that is open is indented. */
  let open: number | undefined;
  for (const line of now) {
    if (isBlank(line)) continue;
    const [indent, words] = [indentOf(line), line.trim()];
    if (open !== undefined && indent <= open) open = undefined;
    if (open === undefined && opensCondition.test(line) && !old.has(words)) open = indent;
    else if (open !== undefined && indent > open && old.has(words) && line.search(starts) >= 0) return true;
  }
  return false;
}

const leaves =
  /^\s*(?:return(?:[ \t]{1,4}(?:nil|null|None|undefined|true|Ok\(\(\)\)))?[ \t]{0,4};?|(?:raise|throw)\b[^\n]{0,40}\bSkip\w{0,20}[^\n]{0,80})\s*$/;
const never = /\bif\b[ \t]{0,4}\(?[ \t]{0,4}(?:false|False|0)[ \t]{0,4}\)?[ \t]{0,4}(?:[:{]|then\b|do\b|$)/gm;

/** Whether what follows in a test never runs any more. */
function isUnreachable({ before, after }: Hunk): boolean {
  const [then, now] = [codeOf(before), codeOf(after)];
  const hadCode = then.some((line) => !isBlank(line));
  if (hadCode && count(now.join("\n"), never) > count(then.join("\n"), never)) return true;
  const added = now.filter((line) => !isBlank(line));
  const [only = ""] = added;
  if (added.length !== 1 || hadCode || !leaves.test(only)) return false;
  const { code } = after.source;
  for (let row = after.at.last; row < code.length; row++) {
    const line = code[row] ?? "";
    if (isBlank(line)) continue;
    return (
      indentOf(line) === indentOf(only) && /^\s*(?!end\b|else\b|case\b|default\b|fi\b|done\b)\w/.test(line)
    );
  }
  return false;
}

/** What is followed by a part of what is asked for: whatever is not named there is not looked at. */
const partly =
  /(?:\b(?:allOf|satisfiesAll|satisfyAll\w{0,6}|SatisfyAll|toMatchObject|objectContaining|arrayContaining|partialDeepStrictEqual|hasItems|containsAll\w{0,12}|containsPairs?|all_of|have_attributes|(?:a_)?(?:hash|array|object)_including|IsPartialDict|MatchFields|MatchKeys|ContainElements|assertArraySubset|assertJson\w{0,12}|assert_has_calls|satisfies\w{0,8}|matchesPattern)|\bt\.like|\bsinon\.match|\bassert[ \t]{1,4}%[\w.]{0,60})[ \t]{0,4}$/;
/** So many brackets may stand between a line and what it is a part of. */
const deepest = 3;
const farthest = 40;

/** Whether a part of what is asked for is left out, where all parts are listed. */
function isPartLeftOut({ before, after }: Hunk): boolean {
  const gone = codeOf(before).join("\n");
  if (!/\w/.test(gone) || codeOf(after).some((line) => !isBlank(line))) return false;
  const { code } = before.source;
  let [closed, found] = [0, 0];
  for (let row = before.at.first - 1; row >= Math.max(0, before.at.first - farthest); row--) {
    const line = (code[row] ?? "").slice(0, longestLine);
    for (let at = line.length - 1; at >= 0; at--) {
      const sign = line[at] ?? "";
      if (")]}".includes(sign)) closed += 1;
      else if (!"([{".includes(sign)) continue;
      else if (closed > 0) closed -= 1;
      else {
        if (partly.test(line.slice(0, at).replace(/[([{,\s]{1,8}$/, ""))) return true;
        found += 1;
        if (found === deepest) return false;
      }
    }
  }
  return false;
}

interface Chain {
  /** A line that belongs to a chain of what is asked of one value. */
  readonly line: RegExp;
  readonly links: RegExp;
}

const chains: Readonly<Partial<Record<Language, Chain>>> = {
  java: {
    line: /\bassertThat\w{0,20}\(|\bStepVerifier\b|^\s*\./,
    links:
      /\.(?:has[A-Z]\w{0,40}|is[A-Z]\w{0,40}|contains\w{0,40}|doesNot\w{0,40}|startsWith|endsWith|matches\w{0,20}|satisfies\w{0,20}|(?:all|none|any)Match|with(?:Message|Cause)\w{0,20}|expect(?:Next|Error|Complete)\w{0,20})\(/g,
  },
  csharp: {
    line: /\.Should\(|^\s*\./,
    links: /\.(?:And|Which|With(?:Message|InnerException|ParameterName)\w{0,20}|Where)\b/g,
  },
  ruby: {
    line: /\bexpect\b|\ballow\b|^\s*\./,
    links: /\.(?:with|and|once|twice|exactly|at_least|ordered|with_message)\b/g,
  },
  php: { line: /->expects\(|^\s*->/, links: /->with\w{0,20}\(/g },
  dart: { line: /\bisA<|^\s*\./, links: /\.having\(/g },
};

/** Instead of a value, any of them. */
const anything =
  /\bany(?:thing|String|Int|Long|Boolean|List|Map|Set|Object|Double|Collection)?\(\)|\bexpect\.any(?:thing)?\(|\bIt\.IsAny<|\bArg\.Any<|\bmock\.Anything\b|\bgomock\.Any\(|(?<![\w.])(?:mock\.)?ANY\b|\bMockery::(?:any|pattern|type|on)\(|->(?:anything|stringContains|callback)\(|\bany_args\b|\bkind_of\(|\banything\b/g;
const asks = /verify|expect|assert|[rR]eceived|[cC]alled|Verify|Assert|have_received|(?:\.|->)with\(/;

/** In any order. */
const unordered =
  /\.toSet\b|(?<![.\w])sorted\(|\bElementsMatch\w?\(|InAnyOrder\w{0,20}\(|\bmatch_array\b|\bcontain_exactly\b|\bassertCountEqual\(|\bassertItemsEqual\(|\bassertEqualsCanonicalizing\(|\bBeEquivalentTo\(|\bcontains_same_items\b/g;

/** How often a generated test is run. */
const runs =
  /\b(?:max_examples|numRuns|num_runs|numTests|minSuccessful\w{0,10}|maxSuccess|maxTests)[ \t]{0,4}[:=(][ \t]{0,4}(\d{1,9})/g;

/** What a condition of Go asks for, behind which a test fails. */
function conditionsOf(lines: readonly string[]): readonly number[] {
  return lines
    .flatMap((line) => {
      const [, asked] = /^\s*(?:\}[ \t]else[ \t])?if[ \t]([^\n]{1,300})\{$/.exec(line) ?? [];
      if (asked === undefined || /\berr\b|\bok\b/.test(asked)) return [];
      if (
        /[!=]=[ \t](?:nil|"\d+")[ \t]|\blen\([^()\n]{0,80}\)[ \t](?:==|<)[ \t]/.test(asked) &&
        !/!=[ \t]"/.test(asked)
      )
        return 1;
      if (/\b(?:Contains|HasPrefix|HasSuffix|MatchString|Match)\(|[ \t][<>]=?[ \t]/.test(asked)) return 2;
      return /!=|!reflect\.DeepEqual\(|!bytes\.Equal\(|\bcmp\.Diff\(|!\w{0,40}[eE]qual\w{0,20}\(/.test(asked)
        ? 3
        : [];
    })
    .toSorted((one, other) => other - one);
}

const numbersIn = (code: string): readonly number[] =>
  [...code.matchAll(runs)].map(([, value]) => Number(value)).toSorted((one, other) => other - one);

/** Whether one of as many numbers is lower than before. */
const isLower = (before: readonly number[], after: readonly number[]): boolean =>
  before.length > 0 && before.length === after.length && before.some((each, at) => (after[at] ?? 0) < each);

/** Whether as many assertions ask for less. */
function isVaguer({ before, after, language }: Hunk): boolean {
  const starts = asserting[language]?.starts;
  if (starts === undefined) return false;
  const [then, now] = [codeOf(before), codeOf(after)];
  const heads = (lines: readonly string[]) => count(lines.join("\n"), starts);
  if (heads(then) !== heads(now)) return false;
  const chain = chains[language];
  if (chain !== undefined) {
    const links = (lines: readonly string[]) =>
      lines.filter((line) => chain.line.test(line)).reduce((sum, line) => sum + count(line, chain.links), 0);
    const exact = (lines: readonly string[]) =>
      count(
        lines.join("\n"),
        /\.(?:isEqualTo|containsExactly\w{0,20}|usingRecursiveComparison|BeEquivalentTo)\(/g,
      );
    if (links(now) < links(then) && exact(now) <= exact(then)) return true;
  }
  const any = (lines: readonly string[]) =>
    lines.filter((line) => asks.test(line)).reduce((sum, line) => sum + count(line, anything), 0);
  if (any(now) > any(then)) return true;
  const inAnyOrder = (lines: readonly string[]) => count(lines.join("\n"), unordered);
  if (heads(then) > 0 && inAnyOrder(now) > inAnyOrder(then)) return true;
  return language === "go" && isLower(conditionsOf(then), conditionsOf(now));
}

/** What a file is built for only where somebody asks for it; a system or a version of Go is not meant. */
const builtFor =
  /^\/\/(?:go:build|[ \t]?\+build)[^\n]{0,200}\b(?!(?:build|go\d|go1|linux|windows|darwin|unix|freebsd|netbsd|openbsd|plan9|solaris|aix|android|ios|js|wasm|wasip1|amd64|arm64|arm|386|cgo|gc|gccgo|race|purego|appengine|ppc64\w{0,2}|s390x|mips\w{0,6}|riscv64)\b)[a-z]\w/m;

/** Whether a file that was there is built only where somebody asks for it now. */
const isBuiltElsewhere = ({ before, after, language }: Hunk): boolean =>
  language === "go" &&
  before.source.lines.length > 0 &&
  builtFor.test(after.notes) &&
  !before.source.notes.some((note) => builtFor.test(note));

/** Whether a test asks for less, although nothing of it is gone. */
export function asksForLess(hunk: Hunk): boolean {
  if (asserting[hunk.language] === undefined) return false;
  if (isBuiltElsewhere(hunk) || isUnreachable(hunk)) return true;
  if (!/\w/.test(hunk.before.code)) return false;
  if (isConditional(hunk) || isPartLeftOut(hunk) || isVaguer(hunk)) return true;
  return isLower(numbersIn(hunk.before.code), numbersIn(hunk.after.code));
}

/** A list of cases in one line. */
const listsCases =
  /\bparametrize\(|(?:ValueSource|CsvSource|EnumSource)\(|\.each\(\[|\]\.(?:each|forEach)\b|\barguments:\s{0,4}\[|#\[values\(|\bfor\b[^\n]{0,80}\b(?:in|of)\s{0,4}[[({]/;

/** Whether a list of cases in one line has fewer of them. */
export function isListShorter(before: Side, after: Side): boolean {
  const lists = (side: Side) => codeOf(side).filter((line) => listsCases.test(line));
  const [then, now] = [lists(before), lists(after)];
  const cases = (lines: readonly string[]) => lines.reduce((sum, line) => sum + count(line, /,/g), 0);
  return then.length > 0 && then.length === now.length && cases(now) < cases(then);
}
