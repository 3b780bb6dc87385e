// The checks of a session: a result belongs to one state of the proposal, and what cannot be said is not said.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Confinement } from "../../../src/checks/check.ts";
import {
  proofOf,
  summarizeProposalRun,
  summarizeResult,
  summarizeWorkspaceRun,
} from "../../../src/checks/report.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import { message } from "../../../src/conversation/messages.ts";
import {
  done,
  never,
  pendingFile,
  reportOf,
  setUpChecks,
  wrong,
  wrongIn,
} from "../../support/played-checks.ts";

test("session checks compare only a failing check with its baseline, and locate what is new", async () => {
  const { session, ran } = setUpChecks([{ name: "types" }, { name: "lint" }, { name: "old" }], {
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
  const { session, propose, touch, states, ran } = setUpChecks([{ name: "types" }], {});
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
  const { session, propose } = setUpChecks([{ name: "types" }], {});
  await session.run(never);
  assert.notEqual(session.state, undefined);
  propose();
  assert.deepEqual([session.results, session.state], [[], undefined]);
});

test("running one of several stale checks leaves the others stale", async () => {
  const { session, propose, states } = setUpChecks([{ name: "types" }, { name: "lint" }], {});
  await session.run(never);
  propose(pendingFile("src/a.ts", "two"));
  await session.run(never, { which: ["lint"] });
  assert.deepEqual(states(), ["types stale", "lint passed"]);
  await session.run(never);
  assert.deepEqual(states(), ["types passed", "lint passed"]);
});

test("a proposal that changes before its checks begin is checked as it is then", async () => {
  const { session, host, propose, states, ran } = setUpChecks([{ name: "types" }], {});
  const { checks } = host;
  const first = pendingFile("src/a.ts", "one");
  host.checks = () => {
    host.checks = checks;
    propose(pendingFile("src/a.ts", "two"));
    return checks();
  };
  await session.run(never);
  assert.deepEqual([states(), ran], [["types passed"], ["types"]]);
  propose(first);
  assert.deepEqual(states(), ["types stale"], "nothing has run on it");
});

test("checks that are asked for twice at the same time run once", async () => {
  const { session, ran } = setUpChecks([{ name: "types" }], {});
  const [one, other] = await Promise.all([session.run(never), session.run(never)]);
  assert.deepEqual([ran, other], [["types"], one]);
});

test("session checks report stale results once, however often a file changes", async () => {
  const { session, touch } = setUpChecks([{ name: "types" }], {});
  await session.run(never);
  let told = 0;
  session.onDidChange(() => told++);
  for (let key = 0; key < 5; key++) touch();
  assert.equal(told, 1);
});

test("proofOf keeps the current results of an edit and drops stale ones", async () => {
  const { session, propose } = setUpChecks([{ name: "types" }, { name: "lint" }], { lint: [done(1, wrong)] });
  await session.run(never);
  assert.deepEqual(proofOf(session.results).map(inEnglish), ["lint ✗ 1 new", "types ✓"]);
  propose(pendingFile("src/a.ts", "two"));
  assert.deepEqual(proofOf(session.results), []);
});

test("a check run is ended when its proposal changes, and its result is stale", async () => {
  const { session, propose, whileRunning, states } = setUpChecks([{ name: "types" }], {});
  whileRunning(() => propose(pendingFile("src/a.ts", "two")));
  await session.run(never);
  assert.deepEqual(states(), ["types stale"]);
});

test("stopping session checks leaves nothing running and the results stale", async () => {
  const { session, whileRunning, states } = setUpChecks([{ name: "types" }, { name: "lint" }], {});
  const stop = new AbortController();
  whileRunning(() => stop.abort());
  await session.run(stop.signal);
  assert.deepEqual(states(), ["types stale", "lint stale"]);
  assert.ok(!session.isRunning);
});

test("a check run that is stopped before it begins runs nothing", async () => {
  const { session, ran } = setUpChecks([{ name: "types" }], {});
  await assert.rejects(session.run(AbortSignal.abort()), { name: "AbortError" });
  assert.deepEqual([ran, session.results], [[], []]);
});

const unconfined: Confinement = {
  kind: "none",
  why: message("sandboxMissing"),
  remedy: "apt install bubblewrap",
};

test("without a sandbox, a check that executes code waits and tells the person what would run and why", async () => {
  const { session, propose, ran, states } = setUpChecks([{ name: "types" }], {}, unconfined);
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
  const { session, propose, ran } = setUpChecks([{ name: "lint", command: "eslint ." }], {}, unconfined);
  for (const path of ["src/rules.ts", "lib/helper.py", "data.json", "README.md"]) {
    propose(pendingFile(path, "x"));
    const [result] = await session.run(never);
    assert.equal(result?.state, "waiting", path);
  }
  assert.deepEqual(ran, []);
});

test("without a sandbox, a file that moves to a name that programs load is listed first", async () => {
  const { session, propose } = setUpChecks([{ name: "lint", command: "eslint ." }], {}, unconfined);
  const { change, ...rest } = pendingFile("notes/rules.txt", "x");
  const moved = { ...change, kind: "move", to: { folder: "f", path: "eslint.config.js" } } as typeof change;
  propose(pendingFile("src/a.ts", "x"), { ...rest, change: moved });
  await session.run(never);
  const question = await session.question("lint");
  assert.deepEqual(question?.files, ["eslint.config.js", "src/a.ts", "notes/rules.txt"]);
});

test("without a sandbox, read-only checks and always-allowed checks still run", async () => {
  const reader = { program: "python", args: [], code: [] } as const;
  const checks = [{ name: "reads", reader }, { name: "allowed", isAlways: true }, { name: "executes" }];
  const { session, states } = setUpChecks(checks, {}, unconfined);
  await session.run(never);
  assert.deepEqual(states().toSorted(), ["allowed passed", "executes waiting", "reads passed"]);
});

test("in a sandbox, checks run automatically even on proposed configuration files", async () => {
  const { session, propose, states } = setUpChecks([{ name: "types" }], {});
  propose(pendingFile("eslint.config.js", "x"), pendingFile("package.json", "{}"));
  await session.run(never);
  assert.deepEqual(states(), ["types passed"]);
});

test("tests run only where they are switched on, or when a person asks", async () => {
  const { session, states } = setUpChecks(
    [{ name: "types" }, { name: "tests", kind: "tests" }, { name: "quick", kind: "tests", automatic: true }],
    {},
  );
  await session.run(never);
  assert.deepEqual(states(), ["types passed", "quick passed"]);
  await session.run(never, { which: "all" });
  assert.deepEqual(states().toSorted(), ["quick passed", "tests passed", "types passed"]);
});

test("a check runs only for the files it names", async () => {
  const { session, states } = setUpChecks(
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
  const { session, states } = setUpChecks(
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
  const { session, states, propose } = setUpChecks([{ name: "blind", blind: ["src"] }], {});
  propose(pendingFile("src/notes.md", "words"));
  await session.run(never);
  assert.deepEqual(states(), ["blind passed"]);
  propose(pendingFile("src/a.ts", "two"));
  await session.run(never);
  assert.deepEqual(states(), ["blind could-not-compare"]);
});

test("new warnings of a passing check are reported without a failure or a repair", async () => {
  const warning = (line: number) => `src/a.c:${line}:1: warning: unused variable 'v${"xyz"[line]}'\n`;
  const { session, states } = setUpChecks([{ name: "one" }, { name: "two" }], {
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
  const { session, propose } = setUpChecks([{ name: "types" }], { types: [done(1, wrong)] });
  await session.run(never);
  assert.equal(session.takeNews().length, 1);
  assert.equal(session.takeNews().length, 0);
  propose(pendingFile("src/a.ts", "two"));
  await session.run(never);
  assert.equal(session.takeNews().length, 1, "of another proposal they are told again");
});

test("takeNews returns the results again once a check that was started later has new findings", async () => {
  const { session } = setUpChecks(
    [{ name: "types" }, { name: "tests", automatic: false }, { name: "lint" }],
    {
      types: [done(1, wrong), done(0)],
      tests: [done(1, wrong), done(0)],
    },
  );
  await session.run(never);
  assert.equal(session.takeNews().length, 2);
  await session.run(never, { which: ["lint"] });
  assert.deepEqual(session.takeNews(), []);
  await session.run(never, { which: ["tests"] });
  assert.equal(session.takeNews().length, 3);
  assert.deepEqual(session.takeNews(), []);
});

describe("lookAtWorkspace", () => {
  test("reports all findings without a proposal, and reuses that run as the baseline", async () => {
    const before = wrongIn("src/a.ts(1,1)", "src/a.ts(2,1)");
    const { session, propose, ran } = setUpChecks([{ name: "types" }, { name: "tests", kind: "tests" }], {
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
    const { session, propose, ran } = setUpChecks(
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
  const { session, ran } = setUpChecks(checks, {});
  await session.run(never, { name: "tests" });
  assert.ok(session.isDue);
  await session.run(never);
  assert.deepEqual(ran, ["tests", "types", "lint"]);
  assert.ok(!session.isDue);
  await session.run(never, { name: "tests" });
  assert.deepEqual(ran, ["tests", "types", "lint"], "what is known of this proposal is not run again");
});
