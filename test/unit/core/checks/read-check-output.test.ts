// What programs write, read as findings, and two runs compared: only what is new counts, and what cannot be compared is said.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { CheckRun } from "../../../../src/core/checks/check.ts";
import { judge, judgeAlone, newFindings } from "../../../../src/core/checks/judge.ts";
import { readCheckOutput } from "../../../../src/core/checks/read-check-output.ts";
import type { CheckFinding } from "../../../../src/core/conversation/check-result.ts";

const known: readonly (readonly [tool: string, output: string, findings: readonly CheckFinding[]])[] = [
  [
    "tsc",
    "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n  The expected type comes from x.\n\nFound 1 error in src/a.ts:3\n",
    [
      {
        path: "src/a.ts",
        line: 3,
        column: 5,
        code: "TS2322",
        text: "Type 'string' is not assignable to type 'number'.",
      },
    ],
  ],
  [
    "tsc, pretty",
    "\u001b[96msrc/a.ts\u001b[0m:\u001b[93m3\u001b[0m:\u001b[93m5\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2554: \u001b[0mExpected 1 arguments, but got 2.\n\n3   f(1, 2);\n         ~\n",
    [{ path: "src/a.ts", line: 3, column: 5, code: "TS2554", text: "Expected 1 arguments, but got 2." }],
  ],
  [
    "eslint",
    "\n/copy/src/a.js\n  1:10  error    'x' is defined but never used  no-unused-vars\n  2:3   warning  Missing semicolon              semi\n\n✖ 2 problems (1 error, 1 warning)\n",
    [
      {
        path: "/copy/src/a.js",
        line: 1,
        column: 10,
        code: "no-unused-vars",
        text: "'x' is defined but never used",
      },
      { path: "/copy/src/a.js", line: 2, column: 3, code: "semi", text: "Missing semicolon" },
    ],
  ],
  [
    "gcc",
    "src/a.c: In function 'main':\nsrc/a.c:5:3: error: expected ';' before 'return'\nsrc/a.c:4:1: note: declared here\nsrc/b.c:9:1: warning: unused variable 'y' [-Wunused-variable]\n",
    [
      { path: "src/a.c", line: 5, column: 3, text: "expected ';' before 'return'" },
      { path: "src/b.c", line: 9, column: 1, code: "-Wunused-variable", text: "unused variable 'y'" },
    ],
  ],
  [
    "go vet and go test",
    "# example.com/x\nvet: ./a.go:3:5: undefined: foo\n--- FAIL: TestSum (0.00s)\n    a_test.go:12: got 3, want 4\nFAIL\nFAIL\texample.com/x\t0.01s\n",
    [
      { path: "a.go", line: 3, column: 5, text: "undefined: foo" },
      { text: "TestSum" },
      { path: "a_test.go", line: 12, text: "got 3, want 4" },
    ],
  ],
  [
    "cargo",
    "error[E0308]: mismatched types\n --> src/main.rs:3:5\n  |\n3 |     1\n\nerror: aborting due to 1 previous error\nerror: could not compile `x`\n",
    [{ path: "src/main.rs", line: 3, column: 5, code: "E0308", text: "mismatched types" }],
  ],
  [
    "ruff and mypy",
    "a.py:1:8: F401 [*] `os` imported but unused\nF841 Local variable `x` is never used\n --> b.py:2:3\n  |\nc.py:3: error: Incompatible return value type  [return-value]\nFound 2 errors.\n",
    [
      { path: "a.py", line: 1, column: 8, code: "F401", text: "`os` imported but unused" },
      { path: "b.py", line: 2, column: 3, code: "F841", text: "Local variable `x` is never used" },
      { path: "c.py", line: 3, code: "return-value", text: "Incompatible return value type" },
    ],
  ],
  [
    "pytest",
    "    def test_a():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_a.py:4: AssertionError\n=== short test summary info ===\nFAILED tests/test_a.py::test_a - assert 1 == 2\n1 failed in 0.12s\n",
    [{ path: "tests/test_a.py", text: "test_a: assert 1 == 2" }],
  ],
  [
    "unittest",
    'F\n======\nFAIL: test_sum (tests.test_a.T)\n------\nTraceback (most recent call last):\n  File "tests/test_a.py", line 6, in test_sum\n    self.assertEqual(1, 2)\nAssertionError: 1 != 2\n\nRan 1 test in 0.001s\n',
    [{ path: "tests/test_a.py", line: 6, text: "test_sum (tests.test_a.T): AssertionError: 1 != 2" }],
  ],
  [
    "Python's compiler",
    '***   File "./a.py", line 3\n  File "./a.py", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax\n',
    [{ path: "a.py", line: 3, text: "SyntaxError: invalid syntax" }],
  ],
  ["node:test", "not ok 1 - adds\n✖ adds (1.2ms)\n", [{ text: "adds" }, { text: "adds" }]],
  ["jest", "  ● math › adds\n", [{ text: "math › adds" }]],
  ["mocha", "  1 passing\n  1 failing\n\n  1) math adds:\n", [{ text: "math adds:" }]],
  ["nothing", "12:30:45: starting\nhttp://localhost:3000: listening\n> vite build\nDone in 1.2s\n", []],
];

for (const [tool, output, findings] of known)
  test(`the form of ${tool}`, () => {
    assert.deepEqual(readCheckOutput(output).findings, findings);
    assert.deepEqual(readCheckOutput(output.replaceAll("\n", "\r\n")).findings, findings);
  });

const run = (code: number | undefined, output = "", more: Partial<CheckRun> = {}): CheckRun => ({
  end: "done",
  ...(code !== undefined && { code }),
  output,
  seconds: 1,
  ...more,
});
const error = (line: number, text = "Type 'a' is not assignable.", file = "src/a.ts") =>
  `${file}(${line},1): error TS2322: ${text}\n`;

test("a run that ends well and says nothing has passed, whatever was before", () => {
  assert.deepEqual(judgeAlone(run(0, "all good")), { state: "passed" });
  assert.equal(judgeAlone(run(0, error(1))), undefined);
  assert.equal(judgeAlone(run(1)), undefined);
});

test("what failed before is not new, wherever its line has gone", () => {
  assert.equal(judge(run(2, error(40)), run(2, error(3))).state, "no-new");
  const verdict = judge(run(2, error(3) + error(9, "Other.")), run(2, error(3)));
  assert.deepEqual(verdict.state === "new-findings" && verdict.findings.map(({ line }) => line), [9]);
});

test("of several findings that read the same the one more is new, and it is the one at another line", () => {
  const verdict = judge(run(2, error(3) + error(7)), run(2, error(3)));
  assert.deepEqual(verdict.state === "new-findings" && verdict.findings.map(({ line }) => line), [7]);
});

test("in a file that is moved nothing is new", () => {
  const moved = new Map([["src/a.ts", "src/b.ts"]]);
  assert.equal(judge(run(2, error(3, undefined, "src/b.ts")), run(2, error(3)), moved).state, "no-new");
});

test("a failure in no known form is new where there was none", () => {
  const verdict = judge(run(1, "boom\nit broke\n"), run(0));
  assert.deepEqual(verdict, { state: "new-findings", findings: [{ text: "boom · it broke" }] });
});

test("warnings that were there do not keep a check from having passed", () => {
  assert.equal(judge(run(0, error(4)), run(0, error(3))).state, "passed");
});

test("nothing is said where the run without the proposal crashed, stopped early or took too long", () => {
  for (const baseline of [
    run(1, "Error: Cannot find module 'typescript'\n"),
    run(undefined, "Segmentation fault"),
    run(2, "error TS5023: Unknown compiler option 'x'.\n"),
    run(2, "src/a.ts(1,1): error TS1005: ';' expected.\n"),
    run(1, "", { end: "timeout" }),
    run(1, error(1), { end: "output" }),
    run(127, "sh: tsc: not found"),
  ])
    assert.equal(judge(run(2, error(3)), baseline).state, "could-not-compare", JSON.stringify(baseline));
});

test("nor where the run with it did, and a program that is not there is told", () => {
  for (const end of ["timeout", "output", "disk", "broken"] as const)
    assert.equal(judgeAlone(run(0, "", { end }))?.state, "could-not-compare", end);
  assert.equal(judgeAlone(run(undefined))?.state, "could-not-compare");
  assert.equal(judgeAlone(run(127, "sh: 1: tsc: not found"))?.state, "unavailable");
});

const finding = fc.record({
  path: fc.constantFrom("a.ts", "b.ts"),
  line: fc.integer({ min: 1, max: 50 }),
  text: fc.constantFrom("x is not y", "missing z", "at line 3"),
});

test("laws of comparing: the same is never new, lines may move, order is nothing, and all that is added is found", () => {
  fc.assert(
    fc.property(
      fc.array(finding),
      fc.array(finding),
      fc.integer({ min: 0, max: 9 }),
      (before, added, shift) => {
        assert.deepEqual(newFindings(before, before), []);
        const moved = before.map((each) => ({ ...each, line: each.line + shift }));
        assert.deepEqual(newFindings(before, moved.toReversed()), []);
        assert.equal(newFindings(before, [...moved, ...added]).length, added.length);
        assert.deepEqual(newFindings([...before, ...added], before), []);
      },
    ),
  );
});
