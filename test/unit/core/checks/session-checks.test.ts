// The checks of a session: a result belongs to one state of the proposal, and what cannot be said is not said.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PendingFile } from "../../../../src/core/changes/pending-file.ts";
import type { Check, CheckCopy, CheckHost, CheckRun } from "../../../../src/core/checks/check.ts";
import { proofOf, reportOf } from "../../../../src/core/checks/report.ts";
import { SessionChecks } from "../../../../src/core/checks/session-checks.ts";
import { inEnglish } from "../../../../src/core/messages/english.ts";
import { Emitter } from "../../../../src/core/util/emitter.ts";

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
) {
  const [changed, filesChanged] = [new Emitter<void>(), new Emitter<void>()];
  let pending: readonly PendingFile[] = [pendingFile("src/a.ts", "one")];
  const ran: string[] = [];
  let during: (() => void) | undefined;
  const copy: CheckCopy = {
    state: "s",
    async run({ name }, signal) {
      ran.push(name);
      during?.();
      signal.throwIfAborted();
      return runs[name]?.[0] ?? done(0);
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

test("a check that passes needs no second run; one that does not is compared, and what is new has its place", async () => {
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
    reportOf(results),
    [
      "Checks on the workspace with your proposed changes:",
      "- types: passed in 1.2 s.",
      "- lint: 1 new:",
      "  f:src/a.ts:3:5 TS2322 Wrong.",
      "- old: fails as it did without your changes; nothing new.",
    ].join("\n"),
  );
});

test("a result is out of date once the proposal or a file is another one, and again what it was when that comes back", async () => {
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

test("of several that are out of date one is run again, and the others still say that they are", async () => {
  const { session, propose, states } = setUp([{ name: "types" }, { name: "lint" }], {});
  await session.run(never);
  propose(pendingFile("src/a.ts", "two"));
  await session.run(never, { which: ["lint"] });
  assert.deepEqual(states(), ["types stale", "lint passed"]);
  await session.run(never);
  assert.deepEqual(states(), ["types passed", "lint passed"]);
});

test("that they are out of date is told once, however much is typed", async () => {
  const { session, touch } = setUp([{ name: "types" }], {});
  await session.run(never);
  let told = 0;
  session.onDidChange(() => told++);
  for (let key = 0; key < 5; key++) touch();
  assert.equal(told, 1);
});

test("what is kept with an edit is what was found out about it, and nothing else", async () => {
  const { session, propose } = setUp([{ name: "types" }, { name: "lint" }], { lint: [done(1, wrong)] });
  await session.run(never);
  assert.deepEqual(proofOf(session.results).map(inEnglish), ["types ✓", "lint ✗ 1 new"]);
  propose(pendingFile("src/a.ts", "two"));
  assert.deepEqual(proofOf(session.results), []);
});

test("a run is ended when its proposal is changed, and its result is shown for no other", async () => {
  const { session, propose, whileRunning, states } = setUp([{ name: "types" }], {});
  whileRunning(() => propose(pendingFile("src/a.ts", "two")));
  await session.run(never);
  assert.deepEqual(states(), ["types stale"]);
});

test("stopped, nothing is left running", async () => {
  const { session, whileRunning, states } = setUp([{ name: "types" }, { name: "lint" }], {});
  const stop = new AbortController();
  whileRunning(() => stop.abort());
  await session.run(stop.signal);
  assert.deepEqual(states(), ["types stale", "lint stale"]);
  assert.ok(!session.isRunning);
});

test("what a check could execute waits for a person, who is told what it is", async () => {
  const { session, propose, ran, states } = setUp([{ name: "types" }], {});
  propose(pendingFile("src/a.ts", "x"), pendingFile("eslint.config.js", "x"));
  const [result] = await session.run(never);
  assert.deepEqual(states(), ["types waiting"]);
  assert.equal(result?.why && inEnglish(result.why), "eslint.config.js changed, and the check can run them.");
  assert.deepEqual(ran, []);
  await session.run(never, { which: ["types"], agreedTo: "another state" });
  assert.deepEqual(states(), ["types waiting"]);
  await session.run(never, { which: ["types"], agreedTo: session.state });
  assert.deepEqual(states(), ["types passed"]);
});

test("tests run where they were switched on, or when a person asks", async () => {
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

test("no tick where a check does not see what is proposed, has changed, or writes out of its copy", async () => {
  const { session, states } = setUp(
    [
      { name: "blind", blind: ["src"] },
      { name: "seeing", blind: ["other"] },
      { name: "changed", isChanged: true },
      { name: "writing", writesOut: true },
    ],
    {},
  );
  await session.run(never);
  assert.deepEqual(states().toSorted(), [
    "blind could-not-compare",
    "changed waiting",
    "seeing passed",
    "writing unavailable",
  ]);
});

test("the model is told new findings once", async () => {
  const { session, propose } = setUp([{ name: "types" }], { types: [done(1, wrong)] });
  await session.run(never);
  assert.equal(session.takeNews().length, 1);
  assert.equal(session.takeNews().length, 0);
  propose(pendingFile("src/a.ts", "two"));
  await session.run(never);
  assert.equal(session.takeNews().length, 1, "of another proposal they are told again");
});
