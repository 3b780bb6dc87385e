// What a sentence claims, one way of saying it at a time, and what only sounds like a claim.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type ChangeFact,
  checkFactOf,
  findClaims,
  judgeClaims,
  type ReferenceFact,
} from "../../../src/evidence/claims.ts";

type State = Parameters<typeof checkFactOf>[0]["state"];

const check = (name: string, state: State, text = "one") =>
  checkFactOf({
    ...{ id: name, name, state, kind: name.includes("tests") ? "tests" : "static" },
    findings: state === "new-findings" ? [{ text }] : [],
  });
const source: ChangeFact = { path: "src/a.ts", kind: "update", added: 4, removed: 1, flags: [[]] };

interface Facts {
  readonly checks?: readonly ReturnType<typeof check>[];
  readonly changes?: readonly ChangeFact[];
  readonly references?: readonly ReferenceFact[];
}

const judged = (text: string, { checks = [], changes = [source], references = [] }: Facts): string[] =>
  judgeClaims(findClaims(text), { checks, changes, references }).map(
    ({ kind, verdict }) => `${kind} ${verdict}`,
  );

const failing: Facts = {
  checks: ["tests", "types", "lint", "build"].map((name) => check(name, "new-findings", "adds nothing")),
};
const passing: Facts = { checks: ["tests", "types", "lint", "build"].map((name) => check(name, "passed")) };

describe("judgeClaims for what passes", () => {
  for (const [text, kind] of [
    ["Types check too.", "types-check"],
    ["Every single test passes.", "tests-pass"],
    ["All tests pass after the change.", "tests-pass"],
    ["I ran the test suite: everything passes.", "tests-pass"],
    ["I ran the build and it completed successfully.", "builds"],
    ["I ran the type checker too, and it found no problems.", "types-check"],
    ["- `npm test`: all green", "tests-pass"],
    ["- `npm run lint`: no issues", "lint-clean"],
    ["`tsc` reports no errors.", "types-check"],
    ["- Build: ✅ success", "builds"],
    ["项目可以正常构建。", "builds"],
    ["我运行了测试，全部通过。", "tests-pass"],
  ] as const)
    test(`hears "${text}"`, () => {
      assert.deepEqual(judged(text, failing), [`${kind} contradicted`]);
      assert.deepEqual(judged(text, passing), [`${kind} proven`]);
    });

  test("does not prove a number, nor that one test passes", () => {
    for (const text of ["共 120 个测试，全部通过。", "The test `adds nothing` passes."]) {
      assert.deepEqual(judged(text, failing), ["tests-pass contradicted"]);
      assert.deepEqual(judged(text, passing), ["tests-pass not-checked"]);
    }
  });

  test("hears of which tests it is said that all of them pass", () => {
    const parts = [
      { ...check("e2e tests", "new-findings", "adds nothing"), part: "e2e" },
      { ...check("unit tests", "passed"), part: "unit" },
    ];
    const of = (text: string, checks: NonNullable<Facts["checks"]>) => judged(text, { checks });
    for (const text of ["Unit tests: all pass.", "I ran the unit tests: they all pass."])
      assert.deepEqual(of(text, parts), ["tests-pass proven"], text);
    assert.deepEqual(of("E2e tests: all pass.", parts), ["tests-pass contradicted"]);
    for (const text of ["Integration tests: all pass.", "I fixed two tests, and they all pass."])
      assert.deepEqual(judged(text, passing), ["tests-pass not-checked"], text);
    const changed = [{ ...source, path: "test/a.test.ts" }];
    for (const text of ["Existing tests: all pass.", "Tests: all pass."])
      assert.deepEqual(
        judged(text, { ...failing, changes: changed }),
        [`tests-pass ${text.startsWith("E") ? "not-checked" : "contradicted"}`],
        text,
      );
  });

  test("does not take one test that was run for all of them", () => {
    assert.deepEqual(judged("I ran the test, and it passed.", passing), []);
    assert.deepEqual(judged("I ran the tests, and it passed.", passing), ["tests-pass proven"]);
  });

  test("hears that nothing fails which passed before", () => {
    for (const text of ["没有引入新的测试失败。", "没有新增失败的测试。"]) {
      assert.deepEqual(judged(text, failing), ["no-new-failures contradicted"]);
      assert.deepEqual(judged(text, passing), ["no-new-failures proven"]);
    }
  });

  test("sets what compiles in TypeScript against its types", () => {
    assert.deepEqual(judged("TypeScript 编译没有错误。", failing), ["builds contradicted"]);
  });
});

describe("judgeClaims for what changed", () => {
  const seen = (name: string, elsewhere: number, onChangedLines: number): ReferenceFact => ({
    ...{ name, elsewhere, onChangedLines },
    inUntouchedFiles: elsewhere - onChangedLines,
  });
  const of = (flag: "public-api" | "dependency"): Facts => ({ changes: [{ ...source, flags: [[flag]] }] });

  for (const [text, facts, expected] of [
    [
      "I renamed it everywhere it is used.",
      { references: [seen("dial", 6, 1)] },
      "callers-updated contradicted",
    ],
    ["All usages have been renamed.", { references: [seen("dial", 2, 2)] }, "callers-updated proven"],
    ["No public interfaces changed.", of("public-api"), "api-unchanged contradicted"],
    ["No new crates were added.", of("dependency"), "no-new-dependencies contradicted"],
    [
      "Only `src/a.ts` is affected.",
      { changes: [source, { ...source, path: "src/b.ts" }] },
      "only-files contradicted",
    ],
    ["I also wrote a regression test that fails without the fix.", {}, "tests-added contradicted"],
    ["新增了 2 个测试用例。", {}, "tests-added contradicted"],
    ["I left the existing tests alone.", {}, "tests-untouched proven"],
    ["测试文件未改动。", {}, "tests-untouched proven"],
    ["This commit contains only whitespace changes.", {}, "formatting-only contradicted"],
  ] as const satisfies readonly (readonly [string, Facts, string])[])
    test(`hears "${text}"`, () => {
      assert.deepEqual(judged(text, facts), [expected]);
    });
});

describe("findClaims", () => {
  for (const text of [
    "According to the badge, all tests pass.",
    "The maintainer claims that the linter is clean.",
    "Your colleague said that only formatting changed.",
    "You wrote that no other callers exist.",
    "It looks like the build succeeds.",
    "The signature is otherwise the same.",
    "No functional change elsewhere.",
    "接下来我会补充测试。",
    "你说没有其他调用方。",
    "用户反馈说所有测试都通过。",
    "I looked at the four callers, and none of them break.",
    "I checked the other usages; none of them are broken.",
    "The test isn't broken; the parser is.",
    "The tests are silent on it.",
    "No test fails without it, so I added one.",
    "No test fails without this change.",
    "I extracted a pure date formatting helper.",
    "I moved it into a pure formatting function.",
    "It simply calls the formatting helper.",
    "All tests pass, 2 tests failed.",
    "All tests pass; 2 fail on Windows.",
    "All tests pass, 2 tests failed due to network.",
    "All tests pass, but 2 failures remain in auth.",
    "All tests pass, 2 errors.",
    "所有测试通过，2个测试失败了。",
    "所有测试通过，2 个失败是因为网络。",
    "共 5 个测试，1 个失败，所有测试通过。",
  ])
    test(`finds none in "${text}"`, () => {
      assert.deepEqual(findClaims(text).claims, []);
    });
});

describe("judgeClaims for what is denied of the opposite", () => {
  for (const [text, kind] of [
    ["No test fails after this change.", "tests-pass"],
    ["I ran the tests and none of them fail.", "tests-pass"],
    ["I fixed 3 failing tests and all tests pass now.", "tests-pass"],
    ["I fixed 2 failures, and all tests pass.", "tests-pass"],
    ["HTTP 500 errors are retried now, and all tests pass.", "tests-pass"],
    ["修复了 3 个失败的测试，所有测试通过。", "tests-pass"],
    ["None of the existing tests break.", "tests-pass"],
    ["The suite is green with these edits.", "tests-pass"],
    ["With that, the suite goes green.", "tests-pass"],
    ["The build is not broken by this.", "builds"],
    ["Everything passes.", "checks-pass"],
    ["ESLint is happy with it.", "lint-clean"],
    ["`tsc --noEmit` is quiet.", "types-check"],
  ] as const)
    test(`finds a claim in "${text}"`, () => {
      assert.deepEqual(judged(text, failing), [`${kind} contradicted`]);
      assert.deepEqual(judged(text, passing), [`${kind} proven`]);
    });

  test("finds what nothing else calls", () => {
    const told = (inUntouchedFiles: number) =>
      judged("Nothing else calls `parse`, so the new name is safe.", {
        references: [{ name: "parse", elsewhere: inUntouchedFiles, onChangedLines: 0, inUntouchedFiles }],
      });
    assert.deepEqual(told(2), ["no-other-callers contradicted"]);
    assert.deepEqual(told(0), ["no-other-callers proven"]);
  });

  test("finds that nothing but the form changes, and that no other file does", () => {
    const other: ChangeFact = { ...source, path: "src/b.ts" };
    assert.deepEqual(judged("This is a pure formatting change.", {}), ["formatting-only contradicted"]);
    assert.deepEqual(judged("It is just reindentation.", {}), ["formatting-only contradicted"]);
    const text = "No other files were modified besides `src/a.ts`.";
    assert.deepEqual(judged(text, { changes: [source, other] }), ["only-files contradicted"]);
    assert.deepEqual(judged(text, {}), ["only-files proven"]);
  });

  test("does not judge the form of what tests compare with", () => {
    const change: ChangeFact = { ...source, path: "src/fixtures/x.ts" };
    assert.deepEqual(judged("Formatting only.", { changes: [change] }), ["formatting-only not-checked"]);
    assert.deepEqual(judged("Formatting only.", {}), ["formatting-only contradicted"]);
  });

  test("finds none where some tests fail by their own account", () => {
    for (const text of [
      "Tests: 117 passed, 1 failed.",
      "It is not the build that is broken.",
      "Some tests fail.",
    ])
      assert.deepEqual(judged(text, failing), [], text);
  });
});

describe("judgeClaims for clauses that say it as a whole", () => {
  const proven: readonly (readonly [string, string])[] = [
    ["The checks pass.", "checks-pass"],
    ["The checks came back clean.", "checks-pass"],
    ["I verified the change by running the tests, which all succeeded.", "tests-pass"],
    ["I ran the full test suite and got no failures.", "tests-pass"],
    ["I ran the tests and they pass.", "tests-pass"],
    ["I ran the tests and none failed.", "tests-pass"],
    ["Ran the tests: no failures.", "tests-pass"],
    ["The suite ran clean.", "tests-pass"],
    ["The test suite completes without a single failure.", "tests-pass"],
    ["Running the full suite gave no failures.", "tests-pass"],
    ["The tests are passing on the final state.", "tests-pass"],
    ["After the last fix all tests pass.", "tests-pass"],
    ["After this change, all tests pass.", "tests-pass"],
    ["I ran `npm test` and it passes.", "tests-pass"],
    ["`npm test` exits with code 0.", "tests-pass"],
    ["All tests keep passing.", "tests-pass"],
    ["I made sure all tests pass.", "tests-pass"],
    ["No test fails any more.", "tests-pass"],
    ["检查都通过了。", "checks-pass"],
    ["测试全绿。", "tests-pass"],
    ["我运行了完整的测试套件，没有任何失败。", "tests-pass"],
  ];
  for (const [text, kind] of proven)
    test(`hears "${text}"`, () => {
      assert.deepEqual(judged(text, failing), [`${kind} contradicted`]);
      assert.deepEqual(judged(text, passing), [`${kind} proven`]);
    });

  const loose: readonly (readonly [string, string])[] = [
    ["Tests should all pass now.", "tests-pass"],
    ["The suite should be green now.", "tests-pass"],
    ["0 failures.", "tests-pass"],
    ["There are no test failures any more.", "tests-pass"],
    ["Earlier the tests had failed; now they pass.", "tests-pass"],
    ["The tests failed before, but now they pass.", "tests-pass"],
    ["I had trouble with one test, but after the last fix nothing fails any more.", "checks-pass"],
    ["Nothing is broken by this.", "no-new-failures"],
    ["测试应该都能通过了。", "tests-pass"],
    ["没有任何失败。", "tests-pass"],
  ];
  for (const [text, kind] of loose)
    test(`contradicts "${text}" and never proves it`, () => {
      assert.deepEqual(judged(text, failing), [`${kind} contradicted`]);
      assert.deepEqual(judged(text, passing), [`${kind} not-checked`]);
    });

  test("hears that several pass where one verb says so of all", () => {
    for (const text of ["Tests and lint pass.", "Both the tests and the linter pass."])
      assert.deepEqual(judged(text, failing), ["tests-pass contradicted", "lint-clean contradicted"], text);
  });

  for (const text of [
    "Two tests still fail.",
    "I have not run the tests; they pass now.",
    "I have not run the tests, but they should pass now.",
    "All tests should pass.",
    "Tests should pass now if the server is up.",
    "Once you install it, the tests should pass now.",
    "The tests for the parser failed before, but now they pass.",
    "I fixed the failing tests. They passed.",
    "After the change is merged, all tests pass.",
    "Everything is fine.",
    "The tests ran.",
    "I ran the tests.",
    "I could not run the suite, so no failures are known.",
    "测试应该通过。",
    "还有两个测试失败。",
  ])
    test(`neither contradicts nor proves "${text}"`, () => {
      for (const facts of [failing, passing])
        assert.deepEqual(
          judged(text, facts).filter((each) => !each.endsWith("not-checked")),
          [],
        );
    });
});

describe("judgeClaims for which files changed", () => {
  const other: ChangeFact = { ...source, path: "src/b.ts" };
  for (const text of [
    "I changed nothing but `src/a.ts`.",
    "Only `src/a.ts` changed.",
    "`src/a.ts` is the only file I changed.",
    "All changes are in `src/a.ts`.",
    "I did not touch anything besides `src/a.ts`.",
    "No file other than `src/a.ts` was changed.",
    "I edited `src/a.ts` and nothing else.",
    "I changed `src/a.ts` only.",
    "Exactly one file was modified.",
    "A single file is affected.",
    "I changed one file.",
    "The change touches one file.",
  ])
    test(`hears "${text}"`, () => {
      assert.deepEqual(judged(text, { changes: [source, other] }), ["only-files contradicted"]);
      assert.deepEqual(judged(text, {}), ["only-files proven"]);
    });

  test("does not judge more files than there are", () => {
    assert.deepEqual(judged("I changed two files.", {}), ["only-files not-checked"]);
  });

  const tests: Facts = { changes: [{ ...source, path: "test/a.test.ts" }] };
  for (const text of [
    "I left the specs alone.",
    "The test files stay as they were.",
    "The tests did not change.",
    "I made no changes to the test suite.",
    "None of the tests were changed.",
  ])
    test(`hears "${text}"`, () => {
      assert.deepEqual(judged(text, tests), ["tests-untouched contradicted"]);
    });

  for (const text of [
    "A regression test was added.",
    "There is now a test for this.",
    "A new test covers this.",
    "I covered this with a new test.",
    "I updated the tests accordingly.",
    "我更新了相关测试。",
  ])
    test(`hears "${text}"`, () => {
      assert.deepEqual(judged(text, {}), ["tests-added contradicted"]);
      assert.deepEqual(judged(text, tests), ["tests-added not-checked"]);
    });
});
