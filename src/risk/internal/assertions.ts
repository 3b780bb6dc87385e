// Measures what a test demands: its assertions and their strengths, the number of tests, and what disables tests. Uses
// patterns on code without comments, in which literals are replaced by numbers in quotes.
import type { LineRange } from "../../patch/model.ts";
import type { Language, Source } from "./source.ts";

/** 3: an exact result; 2: an approximate result; 1: any result; 0: nothing. */
type Strength = 0 | 1 | 2 | 3;

interface Asserting {
  /** Matches the start of an assertion. */
  readonly starts: RegExp;
  /** The first pattern that matches decides. It is applied from the start of the assertion to the start of the next. */
  readonly strengths: readonly (readonly [RegExp, Strength])[];
  readonly tests: RegExp;
  readonly skips: RegExp;
}

const empty = /(?!)/g;
const always =
  /\b(?:expect|assert)\(\s*(true|"\d+"|\d+)\s*\)(?:\.to(?:Be|Equal|StrictEqual)\(\s*\1\s*\)|\s*;?\s*$)|\|\|\s*true\b|\bor True\b/;

const script: Asserting = {
  starts:
    /\bexpect(?:\.soft|\.poll)?\(|\.expect\(|\bassert(?:\.(?!ifError\b)\w+)*\(|\.should\.|\bshould\.\w+\(|\bt\.(?:is|equal|deepEqual|same|throws|like|ok)\(|\bscreen\.(?:find|get)(?:All)?By\w+\(|^[ \t]*\.(?:(?:not|rejects|resolves)\.){0,2}to[A-Z]\w*\(|(?<!\bfunction[ \t]{1,4}|[.\w$])(?:assert|check|expect|verify)[A-Z]\w*[<(]/gm,
  strengths: [
    [always, 0],
    [/\(\s*expect\.(?:anything|any)\(/, 1],
    [/\.(?:toThrow|toThrowError|throws?|rejects)\(\s*(?:Error\s*)?\)/, 1],
    [
      /\.(?:toBeDefined|toBeTruthy|toBeInstanceOf|toHaveBeenCalled|toReturn|not\.\w*(?:Null|Undefined|Throw))\(/,
      1,
    ],
    [/\.(?:not\.throw|(?:be\.)?(?:ok|exist|an?)\b)|\.should\.be\.(?:true|false)\b/, 1],
    [/\bassert(?:\.ok)?\((?![^\n]{0,400}(?:[!=]==?|"\d+"))/, 1],
    [/\bassert\.(?:ifError|doesNotThrow|doesNotReject|isOk|exists|isDefined|isNotNull)\(/, 1],
    [/\bassert\.(?:throws|rejects)\([\s\S]{0,400}[)}]\s*,\s*\S/, 3],
    [/\bassert\.(?:throws|rejects)\(/, 1],
    [
      /\.to(?:Contain|Match|MatchObject|ContainEqual|BeGreaterThan|BeLessThan|BeCloseTo|HaveProperty)\w*\(/,
      2,
    ],
    [/\.(?:include|contain|match|above|below|least|most|closeTo)s?\(|\bassert\.match\(/, 2],
  ],
  tests: /\b(?:it|test|specify|fit|xit)(?:\.\w{1,40}){0,4}\(/g,
  skips:
    /\b(?:it|s?test|describe|s?suite|context|bench)(?:\.\w+){0,2}\.(?:skip|only|todo|fails?|failing|skipIf|runIf)\b|\b(?:xit|xtest|xdescribe|xcontext|fit|fdescribe|pending)\(|\bthis\.skip\(|\bt\.(?:skip|todo)\(|\b(?:skip|todo):\s*(?:true|"\d+")/g,
};

const python: Asserting = {
  starts:
    /\bassert\b(?!\w)|\bself\.(?:assert\w+|fail)\(|\bpytest\.(?:raises|warns|fail)\(|\.assert_\w+\(|\b(?:np|numpy|torch|pd)\.testing\.\w+\(|(?<!\bdef[ \t]{1,4}|[.\w])(?:_(?:assert|check|verify)_\w+|(?:assert|check|verify)_(?!call\(|output\()\w+)\(/g,
  strengths: [
    [/\bassert\s+(?:True|1|"\d+")\s*(?:$|\n)|\bor True\b/, 0],
    [/\b(?:raises|warns)\([^\n]{0,300}\bmatch\s*=/, 3],
    [/\b(?:raises|assertRaises\w*|warns)\(\s*(?:Exception|BaseException|Warning)\b/, 1],
    [/\bassertRaises|\braises\(|\bwarns\(/, 3],
    [/\bassert(?:True|False)\([^\n]{0,400}(?:==|\bis (?:None|True|False)\b)/, 3],
    [/\bassert(?:True|False|IsNotNone|IsInstance)\(|\.assert_called\(/, 1],
    [
      /\bassert(?:AlmostEqual|In|NotIn|Greater\w*|Less\w*|Regex|NotEqual|IsSubset)\(|\ballclose\(|\bapprox\(/,
      2,
    ],
    [/\bassert\s[^\n]{0,400}\bis not None\b|\bassert\s[^\n]{0,400}\bisinstance\(/, 1],
    [/\bassert\s[^\n]{0,400}(?:==|\bis (?:None|True|False)\b)/, 3],
    [/\bassert\s[^\n]{0,400}(?:!=|<|>|\bin\b|startswith|endswith|\.match\()/, 2],
    [/\bassert\s|\bfail\(/, 1],
  ],
  tests: /\bdef test\w*\(/g,
  skips:
    /@(?:pytest\.mark|mark)\.(?:skip|skipif|xfail)\b|@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b|\bpytest\.(?:skip|xfail|importorskip)\(|\bself\.skipTest\(|\bSkipTest\b/g,
};

const go: Asserting = {
  starts:
    /\b[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:assert|require|is|qt|c)\.(?!Fail(?:Now)?\()[A-Z]\w*\(|(?<![.\w])(?:assert|check|expect|verify)[A-Z]\w*\(\s*[tb]\b(?![ \t]+\*)/g,
  strengths: [
    [/\.(?:NotNil|NotEmpty|NotZero|NotPanics|Error|IsType|Implements)f?\(\s*t\b/, 1],
    [/\.(?:Contains|Greater|Less|InDelta|InEpsilon|WithinDuration|Subset|NotEqual|Regexp)\w*\(\s*t\b/, 2],
  ],
  tests: /\bfunc (?:Test|Fuzz|Example)\w*\(|\bt\.Run\(/g,
  skips: /\b[tb]\.(?:Skip|Skipf|SkipNow)\(/g,
};

const rust: Asserting = {
  starts: /\b(?:debug_)?assert(?:_\w+)?!(?![^\n]{0,200}\$)|#\[should_panic/g,
  strengths: [
    [/assert!\(\s*true\b/, 0],
    [/assert!\([^\n]{0,400}(?:==|matches!)/, 3],
    [/assert!\([^\n]{0,400}\.is_(?:ok|err|some|none)\(\)/, 1],
    [/assert!\(|assert_ne!|should_panic\s*\]/, 2],
  ],
  tests: /#\[(?:\w+::)?test\b/g,
  skips: /#\[ignore\b|#\[cfg_attr\([^\n]{0,200}\bignore\b/g,
};

const java: Asserting = {
  starts:
    /\bassert(?:[A-Z]\w*(?:<[^<>()\n]{0,80}>)?)?\s*\(|(?<![.\w]|\bfun[ \t]{1,4})check(?:NotNull)?\(|\bassert\s(?!\w+\s*=)|\bverify\(|\bfail\(|@Test\(\s*expected\b/g,
  strengths: [
    [/\bassertTrue\(\s*true\s*\)/, 0],
    [/\bassertThrows\(\s*(?:Exception|Throwable|RuntimeException)\.class/, 1],
    [/\bassertNotNull\(|\bassertDoesNotThrow\(|\bassertInstanceOf\(/, 1],
    [/\.(?:isNotNull|isNotEmpty|isInstanceOf|isPresent)\(|\bnotNullValue\(/, 1],
    [
      /\.(?:isEqualTo|isSameAs|containsExactly\w*|hasSize|isNull|isTrue|isFalse|isEmpty|hasMessage)\(|\bequalTo\(/,
      3,
    ],
    [/\bassert(?:True|False)\([^\n]{0,400}(?:==|\.equals\()/, 3],
    [/\bassert(?:True|False|NotEquals|NotSame|That)\(|\bfail\(/, 2],
  ],
  tests: /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b|\bpublic void test[A-Z]\w*\(/g,
  skips:
    /@(?:Disabled|Ignore|DisabledIf\w*|DisabledOn\w*)\b|\bassume(?:True|False|That|NotNull)\(|\benabled\s*=\s*false/g,
};

const csharp: Asserting = {
  starts:
    /\bAssert\.\w{1,40}(?:<[^<>\n]{0,80}>)?\(|\.Should\(\)|\.Should(?:Not)?[A-Z]\w*\(|\.Verify\w{0,20}\(|\.(?:Received|DidNotReceive)\w{0,20}\(/g,
  strengths: [
    [/\bAssert\.(?:True|IsTrue)\(\s*true\s*[,)]/, 0],
    [/\bAssert\.Throws\w*<(?:System\.)?Exception>/, 1],
    [/\bAssert\.(?:NotNull|IsNotNull|NotEmpty|IsType|IsAssignableFrom|IsInstanceOf|DoesNotThrow|Pass)\w*/, 1],
    [/\.Should\(\)\s*\.(?:NotBe|NotThrow|BeOfType|BeAssignableTo)\w*|\.ShouldNotBeNull/, 1],
    [/\bAssert\.(?:Is)?(?:True|False)\([^\n]{0,400}(?:==|\.Equals\()/, 3],
    [
      /\bAssert\.(?:(?:Is)?(?:True|False)|\w*Contains?|NotEqual|AreNotEqual|InRange|StartsWith|EndsWith|Matches)\b/,
      2,
    ],
    [/\.(?:Not)?(?:Contain|BeGreater|BeLess|BeCloseTo|BeApproximately|BeInRange|StartWith|Match)\w*\(/, 2],
  ],
  tests:
    /\[(?:\w{1,30}\.)?(?:\w{0,30}Fact|\w{0,30}Theory|Test|TestCase|TestMethod|DataTestMethod)\w{0,40}[\](,]/g,
  skips: /\bSkip\s*=|\[(?:Ignore|Explicit|Skip\w{0,30})[\](,]|\bAssert\.(?:Ignore|Inconclusive|Skip)\w*\(/g,
};

const none: Asserting = { starts: empty, strengths: [], tests: empty, skips: empty };
const ruby: Asserting = {
  starts: /\bexpect[ \t]*[({]|\b(?:assert|refute)(?:_\w+)?[ (]|\.should\b|\.(?:must|wont)_\w+/g,
  strengths: [
    [/\bbe_(?:truthy|present)\b|\bnot_to be_nil\b|\bassert_not_nil\b|\brefute_nil\b|\.wont_be_nil\b/, 1],
  ],
  tests: /\b(?:it|specify|test|should|scenario) "\d+"|\bdef test_\w+/g,
  skips: /\b(?:xit|xdescribe|xcontext|pending|skip(?:_\w{1,30})?)\b/g,
};

const asserting: Readonly<Partial<Record<Language, Asserting>>> = {
  ...{ script, python, go, rust, java, csharp, ruby },
};

interface Demands {
  readonly code: string;
  /** There is no code. */
  readonly isNothing: boolean;
  /** Strongest first. */
  readonly strengths: readonly number[];
  readonly tests: number;
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

/** A failed test is run again. */
const again =
  /\b(?:retries|retry|reruns|max_runs|retryTimes|flakyTest)\b[ \t]{0,4}(?:[:=(][ \t]{0,4})?["(]?[ \t]{0,4}(\d{1,3})|\bjest\.retryTimes\([ \t]{0,4}(\d{1,3})|@(?:pytest\.mark\.flaky|flaky|RetryingTest|RepeatedIfExceptionsTest|Retry)\b(?!\w)/g;
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
    const piece = code.slice(from, Math.min(at[number + 1] ?? code.length, from + reach));
    // `expect(a).to(b)` is read as a whole, `assert.ok(x)` up to the next assertion.
    return strengths.find(([pattern]) => pattern.test(piece))?.[1] ?? 3;
  });
  return {
    code,
    isNothing: !/\w/.test(code),
    strengths: found.toSorted((one, other) => other - one),
    tests: count(code, tests),
    skips: count(code, skips),
    skippedTests: [...code.matchAll(skippedBelow)].map(([, name = ""]) => name),
    breadth: breadthOf(code),
    tolerances: tolerancesOf(code).toSorted((one, other) => other - one),
    retries: [...code.matchAll(again)].reduce((sum, [, one, other]) => sum + Number(one ?? other ?? 1), 0),
    deep: count(code, deep),
    isTable: table.test(code),
  };
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

/** An annotation that skips, and below it the declaration of the test. */
const skippedBelow =
  /^[ \t]*(?:@(?:[\w.]{1,40}\.)?(?:skip|skipif|xfail|skipIf|skipUnless|Disabled\w{0,40}|Ignore)\b|#\[ignore\b|\[(?:Ignore|Explicit)\b)[^\n]{0,300}\n(?:[ \t]*[@#[][^\n]{0,300}\n){0,4}[ \t]*(?:(?:async )?def (?=test)|(?:async )?fn |(?:public |static |final |fun |void |async )+(?:[\w<>.]{1,60} )?)(\w{1,120})/gm;

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
function tolerancesOf(code: string): number[] {
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
  ];
}

/** `tolerance = 0.1`, `const maxDelta = TimeSpan.FromSeconds(2)`. */
const limits =
  /\b\w{0,30}(?:[tT]oleran\w{0,10}|TOLERANCE|[eE]psilon|EPSILON|[dD]eviation|maxDiff|max_diff|[tT]hreshold|THRESHOLD)[ \t]{0,4}(?::[ \t]{0,4}\w{1,30}[ \t]{0,4})?[:=][ \t]{0,4}(?:[\w.]{1,40}\([ \t]{0,4})?(\d{1,20}(?:\.\d{1,20})?)/g;

const count = (code: string, pattern: RegExp): number => [...code.matchAll(pattern)].length;

/** Whether the test demanded more before. */
export function isWeaker(before: Demands, after: Demands): boolean {
  const { strengths, tests, skips, breadth, tolerances, retries } = before;
  // What is new and skipped has demanded nothing before. Beside other code, a new test makes up for no skipped one,
  // unless it is the one that is skipped.
  const forgiven = before.isNothing
    ? after.tests
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
  if (after.strengths.length < strengths.length) return true;
  if (strengths.some((each, at) => (after.strengths[at] ?? 0) < each)) return true;
  const isAlike =
    tolerances.length === after.tolerances.length && strengths.length === after.strengths.length;
  return isAlike && tolerances.some((each, at) => (after.tolerances[at] ?? 0) > each);
}

/** How many tests are skipped that were not there before, under their names; none if one of these names is gone. */
function newlySkipped({ code }: Demands, { code: now, skippedTests }: Demands): number {
  if (skippedTests.length === 0) return 0;
  const still = declaredIn(now);
  if ([...declaredIn(code)].some((name) => !still.has(name))) return 0;
  const known = new Set(code.match(/\w+/g));
  return skippedTests.filter((name) => !known.has(name)).length;
}

const declaredIn = (code: string): ReadonlySet<string> =>
  new Set([...code.matchAll(/\b(?:def|fn|fun|void|Task)[ \t]+(\w{1,120})/g)].map(([, name = ""]) => name));

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
  /^\s*(?:\*?[{[(](?!\s*$).*[}\])],?|(?:pytest\.param|(?:Arguments\.)?(?:arguments|of)|arrayOf)\(.*\)[,;)]*|\[(?:InlineData|TestCase|DataRow)\(.*\)\]|"\d+",)\s*$/;
const header =
  /\bparametrize\(|\.each\(|\b(?:cases|tests|testCases|testcases|fixtures|table)\b[^\n]{0,60}(?:=|:=|:)\s*(?:\[|vec!\[|\{)|(?:\[\]|\bmap\[\w{1,20}\])struct\s*\{|\bObject\[\]\[\]|@(?:Parameterized\.)?Parameters\b|\bStream\.of\(|\[(?:Theory|TestMethod)\]|\b(?:ValueSource|CsvSource)\(/;
const maxAbove = 80;

/** How many rows of a table of cases are in these lines; `above` are the lines before them. */
export function rowsIn(lines: readonly string[], above: readonly string[]): number {
  const rows = lines.filter((line) => row.test(line.slice(0, 400))).length;
  if (rows === 0) return 0;
  return [...above.slice(-maxAbove), ...lines].some((line) => header.test(line.slice(0, 400))) ? rows : 0;
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
    if (line.trim() === "" || isInside[row] === 1) continue;
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
