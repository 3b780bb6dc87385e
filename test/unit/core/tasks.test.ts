// Tasks: what an action of the editor asks. Each has a history of its own, stands in no list, and becomes a conversation of
// the list with all that it holds when somebody goes on with it, or when it would not be found again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { conversationStore } from "../../../src/core/session/conversation-store.ts";
import { removeFinishedTasks } from "../../../src/core/session/finished-tasks.ts";
import type { Session } from "../../../src/core/session/session.ts";
import { silentLog } from "../../../src/core/util/log.ts";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { failed, patchCall, text } from "../../sim/script.ts";
import { startSimulator } from "../../sim/simulator.ts";
import { chatRequestTokens, responsesTokens } from "../../sim/tokens.ts";
import { acceptPatch, patchesIn } from "../../support/decide-patches.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { openTestApp, type TestApp } from "../../support/test-app.ts";
import { openWholeService } from "../../support/whole-service.ts";
import { temporaryFolder } from "./store/store-support.ts";

const change = "*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch";
const selection = { kind: "selection", path: "a.ts", start: 1, end: 1 } as const;
const fix = { prompt: "a.ts, line 1", command: "fix", attachments: [selection] };

async function openTaskDesk(t: Parameters<typeof openTestApp>[0]) {
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

test("an edit of a function of 30 lines sends at most 3,000 tokens, instructions and tools among them, to whichever model", async (t) => {
  const { app, workspace } = await openTaskDesk(t);
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
    assert.ok(tokens <= 3000, `${model}: ${tokens} tokens`);
    await lease.release();
  }
});

test("a task knows nothing of the open conversation, has tools, changes files, and stands in no list", async (t) => {
  const { app, workspace } = await openTaskDesk(t);
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

test("a task takes the place of the conversation in the chat view, which stays as it is; what both use is in the ledger", async (t) => {
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
    if (prompt === "One?") await surfaces.beginAside("task");
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

test("continued in the chat it is a conversation with its turns, its patch and what was attached, in every later window", async (t) => {
  const { app } = await openTaskDesk(t);
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

test("who asks on in a task goes on with it; who asks the same again does not", async (t) => {
  const { app } = await openTaskDesk(t);
  const { session, release } = await fixed(app);
  app.sim.reply(text("Again."));
  await session.again("regenerate", session.state.turns[0]?.id ?? "");
  assert.deepEqual([session.isTask, await listed(app)], [true, []]);
  app.sim.reply(text("Because."));
  await session.send({ prompt: "Why?" });
  assert.deepEqual([session.isTask, await listed(app)], [false, [session.id]]);
  await release();
});

test("what waits in a task that has no turn yet is on the disk, and in no list", async (t) => {
  const { app } = await openTaskDesk(t);
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

test("a task that is left while something of it waits or it runs stands in the list; one that has ended does not", async (t) => {
  const { app } = await openTaskDesk(t);
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

test("what a task proposed waits in the next window, where nobody has left it", async (t) => {
  const { app } = await openTaskDesk(t);
  const waiting = app.registry.task();
  app.sim.reply(patchCall(change));
  app.sim.reply(text("As you wish."));
  await waiting.session.send(fix);
  await app.restart();
  await begin(app);
  assert.deepEqual(await listed(app), [waiting.session.id]);
});

test("in the next window finished tasks are gone, and one that was cut off or has words in its box is in the list", async (t) => {
  const { app } = await openTaskDesk(t);
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

test("a task without tools that failed can be continued in the chat: then it is on the disk, and has tools", async (t) => {
  const { app } = await openTaskDesk(t);
  const { registry, sim } = app;
  const { session, release } = registry.task("bare");
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

test("a branch of a task is a conversation of the list", async (t) => {
  const { app } = await openTaskDesk(t);
  const { session, release } = await fixed(app);
  await release();
  const id = await app.library.branch(session.id, {
    turn: session.state.turns[0]?.id ?? "",
    place: "after",
  });
  assert.deepEqual(await listed(app), [id]);
});
