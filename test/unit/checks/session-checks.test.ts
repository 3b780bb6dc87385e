// The checks of a session: a result belongs to one state of the proposal, and what cannot be said is not said.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PendingFile } from "../../../src/changes/pending-changes.ts";
import type { Check, CheckCopy, CheckHost, CheckRun, Confinement } from "../../../src/checks/check.ts";
import type { CheckResult } from "../../../src/checks/check-result.ts";
import { modelReport } from "../../../src/checks/internal/model-report.ts";
import { type JudgeInput, judgeRuns } from "../../../src/checks/judge.ts";
import {
  mostTellingFirst,
  proofOf,
  summarizeProposalRun,
  summarizeResult,
  summarizeWorkspaceRun,
} from "../../../src/checks/report.ts";
import { SessionChecks } from "../../../src/checks/session-checks.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import { message } from "../../../src/conversation/messages.ts";
import type { GuardedText } from "../../../src/files/guarded-files.ts";
import { Emitter } from "../../../src/util/emitter.ts";

const never = new AbortController().signal;

const pendingFile = (path: string, text: string): PendingFile =>
  ({
    id: path,
    change: {
      kind: "add",
      file: { folder: "f", path },
      text,
      permission: { verdict: "allow", reasons: [], real: path },
    },
    hunks: [],
    conflicts: [],
    requires: [],
    calls: ["c"],
  }) as unknown as PendingFile;

const done = (code: number, output = ""): CheckRun => ({ end: "done", code, output, seconds: 1.23 });
const wrong = "src/a.ts(3,5): error TS2322: Wrong.\n";

function setUp(
  checks: readonly Partial<Check>[],
  runs: Readonly<Record<string, readonly [CheckRun, CheckRun?]>>,
  confinement: Confinement = { kind: "sandbox" },
) {
  const [changed, filesChanged] = [new Emitter<void>(), new Emitter<void>()];
  let pending: readonly PendingFile[] = [pendingFile("src/a.ts", "one")];
  const ran: string[] = [];
  let during: (() => void) | undefined;
  const copy: CheckCopy = {
    async run({ name }, signal) {
      ran.push(name);
      during?.();
      signal.throwIfAborted();
      return runs[name]?.[0] ?? done(0);
    },
    async knownBaseline({ name }) {
      return ran.includes(`${name} without`) ? (runs[name]?.[1] ?? done(0)) : undefined;
    },
    async baseline({ name }) {
      ran.push(`${name} without`);
      return runs[name]?.[1] ?? done(0);
    },
  };
  const host = {
    hasAny: true,
    obstacle: undefined,
    filesRevision: 0,
    onDidChange: filesChanged.on,
    checks: async () =>
      checks.map(
        (each): Check => ({
          ...{ id: each.name ?? "", name: "types", command: "tsc", kind: "static", folder: "f", blind: [] },
          ...each,
        }),
      ),
    confinement: async () => confinement,
    allowAlways: async () => {},
    measure: async () => undefined,
    judge: async (judging: JudgeInput) => judgeRuns(judging),
    withCopy: <T>(_: string, __: unknown, use: (copy: CheckCopy) => Promise<T>) => use(copy),
  } satisfies CheckHost;
  const session = new SessionChecks({
    host,
    changes: {
      get pending() {
        return pending;
      },
      overlaid: async () => [],
      refresh: async () => undefined,
      onDidChange: changed.on,
    },
    clean: async (text) => text.replaceAll("SECRET", "[gone]"),
    nameOf: ({ folder, path }) => `${folder}:${path}`,
    log: { error: assert.fail, warn: assert.fail, info: assert.fail, debug: assert.fail } as never,
  });
  return {
    session,
    ran,
    host,
    propose(...files: readonly PendingFile[]) {
      pending = files;
      changed.fire();
    },
    whileRunning(work: () => void) {
      during = work;
    },
    touch() {
      host.filesRevision += 1;
      filesChanged.fire();
    },
    states: () => session.results.map(({ name, state }) => `${name} ${state}`),
  };
}

/** Of files with these texts; whatever else is not for the model. */
const reportOf = (
  results: readonly CheckResult[],
  texts: Readonly<Record<string, string>> = {},
  {
    proposed = ["f:src/a.ts"],
    listsStill = false,
    near = [] as readonly string[],
    path = undefined as string | undefined,
  } = {},
) =>
  modelReport(
    results,
    {
      ...{
        proposed,
        listsStill,
        path,
        near: (paths) => new Set(paths.filter((path) => near.includes(path))),
      },
      files: {
        async read(path) {
          const text = texts[path];
          if (text === undefined) throw new Error(`${path} is not for the model.`);
          return { text } as GuardedText;
        },
      },
    },
    never,
  );

test("session checks compare only a failing check with its baseline, and locate what is new", async () => {
  const { session, ran } = setUp([{ name: "types" }, { name: "lint" }, { name: "old" }], {
    lint: [done(1, `${wrong}with SECRET`), done(0)],
    old: [done(1, wrong), done(1, wrong)],
  });
  const results = await session.run(never);
  assert.deepEqual(ran, ["types", "lint", "old", "lint without", "old without"]);
  assert.deepEqual(
    results.map(({ state, findings }) => [state, findings]),
    [
      ["passed", []],
      ["new-findings", [{ path: "f:src/a.ts", line: 3, column: 5, code: "TS2322", text: "Wrong." }]],
      ["no-new", []],
    ],
  );
  assert.equal(session.outputOf("lint"), `${wrong}with [gone]`);
  assert.equal(
    await reportOf(results),
    [
      "Checks on the workspace with your proposed changes:",
      "- types: passed in 1.2 s.",
      "- lint: 1 new.",
      "  f:src/a.ts:3:5 TS2322 Wrong.",
      "- old: fails, with nothing new. Of 1 that was there before, 0 gone, 1 still there.",
    ].join("\n"),
  );
});

test("a check result is stale once the proposal or a file changes, and valid again when the proposal returns", async () => {
  const { session, propose, touch, states, ran } = setUp([{ name: "types" }], {});
  const first = pendingFile("src/a.ts", "one");
  await session.run(never);
  assert.deepEqual(states(), ["types passed"]);
  propose(pendingFile("src/a.ts", "two"));
  assert.deepEqual(states(), ["types stale"]);
  propose(first);
  assert.deepEqual(states(), ["types passed"]);
  touch();
  assert.deepEqual(states(), ["types stale"]);
  await session.run(never);
  assert.deepEqual(states(), ["types passed"]);
  await session.run(never);
  assert.deepEqual(ran, ["types", "types"], "what is known of this proposal is not run again");
  propose();
  assert.deepEqual(states(), []);
});

test("session checks have neither results nor a state once nothing is proposed", async () => {
  const { session, propose } = setUp([{ name: "types" }], {});
  await session.run(never);
  assert.notEqual(session.state, undefined);
  propose();
  assert.deepEqual([session.results, session.state], [[], undefined]);
});

test("running one of several stale checks leaves the others stale", async () => {
  const { session, propose, states } = setUp([{ name: "types" }, { name: "lint" }], {});
  await session.run(never);
  propose(pendingFile("src/a.ts", "two"));
  await session.run(never, { which: ["lint"] });
  assert.deepEqual(states(), ["types stale", "lint passed"]);
  await session.run(never);
  assert.deepEqual(states(), ["types passed", "lint passed"]);
});

test("session checks report stale results once, however often a file changes", async () => {
  const { session, touch } = setUp([{ name: "types" }], {});
  await session.run(never);
  let told = 0;
  session.onDidChange(() => told++);
  for (let key = 0; key < 5; key++) touch();
  assert.equal(told, 1);
});

test("proofOf keeps the current results of an edit and drops stale ones", async () => {
  const { session, propose } = setUp([{ name: "types" }, { name: "lint" }], { lint: [done(1, wrong)] });
  await session.run(never);
  assert.deepEqual(proofOf(session.results).map(inEnglish), ["lint ✗ 1 new", "types ✓"]);
  propose(pendingFile("src/a.ts", "two"));
  assert.deepEqual(proofOf(session.results), []);
});

test("a check run is ended when its proposal changes, and its result is stale", async () => {
  const { session, propose, whileRunning, states } = setUp([{ name: "types" }], {});
  whileRunning(() => propose(pendingFile("src/a.ts", "two")));
  await session.run(never);
  assert.deepEqual(states(), ["types stale"]);
});

test("stopping session checks leaves nothing running and the results stale", async () => {
  const { session, whileRunning, states } = setUp([{ name: "types" }, { name: "lint" }], {});
  const stop = new AbortController();
  whileRunning(() => stop.abort());
  await session.run(stop.signal);
  assert.deepEqual(states(), ["types stale", "lint stale"]);
  assert.ok(!session.isRunning);
});

test("a check run that is stopped before it begins runs nothing", async () => {
  const { session, ran } = setUp([{ name: "types" }], {});
  await assert.rejects(session.run(AbortSignal.abort()), { name: "AbortError" });
  assert.deepEqual([ran, session.results], [[], []]);
});

test("modelReport lists forty findings of a check and counts the rest", async () => {
  const lines = Array.from(
    { length: 45 },
    (_, at) => `src/a.ts(${at + 1},5): error TS2322: Wrong ${"abcdefghij"[at % 10]}${at}.\n`,
  );
  const { session } = setUp([{ name: "types" }], { types: [done(1, lines.join("")), done(0)] });
  const report = (await reportOf(await session.run(never))).split("\n");
  assert.equal(report.length, 2 + 40 + 1);
  assert.equal(report.at(-1), "  [5 more are not shown.]");
});

const unconfined: Confinement = {
  kind: "none",
  why: message("sandboxMissing"),
  remedy: "apt install bubblewrap",
};

test("without a sandbox, a check that executes code waits and tells the person what would run and why", async () => {
  const { session, propose, ran, states } = setUp([{ name: "types" }], {}, unconfined);
  propose(
    ...["docs/a.md", "src/a.ts", "build/lint.mjs", "eslint.config.mjs", "b.ts"].map((path) =>
      pendingFile(path, "x"),
    ),
  );
  const [result] = await session.run(never);
  assert.deepEqual(states(), ["types waiting"]);
  assert.equal(
    result?.why && inEnglish(result.why),
    "Runs code of this proposal on this computer: eslint.config.mjs, build/lint.mjs and 3 more." +
      " There is no sandbox: bubblewrap isn't installed.",
  );
  const question = await session.question("types");
  assert.deepEqual(question?.files, ["eslint.config.mjs", "build/lint.mjs", "src/a.ts", "b.ts", "docs/a.md"]);
  assert.deepEqual(ran, []);
  await session.run(never, { which: ["types"], agreedTo: "another state" });
  assert.deepEqual(states(), ["types waiting"]);
  await session.run(never, { which: ["types"], agreedTo: session.state });
  assert.deepEqual(states(), ["types passed"]);
});

test("without a sandbox, a check waits for every kind of proposed file", async () => {
  const { session, propose, ran } = setUp([{ name: "lint", command: "eslint ." }], {}, unconfined);
  for (const path of ["src/rules.ts", "lib/helper.py", "data.json", "README.md"]) {
    propose(pendingFile(path, "x"));
    const [result] = await session.run(never);
    assert.equal(result?.state, "waiting", path);
  }
  assert.deepEqual(ran, []);
});

test("without a sandbox, read-only checks and always-allowed checks still run", async () => {
  const reader = { program: "python", args: [], code: [] } as const;
  const checks = [{ name: "reads", reader }, { name: "allowed", isAlways: true }, { name: "executes" }];
  const { session, states } = setUp(checks, {}, unconfined);
  await session.run(never);
  assert.deepEqual(states().toSorted(), ["allowed passed", "executes waiting", "reads passed"]);
});

test("in a sandbox, checks run automatically even on proposed configuration files", async () => {
  const { session, propose, states } = setUp([{ name: "types" }], {});
  propose(pendingFile("eslint.config.js", "x"), pendingFile("package.json", "{}"));
  await session.run(never);
  assert.deepEqual(states(), ["types passed"]);
});

test("tests run only where they are switched on, or when a person asks", async () => {
  const { session, states } = setUp(
    [{ name: "types" }, { name: "tests", kind: "tests" }, { name: "quick", kind: "tests", automatic: true }],
    {},
  );
  await session.run(never);
  assert.deepEqual(states(), ["types passed", "quick passed"]);
  await session.run(never, { which: "all" });
  assert.deepEqual(states().toSorted(), ["quick passed", "tests passed", "types passed"]);
});

test("a check runs only for the files it names", async () => {
  const { session, states } = setUp(
    [
      { name: "py", files: "*.py" },
      { name: "ts", files: "*.ts" },
    ],
    {},
  );
  await session.run(never);
  assert.deepEqual(states(), ["ts passed"]);
});

test("a check that cannot see the proposal or has changed does not pass", async () => {
  const { session, states } = setUp(
    [
      { name: "blind", blind: ["src"] },
      { name: "seeing", blind: ["other"] },
      { name: "changed", isChanged: true },
    ],
    {},
  );
  await session.run(never);
  assert.deepEqual(states().toSorted(), ["blind could-not-compare", "changed waiting", "seeing passed"]);
});

test("a check that is blind to a package is blind to its sources only", async () => {
  const { session, states, propose } = setUp([{ name: "blind", blind: ["src"] }], {});
  propose(pendingFile("src/notes.md", "words"));
  await session.run(never);
  assert.deepEqual(states(), ["blind passed"]);
  propose(pendingFile("src/a.ts", "two"));
  await session.run(never);
  assert.deepEqual(states(), ["blind could-not-compare"]);
});

test("new warnings of a passing check are reported without a failure or a repair", async () => {
  const warning = (line: number) => `src/a.c:${line}:1: warning: unused variable 'v${"xyz"[line]}'\n`;
  const { session, states } = setUp([{ name: "one" }, { name: "two" }], {
    one: [done(0, warning(1)), done(0)],
    two: [done(0, warning(1) + warning(2)), done(0)],
  });
  const results = await session.run(never);
  assert.deepEqual(states(), ["one passed", "two passed"]);
  assert.deepEqual(results.map(summarizeResult).map(inEnglish), [
    "one ✓ 1 new warning",
    "two ✓ 2 new warnings",
  ]);
  assert.deepEqual(proofOf(results).map(inEnglish), ["one ✓ 1 new warning", "two ✓ 2 new warnings"]);
  assert.match(
    await reportOf(results),
    /- one: passed in 1\.2 s, with 1 new warning\.\n {2}f:src\/a\.c:1:1 unused/,
  );
  assert.deepEqual(session.takeNews(), []);
});

test("takeNews returns new findings once per proposal", async () => {
  const { session, propose } = setUp([{ name: "types" }], { types: [done(1, wrong)] });
  await session.run(never);
  assert.equal(session.takeNews().length, 1);
  assert.equal(session.takeNews().length, 0);
  propose(pendingFile("src/a.ts", "two"));
  await session.run(never);
  assert.equal(session.takeNews().length, 1, "of another proposal they are told again");
});

const wrongIn = (...places: readonly string[]) =>
  places.map((place) => `${place}: error TS2322: Wrong.\n`).join("");

describe("modelReport", () => {
  test("groups findings with the same text into one row after single findings, each with its line", async () => {
    const output = [
      wrongIn("src/b.ts(1,1)", "src/a.ts(2,1)", "src/b.ts(7,1)"),
      "src/b.ts(3,1): error TS2304: Cannot find name 'x'.\n",
      "src/a.ts(3,5): error TS2304: Cannot find name 'y'.\n",
    ].join("");
    const { session } = setUp([{ name: "types" }], { types: [done(1, output)] });
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
    const { session, propose } = setUp([{ name: "types" }], { types: [done(0), done(1, output)] });
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
    const { session, propose } = setUp([{ name: "types" }], { types: [done(0), done(1, output)] });
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
    const { session } = setUp([{ name: "types" }], { types: [done(1, after), done(1, before)] });
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
    const { session } = setUp([{ name: "types" }], {
      types: [done(1, "src/a.ts(1,9): error TS1005: ';' expected.\n"), done(1, before)],
    });
    const [, told] = (await reportOf(await session.run(never))).split("\n");
    assert.equal(told, "- types: 1 new.");
  });
});

describe("lookAtWorkspace", () => {
  test("reports all findings without a proposal, and reuses that run as the baseline", async () => {
    const before = wrongIn("src/a.ts(1,1)", "src/a.ts(2,1)");
    const { session, propose, ran } = setUp([{ name: "types" }, { name: "tests", kind: "tests" }], {
      types: [done(0), done(2, before)],
    });
    const file = pendingFile("src/a.ts", "one");
    propose();
    const found = await session.lookAtWorkspace(never);
    assert.equal(inEnglish(summarizeWorkspaceRun(found)), "types ✗ 2 found");
    assert.deepEqual((await reportOf(found, { "f:src/a.ts": "one" }, { proposed: [] })).split("\n"), [
      "Nothing is proposed. Checks on the workspace as it is:",
      "- types: 2 found.",
      "  TS2322 Wrong. (2 times: f:src/a.ts:1, 2)",
      "    | one",
    ]);
    assert.deepEqual(session.results, [], "no chip is about it");
    propose(file);
    const results = await session.run(never);
    assert.deepEqual(ran, ["types without", "types"]);
    assert.equal(
      (await reportOf(results)).split("\n")[1],
      "- types: passed in 1.2 s. Of 2 that were there before, 2 gone, 0 still there.",
    );
    assert.equal(inEnglish(summarizeProposalRun(results)), "✓ types: failed before, passes now");
  });

  test("runs only read-only checks without a sandbox, and says why", async () => {
    const reader = { program: "python", args: [], code: [] } as const;
    const { session, propose, ran } = setUp(
      [{ name: "reads", reader }, { name: "executes" }],
      {},
      unconfined,
    );
    propose();
    const report = await reportOf(await session.lookAtWorkspace(never), {}, { proposed: [] });
    assert.deepEqual(report.split("\n").slice(1), [
      "- reads: passed in 1.2 s.",
      "- executes: cannot run. Without a sandbox it runs only on a proposal, once it's allowed there." +
        " There is no sandbox: bubblewrap isn't installed.",
    ]);
    assert.deepEqual(ran, ["reads without"]);
  });
});

test("a check that the model names runs alone, and the others stay due", async () => {
  const checks = [{ name: "types" }, { name: "lint" }, { name: "tests", kind: "tests" as const }];
  const { session, ran } = setUp(checks, {});
  await session.run(never, { name: "tests" });
  assert.ok(session.isDue);
  await session.run(never);
  assert.deepEqual(ran, ["tests", "types", "lint"]);
  assert.ok(!session.isDue);
  await session.run(never, { name: "tests" });
  assert.deepEqual(ran, ["tests", "types", "lint"], "what is known of this proposal is not run again");
});

test("a passed result names the proposed files that the check did not look at", async () => {
  const { session, propose } = setUp([{ name: "types" }], {
    types: [{ ...done(0), notSeen: ["lib/index.js", "not-saved.js"] }],
  });
  propose(pendingFile("src/a.ts", "one"), pendingFile("lib/index.js", "two"));
  const results = await session.run(never);
  assert.deepEqual(results.map(summarizeResult).map(inEnglish), ["types ✓ 1.2 s (not index.js)"]);
  assert.deepEqual(proofOf(results).map(inEnglish), ["types ✓ (not index.js)"]);
  assert.match(await reportOf(results), /- types: passed in 1\.2 s\. It did not look at f:lib\/index\.js\./);
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
