// Conversations side by side: any number run, nobody who goes to another one ends what runs, and each is kept whole.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openLibrary } from "../../src/session/conversation-store.ts";
import type { Session } from "../../src/session/session.ts";
import type { SessionRegistry } from "../../src/session/session-registry.ts";
import { holdBefore, splitEvery } from "../sim/delivery-faults.ts";
import { status } from "../sim/http-answers.ts";
import { patchCall, text } from "../sim/script.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { ask, openTestApp, prompts } from "../support/test-app.ts";

const k3 = { defaultModel: () => "svc-k3" };

/** Resolves once this holds, now or after a change in the registry. */
function once(registry: SessionRegistry, is: () => boolean): Promise<void> {
  if (is()) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = registry.onChange(() => {
      if (!is()) return;
      listening.dispose();
      resolve();
    });
  });
}

/** Resolves at the first event of this kind. */
const next = (session: Session, type: string) =>
  new Promise<void>((resolve) => {
    const listening = session.onEvent((event) => {
      if (event.type !== type) return;
      listening.dispose();
      resolve();
    });
  });

test("five concurrent conversations stop, fail or are interrupted independently and are kept intact", async (t) => {
  const app = await openTestApp(t, k3);
  const { registry, sim } = app;
  const held = Array.from({ length: 5 }, () => holdBefore(1));
  const reply: Parameters<typeof sim.replyWith>[0] = ({ raw }) => {
    const number = Number(/Question (\d)/.exec(raw.toString("utf8"))?.[1]);
    const hold = held[number];
    return hold === undefined || number === 1
      ? [status(400)]
      : [text(`Answer ${number}.`), splitEvery(7), hold];
  };
  for (const _ of held) sim.replyWith(reply);
  const sessions: Session[] = [];
  const turns: Promise<unknown>[] = [];
  for (const number of [0, 1, 2, 3, 4]) {
    const { session } = app;
    const begun = next(session, "started");
    turns.push(session.send({ prompt: `Question ${number}` }));
    await begun;
    sessions.push(session);
    await app.newConversation();
  }
  const [zero, one, two, three, four] = sessions.map(({ id }) => id);
  await once(registry, () => registry.activityOf(one ?? "") === "failed");
  assert.deepEqual(
    [zero, one, two, three, four].map((id) => registry.activityOf(id ?? "")),
    ["running", "failed", "running", "running", "running"],
  );
  assert.deepEqual(registry.others(app.session), { running: 4, waiting: 0, failed: 1 });
  sessions[2]?.stop();
  await turns[2];
  assert.equal(registry.activityOf(two ?? ""), undefined, "who stops one knows that it has ended");
  assert.deepEqual(registry.others(app.session), { running: 3, waiting: 0, failed: 1 });
  for (const each of [held[0], held[4]]) each?.release();
  await Promise.all([turns[0], turns[4]]);
  await once(registry, () => registry.sessions.length === 2);
  assert.equal(registry.activityOf(zero ?? ""), "finished");
  await app.open(zero ?? "");
  assert.equal(registry.activityOf(zero ?? ""), undefined, "who has opened it knows");
  await app.restart();
  const statuses: (string | undefined)[] = [];
  for (const id of [zero, one, two, three, four]) {
    await app.open(id ?? "");
    statuses.push(app.session.state.turns.at(-1)?.status);
  }
  assert.deepEqual(statuses, ["done", "failed", "stopped", "interrupted", "done"]);
});

test("a conversation with a pending review can be closed and is reviewed when it is reopened", async (t) => {
  const workspace = createFolderWorkspace();
  const app = await openTestApp(t, { workspace, ...k3 });
  const { registry, sim } = app;
  workspace.write("work/a.ts", "one\n");
  sim.reply(patchCall("*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch"));
  sim.reply(text("Done."));
  const { session } = app;
  await session.send({ prompt: "Change it." });
  assert.equal(session.status, "needs-review");
  await app.newConversation();
  const inReview = registry.others(app.session, [session]);
  assert.deepEqual(inReview, { running: 0, waiting: 0, failed: 0 }, "it is reviewed beside this one");
  await once(registry, () => registry.find(session.id) === undefined);
  assert.equal(registry.activityOf(session.id), "needs-review", "it is found in the list");
  assert.deepEqual(registry.others(app.session), { running: 0, waiting: 1, failed: 0 });
  assert.deepEqual(await app.library.leftToReview(), [session.id], "and in the lists of windows to come");
  await app.open(session.id);
  const { changes } = app.session.patches;
  await changes.refresh();
  assert.equal(registry.activityOf(session.id), "needs-review");
  assert.deepEqual(await changes.accept(changes.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id))), {
    outcome: "done",
  });
  assert.equal(registry.activityOf(session.id), undefined);
  await app.newConversation();
  await once(registry, () => registry.find(session.id) === undefined);
  assert.equal(registry.activityOf(session.id), undefined);
  assert.deepEqual(await app.library.leftToReview(), []);
  assert.equal(workspace.text("work/a.ts"), "two\n");
});

test("the session registry shares one session between concurrent opens and reopens it intact after release", async (t) => {
  const app = await openTestApp(t, k3);
  const { registry, sim } = app;
  sim.reply(text("Eins."));
  await app.session.send({ prompt: "One?" });
  const { id } = app.session;
  await app.newConversation();
  const [first, second] = await Promise.all([registry.open(id), registry.open(id)]);
  assert.equal(first.session, second.session);
  void first.release();
  void second.release();
  await app.open(id);
  assert.deepEqual(prompts(app), ["One?"]);
});

test("the session registry shares the latest conversation and unlocks it after the last release", async (t) => {
  const app = await openTestApp(t, k3);
  const { registry } = app;
  await ask(app, "One?", "Eins.");
  const { id } = app.session;
  const again = await registry.openLatest();
  assert.equal(again.session, app.session);
  await again.release();
  await app.newConversation();
  await once(registry, () => registry.find(id) === undefined);
  const otherWindow = openLibrary(app.folder, "", Date.now);
  const journal = await otherWindow.open(id);
  assert.equal(journal.readOnly, undefined);
  await otherWindow.close();
});

test("the session registry ends a removed conversation, and stopAll stops all running ones", async (t) => {
  const app = await openTestApp(t, k3);
  const { registry, sim } = app;
  for (const _ of [1, 2]) sim.replyWith(() => [text("Never."), holdBefore(1)]);
  const running: Promise<unknown>[] = [];
  for (const prompt of ["One?", "Two?"]) {
    const begun = next(app.session, "started");
    running.push(app.session.send({ prompt }));
    await begun;
    await app.newConversation();
  }
  const [first] = registry.sessions.filter(({ isRunning }) => isRunning);
  await registry.remove(first?.id ?? "");
  assert.equal(registry.find(first?.id ?? ""), undefined);
  sim.replyWith(() => [status(400)]);
  const failing = app.session.send({ prompt: "Three?" });
  const { id: failed } = app.session;
  await app.newConversation();
  await failing;
  await once(registry, () => registry.activityOf(failed) === "failed");
  await registry.remove(failed);
  assert.equal(registry.others(app.session).failed, 0, "nobody looks for what is gone");
  registry.stopAll();
  await Promise.all(running);
  await once(registry, () => registry.sessions.length === 1);
  assert.deepEqual(
    registry.sessions.map(({ isRunning }) => isRunning),
    [false],
  );
});

test("a bare task sends only its own words, without tools, and leaves nothing on disk", async (t) => {
  const workspace = createFolderWorkspace();
  const app = await openTestApp(t, { workspace, ...k3 });
  const { registry, library, sim } = app;
  sim.reply(text("In the conversation."));
  await app.session.send({ prompt: "A canary that no task hears." });
  const lease = registry.bareTask();
  sim.reply(text("Add a line"));
  const diff = { kind: "diff", name: "Staged changes", text: "+one\n" } as const;
  const turn = await lease.session.send({ prompt: "", command: "commit", attachments: [diff] });
  assert.equal(turn?.status, "done");
  const { raw, body } = sim.requests.at(-1) ?? assert.fail();
  assert.match(raw.toString("utf8"), /\+one/);
  assert.doesNotMatch(raw.toString("utf8"), /canary/);
  assert.equal(body["tools"], undefined);
  assert.ok(raw.length < 2500, `${raw.length} bytes`);
  await lease.release();
  assert.deepEqual(
    [registry.sessions.length, (await library.list()).map(({ id }) => id), await library.tasks()],
    [1, [app.session.id], []],
  );
});
