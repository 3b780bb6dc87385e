// How tests are written in each language: what begins an assertion and how much it demands, what declares a test, and what
// leaves one out. Patterns on code without comments, in which literals are replaced by numbers in quotes.
import type { Language } from "./source.ts";

/** 3: an exact result; 2: an approximate result; 1: any result; 0: nothing. */
export type Strength = 0 | 1 | 2 | 3;

export interface Asserting {
  /** Matches the start of an assertion. */
  readonly starts: RegExp;
  /** The first pattern that matches decides. It is applied from the start of the assertion to the start of the next. */
  readonly strengths: readonly (readonly [RegExp, Strength])[];
  readonly tests: RegExp;
  readonly skips: RegExp;
}

const empty = /(?!)/g;
/** An argument of a call, and one that says how far a result may be from what is expected. */
const argument = String.raw`(?:[^(),]|\((?:[^()]|\([^()\n]{0,80}\)){0,120}\)){1,200}`;
const width = String.raw`(?:\d[\d_.]{0,20}[dfmDFM]?\s*\)|\d?\.?\d{0,9}[eE]-\d|[\w.]{0,40}(?:TimeSpan\.|Duration\.|[tT]olerance|[dD]elta|[eE]psilon|EPSILON|DELTA|[pP]recision))`;
const always =
  /\b(?:expect|assert)\(\s*(true|"\d+"|\d+)\s*\)(?:\.to(?:Be|Equal|StrictEqual)\(\s*\1\s*\)|\s*;?\s*$)|\|\|\s*true\b|\bor True\b/;

const script: Asserting = {
  starts:
    /\bexpect(?:\.soft|\.poll)?\(|\.expect\(|(?<=\.expect\(\s{0,4}\d{3}\s{0,4}),(?!\s*(?:[\w$]+\s*\)|function\b|\())|\bassert(?:\.(?!ifError\b)\w+)*\(|\.should\.|\bshould\.\w+\(|\bt\.(?:is|not|equal|equals|deepEqual|same|strictSame|match|notMatch|throws\w*|notThrows\w*|like|ok|notOk|true|false|truthy|falsy|regex|notRegex|snapshot|assert|pass|fail|error|ifError|rejects)\(|\bscreen\.(?:find|get)(?:All)?By\w+\(|^[ \t]*\.(?:(?:not|rejects|resolves)\.){0,2}to[A-Z]\w*\(|(?<!\bfunction[ \t]{1,4}|[.\w$])(?:assert|check|expect|verify)[A-Z]\w*[<(]/gm,
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
    [
      /\.(?:include|contain|match|above|below|least|most|closeTo)s?\(|\bassert\.(?:match|approximately)\(|\bt\.like\(/,
      2,
    ],
  ],
  tests: /(?<![.\w$])(?:(?:t|QUnit)\.)?(?:it|test|specify|fit|xit)(?:\.\w{1,40}){0,4}\(/g,
  skips:
    /\b(?:it|s?test|describe|s?suite|context|bench)(?:\.\w+){0,2}\.(?:skip|only|todo|fails?|failing|fixme|skipIf|runIf)\b|\bQUnit\.(?:skip|todo|only)\(|\b(?:xit|xtest|xdescribe|xcontext|fit|fdescribe|pending)\(|\bthis\.skip\(|\bt\.(?:skip|todo)\(|\b(?:skip|todo):\s*(?:true|"\d+"|(?:!\s{0,4})?(?:process\.\w|semver\.|(?:is|has|can|supports)[A-Z]\w))|\b(?:it|test|describe)\.if\(|\bif\s{0,4}\(\s{0,4}!\s{0,4}process\.env\b[^()\n]{0,80}\)\s{0,40}(?:\{\s{0,40})?return\b/g,
};

const python: Asserting = {
  starts:
    /\bassert\b(?!\w)|\bself\.(?:assert\w+|fail)\(|\bpytest\.(?:raises|warns|fail)\(|\.assert_\w+\(|\b(?:np|numpy|torch|pd)\.testing\.\w+\(|\bmatch[ \t]{0,4}=(?<=\b(?:raises|warns)\([^()]{0,240})|(?<![.\w])(?:eq_|ok_|assert_that)\(|(?<!\bdef[ \t]{1,4}|[.\w])(?:_(?:assert|check|verify)_\w+|(?:assert|check|verify)_(?!call\(|output\()\w+)\(/g,
  strengths: [
    [/\bassert\s+(?:True|1|"\d+")\s*(?:$|\n)|\bor True\b/, 0],
    [/^match\b/, 2],
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
    /@(?:\w{1,40}\.){0,4}(?:skip|xfail)\w{0,40}|@(?:unittest\.)?expectedFailure\b|(?<!@)\b(?:pytest\.)?mark\.(?:skip|skipif|xfail)\b|\b__test__[ \t]*=[ \t]*False\b|\bpytest\.(?:skip|xfail|importorskip)\(|\bself\.skipTest\(|\bSkipTest\b|\bcollect_ignore(?:_glob)?[ \t]{0,4}(?:\+?=|\.(?:append|extend)\()/g,
};

const go: Asserting = {
  starts:
    /\b[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:assert|require|is|qt|c|s|suite|must|test)\.(?!(?:Fail(?:Now)?|Run|Skip\w*|Log\w*|Helper|Parallel|Cleanup|T|Name|Setenv|TempDir)\()[A-Z]\w*\(|\b(?:a|as|r|ast|req)\.(?:Equal\w*|NotEqual\w*|No?Error\w*|Contains|NotContains|Len|Nil|NotNil|True|False|ElementsMatch|Panics\w*|Zero|Empty|NotEmpty)\(|(?<![\w.])(?:g\.)?(?:Expect|Eventually|Consistently)\(|(?<![.\w])(?:assert|check|expect|verify)[A-Z]\w*\(\s*[tb]\b(?![ \t]+\*)/g,
  strengths: [
    [/\.(?:NotNil|NotEmpty|NotZero|NotPanics|Error|IsType|Implements)f?\(\s*t\b/, 1],
    [/\.(?:Contains|Greater|Less|InDelta|InEpsilon|WithinDuration|Subset|NotEqual|Regexp)\w*\(\s*t\b/, 2],
  ],
  tests:
    /\bfunc (?:\([^()\n]{1,80}\) )?(?:Test|Fuzz|Example)\w*\(|\b(?:t|s)\.Run\(|^[ \t]*(?:It|Specify|DescribeTable|Entry)\(/gm,
  skips:
    /\b(?:[tbcs]|s\.T\(\)|suite)\.(?:Skip|Skipf|SkipNow)\(|^[ \t]*(?:[PXF](?:It|Describe|Context|Specify|Entry|DescribeTable)|Skip)\(/gm,
};

const rust: Asserting = {
  starts: /\b(?:\w{1,20}_)?assert(?:_\w+)?!(?![^\n]{0,200}\$)|#\[should_panic/g,
  strengths: [
    [/assert!\(\s*true\b/, 0],
    [/assert!\([^\n]{0,400}(?:==|matches!)/, 3],
    [/assert!\([^\n]{0,400}\.is_(?:ok|err|some|none)\(\)/, 1],
    [/(?:approx|relative|abs_diff|ulps|close|near)\w{0,20}!\(|assert!\(|assert_ne!|should_panic\s*\]/, 2],
  ],
  tests: /#\[(?:\w{1,40}::){0,3}(?:test|rstest|test_case|wasm_bindgen_test|quickcheck)\b/g,
  skips:
    /#\[(?:ignore\b|cfg\(any\(\)\))|#\[cfg_attr\([^\n]{0,200}\bignore\b|\benv::var(?:_os)?\([^()\n]{1,80}\)\.is_(?:err|none)\(\)\s*\{[^{}]{0,200}\breturn\b/g,
};

const java: Asserting = {
  starts:
    /\bassert(?:[A-Z]\w*(?:<[^<>()\n]{0,80}>)?)?\s*\(|\bassert(?:Throws|Fails|FailsWith)(?:<[^<>()\n]{0,80}>)?\s*\{|(?<![.\w]|\bfun[ \t]{1,4})check(?:NotNull)?\(|\bassert\s(?!\w+\s*=)|\bverify\(|\bfail\(|@Test\(\s*expected\b|\)\s*\.andExpect\(|\bexpect(?:That|Error|NextCount|Next)?\(|(?<![.\w])[\w.()[\]]{1,80}[ \t]should(?:Not)?[A-Z]\w*\b|(?<=[\w)\]"}])[ \t]{1,4}(?:==>(?=[ \t])|(?:should|must)[ \t]{1,4}(?:be|equal|contain|have|not|include|startWith|endWith|matchPattern)\b|must(?:_==|_===|Equal|Be|Not)\b)|\bassertResult\(|\bshould(?:Throw|NotThrow)\w*|\bintercept\[/g,
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
    [new RegExp(String.raw`\bassertEquals\((?!\s*")${argument},${argument},\s*${width}`), 2],
    [
      /\.(?:isCloseTo|isBetween|isGreater\w*|isLess\w*|contains|startsWith|endsWith|matches)\(|\bcloseTo\(/,
      2,
    ],
    [/\bassert(?:True|False|NotEquals|NotSame|That)\(|\bfail\(/, 2],
  ],
  tests:
    /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b|\bpublic void test[A-Z]\w*\(|^[ \t]*(?:test|it)\("\d+"|"\d+"[ \t](?:in|should|must)[ \t]*\{/gm,
  skips:
    /@(?:Disabled|Ignore|DisabledIf\w*|DisabledOn\w*|EnabledIf\w*)\b|\bassum(?:e|ing)(?:True|False|That|NotNull|No\w{0,20})?\(|\benabled\s*=\s*false|(?<![.\w])x(?:it|test|describe|context|given|when|then|scenario|should|feature)\(|(?<![.\w])(?:ignore|cancel)\(\s*"\d+"|"\d+"\.(?:ignore|only|flaky|fail)\b|"\d+"[ \t]{1,4}ignore[ \t]{0,4}\{|(?<![.\w])pending(?:UntilFixed)?\b|\bTestAspect\.(?:ignore|flaky)\b/g,
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
    // How far a result may be from what is expected.
    [new RegExp(String.raw`\.ShouldBe\(${argument},\s*${width}`), 2],
    [new RegExp(String.raw`\bAssert\.(?:AreEqual|Equal)\(${argument},${argument},\s*${width}`), 2],
    [
      /\bAssert\.(?:(?:Is)?(?:True|False)|\w*Contains?|NotEqual|AreNotEqual|InRange|StartsWith|EndsWith|Matches)\b/,
      2,
    ],
    [/\.(?:Not)?(?:Contain|BeGreater|BeLess|BeCloseTo|BeApproximately|BeInRange|StartWith|Match)\w*\(/, 2],
  ],
  tests:
    /\[(?:\w{1,30}\.)?(?:\w{0,30}Fact|\w{0,30}Theory|Test|TestCase|TestMethod|DataTestMethod)\w{0,40}[\](,]/g,
  skips:
    /\bSkip\s*=|\[(?:Ignore|Explicit|Skip\w{0,30})[\](,]|\bAssert\.(?:Ignore|Inconclusive|Skip)\w*\(|(?<![.\w])Skip\.(?:If|IfNot|When|Unless|Test)\(|\bAssume\.That\(/g,
};

export const none: Asserting = { starts: empty, strengths: [], tests: empty, skips: empty };
const ruby: Asserting = {
  starts:
    /\bexpect[ \t]*[({]|\bis_expected\b|\b(?:assert|refute)(?:_\w+)?[ (]|\.should\b|\.(?:must|wont)_\w+/g,
  strengths: [
    [
      /\bbe_(?:truthy|present)\b|\bnot_to be_nil\b|\bassert_not_nil\b|\bassert_nothing_raised\b|\bnot_to raise_error\b|\brefute_nil\b|\.wont_be_nil\b/,
      1,
    ],
    [/\braise_(?:error|exception)[ \t]{0,4}(?:$|[\n}])|\bassert_raises[ \t]{0,4}(?:do|\{)/, 1],
    [
      /\b(?:be_within|be_between|assert_in_delta|assert_in_epsilon|assert_match|assert_includes?|assert_operator|start_with|end_with|a_string_\w{1,20}|match|include)\b|\bbe[ \t]{1,4}[<>]|\bassert[ (](?![^\n]{0,300}==)/,
      2,
    ],
  ],
  tests: /\b(?:it|specify|test|should|scenario|example)[ (]"\d+"|\bit[ \t]*\{|\bdef test_\w+/g,
  skips:
    /\b(?:x(?:it|describe|context|specify|scenario|feature)|f(?:it|describe|context)|pending|skip(?:_\w{1,30})?)\b/g,
};

/** gtest, Catch2, doctest, Boost.Test, Qt Test, Unity, Check and XCTest in Objective-C. */
const c: Asserting = {
  starts:
    /\b(?:EXPECT|ASSERT)_\w+\(|\bADD_FAILURE\w*\(|\b(?:(?:CHECKED|STATIC|CUSTOM)_)?(?:REQUIRE|CHECK)(?:_\w{1,40})?\(|\bBOOST_(?:\w{1,20}_)?(?:CHECK|REQUIRE|TEST(?!_)|ERROR|FAIL)\w*\(|\bQ(?:VERIFY|COMPARE|FAIL|TRY_\w{1,20})\w*\(|\b(?:TEST_ASSERT|CU_ASSERT|XCTAssert|XCTFail|FAIL)\w*\(|\b(?:ck|g|cr|tt|mu|static)_assert\w*\(|\b(?:test_cond|TEST_CHECK\w{0,10}|EXPECT|VERIFY)[ \t]?\(|(?<![\w.>:])(?:ok|is_str|cmp_ok)\(|(?<![\w.]|\b(?:void|bool|auto|int)[ \t]{1,4})(?:assert|check|expect|verify)(?:_\w{1,60}|[A-Z]\w{0,60})?\(/g,
  strengths: [
    [/\b\w{1,60}\(\s*(?:true|1)\s*\)|\|\|\s*true\b/, 0],
    [
      /\b\w{0,40}(?:NO_?THROW|NO_FATAL|NotNil|NotNull|NOT_NULL)\w{0,40}\(|\b\w{0,40}_NE\([^\n]{0,300}\b(?:nullptr|NULL)\b/,
      1,
    ],
    [/\b\w{1,60}\([^\n]{0,400}==/, 3],
    [
      /\b\w{0,40}(?:_NE|_GT|_GE|_LT|_LE|NEAR|CLOSE|WITHIN|TRUE|True|FALSE|False|SUBSTR|Greater|Less)\w{0,40}\(|\b(?:REQUIRE|CHECK|QVERIFY|BOOST_CHECK|BOOST_TEST|assert)\(|\b(?:ANY_)?THROW\w*\(/,
      2,
    ],
  ],
  tests:
    /(?<![\w.>:])test\("\d+"\)\s*;|\b(?:TYPED_|IU|UNITY_|TEMPLATE_|CU_)?TEST(?:_F|_P|_D|_CASE\w{0,30}|_GROUP|_METHOD)?\(|\b(?:SCENARIO|SECTION|SUBCASE|START_TEST|RUN_TEST|Test|add_test)\(|\bBOOST_\w{1,20}_TEST_CASE\w{0,20}\(|^[ \t]*-[ \t]?\(void\)[ \t]?test\w{1,80}|^(?:static )?void test_?\w{1,80}\(/gm,
  skips:
    /\bGTEST_SKIP\w{0,10}\(|\bDISABLED_\w+|\b(?:QSKIP|SKIP|XCTSkip\w{0,10}|TEST_IGNORE\w{0,20}|IGNORE_TEST|g_test_skip)\(|\bdoctest::(?:skip|may_fail|should_fail)\(|\bunit_test::(?:disabled|expected_failures)\(|^[ \t]*#[ \t]*if 0\b/gm,
};

/** PHPUnit, Pest and Codeception. */
const php: Asserting = {
  starts:
    /(?:->|::)(?:assert\w+|fail|expect(?:Exception|Error|Warning|Notice|Deprecation|Output|ToN)\w*|should[A-Z]\w*|expects|dontSee\w*|see[A-Z]\w*)\(|(?<![\w$>:])(?:expect|assert\w*)\(|->(?:to[A-Z]\w*)\(/g,
  strengths: [
    [/\bassertTrue\(\s*true\s*[,)]|\baddToAssertionCount\(|\bexpectNotToPerformAssertions\(/, 0],
    [/\bexpectException\(\s*\\?(?:Exception|Throwable)::class/, 1],
    [/\bassert(?:NotNull|NotEmpty|IsArray|IsString|IsInt|IsObject|InstanceOf|NotInstanceOf)\(/, 1],
    [/\bassert(?:True|False)?\([^\n]{0,400}(?:==|\bis_null\()/, 3],
    [
      /\bassert(?:True|False|NotSame|NotEquals|Not\w{0,40}|Greater\w{0,40}|Less\w{0,40}|\w{0,40}Contains\w{0,40}|\w{0,40}StartsWith|\w{0,40}EndsWith|\w{0,40}Matches\w{0,40}|\w{0,40}DoesNot\w{0,40}|RegExp|EqualsWithDelta)?\(/,
      2,
    ],
    [/->to(?:Contain|Match|BeGreater|BeLess|HaveKey|StartWith|EndWith)\w*\(/, 2],
    [/->to(?:BeTruthy|BeInstanceOf|BeArray|BeString|BeInt|BeObject)\(/, 1],
  ],
  tests: /\bfunction test\w*\(|#\[(?:\w{1,40}\\){0,6}Test\b|(?<![\w$>:])(?:it|test)\(\s*"\d+"/g,
  skips:
    /->markTest(?:Skipped|Incomplete)\w*\(|->(?:skip|todo)(?:On\w{1,20})?\(|::markTest(?:Skipped|Incomplete)\(|#\[(?:\w{1,40}\\){0,6}(?:Requires\w{1,30}|Ignore)\b/g,
};

/** XCTest, Swift Testing, Quick and Nimble. */
const swift: Asserting = {
  starts:
    /\bXCT(?:Assert\w*|Unwrap)\(|(?<!\belse[ \t]{0,4}\{\s{0,40})\bXCTFail\(|#(?:expect|require)\(|\bIssue\.record\(|\bexpect\(|\bwaitForExpectations\(|\bfulfillment\(|\bwait\(for:|(?<![\w.]|\bfunc[ \t]{1,4})(?:assert|check|verify|expect)[A-Z]\w*\(/g,
  strengths: [
    [/\bXCTAssert(?:True)?\(\s*true\s*[,)]|#expect\(\s*true\s*\)/, 0],
    [/\bXCTAssert(?:NotNil|NoThrow)\(|#(?:expect|require)\([^\n]{0,300}!=[ \t]*nil\b|\.toNot\(beNil\(/, 1],
    [/(?:\bXCTAssert(?:True|False)?|#(?:expect|require))\([^\n]{0,400}==/, 3],
    [/\bXCTAssert(?:True|False|NotEqual|Greater\w*|Less\w*|ThrowsError)?\(|#(?:expect|require)\(/, 2],
    [/accuracy:/, 2],
  ],
  tests: /\bfunc test\w*\(|@Test\b|\b(?:it|fit|xit)\(\s*"\d+"/g,
  skips:
    /\bXCTSkip\w*\(|\bXCTSkip\b(?!\w*\()|\bXCTExpectFailure\(|\bwithKnownIssue\b|\.disabled\(|\.(?:enabled)\(if:|\b(?:xit|xdescribe|xcontext|pending|fit|fdescribe)\(/g,
};

/** Bats, shUnit2, ShellSpec and scripts that compare by themselves. */
const shell: Asserting = {
  starts:
    /^[ \t]{0,200}(?:!?[ \t]?\[\[?[ \t]|(?:assert|refute)\w{0,40}\b|fail\b|(?:test|grep|egrep|diff|cmp)[ \t]|The (?:output|status|line|variable|error)\b)/gm,
  strengths: [
    [/^\s*\[\[?[ \t]+-n\b|^\s*assert_(?:success|failure|not_null)\b/, 1],
    [/^\s*\[\[[^\n]{0,300}=~|-(?:ge|gt|le|lt|ne)\b|--partial\b|--regexp\b|^\s*e?grep\b/, 2],
  ],
  tests: /@test\b|^(?:function )?test_\w{1,80}[ \t]*\(\)|^[ \t]*It "\d+"/gm,
  skips: /^[ \t]*skip\b|\bstartSkipping\b|^[ \t]*(?:xIt|xDescribe|Skip|Pending)\b/gm,
};

/** ExUnit. */
const elixir: Asserting = {
  starts: /(?<![.\w@:])(?:assert|refute|flunk)(?:_\w{1,40})?(?![\w:?!])/g,
  strengths: [
    [/^assert\s+true\s*(?:\n|$)/, 0],
    [/^assert_raise[ (]\s*[\w.]{1,80}\s*,\s*(?:fn\b|&)|^assert_in_delta/, 2],
    [/^(?:assert|refute)[\s(][^\n]{0,400}(?:==|=~)/, 3],
    [/^(?:assert|refute)[\s(][^\n]{0,400}(?:[<>]|!=|\bin\b)/, 2],
    [/^(?:assert|refute)\s+\w{1,60}\s*(?:\n|$)/, 1],
  ],
  tests: /^[ \t]*(?:test|property|doctest)[ (]/gm,
  skips: /@(?:module|describe)?tag\s+:?skip\b|\bExUnit\.configure\([^\n]{0,100}\bexclude:/g,
};

/** Common Test and EUnit. */
const erlang: Asserting = {
  starts: /\?(?:_?assert\w{0,40})\(|\bct:fail\(/g,
  strengths: [
    [/^\?_?assert\(\s*true\s*\)/, 0],
    [/^\?_?assert\(/, 2],
  ],
  tests: /^[a-z]\w{0,80}_test_?\(\)\s*->|^[a-z]\w{0,80}\(Config\w{0,10}\)\s*->/gm,
  skips: /(?:->\s{0,80}|^[ \t]*)skip\b|\{skip(?:ped)?\b/gm,
};

/** clojure.test. */
const clojure: Asserting = {
  starts: /\((?:t\/|test\/)?(?:is|are|thrown\?|thrown-with-msg\?)(?=\s)/g,
  strengths: [
    [/^\((?:t\/|test\/)?is\s+true\b/, 0],
    [/^\((?:t\/|test\/)?is\s+\((?:some\?|not|instance\?|contains\?|not=)\s/, 2],
  ],
  tests: /\(deftest(?=\s)/g,
  skips: /#_\s{0,4}\(deftest\b|\^:(?:skip|kaocha\/skip|kaocha\/pending)\b/g,
};

/** Busted and its like. */
const lua: Asserting = {
  starts: /(?<![.\w])(?:assert(?:\.\w{1,30}){0,4}|eq|expect(?:\.\w{1,30}){1,3})\s?\(/g,
  strengths: [
    [/^assert(?:\.is_true)?\s?\(\s*true\s*\)/, 0],
    [/^assert\.(?:is_)?(?:truthy|not_nil|is_not_nil|has_no|no)\b/, 1],
    [/^assert\s?\([^\n]{0,300}==/, 3],
    [/^assert\s?\(/, 2],
  ],
  tests: /(?<![.\w:])(?:it|test|specify)\s?\(\s*"\d+"/g,
  skips: /(?<![.\w:])pending\s?\(/g,
};

/** Hspec, HUnit and QuickCheck. */
const haskell: Asserting = {
  starts:
    /\bshould(?:Be|Return|Satisfy|Contain|Throw|Match|Not|StartWith|EndWith)\w*|@[?=]{1,2}|\bassert(?:Equal|Bool|Failure)\b/g,
  strengths: [[/^should(?:Satisfy|Contain|Not|StartWith|EndWith)|^assertBool/, 2]],
  tests: /(?<![.\w])(?:it|specify|prop|testCase|testProperty)\s+"\d+"|^prop_\w{1,80}\s+[^:\s]/gm,
  skips: /(?<![.\w])(?:xit|xdescribe|pending|pendingWith|xspecify)\b/g,
};

/** Dart and Flutter. */
const dart: Asserting = {
  starts: /(?<![.\w])(?:expect(?:Later|Async\d?)?|verify(?:Never)?|fail)\(/g,
  strengths: [
    [/^expect\(\s*true\s*,\s*(?:true|isTrue)\s*\)/, 0],
    [/^expect\w{0,10}\([^\n]{0,300},\s*(?:isNotNull|isNotEmpty|isA<|anything|isNot\()/, 1],
    [
      /^expect\w{0,10}\([^\n]{0,300},\s*(?:contains|startsWith|endsWith|greaterThan|lessThan|closeTo|matches)\w{0,20}\(/,
      2,
    ],
  ],
  tests: /(?<![.\w])test(?:Widgets|Goldens)?\(/g,
  skips: /\bskip:\s*(?:true|"\d+")|@Skip\(|\bmarkTestSkipped\(|\bsolo:\s*true/g,
};

export const asserting: Readonly<Partial<Record<Language, Asserting>>> = {
  ...{ script, python, go, rust, java, csharp, ruby, c, php, swift, shell },
  ...{ elixir, erlang, clojure, lua, haskell, dart },
};
