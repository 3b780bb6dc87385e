// What is said of check results: to the model in full, to a person in a row.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CheckResult } from "../../../src/checks/check-result.ts";
import {
  mostTellingFirst,
  proofOf,
  summarizeProposalRun,
  summarizeResult,
} from "../../../src/checks/report.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import { message } from "../../../src/conversation/messages.ts";
import { done, never, pendingFile, reportOf, setUpChecks, wrongIn } from "../../support/played-checks.ts";

test("modelReport lists forty findings of a check and counts the rest", async () => {
  const lines = Array.from(
    { length: 45 },
    (_, at) => `src/a.ts(${at + 1},5): error TS2322: Wrong ${"abcdefghij"[at % 10]}${at}.\n`,
  );
  const { session } = setUpChecks([{ name: "types" }], { types: [done(1, lines.join("")), done(0)] });
  const report = (await reportOf(await session.run(never))).split("\n");
  assert.equal(report.length, 2 + 40 + 1);
  assert.equal(report.at(-1), "  [5 more are not shown.]");
});

describe("modelReport", () => {
  test("groups findings with the same text into one row after single findings, each with its line", async () => {
    const output = [
      wrongIn("src/b.ts(1,1)", "src/a.ts(2,1)", "src/b.ts(7,1)"),
      "src/b.ts(3,1): error TS2304: Cannot find name 'x'.\n",
      "src/a.ts(3,5): error TS2304: Cannot find name 'y'.\n",
    ].join("");
    const { session } = setUpChecks([{ name: "types" }], { types: [done(1, output)] });
    const texts = { "f:src/a.ts": "one\n  two();\n\tthree(y);\n" };
    assert.deepEqual((await reportOf(await session.run(never), texts)).split("\n").slice(1), [
      "- types: 5 new.",
      "  f:src/a.ts:3:5 TS2304 Cannot find name 'y'.",
      "    | three(y);",
      "  f:src/b.ts:3:1 TS2304 Cannot find name 'x'.",
      "  TS2322 Wrong. (3 times: f:src/a.ts:2; f:src/b.ts:1, 7)",
      "    | two();",
    ]);
  });

  test("summarizes unrequested findings by kind, and lists nearby ones in full", async () => {
    const unknown = (place: string, name: string) =>
      `${place}: error TS2591: Cannot find name '${name}'. Install types.\n`;
    const output = [
      ...["fs", "os", "path", "util"].map((name, at) => unknown(`src/far.ts(${at + 1},1)`, name)),
      unknown("src/near.ts(2,1)", "fs"),
      unknown("src/near.ts(3,1)", "url"),
      `src/far.ts(9,1): error TS2322: ${"x".repeat(400)}\n`,
    ].join("");
    const { session, propose } = setUpChecks([{ name: "types" }], { types: [done(0), done(1, output)] });
    propose();
    const found = await session.lookAtWorkspace(never);
    const texts = { "f:src/near.ts": "one\ntwo\nthree\n", "f:src/far.ts": "far" };
    const told = await reportOf(found, texts, { proposed: [], near: ["f:src/near.ts"] });
    assert.deepEqual(told.split("\n").slice(1), [
      "- types: 7 found.",
      "  f:src/near.ts:3:1 TS2591 Cannot find name 'url'. Install types.",
      "    | three",
      `  f:src/far.ts:9:1 TS2322 ${"x".repeat(200)} …`,
      "  TS2591 Cannot find name 'fs'. Install types. (2 times: f:src/near.ts:2; f:src/far.ts:1)",
      "    | two",
      "  TS2591 Cannot find name 'os'. Install types. (and alike, 3 times: f:src/far.ts:2, 3, 4)",
    ]);
  });

  test("only counts frequent findings, and lists them for a requested path", async () => {
    const missing = (path: string, line: number) =>
      `src/${path}(${line},1): error TS2591: Cannot find name 'process'.\n`;
    const places = Array.from({ length: 20 }, (_, at) => missing(at < 12 ? "b.ts" : "c.ts", at + 1)).join("");
    const output = `${places}${wrongIn("src/a.ts(1,1)", "node_modules/x/i.d.ts(4,1)")}`;
    const { session, propose } = setUpChecks([{ name: "types" }], { types: [done(0), done(1, output)] });
    propose();
    const found = await session.lookAtWorkspace(never);
    const told = async (path?: string) =>
      (await reportOf(found, {}, { proposed: [], ...(path !== undefined && { path }) })).split("\n").slice(1);
    const [, ...rows] = await told();
    assert.equal(
      rows.at(-1),
      "  Only counted; a path lists them: TS2591 Cannot find name 'process'. … 20 times in 2 files.",
    );
    assert.doesNotMatch(rows.slice(0, -1).join(), /TS2591/);
    assert.deepEqual(await told("f:src/c.ts"), [
      "- types: 22 found.",
      "  TS2591 Cannot find name 'process'. (8 times: f:src/c.ts:13, 14, 15, 16, 17, 18, 19, 20)",
      "  [14 in other files.]",
    ]);
    assert.equal((await told("./f:src/")).at(-1), "  [1 in other files.]");
  });

  test("says how many earlier findings are gone, and lists the rest in proposed files on request", async () => {
    const before = wrongIn("src/a.ts(1,1)", "src/a.ts(2,1)", "src/a.ts(3,1)", "src/b.ts(1,1)");
    const after = `${wrongIn("src/a.ts(2,1)", "src/b.ts(1,1)")}src/a.ts(9,1): error TS1005X: no form\n`;
    const { session } = setUpChecks([{ name: "types" }], { types: [done(1, after), done(1, before)] });
    const results = await session.run(never);
    const texts = { "f:src/a.ts": "one\ntwo\n" };
    const told = "- types: fails, with nothing new. Of 4 that were there before, 2 gone, 2 still there.";
    assert.deepEqual((await reportOf(results, texts)).split("\n").slice(1), [told]);
    assert.deepEqual((await reportOf(results, texts, { listsStill: true })).split("\n").slice(1), [
      told,
      "  Still there in the files of your proposals: TS2322 f:src/a.ts:2.",
    ]);
    assert.equal(inEnglish(summarizeProposalRun(results)), "types: 2 fixed, 2 left");
  });

  test("claims no findings are gone when the check has not looked at everything", async () => {
    const before = wrongIn("src/a.ts(1,1)", "src/b.ts(1,1)");
    const { session } = setUpChecks([{ name: "types" }], {
      types: [done(1, "src/a.ts(1,9): error TS1005: ';' expected.\n"), done(1, before)],
    });
    const [, told] = (await reportOf(await session.run(never))).split("\n");
    assert.equal(told, "- types: 1 new.");
  });
});

describe("summarizeResult", () => {
  const result: Omit<CheckResult, "state"> = {
    ...{ id: "1", name: "tests", kind: "tests", findings: [], seconds: 2 },
  };
  const short = (more: Partial<CheckResult> & Pick<CheckResult, "state">) =>
    inEnglish(summarizeResult({ ...result, ...more }));
  const earlier = { gone: 1, still: 0, here: [] };

  test("says that a failing check passes now, but not that warnings are gone", () => {
    const said = "✓ tests: failed before, passes now";
    assert.equal(short({ state: "passed", earlier: { ...earlier, failed: true } }), said);
    assert.equal(short({ state: "passed", earlier }), "tests ✓ 2 s");
  });

  test("names the first new finding without the prefix of the program", () => {
    const findings = [{ text: "FAIL  cart.test: ten get a discount · expected 10 · at src/cart.ts:8" }];
    assert.equal(
      short({ state: "new-findings", findings }),
      "✗ tests: 1 new failure – cart.test: ten get a discount",
    );
    const errors = [
      { path: "src/cart.ts", line: 4, text: `Cannot find ${"x".repeat(100)}` },
      { path: "src/a.ts", text: "No." },
    ];
    const two = short({ state: "new-findings", kind: "static", findings: errors });
    assert.match(two, /^✗ tests: 2 new errors – cart\.ts:4 Cannot find x{60,80}…$/);
  });

  test("says that a check failed before as well, or that it has no result", () => {
    const why = message("checkNoBaseline", { output: "Error" });
    assert.equal(short({ state: "could-not-compare", why }), "tests: failing, as before this change");
    const late = message("checkTimeout");
    assert.equal(short({ state: "could-not-compare", why: late }), "tests: no result");
  });
});

test("mostTellingFirst puts repaired checks first, then broken ones, then passing ones", () => {
  const one: Pick<CheckResult, "name" | "kind" | "findings"> = { name: "", kind: "static", findings: [] };
  const repaired: CheckResult["earlier"] = { gone: 1, still: 0, here: [], failed: true };
  const sorted = mostTellingFirst([
    { ...one, id: "passes", state: "passed" },
    { ...one, id: "breaks", state: "new-findings" },
    { ...one, id: "repairs", state: "passed", earlier: repaired },
  ]);
  assert.deepEqual(
    sorted.map(({ id }) => id),
    ["repairs", "breaks", "passes"],
  );
});

test("a passed result names the proposed files that the check did not look at", async () => {
  const { session, propose } = setUpChecks([{ name: "types" }], {
    types: [{ ...done(0), notSeen: ["lib/index.js", "not-saved.js"] }],
  });
  propose(pendingFile("src/a.ts", "one"), pendingFile("lib/index.js", "two"));
  const results = await session.run(never);
  assert.deepEqual(results.map(summarizeResult).map(inEnglish), ["types ✓ 1.2 s (not index.js)"]);
  assert.deepEqual(proofOf(results).map(inEnglish), ["types ✓ (not index.js)"]);
  assert.match(await reportOf(results), /- types: passed in 1\.2 s\. It did not look at f:lib\/index\.js\./);
});
