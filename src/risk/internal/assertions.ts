// Measures what a test demands: its assertions and their strengths, the number of tests, and what disables tests. Uses
// patterns on code without comments, in which literals are replaced by numbers in quotes.
import type { LineRange } from "../../patch/model.ts";
import { asserting, none } from "./assertion-tables.ts";
import { count, type Form } from "./hunk.ts";
import type { Language, Source } from "./source.ts";

interface Demands {
  readonly code: string;
  /** There is no code. */
  readonly isNothing: boolean;
  /** Strongest first. */
  readonly strengths: readonly number[];
  readonly tests: number;
  /** With those that only a comment of PHP may tell to be tests. What runs before each of them is none. */
  readonly possible: number;
  readonly skips: number;
  /** Names of the tests that begin in these lines, directly below what skips them. */
  readonly skippedTests: readonly string[];
  /** In how many cases those with a condition are skipped. */
  readonly breadth: number;
  /** Allowed numeric deviations, largest first. */
  readonly tolerances: readonly number[];
  /** How often a test may be tried again. */
  readonly retries: number;
  /** Comparisons of a whole list or object. */
  readonly deep: number;
  /** One test runs with many cases. */
  readonly isTable: boolean;
}

/** A failed test is run again: what a test hands to something that tries again itself is another matter. */
const again = new RegExp(
  [
    String.raw`(?:(?:\b(?:it|test|describe|specify|context|scenario)\b|(?:^|\n)[ \t]{0,80}[@[])[^\n]{0,200}?|\b(?:this|jest|cy|suite|test|t)\.)\b(?:retries|retry|reruns|max_runs|max_attempts|retryTimes)\b[ \t]{0,4}(?:[:=(][ \t]{0,4}){1,2}(\d{1,3})`,
    String.raw`(?:[[,]|\)[ \t]{0,4}-)[ \t]{0,4}[rR]etry\([ \t]{0,4}(\d{1,3})`,
    String.raw`\bflakyTest\b[ \t]{0,4}\(|\$this->retryOn\w{1,40}\(`,
    String.raw`@(?:pytest\.mark\.flaky|flaky|RetryingTest|RepeatedIfExceptionsTest|Retry|Flaky)\b(?![\w(])`,
  ].join("|"),
  "g",
);
const deep =
  /\b(?:eql|deepEqual|deepStrictEqual|toEqual|toStrictEqual|deep\.equal|SequenceEqual|BeEquivalentTo|containsExactly\w*|assert(?:List|Dict|Set|Tuple)Equal|assertArrayEquals|ElementsMatch)\(|==\s*(?:[[{]|snapshot\()/g;
/** One test for many cases. */
const table =
  /\bparametrize\(|\.each[(`]|\[(?:Theory|InlineData|MemberData|TestCase)\b|@(?:ParameterizedTest|ValueSource|CsvSource|MethodSource)\b|\bfor _, \w{1,20} := range\b|#\[(?:test_)?case\b|\brstest\b|\bsubTest\(/;

/** Maximum number of characters read per assertion. */
const reach = 600;

export function demandsOf(text: string, language: Language): Demands {
  const code = language === "go" ? withoutHelpers(text) : text;
  const { starts, strengths, tests, skips } = asserting[language] ?? none;
  const at = [...code.matchAll(starts)].map(({ index }) => index);
  const found = at.map((from, number) => {
    const read = code.slice(from, Math.min(at[number + 1] ?? code.length, from + reach));
    const piece = language === "python" ? inOneLine(read) : read;
    // `expect(a).to(b)` is read as a whole, `assert.ok(x)` up to the next assertion.
    return strengths.find(([pattern]) => pattern.test(piece))?.[1] ?? 3;
  });
  return {
    code,
    isNothing: !/\w/.test(code),
    strengths: found.toSorted((one, other) => other - one),
    tests: count(code, tests),
    possible: count(code, language === "php" ? methods : tests),
    skips: count(code, skips),
    skippedTests: skippedIn(code, skips),
    breadth: breadthOf(code),
    tolerances: tolerancesOf(code, language).toSorted((one, other) => other - one),
    retries: [...code.matchAll(again)].reduce((sum, [, one, other]) => sum + Number(one ?? other ?? 1), 0),
    deep: count(code, deep),
    isTable: table.test(code),
  };
}

/** The same, where a line that ends within brackets goes on. */
function inOneLine(code: string): string {
  let depth = 0;
  return code.replace(/[([{}\])\n]/g, (sign) => {
    if (sign === "\n") return depth > 0 ? " " : sign;
    depth = Math.max(0, depth + ("([{".includes(sign) ? 1 : -1));
    return sign;
  });
}

/** Go without whole functions that are no tests: what they demand counts where they are called. */
function withoutHelpers(code: string): string {
  if (!/^func (?!Test|Fuzz|Example)\w/m.test(code)) return code;
  const kept: string[] = [];
  /** Where the helper begins that has not ended yet. */
  let begun: number | undefined;
  for (const line of code.split("\n")) {
    if (/^func\b/.test(line)) begun = /^func (?!Test|Fuzz|Example)\w/.test(line) ? kept.length : undefined;
    kept.push(line);
    if (line !== "}" || begun === undefined) continue;
    kept.length = begun;
    begun = undefined;
  }
  return kept.join("\n");
}

/** `skip_on :jruby, :truffleruby`, `skipif(a or b)`: where a test is left out, each with its further alternatives. */
const conditional =
  /\b(?:skip_(?:on|if|unless\w*)\b|skip(?:if|If|Unless)\(|Disabled(?:On\w{1,30}|If\w{0,30})\()([^\n]{0,300})/g;

function breadthOf(code: string): number {
  let sum = 0;
  for (const [, told = ""] of code.matchAll(conditional))
    sum += told.match(/\bor\b|\|\||:\w+[ \t]*,|\.\w+[ \t]*,[ \t]*[A-Z]/g)?.length ?? 0;
  return sum;
}

/** Tolerances as numbers; a larger number allows more deviation. */
function tolerancesOf(code: string, language: Language): number[] {
  const places = /\bplaces\s*=\s*(\d{1,3})|\.toBeCloseTo\([^\n]{0,200},\s*(\d{1,3})\s*\)/g;
  const digits = [...code.matchAll(places)];
  const widths = code
    .replace(places, "")
    .matchAll(
      /\b(?:assert|expect|InDelta|InEpsilon|approx|isclose|allclose|within|isWithin|AlmostEqual)\b[^\n]{0,300}?(?:<=?|\b(?:delta|abs|rel|atol|rtol|tol|tolerance|epsilon|eps)\s*=|,)\s*(\d{1,20}(?:\.\d{1,20})?(?:[eE][-+]?\d{1,3})?)\s*\)?;?\s*(?:$|\n)/g,
    );
  return [
    ...digits.map(([, named, last]) => 10 ** -Number(named ?? last)),
    ...[...widths].map(([, width]) => Number(width)),
    ...[...code.matchAll(limits)].map(([, width]) => Number(width)),
    ...[...code.matchAll(ceilings)].map(([, ...found]) => numberOf(found.find((each) => each !== undefined))),
    ...[...code.matchAll(times)].map(([, ...found]) =>
      mostTime(numberOf(found.find((each) => each !== undefined))),
    ),
    ...waitsIn(code),
    ...[...code.matchAll(named)].map(([, found]) => numberOf(found)),
    // A shorter time than that is more often what is tested.
    ...[...code.matchAll(time)]
      .map(([, found]) => numberOf(found) * (language === "python" ? 1000 : 1))
      .filter((each) => each >= 2000),
  ];
}

const number = String.raw`\d[\d_]{0,20}(?:\.\d{1,20})?(?:\s?\*\s?\d[\d_]{0,20}){0,3}`;

/** `30_000` and `30 * 1000` are one number. */
const numberOf = (text = ""): number =>
  text
    .replaceAll("_", "")
    .split("*")
    .reduce((product, each) => product * Number(each), 1);

/** What a result may be at most. */
const ceilings = new RegExp(
  [
    String.raw`\.(?:toBeLessThan|isLessThan|lessThan|isAtMost|atMost|below|most)\w{0,16}\(\s*(${number})\s*[,)]`,
    String.raw`\b(?:assert[A-Z_]|Assert\.|XCTAssert|EXPECT_|ASSERT_|REQUIRE|CHECK)\w{0,30}!?\([^\n]{0,300}?<=?\s{0,4}(?:[a-zA-Z_][\w.]{0,40}\s?\*\s?)?(${number})\s*[,)]`,
    String.raw`\bassert_operator\b[^\n]{0,300}?,\s*:<=?,\s*(?:\([^()\n]{0,40}\?\s{0,4})?(${number})`,
    String.raw`\b(?:(?:EXPECT|ASSERT)_L[TE]|XCTAssertLess\w{0,20}|assertLess\w{0,20}|Assert\.Less\w{0,20})\([^\n]{0,300}?,\s*(${number})\s*[,)]`,
  ].join("|"),
  "g",
);

/** How long a test may take, or may wait for what it expects. */
const times = new RegExp(
  [
    String.raw`\b(?:waitForExpectations|fulfillment|wait)\([^\n]{0,200}\btimeout:\s*(${number})`,
    String.raw`\b(?:jest\.setTimeout|setDefaultTimeout|this\.timeout|mark\.timeout|@Timeout|atMost|toEventually\w{0,10})\((?:[^()\n]{0,80}\btimeout:|\s*value\s*=)?\s*(${number})`,
    String.raw`@Test\([^()\n]{0,80}\btimeout\s*=\s*(${number})`,
    String.raw`^[ \t]{0,40}\}\s?,\s?(${number})\s?\)`,
    String.raw`\}\)\.timeout\((${number})\)`,
  ].join("|"),
  "gm",
);
/** A limit that has a name of its own among tests: `kExpectationTimeout = 3.0`. */
const named = new RegExp(
  String.raw`\b\w{0,40}(?:[tT]est|TEST|[eE]xpect|[wW]ait|WAIT|[aA]sync|ASYNC|[dD]efault|DEFAULT|[mM]ax|MAX)\w{0,20}?(?:Timeout|TIMEOUT|timeout)\w{0,12}\s?=\s?(${number})`,
  "g",
);

/** No time at all is no limit. */
const mostTime = (found: number): number => (found === 0 ? Number.MAX_SAFE_INTEGER : found);

/** Times with a unit, behind a word that says what they limit. */
const waits = new RegExp(
  [
    String.raw`(?:[tT]ime[oO]ut|TIMEOUT|[dD]eadline|DEADLINE|\bEventually|\btime\.After|\batMost|CancelAfter|WaitAsync|\b[eE]lapsed|\btime\.Since\(|\b[wW]ait[A-Z_]?\w{0,20})\w{0,20}[^\n]{0,120}?(?:`,
    String.raw`(${number})\s?\*\s?time\.(Millisecond|Second|Minute|Hour)|time\.(Millisecond|Second|Minute|Hour)\s?\*\s?(${number})`,
    String.raw`|(?:from_|From|of|\.)(millis|secs|mins|[mM]illiseconds|Millis|[sS]econds|[mM]inutes)\((${number})\)`,
    String.raw`|\b(milliseconds|seconds|minutes):\s?(${number})|(${number})\.(milliseconds|seconds|minutes)\b`,
    String.raw`|(${number}),\s?(?:TimeUnit\.)?(MILLISECONDS|SECONDS|MINUTES)\b)`,
  ].join(""),
  "g",
);
const units: readonly (readonly [RegExp, number])[] = [
  [/^mil/i, 1],
  [/^sec/i, 1000],
  [/^min/i, 60_000],
  [/^hour/i, 3_600_000],
];

/** Such times in milliseconds. */
const waitsIn = (code: string): readonly number[] =>
  [...code.matchAll(waits)].map(([, ...found]) => {
    const [one = "", other = ""] = found.filter((each) => each !== undefined);
    const [value, unit] = /^\d/.test(one) ? [one, other] : [other, one];
    return numberOf(value) * (units.find(([name]) => name.test(unit))?.[1] ?? 1);
  });
const time = new RegExp(String.raw`\b(?:timeout|testTimeout|timeoutMs)\s?[:=]\s?(${number})`, "g");

/** `tolerance = 0.1`, `const maxDelta = TimeSpan.FromSeconds(2)`. */
const limits =
  /\b\w{0,30}(?:[tT]oleran\w{0,10}|TOLERANCE|[eE]psilon|EPSILON|[dD]eviation|maxDiff|max_diff|[tT]hreshold|THRESHOLD)[ \t]{0,4}(?::[ \t]{0,4}\w{1,30}[ \t]{0,4})?[:=][ \t]{0,4}(?:[\w.]{1,40}\([ \t]{0,4})?(\d{1,20}(?:\.\d{1,20})?)/g;

/** Whether the test demanded more before. */
export function isWeaker(before: Demands, after: Demands): boolean {
  const { strengths, tests, skips, breadth, tolerances, retries } = before;
  // What is new and skipped has demanded nothing before. Beside other code, a new test makes up for no skipped one,
  // unless it is the one that is skipped.
  const forgiven = before.isNothing
    ? after.possible
    : Math.min(after.tests - tests, newlySkipped(before, after));
  if (after.skips - skips > Math.max(0, forgiven) || after.retries > retries) return true;
  if (after.skips === skips && after.breadth > breadth) return true;
  // A table has a row in place of each test, and one assertion for all rows.
  if (after.isTable && !before.isTable) return (after.strengths[0] ?? 0) < (strengths[0] ?? 0);
  if (after.tests < tests) return true;
  // One comparison of the whole demands what several of its parts did.
  if (after.strengths.length < strengths.length && after.strengths.length > 0 && after.deep > before.deep)
    return false;
  if (isExacter(strengths, after.strengths)) return false;
  if (after.strengths.length < strengths.length || asksForPart(before, after)) return true;
  if (strengths.some((each, at) => (after.strengths[at] ?? 0) < each)) return true;
  const isAlike =
    tolerances.length === after.tolerances.length && strengths.length === after.strengths.length;
  return isAlike && tolerances.some((each, at) => (after.tolerances[at] ?? 0) > each);
}

/** Whether Python compares an item where it compared all of them. */
function asksForPart({ code }: Demands, { code: now }: Demands): boolean {
  const [, whole] = /\bassert ([^=\n]{1,200}) == [[({]/.exec(code) ?? [];
  return whole !== undefined && now.includes(`assert ${whole}[`) && !now.includes(`assert ${whole} ==`);
}

const methods = /\bpublic function (?!set_?up|tear|before|after|__)\w/gi;

/** How many tests are skipped that were not there before, under their names; none if one of these names is gone. */
function newlySkipped({ code }: Demands, { code: now, skippedTests }: Demands): number {
  if (skippedTests.length === 0) return 0;
  const still = new Set(declaredIn(now).map(({ name }) => name));
  if (declaredIn(code).some(({ name }) => !still.has(name))) return 0;
  const known = new Set(code.match(/"\d+"|\w+/g));
  return skippedTests.filter((name) => name.match(/"\d+"|\w+/g)?.some((word) => !known.has(word))).length;
}

/** Tests by their names, or by the numbers of these. */
const declaredIn = (code: string) =>
  [
    ...code.matchAll(
      /\b(?:def|fn|fun|func|function|void|Task)[ \t]{1,4}(?:\([^()\n]{1,80}\) )?(\w{1,120})|(?<![.\w$])x?(?:it|test|specify|describe|context|TEST\w{0,20}|SCENARIO|SECTION)(?:\.\w{1,20}){0,3}[ (]\s*("\d+"|\w{1,80}\s*,\s*\w{1,80})/g,
    ),
  ].map((found) => ({
    name: found[1] ?? found[2] ?? "",
    from: found.index,
    to: found.index + found[0].length,
  }));

/** The names of tests that are left out: an annotation stands above its test, and a call within it. */
function skippedIn(code: string, skips: RegExp): readonly string[] {
  if (code.search(skips) < 0) return [];
  const declared = declaredIn(code);
  let at = 0;
  return [...code.matchAll(skips)].flatMap(({ 0: found, index }) => {
    // Both are in the order of the text.
    while ((declared[at + 1]?.from ?? Number.POSITIVE_INFINITY) <= index) at += 1;
    const isAbove = /^(?:[@#[]|Skip\b|pytest|mark)/.test(found);
    const here = declared[at];
    const next = here !== undefined && here.from > index ? here : declared[at + 1];
    const meant = isAbove ? next : here !== undefined && here.from <= index ? here : undefined;
    return meant?.name ?? [];
  });
}

/** Several vague assertions have become an exact one, which demands as much. */
function isExacter(before: readonly number[], after: readonly number[]): boolean {
  const exact = (strengths: readonly number[]) => strengths.filter((each) => each === 3).length;
  return after.length < before.length && exact(after) > exact(before);
}

/** Caches how many tests of a file run with many cases. */
const tables = new WeakMap<readonly string[], number>();

/** How many lines of a file make one test of many cases. */
export function tablesIn(code: readonly string[]): number {
  const found = tables.get(code) ?? code.filter((line) => table.test(line.slice(0, 400))).length;
  tables.set(code, found);
  return found;
}

/** Whether assertions fail without anybody being told: they are tried, and what they throw is dropped. */
export function asserts(code: string, language: Language): boolean {
  const { starts } = asserting[language] ?? none;
  return code.search(starts) >= 0;
}

/** A row of a table of cases: nothing but values in brackets. */
const row =
  /^\s*(?:\*?[{[(](?!\s*$).*[}\])],?|(?:pytest\.param|(?:Arguments\.)?(?:arguments|of)|arrayOf)\(.*\)[,;)]*|\[(?:InlineData|TestCase|DataRow)\(.*\)\]|#\[(?:(?:rstest::)?case(?:::\w{1,60})?|test_case)\(.*\)\]|#\[TestWith\w{0,10}\(.*\)\]|(?:yield[ \t]{1,4})?"\d+"[ \t]*=>[ \t]*\[.*\][,;]|yield[ \t]{1,4}(?:return[ \t]{1,4}new\b.*|\[.*\]);|new[ \t]{1,4}(?:object(?:\?)?\[\]|TestCaseData)[ \t]*[({].*[)}],?|row\(.*\),?|"\d+",)\s*$/;
const header =
  /\bparametrize\(|\bparams[ \t]?=[ \t]?\[|\.each\(|\b(?:cases|tests|testCases|testcases|fixtures|table)\b[^\n]{0,60}(?:=|:=|:)\s*(?:\[|vec!\[|\{)|(?:\[\]|\bmap\[\w{1,20}\])struct\s*\{|\bObject\[\]\[\]|@(?:Parameterized\.)?Parameters\b|\bStream\.of\(|\[(?:Theory|TestMethod)\]|\b(?:ValueSource|CsvSource)\(|#\[(?:rstest|test_case|case|TestWith)\b|\bfunction[ \t]{1,4}\w{0,60}(?:[pP]rovider|[pP]rovide|[dD]ata|[cC]ases)\w{0,40}\(|\bTheoryData<|\bIEnumerable<(?:object|TestCaseData)|\barguments:\s*\[|\bfor\b[^\n]{0,80}(?:\bin|\bof|<-)\s*[[({]\s*$|\bparameterized\.expand\(|\bforAll\(/;
const maxAbove = 80;

/** How many rows of a table of cases are in these lines; `above` are the lines before them. */
export function rowsIn(lines: readonly string[], above: readonly string[]): number {
  const rows = lines.filter((line) => row.test(line.slice(0, 400))).length;
  if (rows === 0) return 0;
  return [...above.slice(-maxAbove), ...lines].some((line) => header.test(line.slice(0, 400))) ? rows : 0;
}

/** A table of numbers none of which a result may exceed, and one of its lines. */
const tableOfMost =
  /(?:[cC]eiling|CEILING|[bB]udget|BUDGET|[lL]imit|LIMIT|[tT]hreshold|THRESHOLD|[tT]oleran|TOLERAN)\w{0,20}[^\n=]{0,120}[=:]\s*(?:[{[]\s*){0,2}$/;
const lineOfMost = /^\s*("\d+"|[\w$]{1,80})\s*(?::|=>|=)\s*(\d[\d_]{0,20}(?:\.\d{1,20})?)\s*(?:,\s*)?$/;

/** What the lines of such a table say, by their names. */
function mostIn({ code }: Source, { first, last }: LineRange): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let at = first; at < last; at++) {
    const [, name, value] = lineOfMost.exec((code[at] ?? "").slice(0, 200)) ?? [];
    if (name !== undefined) found.set(name, numberOf(value));
  }
  if (found.size === 0) return found;
  for (let at = first - 1; at >= Math.max(0, first - maxAbove); at--) {
    const line = (code[at] ?? "").slice(0, 400);
    if (!lineOfMost.test(line)) return tableOfMost.test(line) ? found : new Map();
  }
  return new Map();
}

/** Whether a result may be more than before, by a table of numbers. */
export function isMoreAllowed(before: Form["before"], after: Form["after"]): boolean {
  const now = mostIn(after.source, after.at);
  return [...mostIn(before.source, before.at)].some(([name, most]) => (now.get(name) ?? most) > most);
}

/** For each line of a file, whether a case of a table begins there; once for all changes. */
const starts = new WeakMap<Source, Uint8Array>();
const rowStart = /^\s*(?:(?:"\d+"|[\w$]+)\s*:\s*)?&?[\w.]{0,40}[{[(]/;

/** How many cases of tables begin in these lines, however many lines each of them has. */
export function caseStarts(source: Source, { first, last }: LineRange): number {
  const found = starts.get(source) ?? startsIn(source);
  starts.set(source, found);
  return found.subarray(first, last).reduce((sum, each) => sum + each, 0);
}

/** A table ends at the first line that is indented no more than its beginning, and cases begin where its first one does. */
function startsIn({ code, isInside }: Source): Uint8Array {
  const found = new Uint8Array(code.length);
  let table: { readonly indent: number; rows: number | undefined; isTyped: boolean } | undefined;
  for (const [row, line] of code.entries()) {
    if (line.trim() === "" || isInside[row] !== 0) continue;
    const indent = line.length - line.trimStart().length;
    // `tests := []struct {` lists the fields first, up to `}{`.
    if (table?.isTyped && indent === table.indent && /^\s*\}\s*\{$/.test(line)) {
      table = { indent, rows: undefined, isTyped: false };
      continue;
    }
    if (table !== undefined && indent <= table.indent) table = undefined;
    if (table === undefined) {
      if (/[[({]\s*$/.test(line) && header.test(line.slice(0, 400)))
        table = { indent, rows: undefined, isTyped: /\bstruct\s*\{\s*$/.test(line) };
      continue;
    }
    if (table.isTyped) continue;
    table.rows ??= indent;
    if (indent === table.rows && rowStart.test(line)) found[row] = 1;
  }
  return found;
}
