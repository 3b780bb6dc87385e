// Turns outside of a conversation: they go on from it, leave it alone, and are taken over whole or not at all.
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import {
  emptyPoint,
  KeptSideTurn,
  openSideTurn,
  type SideTurnStart,
  startSideTurn,
} from "../../../src/session/side-turn.ts";
import type { HostTool } from "../../../src/tools/tool-table.ts";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import { call, patchCall, text } from "../../sim/script.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp, type ShownDeps, type TestApp } from "../../support/test-app.ts";

const never = new AbortController().signal;
const patch = (path: string, from: string, to: string) =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch`;

async function openApp(t: TestContext, deps: Partial<ShownDeps> = {}) {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\ntwo\nthree\n");
  workspace.write("work/b.ts", "four\n");
  const app = await openTestApp(t, { defaultModel: () => "svc-k3", workspace, ...deps });
  app.sim.reply(text("Hello."));
  await app.session.send({ prompt: "Hello?" });
  return { app, workspace };
}

async function aside(app: TestApp, more: Partial<SideTurnStart> = {}) {
  return startSideTurn(app.registry.sideContext, {
    from: await app.session.point(),
    asked: { prompt: "Change a.ts." },
    model: "svc-k3",
    signal: never,
    ...more,
  });
}

const bodyOf = (app: TestApp, at: number) => app.sim.requests.at(at)?.body ?? {};
const inputOf = (app: TestApp, at: number) => bodyOf(app, at)["input"] as unknown[];
const rows = (app: TestApp) => app.session.state.turns.map(({ prompt, status }) => `${prompt} ${status}`);
const contents = async (app: TestApp) => {
  await app.session.patches.changes.refresh();
  return app.session.patches.changes.pending.map(({ change }) => change.file.path);
};

/** A side turn that has proposed a change of a.ts. */
async function proposing(app: TestApp, to: string, more: Partial<SideTurnStart> = {}) {
  app.sim.reply(patchCall(patch("a.ts", "two", to), { callId: "call_p" }));
  app.sim.reply(text(`It is ${to}.`));
  const side = await aside(app, more);
  await side.done;
  return side;
}

/** A side turn that has proposed these patches one after the other. */
async function patching(app: TestApp, ...patches: readonly string[]) {
  for (const [at, each] of patches.entries()) app.sim.reply(patchCall(each, { callId: `call_${at}` }));
  app.sim.reply(text("Done."));
  const side = await aside(app);
  await side.done;
  return side;
}

const moving = (path: string, to: string, from: string, now: string) =>
  patch(path, from, now).replace("\n@@", `\n*** Move to: ${to}\n@@`);

describe("startSideTurn", () => {
  it("goes on from the conversation with its cache, and leaves conversation, list and files alone", async (t) => {
    const { app, workspace } = await openApp(t);
    const events: ConversationEvent[] = [];
    const heard: ConversationEvent[] = [];
    app.session.onEvent((event) => heard.push(event));
    const side = await proposing(app, "TWO", { onEvent: (event) => events.push(event) });
    assert.equal(side.state?.status, "done");
    assert.deepEqual(
      side.files.map(({ change }) => change.file.path),
      ["a.ts"],
    );
    assert.deepEqual(inputOf(app, 1).slice(0, inputOf(app, 0).length), inputOf(app, 0));
    assert.equal(bodyOf(app, 1)["prompt_cache_key"], bodyOf(app, 0)["prompt_cache_key"]);
    const causes = events.flatMap((event) => (event.type === "usage" ? [event.cause] : []));
    assert.deepEqual(causes, ["candidate", "candidate"]);
    assert.deepEqual(rows(app), ["Hello? done"]);
    assert.deepEqual([heard, await contents(app)], [[], []]);
    assert.equal(workspace.text("work/a.ts"), "one\ntwo\nthree\n");
    const listed = await app.library.list();
    assert.equal(listed.length, 1);
    await side.close();
  });

  it("begins from nothing in another workspace", async (t) => {
    const { app } = await openApp(t);
    const workspace = createFolderWorkspace();
    workspace.write("work/other.ts", "here\n");
    app.sim.reply(call("read_file", { path: "other.ts" }, { callId: "c1" }));
    app.sim.reply(text("Read."));
    const side = await aside(app, { from: emptyPoint("other"), instead: { workspace } });
    assert.equal((await side.done)?.status, "done");
    assert.match(JSON.stringify(inputOf(app, 2)), /1\\there/);
    assert.doesNotMatch(JSON.stringify(inputOf(app, 2)), /Hello/);
    await side.close();
  });

  it("is stopped alone and asks nobody", async (t) => {
    const { app } = await openApp(t);
    app.sim.reply(call("ask_user", { question: "Which?", options: ["a", "b"] }, { callId: "c1" }));
    app.sim.reply(text("Then a."));
    const asking = await aside(app);
    assert.equal((await asking.done)?.status, "done");
    const held = holdBefore(1);
    app.sim.reply(text("Never."), held);
    const stopping = new AbortController();
    const stopped = await aside(app, { signal: stopping.signal });
    await app.sim.request(3);
    stopping.abort();
    assert.equal((await stopped.done)?.status, "stopped");
    for (const each of [asking, stopped]) await each.close();
  });

  it("runs no tool of somebody else that acts, also where that runs unasked", async (t) => {
    let runs = 0;
    const tool = (name: string, readOnly: boolean): HostTool => ({
      ...{ namespace: "server", name, description: name, parameters: {}, readOnly },
      call: async () => {
        runs += readOnly ? 0 : 1;
        return { output: "Done." };
      },
    });
    const { app } = await openApp(t, {
      hostTools: () => [tool("post", false), tool("find", true)],
      approvedTools: { has: () => true, add() {} },
    });
    app.settings = {
      ...app.settings,
      tools: { user: new Map([["server", "auto"]]), workspace: new Map() },
    };
    app.sim.reply(
      call("post", {}, { namespace: "server", callId: "c1" }),
      call("find", {}, { namespace: "server", callId: "c2" }),
    );
    app.sim.reply(text("Well."));
    const side = await aside(app);
    await side.done;
    assert.equal(runs, 0);
    const said = JSON.stringify(inputOf(app, -1));
    assert.match(said, /can't run while several answers are tried/);
    assert.match(said, /Done\./);
    await side.close();
  });

  it("accepts nothing by a rule", async (t) => {
    const { app, workspace } = await openApp(t);
    app.settings = { ...app.settings, autoAccept: ["**"] };
    workspace.write("work/a.md", "one\ntwo\n");
    app.sim.reply(patchCall(patch("a.md", "two", "three"), { callId: "call_p" }));
    app.sim.reply(text("Done."));
    const side = await aside(app);
    await side.done;
    assert.equal(side.files.length, 1);
    assert.equal(workspace.text("work/a.md"), "one\ntwo\n");
    await side.close();
  });
});

describe("Session.adopt", () => {
  it("takes over the response with its proposal, which is decided and told like any other", async (t) => {
    const { app, workspace } = await openApp(t);
    const side = await proposing(app, "TWO");
    const shown: ConversationEvent[] = [];
    app.session.onRemoteEvent((event) => shown.push(event));
    await app.session.adopt(await side.outcome());
    await side.close();
    assert.deepEqual(rows(app), ["Hello? done", "Change a.ts. done"]);
    assert.equal(shown.at(-1)?.type, "ended");
    assert.deepEqual(await contents(app), ["a.ts"]);
    const { changes } = app.session.patches;
    const ids = await changes.hunksOf(["call_p"]);
    assert.equal((await changes.accept(ids)).outcome, "done");
    assert.equal(workspace.text("work/a.ts"), "one\nTWO\nthree\n");
    const part = app.session.state.turns.at(-1)?.parts.find(({ type }) => type === "patch");
    assert.equal(part?.type === "patch" && part.status, "applied");
    app.sim.reply(text("Well."));
    await app.session.send({ prompt: "And now?" });
    assert.match(JSON.stringify(inputOf(app, -1)), /It is TWO.*call_p.*accepted/s);
    await app.restart();
    assert.deepEqual(rows(app), ["Hello? done", "Change a.ts. done", "And now? done"]);
  });

  it("takes it in place of a failed turn", async (t) => {
    const { app } = await openApp(t);
    app.sim.reply(status(400));
    const failed = await app.session.send({ prompt: "Change a.ts." });
    const insteadOf = failed?.id ?? "";
    app.sim.reply(text("Done."));
    const from = await app.session.point(insteadOf);
    const side = startSideTurn(app.registry.sideContext, { from, model: "svc-k3", signal: never });
    await side.done;
    await app.session.adopt(await side.outcome(), { insteadOf });
    await side.close();
    assert.deepEqual(rows(app), ["Hello? done", "Change a.ts. done"]);
    assert.equal(app.session.state.turns.at(-1)?.id, side.turn);
  });

  it("takes files of another turn in place of its own", async (t) => {
    const { app } = await openApp(t);
    const one = await proposing(app, "TWO");
    const other = await proposing(app, "2");
    const others = [{ of: await other.outcome(), paths: ["a.ts"] }];
    await app.session.adopt(await one.outcome(), { others });
    const [file] = app.session.patches.changes.pending;
    assert.equal(file?.change.kind === "update" && file.change.edits[0]?.text, "2\n");
    const statuses = app.session.state.turns
      .at(-1)
      ?.parts.flatMap((part) => (part.type === "patch" ? [[part.status, part.by]] : []));
    assert.deepEqual(statuses, [
      ["rejected", undefined],
      ["proposed", "person"],
    ]);
    for (const each of [one, other]) await each.close();
  });

  it("takes files of another turn on top of a proposal that waits", async (t) => {
    const { app } = await openApp(t);
    app.sim.reply(patchCall(patch("a.ts", "one", "ONE"), { callId: "call_w" }));
    app.sim.reply(text("Proposed."));
    await app.session.send({ prompt: "Change the first line." });
    const one = await proposing(app, "TWO");
    const other = await proposing(app, "2");
    const others = [{ of: await other.outcome(), paths: ["a.ts"] }];
    await app.session.adopt(await one.outcome(), { others });
    const [file] = app.session.patches.changes.pending;
    const edits = file?.change.kind === "update" ? file.change.edits.map((edit) => edit.text) : [];
    assert.equal(edits.join(""), "ONE\n2\n");
    for (const each of [one, other]) await each.close();
  });

  it("takes a file of another turn that a proposal that waits has moved", async (t) => {
    const { app } = await openApp(t);
    app.sim.reply(patchCall(moving("a.ts", "c.ts", "one", "ONE"), { callId: "call_w" }));
    app.sim.reply(text("Moved."));
    await app.session.send({ prompt: "Move it." });
    const [one, other] = [
      await patching(app, patch("c.ts", "two", "TWO")),
      await patching(app, patch("c.ts", "two", "2")),
    ];
    const shown = other.files.map(({ change }) => change.file.path);
    assert.deepEqual(shown, ["a.ts"]);
    await app.session.adopt(await one.outcome(), { others: [{ of: await other.outcome(), paths: shown }] });
    const [file] = app.session.patches.changes.pending;
    const edits = file?.change.kind === "move" ? file.change.edits.map((edit) => edit.text) : [];
    assert.equal(edits.join(""), "ONE\n2\n");
    for (const each of [one, other]) await each.close();
  });

  it("takes a file of another turn that was added under another name, and nothing of its others", async (t) => {
    const { app } = await openApp(t);
    const one = await proposing(app, "TWO");
    const adding = "*** Begin Patch\n*** Add File: c.ts\n+new\n*** End Patch";
    const other = await patching(
      app,
      patch("b.ts", "four", "4"),
      adding,
      moving("c.ts", "d.ts", "new", "newer"),
    );
    const others = [{ of: await other.outcome(), paths: ["d.ts"] }];
    await app.session.adopt(await one.outcome(), { others });
    assert.deepEqual((await contents(app)).toSorted(), ["a.ts", "d.ts"]);
    for (const each of [one, other]) await each.close();
  });

  it("takes nothing where the other turn has no change of a file that is chosen", async (t) => {
    const { app } = await openApp(t);
    const one = await proposing(app, "TWO");
    const other = await proposing(app, "2");
    const others = [{ of: await other.outcome(), paths: ["a.ts", "b.ts"] }];
    await assert.rejects(app.session.adopt(await one.outcome(), { others }), /have changed since/);
    assert.deepEqual([rows(app), await contents(app)], [["Hello? done"], []]);
    for (const each of [one, other]) await each.close();
  });

  it("takes nothing if a file of the other turn doesn't fit, and what it would replace stays", async (t) => {
    const { app, workspace } = await openApp(t);
    app.sim.reply(patchCall(patch("a.ts", "one", "ONE"), { callId: "call_w" }));
    app.sim.reply(status(400));
    const failed = await app.session.send({ prompt: "Change both." });
    const insteadOf = failed?.id ?? "";
    assert.deepEqual([failed?.status, await contents(app)], ["failed", ["a.ts"]]);
    const from = await app.session.point(insteadOf);
    const one = await proposing(app, "TWO", { from, asked: undefined });
    app.sim.reply(patchCall(patch("b.ts", "four", "FOUR"), { callId: "call_q" }));
    app.sim.reply(text("Done."));
    const other = await aside(app, { from, asked: undefined });
    await other.done;
    workspace.write("work/b.ts", "4\n");
    const before = app.session.patches.changes.pending.map(({ change }) => change);
    const others = [{ of: await other.outcome(), paths: ["b.ts"] }];
    const taking = app.session.adopt(await one.outcome(), { insteadOf, others });
    await assert.rejects(taking, /have changed since/);
    assert.deepEqual(rows(app), ["Hello? done", "Change both. failed"]);
    await app.restart();
    await app.session.patches.changes.refresh();
    const after = app.session.patches.changes.pending.map(({ change }) => change);
    assert.deepEqual(after, before);
    for (const each of [one, other]) await each.close();
  });

  it("takes a turn once, and leaves what waits of it alone the second time", async (t) => {
    const { app } = await openApp(t);
    const side = await proposing(app, "TWO");
    const outcome = await side.outcome();
    await app.session.adopt(outcome);
    await app.session.adopt(outcome);
    assert.deepEqual(rows(app), ["Hello? done", "Change a.ts. done"]);
    assert.deepEqual(await contents(app), ["a.ts"]);
    await side.close();
  });

  it("takes nothing where the conversation has gone on since, nor once it is closed", async (t) => {
    const { app } = await openApp(t);
    const side = await proposing(app, "TWO");
    const outcome = await side.outcome();
    app.sim.reply(text("Well."));
    await app.session.send({ prompt: "And you?" });
    await assert.rejects(app.session.adopt(outcome), /has gone on since/);
    assert.deepEqual([rows(app), await contents(app)], [["Hello? done", "And you? done"], []]);
    await side.close();
    const later = await proposing(app, "2");
    const { session } = app;
    await app.newConversation();
    await assert.rejects(session.adopt(await later.outcome()), /closed or handed over/);
    await later.close();
  });

  it("tells of the turn before its proposals, which keep that they are outside of what was asked", async (t) => {
    const { app } = await openApp(t);
    const told: string[] = [];
    app.session.onEvent(({ type }) => told.push(type));
    app.session.onRemoteEvent(({ type }) => told.push(type));
    app.sim.reply(
      patchCall(patch("a.ts", "two", "TWO"), { callId: "call_p" }),
      patchCall(patch("b.ts", "four", "FOUR"), { callId: "call_q" }),
    );
    app.sim.reply(text("Both."));
    const side = await aside(app);
    await side.done;
    const other = await proposing(app, "2");
    await app.session.adopt(await side.outcome(), {
      others: [{ of: await other.outcome(), paths: ["a.ts"] }],
    });
    assert.equal(told[0], "started");
    assert.ok(told.indexOf("patch") > 0 && told.indexOf("patch-state") > told.lastIndexOf("patch"));
    const outside = app.session.patches.changes.pending.flatMap(({ change, hunks }) =>
      hunks.some(({ flags }) => flags.includes("out-of-scope")) ? [change.file.path] : [],
    );
    assert.deepEqual(outside, ["b.ts"]);
    for (const each of [side, other]) await each.close();
  });

  it("takes one whose conversation was too long and was summarized for it", async (t) => {
    const { app } = await openApp(t);
    app.sim.reply(text("Long. ".repeat(2000)));
    await app.session.send({ prompt: "Tell me more." });
    app.sim.reply(status(400, { message: "Too long.", code: "context_length_exceeded" }));
    app.sim.reply(text("The summary."));
    app.sim.reply(text("Done."));
    const side = await aside(app);
    assert.equal((await side.done)?.status, "done");
    const outcome = await side.outcome();
    assert.equal(outcome.records.filter(({ type }) => type === "started").length, 2);
    assert.equal(side.turns.length, 2);
    await app.session.adopt(outcome);
    assert.deepEqual(rows(app).slice(-1), ["Change a.ts. done"]);
    assert.equal(app.session.state.turns.length, 4);
    await side.close();
  });

  it("takes nothing if the files have changed since", async (t) => {
    const { app, workspace } = await openApp(t);
    const side = await proposing(app, "TWO");
    workspace.write("work/a.ts", "one\n2\nthree\n");
    await assert.rejects(app.session.adopt(await side.outcome()), /have changed since/);
    assert.deepEqual([rows(app), await contents(app)], [["Hello? done"], []]);
    await side.close();
  });
});

describe("openSideTurn", () => {
  it("has what a finished turn of an earlier window has said and proposed", async (t) => {
    const { app } = await openApp(t);
    const before = await proposing(app, "TWO");
    const kept = KeptSideTurn.parse(JSON.parse(JSON.stringify(await before.kept())));
    await before.close();
    await app.restart();
    const side = openSideTurn(app.registry.sideContext, await app.session.point(), kept);
    assert.equal((await side.done)?.status, "done");
    await side.changes.refresh();
    assert.equal(side.files.length, 1);
    await app.session.adopt(await side.outcome());
    assert.deepEqual(await contents(app), ["a.ts"]);
    await side.close();
  });

  it("keeps none of the texts that the conversation has", async (t) => {
    const { app } = await openApp(t);
    app.sim.reply(patchCall(patch("a.ts", "one", "ONE"), { callId: "call_w" }));
    app.sim.reply(text("Proposed."));
    await app.session.send({ prompt: "Change the first line." });
    const before = await proposing(app, "TWO");
    const kept = await before.kept();
    assert.deepEqual(kept.changes.texts, ["ONE\nTWO\nthree\n"]);
    await before.close();
    await app.restart();
    const side = openSideTurn(app.registry.sideContext, await app.session.point(), kept);
    await app.session.adopt(await side.outcome());
    assert.deepEqual(await contents(app), ["a.ts"]);
    await side.close();
  });

  it("is not taken where the texts of what it proposes are gone", async (t) => {
    const { app } = await openApp(t);
    const before = await proposing(app, "TWO");
    const { changes, ...kept } = await before.kept();
    await before.close();
    const from = await app.session.point();
    const side = openSideTurn(app.registry.sideContext, from, {
      ...kept,
      changes: { ...changes, texts: [] },
    });
    await assert.rejects(app.session.adopt(await side.outcome()), /have changed since/);
    assert.deepEqual([rows(app), await contents(app)], [["Hello? done"], []]);
    await side.close();
  });

  it("tells of one that was cut off that it was", async (t) => {
    const { app } = await openApp(t);
    app.sim.reply(text("Never."), holdBefore(1));
    const before = await aside(app);
    await app.sim.request(1);
    const kept = await before.kept();
    await before.close();
    const side = openSideTurn(app.registry.sideContext, await app.session.point(), kept);
    assert.equal(side.state?.status, "interrupted");
    await side.close();
  });
});
