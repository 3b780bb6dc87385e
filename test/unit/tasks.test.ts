// Tasks: what an action of the editor asks. Each has a history of its own, stands in no list, and becomes a conversation of
// the list with all that it holds when somebody goes on with it, or when it would not be found again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { conversationStore, removeFinishedTasks } from "../../src/session/conversation-store.ts";
import type { Session } from "../../src/session/session.ts";
import { silentLog } from "../../src/util/log.ts";
import { holdBefore } from "../sim/delivery-faults.ts";
import { call, failed, type Part, patchCall, text } from "../sim/script.ts";
import { startSimulator } from "../sim/simulator.ts";
import { chatRequestTokens, responsesTokens } from "../sim/tokens.ts";
import { acceptPatch, patchesIn } from "../support/decide-patches.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { openTestApp, type TestApp } from "../support/test-app.ts";
import { openWholeService } from "../support/whole-service.ts";
import { temporaryFolder } from "./store/store-support.ts";

const change = "*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch";
const selection = { kind: "selection", path: "a.ts", start: 1, end: 1 } as const;
const fix = { prompt: "a.ts, line 1", command: "fix", attachments: [selection] };

async function openTaskFixture(t: Parameters<typeof openTestApp>[0]) {
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\n");
  return { workspace, app: await openTestApp(t, { workspace, defaultModel: () => "svc-k3" }) };
}

const listed = async ({ library }: TestApp) => (await library.list()).map(({ id }) => id);
const tasks = async ({ library }: TestApp) => (await library.tasks()).map(({ id }) => id);

/** As the next window does, in which nothing but the conversation in sight is open. */
const begin = ({ library, registry }: TestApp) =>
  removeFinishedTasks({
    library,
    store: conversationStore(library),
    isOpen: (id) => registry.find(id) !== undefined,
    log: silentLog,
  });

/** All that it proposes. */
async function accept({ patches: { changes }, onEvent, state }: Session): Promise<void> {
  for (const { call } of patchesIn(state.turns)) await acceptPatch({ changes, onEvent }, call);
}

/** A task whose patch was accepted. */
async function fixed({ sim, registry }: TestApp) {
  const lease = registry.task();
  sim.reply(patchCall(change));
  sim.reply(text("Fixed."));
  assert.equal((await lease.session.send(fix))?.status, "done");
  await accept(lease.session);
  return lease;
}

test("an edit task for a function of 30 lines sends at most 3,700 tokens on either route", async (t) => {
  const { app, workspace } = await openTaskFixture(t);
  const line = (at: number) =>
    `  const amount${at} = Math.round((lines[${at}]?.cents ?? 0) * (rates.get("rate ${at}") ?? 1));`;
  const code = ["export function subtotals(lines: Line[], rates: Rates): number[] {", "  // each", "}"];
  code.splice(1, 1, ...Array.from({ length: 28 }, (_, at) => line(at)));
  workspace.write("work/b.ts", ['import type { Line } from "./a";', "", ...code, ""].join("\n"));
  const [whole, imports] = [
    { kind: "selection", path: "b.ts", start: 3, end: 32 } as const,
    { kind: "selection", path: "b.ts", start: 1, end: 1 } as const,
  ];
  for (const [model, count] of [
    ["svc-k3", responsesTokens],
    ["svc-k2.6", chatRequestTokens],
  ] as const) {
    const lease = app.registry.task();
    lease.session.choices.chooseModel(model);
    app.sim.reply(text("As it is."));
    await lease.session.send({ prompt: "Add tax.", command: "edit", attachments: [whole, imports] });
    const { body = {} } = app.sim.requests.at(-1) ?? {};
    assert.match(JSON.stringify(body), /rate 27/);
    const tokens = count(body).length;
    t.diagnostic(`${model}: ${tokens} tokens`);
    assert.ok(tokens <= 3700, `${model}: ${tokens} tokens`);
    await lease.release();
  }
});

test("a task has its own history and tools, changes files, and is not listed", async (t) => {
  const { app, workspace } = await openTaskFixture(t);
  app.sim.reply(text("In the conversation."));
  await app.session.send({ prompt: "A canary that no task hears." });
  const { session, release } = await fixed(app);
  const { raw, body } = app.sim.requests.at(-1) ?? assert.fail();
  assert.doesNotMatch(raw.toString("utf8"), /canary/);
  assert.ok(Array.isArray(body["tools"]));
  assert.equal(readFileSync(join(workspace.root, "work/a.ts"), "utf8"), "two\n");
  assert.deepEqual([await listed(app), await tasks(app)], [[app.session.id], [session.id]]);
  // Whoever leaves it can come back to it in this window.
  await release();
  const again = await app.registry.open(session.id);
  assert.deepEqual([again.session.isTask, again.session.state.turns.length], [true, 1]);
  await again.release();
});

test("an edit task ends with a response that explains and proposes a fitting patch, and otherwise continues", async (t) => {
  const { app } = await openTaskFixture(t);
  const unfit = "*** Begin Patch\n*** Update File: a.ts\n@@\n-gone\n+two\n*** End Patch";
  /** How many requests it takes. */
  async function requestsOf(command: string | undefined, ...replies: (readonly Part[])[]) {
    const before = app.sim.requests.length;
    const { session, release } = app.registry.task();
    for (const reply of replies) app.sim.reply(...reply);
    const turn = await session.send({ ...fix, command });
    app.sim.done();
    assert.equal(turn?.status, "done");
    assert.equal(session.waiting?.files, 1);
    const [patch] = patchesIn([turn]).slice(-1);
    assert.ok(patch);
    await session.patches.changes.withdraw([patch.call]);
    await release();
    return app.sim.requests.length - before;
  }
  const said = text("One is two now.");
  assert.equal(await requestsOf("edit", [said, patchCall(change)]), 1);
  assert.equal(await requestsOf("fix", [patchCall(change)], [said]), 2, "nothing was said");
  assert.equal(await requestsOf("edit", [said, patchCall(unfit)], [said, patchCall(change)]), 2, "refused");
  const read = call("read_file", { path: "a.ts" });
  assert.equal(await requestsOf("edit", [said, patchCall(change), read], [said]), 2, "wants to know more");
  assert.equal(await requestsOf("explain", [said, patchCall(change)], [said]), 2, "no edit");
});

test("a task continued in the chat returns an output for every patch call, earlier ones with the next question", async (t) => {
  const { app } = await openTaskFixture(t);
  const { session, release } = app.registry.task();
  app.sim.reply(text("One is two now."), patchCall(change, { callId: "call_once" }));
  await session.send(fix);
  await session.continueInChat();
  app.sim.reply(text("Three."), patchCall(change.replace("two", "three").replace("one", "two")));
  app.sim.reply(text("It is three now."));
  await session.send({ ...fix, prompt: "And three." });
  app.sim.done();
  const items = app.sim.requests.at(-1)?.body["input"];
  assert.match(JSON.stringify(items), /"call_id":"call_once","output":"Success/);
  await release();
});

test("a task replaces the conversation in the chat view, and the ledger records the usage of both", async (t) => {
  const sim = await startSimulator({});
  t.after(() => sim.close());
  const service = await openWholeService({
    folder: temporaryFolder(t),
    sim,
    workspace: createFolderWorkspace(),
  });
  t.after(() => service.close());
  const { surfaces, library, ledgers } = service;
  const before = surfaces.session.id;
  for (const prompt of ["One?", "Fix it."]) {
    sim.reply(text("Done."));
    await surfaces.session.send({ prompt });
    if (prompt === "One?") await surfaces.openBeside("task");
  }
  const { id, isTask, state } = surfaces.session;
  assert.deepEqual([isTask, state.turns.length], [true, 1]);
  await service.removeFinishedTasks();
  assert.deepEqual(
    (await library.tasks()).map((each) => each.id),
    [id],
  );
  assert.deepEqual(
    (await library.list()).map((each) => each.id),
    [before],
  );
  await ledgers.flush();
  const rows = await ledgers.usage.since(0);
  assert.deepEqual(
    rows.map(({ conversation }) => conversation),
    [before, id],
  );
});

test("a task continued in the chat keeps its turns, patch and attachments in every later window", async (t) => {
  const { app } = await openTaskFixture(t);
  const { session, release } = await fixed(app);
  await session.continueInChat();
  assert.equal(session.isTask, false);
  assert.deepEqual(await listed(app), [session.id]);
  await release();
  await app.restart();
  await begin(app);
  assert.deepEqual([await listed(app), app.session.id], [[session.id], session.id]);
  const [turn] = app.session.state.turns;
  assert.equal(turn?.prompt, "/fix a.ts, line 1");
  assert.deepEqual(
    turn?.attachments.map(({ kind, path }) => [kind, path]),
    [["selection", "a.ts"]],
  );
  assert.deepEqual(
    turn?.parts.flatMap((part) => (part.type === "patch" ? [part.status] : [])),
    ["applied"],
  );
});

test("a task becomes a conversation with a second question, but not with regenerate", async (t) => {
  const { app } = await openTaskFixture(t);
  const { session, release } = await fixed(app);
  app.sim.reply(text("Again."));
  await session.retry("regenerate", session.state.turns[0]?.id ?? "");
  assert.deepEqual([session.isTask, await listed(app)], [true, []]);
  app.sim.reply(text("Because."));
  await session.send({ prompt: "Why?" });
  assert.deepEqual([session.isTask, await listed(app)], [false, [session.id]]);
  await release();
});

test("a task with only a draft is on disk but unlisted, and is listed in the next window", async (t) => {
  const { app } = await openTaskFixture(t);
  const { session, release } = app.registry.task();
  session.draft.write("Not sent yet");
  await session.draft.save();
  assert.deepEqual([await listed(app), await tasks(app)], [[], [session.id]]);
  await release();
  await begin(app);
  assert.deepEqual([await listed(app), await tasks(app)], [[session.id], []]);
  const again = await app.registry.open(session.id);
  assert.equal(again.session.draft.text, "Not sent yet");
  await again.release();
});

test("a released task is listed only while it has something pending", async (t) => {
  const { app } = await openTaskFixture(t);
  const { registry, sim } = app;
  await (await fixed(app)).release();
  assert.deepEqual(await listed(app), []);
  const waiting = registry.task();
  sim.reply(patchCall("*** Begin Patch\n*** Update File: a.ts\n@@\n-two\n+three\n*** End Patch"));
  sim.reply(text("As you wish."));
  await waiting.session.send(fix);
  assert.deepEqual([await listed(app), waiting.session.status], [[], "needs-review"]);
  await waiting.release();
  assert.deepEqual(await listed(app), [waiting.session.id]);
  await app.restart();
  await begin(app);
  assert.deepEqual(await listed(app), [waiting.session.id]);
  const again = await app.registry.open(waiting.session.id);
  await again.session.patches.changes.refresh();
  assert.equal(again.session.status, "needs-review");
  await accept(again.session);
  await again.release();
});

test("a task with a pending proposal is listed in the next window", async (t) => {
  const { app } = await openTaskFixture(t);
  const waiting = app.registry.task();
  app.sim.reply(patchCall(change));
  app.sim.reply(text("As you wish."));
  await waiting.session.send(fix);
  await app.restart();
  await begin(app);
  assert.deepEqual(await listed(app), [waiting.session.id]);
});

test("the next window deletes finished tasks and lists interrupted ones and those with a draft", async (t) => {
  const { app } = await openTaskFixture(t);
  const { registry, sim } = app;
  const done = await fixed(app);
  const typed = registry.task();
  sim.reply(text("Nothing to fix."));
  await typed.session.send(fix);
  typed.session.draft.write("But what of");
  const cut = registry.task();
  sim.replyWith(() => [text("Never."), holdBefore(1)]);
  const begun = new Promise<void>((resolve) => {
    cut.session.onEvent(({ type }) => type === "started" && resolve());
  });
  void cut.session.send(fix);
  await begun;
  const ids = [done, typed, cut].map(({ session }) => session.id);
  assert.deepEqual([await listed(app), (await tasks(app)).sort()], [[], [...ids].sort()]);
  // While they are open here nothing becomes of them.
  await begin(app);
  assert.equal((await tasks(app)).length, 3);
  await app.restart();
  await begin(app);
  assert.deepEqual(await tasks(app), []);
  assert.deepEqual((await listed(app)).sort(), [typed.session.id, cut.session.id].sort());
  await assert.rejects(app.library.open(done.session.id));
});

test("a failed bare task continued in the chat is saved and gets tools", async (t) => {
  const { app } = await openTaskFixture(t);
  const { registry, sim } = app;
  const { session, release } = registry.bareTask();
  sim.reply(failed());
  assert.equal((await session.send({ prompt: "Write a message." }))?.status, "failed");
  assert.equal(sim.requests.at(-1)?.body["tools"], undefined);
  await session.continueInChat();
  assert.deepEqual(await listed(app), [session.id]);
  sim.reply(text("Now."));
  await session.send({ prompt: "Once more." });
  assert.ok(Array.isArray(sim.requests.at(-1)?.body["tools"]));
  await release();
  await app.restart();
  const { turns } = app.session.state;
  assert.deepEqual(
    turns.map(({ prompt }) => prompt),
    ["Write a message.", "Once more."],
  );
});

test("a task has only the tools it was given, even if the model calls others", async (t) => {
  const { app } = await openTaskFixture(t);
  const { registry, sim } = app;
  const { session, release } = registry.bareTask(["read_file", "search_text"]);
  sim.reply(call("read_file", { path: "a.ts" }), patchCall(change));
  sim.reply(text("[]"));
  assert.equal((await session.send({ prompt: "Review it." }))?.status, "done");
  const offered = sim.requests[0]?.body["tools"] as readonly { readonly name: string }[];
  assert.deepEqual(
    offered.map(({ name }) => name),
    ["read_file", "search_text"],
  );
  const answers = JSON.stringify(sim.requests[1]?.body["input"]);
  assert.match(answers, /1\\tone/);
  assert.match(answers, /There is no tool named .{0,4}apply_patch/);
  assert.deepEqual(session.patches.changes.pending, []);
  await release();
});

test("a branch of a task is a listed conversation", async (t) => {
  const { app } = await openTaskFixture(t);
  const { session, release } = await fixed(app);
  await release();
  const id = await app.library.branch(session.id, {
    turn: session.state.turns[0]?.id ?? "",
    place: "after",
  });
  assert.deepEqual(await listed(app), [id]);
});
