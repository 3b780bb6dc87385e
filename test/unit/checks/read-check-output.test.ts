// What programs write, read as findings, and two runs compared: only what is new counts, and what cannot be compared is said.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { CheckRun } from "../../../src/checks/check.ts";
import type { CheckFinding } from "../../../src/checks/check-result.ts";
import { readCheckOutput } from "../../../src/checks/internal/read-check-output.ts";
import { judge, judgeAlone, newFindings } from "../../../src/checks/judge.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import { message } from "../../../src/conversation/messages.ts";

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
        text: "Type 'string' is not assignable to type 'number'. The expected type comes from x.",
      },
    ],
  ],
  [
    "tsc, pretty",
    "\u001b[96msrc/a.ts\u001b[0m:\u001b[93m3\u001b[0m:\u001b[93m5\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2554: \u001b[0mExpected 1 arguments, but got 2.\n\n3   f(1, 2);\n         ~\n",
    [{ path: "src/a.ts", line: 3, column: 5, code: "TS2554", text: "Expected 1 arguments, but got 2." }],
  ],
  [
    "tsc, pretty, over several lines",
    "src/a.ts:3:5 - error TS2322: Type 'A' is not assignable to type 'B'.\n  Property 'x' is missing in type 'A'.\n\n3   b = a;\n    ~\n  src/b.ts:1:1\n    1 x: 1;\n",
    [
      {
        ...{ path: "src/a.ts", line: 3, column: 5, code: "TS2322" },
        text: "Type 'A' is not assignable to type 'B'. Property 'x' is missing in type 'A'.",
      },
    ],
  ],
  [
    "tsc, in folders that frameworks name, and in a name with a space",
    "src/app/[id]/page.tsx(3,5): error TS2322: One.\nsrc/app/(shop)/page.tsx(4,1): error TS2304: Two.\nsrc/my page.ts(1,2): error TS2304: Three.\napp/[...all]/page.tsx:7:8 - error TS2554: Four.\n",
    [
      { path: "src/app/[id]/page.tsx", line: 3, column: 5, code: "TS2322", text: "One." },
      { path: "src/app/(shop)/page.tsx", line: 4, column: 1, code: "TS2304", text: "Two." },
      { path: "src/my page.ts", line: 1, column: 2, code: "TS2304", text: "Three." },
      { path: "app/[...all]/page.tsx", line: 7, column: 8, code: "TS2554", text: "Four." },
    ],
  ],
  [
    "a file and a line, in folders that frameworks name",
    "routes/[slug].ts:3:5: error: One.\n(shop)/cart.ts:4: Two.\n(node:4711) Warning: none.\n[12:30:45] none of a.ts\n",
    [
      { path: "routes/[slug].ts", line: 3, column: 5, text: "One." },
      { path: "(shop)/cart.ts", line: 4, text: "Two." },
    ],
  ],
  [
    "eslint, in a folder with another first letter",
    "\n[id]/a.js\n  1:10  error  One  semi\n\nübersicht/b.js\n  2:3  error  Two  semi\n",
    [
      { path: "[id]/a.js", line: 1, column: 10, code: "semi", text: "One" },
      { path: "übersicht/b.js", line: 2, column: 3, code: "semi", text: "Two" },
    ],
  ],
  [
    "cargo test",
    "warning: unused variable: `x`\n --> src/lib.rs:1:5\n\nrunning 3 tests\ntest tests::adds ... ok\ntest tests::subtracts ... FAILED\ntest src/lib.rs - half (line 7) ... FAILED\n\nfailures:\n    tests::subtracts\n\ntest result: FAILED. 1 passed; 2 failed\n\nerror: test failed, to rerun pass `--lib`\n",
    [
      { path: "src/lib.rs", line: 1, column: 5, text: "unused variable: `x`", isWarning: true },
      { text: "tests::subtracts" },
      { text: "src/lib.rs - half (line 7)" },
    ],
  ],
  [
    "pytest, with parameters",
    "FAILED tests/test_a.py::test_sum[a b] - assert 1 == 2\nFAILED tests/test_a.py::test_sum[a c]\n",
    [
      { path: "tests/test_a.py", text: "test_sum[a b]: assert 1 == 2" },
      { path: "tests/test_a.py", text: "test_sum[a c]" },
    ],
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
      {
        path: "/copy/src/a.js",
        line: 2,
        column: 3,
        code: "semi",
        text: "Missing semicolon",
        isWarning: true,
      },
    ],
  ],
  [
    "gcc",
    "src/a.c: In function 'main':\nsrc/a.c:5:3: error: expected ';' before 'return'\nsrc/a.c:4:1: note: declared here\nsrc/b.c:9:1: warning: unused variable 'y' [-Wunused-variable]\n",
    [
      { path: "src/a.c", line: 5, column: 3, text: "expected ';' before 'return'" },
      {
        path: "src/b.c",
        line: 9,
        column: 1,
        code: "-Wunused-variable",
        text: "unused variable 'y'",
        isWarning: true,
      },
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
    "cargo's and javac's warnings, and Python's",
    "warning: unused variable: `x`\n --> src/main.rs:3:5\n  |\nsrc/A.java:9: warning: [deprecation] stop() is deprecated\na.py:4: note: Revealed type\na.py:5: SyntaxWarning: invalid escape sequence\n",
    [
      { path: "src/main.rs", line: 3, column: 5, text: "unused variable: `x`", isWarning: true },
      { path: "src/A.java", line: 9, text: "[deprecation] stop() is deprecated", isWarning: true },
      { path: "a.py", line: 5, text: "SyntaxWarning: invalid escape sequence", isWarning: true },
    ],
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
  [
    "jest, outside of describe, a suite that did not run, and the summary that tells both again",
    [
      "  ● Console\nFAIL src/a.test.js (5.1 s)\n  ● Console\n\n    console.log\n",
      "  ● adds numbers (3 ms)\n\n    expect(received).toBe(expected)\n",
      "FAIL unit src/b.test.ts\n  ● Test suite failed to run\n\n    SyntaxError: unexpected token\n",
      "Summary of all failing tests\nFAIL src/a.test.js (5.1 s)\n  ● adds numbers (3 ms)\n",
    ].join("\n"),
    [
      { path: "src/a.test.js", text: "adds numbers" },
      { path: "src/b.test.ts", text: "Test suite failed to run" },
    ],
  ],
  ["mocha", "  1 passing\n  1 failing\n\n  1) math adds:\n", [{ text: "math adds:" }]],
  ["nothing", "12:30:45: starting\nhttp://localhost:3000: listening\n> vite build\nDone in 1.2s\n", []],
];

for (const [tool, output, findings] of known)
  test(`readCheckOutput reads the output of ${tool}`, () => {
    assert.deepEqual(readCheckOutput(output).findings, findings);
    assert.deepEqual(readCheckOutput(output.replaceAll("\n", "\r\n")).findings, findings);
  });

test("readCheckOutput ignores an eslint line after an empty line, which belongs to no file", () => {
  const { findings } = readCheckOutput(
    "/copy/src/a.js\n  1:10  error  First  one\n\n  2:3  error  Second  two\n",
  );
  assert.deepEqual(
    findings.map(({ text }) => text),
    ["First"],
  );
});

test("readCheckOutput keeps the first 500 characters of a long finding", () => {
  const [finding] = readCheckOutput(`src/a.ts(3,5): error TS2322: ${"x".repeat(2000)}\n`).findings;
  assert.equal(finding?.text, "x".repeat(500));
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

test("judgeAlone passes a run that ends well without findings", () => {
  assert.deepEqual(judgeAlone(run(0, "all good")), { state: "passed" });
  assert.equal(judgeAlone(run(0, error(1))), undefined);
  assert.equal(judgeAlone(run(1)), undefined);
});

test("judge reports no finding that was there before, even when its line has moved", () => {
  assert.equal(judge(run(2, error(40)), run(2, error(3))).state, "no-new");
  const verdict = judge(run(2, error(3) + error(9, "Other.")), run(2, error(3)));
  assert.deepEqual(verdict.state === "new-findings" && verdict.findings.map(({ line }) => line), [9]);
});

test("judge reports the additional one of several equal findings, at its new line", () => {
  const verdict = judge(run(2, error(3) + error(7)), run(2, error(3)));
  assert.deepEqual(verdict.state === "new-findings" && verdict.findings.map(({ line }) => line), [7]);
});

test("judge reports nothing new in a moved file", () => {
  const moved = new Map([["src/a.ts", "src/b.ts"]]);
  assert.equal(judge(run(2, error(3, undefined, "src/b.ts")), run(2, error(3)), moved).state, "no-new");
});

test("judge reports a failure in an unknown format as new when the baseline passed", () => {
  const verdict = judge(run(1, "boom\nit broke\n"), run(0));
  assert.deepEqual(verdict, { state: "new-findings", findings: [{ text: "boom · it broke" }] });
});

test("judge passes a check whose warnings were there before", () => {
  assert.equal(judge(run(0, error(4)), run(0, error(3))).state, "passed");
});

const eslint = (line: number, severity: "error" | "warning", text: string) =>
  `/copy/src/a.js\n  ${line}:1  ${severity}  ${text}  semi\n`;

test("judge reads an uncaught Node error from its end, and locates a missing module in its importer", () => {
  const internal = "    at finalizeResolution (node:internal/modules/esm/resolve:283:11)\n";
  const ending = (error: string) =>
    `node:internal/modules/esm/resolve:283\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\n${error}\n${internal.repeat(8)} {\n  code: 'X'\n}\n\nNode.js v20.18.0\n`;
  const endings: readonly (readonly [string, CheckFinding])[] = [
    [
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'src/nope.mjs' imported from src/a.mjs",
      { path: "src/a.mjs", code: "ERR_MODULE_NOT_FOUND", text: "Cannot find module 'src/nope.mjs'" },
    ],
    [
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left' imported from /usr/lib/tool.mjs",
      { code: "ERR_MODULE_NOT_FOUND", text: "Cannot find package 'left' imported from /usr/lib/tool.mjs" },
    ],
    [
      "Error: Cannot find module './nope'\nRequire stack:\n- src\\b.cjs\n- src\\main.cjs",
      { path: "src/b.cjs", text: "Cannot find module './nope'" },
    ],
    ["TypeError: rules is not iterable", { text: "rules is not iterable" }],
  ];
  for (const [error, finding] of endings) {
    for (const more of ["", "npm error code 1\nnpm error path .\nnpm error command failed\n"]) {
      const verdict = judge(run(1, ending(error) + more), run(0));
      assert.deepEqual(verdict, { state: "new-findings", findings: [finding] });
    }
  }
});

describe("judge with warnings", () => {
  const old = eslint(3, "warning", "Old");
  const both = `${old}\n${eslint(9, "warning", "New")}`;

  test("passes a check that exits well with new warnings, and lists them", () => {
    const verdict = judge(run(0, both), run(0, old));
    assert.equal(verdict.state, "passed");
    assert.deepEqual("findings" in verdict && verdict.findings?.map(({ text }) => text), ["New"]);
  });

  test("reports new warnings as findings when the check exits otherwise or one is an error", () => {
    assert.equal(judge(run(1, both), run(0, old)).state, "new-findings");
    assert.equal(judge(run(0, `${both}\n${eslint(12, "error", "Bad")}`), run(0, old)).state, "new-findings");
    assert.equal(judge(run(1, eslint(3, "error", "Old")), run(1, old)).state, "new-findings");
  });
});

test("judge cannot compare when the baseline run crashed, stopped early or took too long", () => {
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

test("judge says why runs cannot be compared and what to do about it", () => {
  const sentences = [
    judge(run(2, error(3)), run(1, "Error: Cannot find module 'typescript'\n")),
    judge(run(2, error(3)), run(1, "", { end: "timeout" })),
    judge(run(2, error(3)), run(1, "", { end: "output" })),
    judge(run(0, "", { end: "disk" }), run(0)),
  ].map((verdict) => ("why" in verdict && verdict.why !== undefined ? inEnglish(verdict.why) : ""));
  assert.deepEqual(sentences, [
    "It also fails without these changes, before it has looked at everything. Repair that first: Error: Cannot find module 'typescript'",
    "Without these changes: It didn't end in time. Give it more with timeoutSeconds, or use a command that doesn't watch for changes.",
    "It wrote more than is read. Use a command that writes less.",
    "It was stopped because the disk is nearly full. Free some space, then run it again.",
  ]);
});

test("judge counts what was read of a run with too much output, and says so", () => {
  const cut = run(undefined, error(3), { end: "output" });
  const verdict = judge(cut, run(0));
  assert.equal(verdict.state, "new-findings");
  assert.equal("why" in verdict && verdict.why?.code, "checkFirstOnly");
  assert.equal(judge(cut, run(2, error(3))).state, "could-not-compare", "what was not read might be new");
  const many = Array.from({ length: 10_100 }, (_, at) => error(at + 1, `Wrong ${at}.`)).join("");
  assert.equal(judge(run(2, many), run(0)).state, "new-findings");
  assert.equal(judge(run(2, many), run(2, many)).state, "could-not-compare");
});

test("judgeAlone cannot compare a run that did not end, and names a missing program", () => {
  for (const end of ["timeout", "disk", "broken"] as const)
    assert.equal(judgeAlone(run(0, "", { end }))?.state, "could-not-compare", end);
  assert.equal(judgeAlone(run(undefined))?.state, "could-not-compare");
  for (const said of [
    "sh: 1: tsc: not found",
    "bash: line 1: tsc: command not found",
    "zsh: command not found: tsc",
    "'tsc' is not recognized as an internal or external command",
  ]) {
    const verdict = judgeAlone(run(127, said));
    assert.equal(verdict?.state, "unavailable");
    assert.deepEqual(verdict.why, message("checkNotInstalled", { program: "tsc" }), said);
  }
});

const finding = fc.record({
  path: fc.constantFrom("a.ts", "b.ts"),
  line: fc.integer({ min: 1, max: 50 }),
  text: fc.constantFrom("x is not y", "missing z", "at line 3"),
});

test("newFindings ignores unchanged, moved and reordered findings, and finds every added one", () => {
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

test("judge reports a program that cannot be run as unavailable", () => {
  for (const code of [126, 127, 9009])
    assert.equal(judge(run(code, error(3)), run(code)).state, "unavailable", String(code));
});
