// A turn that proposes something runs the person's checks when the model is done: what they find goes back, twice at most, and
// the turn ends with what is true.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Check, CheckHost } from "../../../src/checks/check.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import { message } from "../../../src/conversation/messages.ts";
import { answerMarkdown } from "../../../src/conversation/reduce.ts";
import { call, patchCall, text } from "../../sim/script.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp } from "../../support/test-app.ts";
import { hostFor } from "../../support/word-check.ts";

/** The row of a check that finds the word. */
const broken = "done ✗ types: 1 new error – a.ts:1 It is wrong. Bearer [secret removed]";

const types: Check = {
  ...{ id: "types", name: "types", command: "npx tsc", kind: "static", folder: "work", blind: [] },
};

async function setUp(t: TestContext, { host }: { readonly host: CheckHost }, limits = { steps: 25 }) {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\n");
  const app = await openTestApp(t, { workspace, defaultModel: () => "svc-k3", checkHost: host });
  app.settings = { ...app.settings, limits };
  const change = (from: string, to: string) =>
    patchCall(`*** Begin Patch\n*** Update File: a.ts\n@@\n-${from}\n+${to}\n*** End Patch`);
  const rows = () =>
    app.session.state.turns.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === "tool"
          ? [`${part.status} ${part.message === undefined ? "" : inEnglish(part.message)}`]
          : [],
      ),
    );
  const sent = (at: number) => app.sim.requests.at(at)?.raw.toString("utf8") ?? "";
  return { app, change, rows, sent };
}

test("the model hears what its proposal breaks and repairs it before a person looks", async (t) => {
  const checks = hostFor([types]);
  const { app, change, rows, sent } = await setUp(t, checks);
  app.sim.reply(change("one", "wrong"));
  app.sim.reply(text("Done."));
  app.sim.reply(change("wrong", "right"));
  app.sim.reply(text("Mended."));
  const turn = await app.session.send({ prompt: "Change it." });
  assert.equal(turn?.status, "done");
  assert.deepEqual(checks.ran, ["wrong\n", "right\n"]);
  assert.deepEqual(rows(), [broken, "done types ✓ 1 s"]);
  assert.match(sent(2), /types: 1 new\.\\n {2}a\.ts:1:1 TS2322 It is wrong\.[^|]*\\n {4}\| wrong\\n/);
  assert.ok(!sent(2).includes("4242424242"), "what is secret stays here");
  assert.deepEqual(
    app.session.patches.checks?.results.map(({ state }) => state),
    ["passed"],
  );
});

test("a turn has no row for checks that all wait for a person", async (t) => {
  const checks = hostFor([types]);
  const remedy = "apt install bubblewrap";
  const unconfined: CheckHost = {
    ...checks.host,
    confinement: async () => ({ kind: "none", why: message("sandboxMissing"), remedy }),
  };
  const { app, change, rows } = await setUp(t, { host: unconfined });
  app.sim.reply(change("one", "wrong"));
  app.sim.reply(text("Done."));
  const turn = await app.session.send({ prompt: "Change it." });
  assert.equal(turn?.status, "done");
  assert.deepEqual([checks.ran, rows()], [[], []]);
  assert.deepEqual(
    app.session.patches.checks?.results.map(({ state }) => state),
    ["waiting"],
  );
});

test("the edit command runs the checks that are due on its proposal", async (t) => {
  const checks = hostFor([types]);
  const { app, change } = await setUp(t, checks);
  const { session, release } = app.registry.task();
  app.sim.reply(text("One is two now."), change("one", "two"));
  app.sim.reply(text("Done."));
  const turn = await session.send({ prompt: "Two.", command: "edit" });
  app.sim.done();
  assert.deepEqual([turn?.status, checks.ran], ["done", ["two\n"]]);
  await release();
});

test("a turn asks for a last text after two repair rounds and ends with it", async (t) => {
  const checks = hostFor([types]);
  const { app, change, rows, sent } = await setUp(t, checks);
  const words = ["one", "wrong 1", "wrong 2", "wrong 3"];
  for (const [at, word] of words.slice(1).entries()) {
    app.sim.reply(change(words[at] ?? "", word));
    app.sim.reply(text("Done."));
  }
  app.sim.reply(text("It is still wrong."));
  const turn = await app.session.send({ prompt: "Change it." });
  assert.equal(turn?.status, "done");
  assert.equal(checks.ran.length, 3);
  assert.deepEqual(
    rows(),
    Array.from({ length: 3 }, () => broken),
  );
  assert.equal(app.sim.requests.length, 7);
  assert.deepEqual(
    [2, 4, 6].map((at) => [sent(at).includes("Mend it"), sent(at).includes("Change nothing more")]),
    [
      [true, false],
      [true, false],
      [true, true],
    ],
  );
  assert.equal(turn && answerMarkdown(turn), "It is still wrong.");
});

test("a turn whose checks pass keeps the response and sends no further request", async (t) => {
  const { app, change } = await setUp(t, hostFor([types]));
  app.sim.reply(change("one", "two"));
  app.sim.reply(text("Done."));
  const turn = await app.session.send({ prompt: "Change it." });
  assert.equal(app.sim.requests.length, 2);
  assert.equal(turn && answerMarkdown(turn), "Done.");
});

test("run_checks without a proposal reports all findings, and later those that the proposal fixed", async (t) => {
  const checks = hostFor([types], async () => {}, "a.ts(1,1): error TS2322: Old.\n");
  const { app, change, rows, sent } = await setUp(t, checks);
  app.sim.reply(call("run_checks", { check: "lint" }));
  app.sim.reply(call("run_checks", {}));
  app.sim.reply(change("one", "two"));
  app.sim.reply(text("Done."));
  await app.session.send({ prompt: "Mend the errors." });
  assert.match(sent(1), /There is no check named .{0,4}lint.{0,4}\. There are: types\./);
  assert.match(
    sent(2),
    /Nothing is proposed[^-]*- types: 1 found\.\\n {2}a\.ts:1:1 TS2322 Old\.\\n {4}\| one/,
  );
  assert.deepEqual(rows().slice(1), ["done types ✗ 1 found", "done ✓ types: failed before, passes now"]);
});

test("run_checks called by the model reports findings that are not repeated after the turn", async (t) => {
  const checks = hostFor([types]);
  const { app, change, sent } = await setUp(t, checks);
  app.sim.reply(change("one", "wrong"));
  app.sim.reply(call("run_checks", {}));
  app.sim.reply(text("It stays as it is."));
  await app.session.send({ prompt: "Change it." });
  assert.equal(app.sim.requests.length, 3);
  assert.equal(checks.ran.length, 1);
  assert.match(sent(0), /"name":"run_checks"/);
  assert.match(sent(2), /types: 1 new/);
});

test("a session without checks offers no run_checks tool, and a turn without a proposal runs no check", async (t) => {
  const none = await setUp(t, hostFor([]));
  none.app.sim.reply(text("Hello."));
  await none.app.session.send({ prompt: "Hello?" });
  assert.ok(!none.sent(0).includes("run_checks"));
  const checks = hostFor([types]);
  const some = await setUp(t, checks);
  some.app.sim.reply(text("Hello."));
  await some.app.session.send({ prompt: "Hello?" });
  assert.deepEqual(checks.ran, []);
});

test("Stop ends a running check and its turn", async (t) => {
  let stop = () => {};
  const checks = hostFor([types], async (signal) => {
    const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    stop();
    await stopped;
  });
  const { app, change } = await setUp(t, checks);
  stop = () => app.session.stop();
  app.sim.reply(change("one", "wrong"));
  app.sim.reply(text("Done."));
  const turn = await app.session.send({ prompt: "Change it." });
  assert.equal(turn?.status, "stopped");
  assert.deepEqual(checks.ran, []);
  assert.equal(app.session.patches.changes.pending.length, 1);
});

test("repair rounds count toward the request limit of a turn", async (t) => {
  const checks = hostFor([types]);
  const { app, change } = await setUp(t, checks, { steps: 2 });
  app.sim.reply(change("one", "wrong"));
  app.sim.reply(text("Done."));
  const turn = await app.session.send({ prompt: "Change it." });
  assert.deepEqual([turn?.status, turn?.problem?.kind], ["incomplete", "limit"]);
  assert.equal(app.sim.requests.length, 2);
});

test("check results are kept with an accepted edit only if they were about exactly that edit", async (t) => {
  const checks = hostFor([types]);
  const { app, change } = await setUp(t, checks);
  const proofOf = async () => {
    const written = await app.session.patches.changes.writtenIn({ folder: "work", path: "a.ts" });
    return written.map(({ acceptance }) => acceptance?.proof.map(inEnglish));
  };
  const accept = async () => {
    const { changes } = app.session.patches;
    const hunks = changes.pending.flatMap((file) => file.hunks.map(({ id }) => id));
    assert.deepEqual(await changes.accept(hunks), { outcome: "done" });
  };
  app.sim.reply(change("one", "two"));
  app.sim.reply(text("Done."));
  await app.session.send({ prompt: "Change it." });
  await accept();
  assert.deepEqual(await proofOf(), [["types ✓"]]);
  const { session } = app;
  await session.patches.propose(
    session.state.turns[0]?.id ?? "",
    "*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+three\n*** End Patch",
  );
  await accept();
  assert.deepEqual(await proofOf(), [["types ✓"], []]);
});
