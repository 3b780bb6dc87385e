// Two windows with one conversation: the second reads along as it is written, keeps what waits in its own box, takes nothing
// from the first, and goes on with it when the first is gone, however it went.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { isWaitingTool } from "../../../src/conversation/reduce.ts";
import type { HostTool } from "../../../src/tools/tool-table.ts";
import { drip, holdBefore } from "../../sim/delivery-faults.ts";
import { call, text } from "../../sim/script.ts";
import { startSimulator } from "../../sim/simulator.ts";
import { english } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import type { Shown } from "../../support/test-app.ts";
import type { KillOrder, Promised } from "./kill-order.ts";
import { libraryOn, temporaryFolder } from "./store-support.ts";
import { openWindow, type Window, words } from "./window-support.ts";

const nextReread = ({ session }: Shown) => new Promise<void>((resolve) => session.onReread(resolve));

const nextHeard = ({ session }: Shown, type: ConversationEvent["type"]) =>
  new Promise<void>((resolve) => session.onRemoteEvent((event) => event.type === type && resolve()));

const answerOf = ({ session }: Shown) => {
  const last = session.state.turns.at(-1);
  return [last?.status, last?.parts.map((part) => (part.type === "text" ? part.text : "")).join("")];
};

test("a running response is shown in windows opened before and during it", async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  const { sim, shown } = writer;
  sim.reply(text("One."));
  await shown.session.send({ prompt: "One?" });
  const early = await openWindow(t, { folder, sim });
  let rereadings = 0;
  early.shown.session.onReread(() => void rereadings++);
  const words = "One word after the other, and another one after that.";
  const rest = holdBefore(8);
  sim.reply(text(words), rest);
  const heard = nextHeard(early.shown, "text");
  const answered = shown.session.send({ prompt: "Two?" });
  await heard;
  const late = await openWindow(t, { folder, sim });
  for (const reader of [early, late]) {
    await reader.shown.session.history.keptOf(lastTurn(reader.shown));
    const [status, arrived = ""] = answerOf(reader.shown);
    assert.equal(status, "running");
    assert.ok(arrived !== "" && arrived !== words && words.startsWith(arrived), arrived);
    // It runs there: here is nothing to be stopped or waited for.
    assert.deepEqual([reader.shown.session.status, reader.shown.session.isRunning], ["idle", false]);
  }
  const over = Promise.all([nextHeard(early.shown, "ended"), nextHeard(late.shown, "ended")]);
  rest.release();
  await answered;
  await over;
  for (const reader of [early, late]) {
    assert.deepEqual(answerOf(reader.shown), ["done", words]);
    assert.deepEqual([reader.events, reader.errors], [[], []], "what is done there is booked there");
    const [asked] = (await reader.shown.session.history.keptOf(lastTurn(reader.shown))).asked;
    assert.match(asked ?? "", /Two\?/);
  }
  assert.equal(rereadings, 0, "and nothing was shown anew");
  const promoted = nextReread(early.shown);
  await late.shown.close();
  await shown.close();
  await promoted;
  assert.deepEqual(answerOf(early.shown), ["done", words]);
});

test("a question sent while a window takes over a conversation is kept", async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  const { sim } = writer;
  sim.reply(text("One."));
  await writer.shown.session.send({ prompt: "One?" });
  const reader = await openWindow(t, { folder, sim });
  const { session } = reader.shown;
  await writer.shown.close();
  // From here on it is read again, which takes more than one turn of the loop.
  while (session.readOnly !== undefined) await new Promise(setImmediate);
  sim.reply(text("Two."));
  assert.equal((await session.send({ prompt: "Two?" }))?.status, "done");
  sim.reply(text("Three."));
  assert.equal((await session.send({ prompt: "Three?" }))?.status, "done");
  await reader.shown.close();
  const later = await openWindow(t, { folder, sim });
  const kept = later.shown.session.state.turns.map(({ prompt }) => prompt);
  assert.deepEqual(kept, ["One?", "Two?", "Three?"]);
});

/** It asks before it runs. */
const scales: HostTool = {
  namespace: "scales",
  name: "weigh",
  description: "Weighs.",
  parameters: { properties: {}, required: [] },
  readOnly: false,
  call: async () => ({ output: "3 kg" }),
};

const lastTurn = ({ session }: Shown) => session.state.turns.at(-1)?.id ?? "";

test("a tool decision in another window is shown here once it is made", async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, {
    folder,
    askingTool: scales,
    workspace: createFolderWorkspace(),
  });
  const { sim, shown } = writer;
  sim.reply(text("One."));
  await shown.session.send({ prompt: "One?" });
  const reader = await openWindow(t, { folder, sim });
  const heard: ConversationEvent[] = [];
  reader.shown.session.onRemoteEvent((event) => heard.push(event));
  sim.reply(call("weigh", {}, { namespace: "scales", callId: "c1" }));
  sim.reply(text("Done."));
  const asked = new Promise<void>((resolve) =>
    shown.session.onEvent((event) => isWaitingTool(event) && resolve()),
  );
  const answered = shown.session.send({ prompt: "Two?" });
  const started = nextHeard(reader.shown, "started");
  await asked;
  await started;
  await shown.session.flush();
  const late = await openWindow(t, { folder, sim });
  const over = Promise.all([nextHeard(reader.shown, "ended"), nextHeard(late.shown, "ended")]);
  shown.session.decide("c1", { kind: "reject" });
  await answered;
  await over;
  assert.deepEqual(heard.filter(isWaitingTool), []);
  for (const each of [reader, late]) assert.deepEqual(statusesIn(each.shown), statusesIn(shown));
});

for (const isTakenOver of [false, true])
  test(`an answer to a question of the model is shown in the window that reads along${isTakenOver ? " after a take-over" : ""}`, async (t) => {
    const folder = temporaryFolder(t);
    const first = await openWindow(t, { folder, workspace: createFolderWorkspace() });
    const { sim } = first;
    sim.reply(text("One."));
    await first.shown.session.send({ prompt: "One?" });
    const second = await openWindow(t, { folder, sim, workspace: createFolderWorkspace() });
    sim.reply(call("ask_user", { question: "Which?" }, { callId: "q" }));
    sim.reply(text("Done."));
    const asked = new Promise<void>((resolve) =>
      first.shown.session.onEvent((event) => isWaitingTool(event) && resolve()),
    );
    const running = first.shown.session.send({ prompt: "Two?" });
    await asked;
    await first.shown.session.flush();
    let [writer, reader] = [first.shown, second.shown];
    if (isTakenOver) {
      const rereadings = Promise.all([nextReread(writer), nextReread(reader)]);
      await reader.session.takeOver.ask();
      await rereadings;
      [writer, reader] = [reader, writer];
    }
    const late = await openWindow(t, { folder, sim });
    const over = Promise.all([nextHeard(reader, "ended"), nextHeard(late.shown, "ended")]);
    await writer.session.decide("q", { kind: "answer", text: "This one" });
    await running;
    await over;
    const rows = ({ session }: Shown) =>
      session.state.turns.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool"));
    const [row] = rows(writer);
    assert.match(JSON.stringify(row), /"done".*This one/);
    for (const each of [reader, late.shown, (await openWindow(t, { folder, sim })).shown])
      assert.deepEqual(rows(each), [row]);
  });

const statusesIn = ({ session }: Shown) =>
  session.state.turns.flatMap(({ parts }) =>
    parts.map((part) => [part.type, "status" in part && part.status]),
  );

test("a response whose window is killed is shown as interrupted in the other window", async (t) => {
  const folder = temporaryFolder(t);
  const words = "one word after the other, ".repeat(40);
  // One piece after the other window is there, and none after that.
  const [whileRead, never] = [holdBefore(8), holdBefore(12)];
  const sim = await startSimulator({ assistant: () => [text(words), whileRead, never] });
  t.after(() => sim.close());
  const first = await openWindow(t, { folder, sim });
  sim.reply(text("One."));
  await first.shown.session.send({ prompt: "say first" });
  await first.shown.close();
  const order: KillOrder = {
    // It is killed from here.
    ...{ number: 0, phase: "mid-stream", pass: Number.MAX_SAFE_INTEGER, delay: 0 },
    ...{ url: sim.url, key: sim.key, folder, workspace: temporaryFolder(t) },
  };
  const args = [".build/unit/store/killed.process.mjs", JSON.stringify(order)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const dead = once(child, "close");
  await once(child.stdout, "data");
  const reader = await openWindow(t, { folder, sim });
  const promoted = nextReread(reader.shown);
  const heard = nextHeard(reader.shown, "text");
  whileRead.release();
  await heard;
  assert.equal(answerOf(reader.shown)[0], "running");
  child.kill("SIGKILL");
  assert.deepEqual((await dead)[1], "SIGKILL");
  await promoted;
  const [status, arrived = ""] = answerOf(reader.shown);
  assert.equal(status, "interrupted");
  assert.ok(arrived !== "" && words.startsWith(arrived), arrived);
  assert.equal(reader.shown.session.readOnly, undefined);
});

/** A process that asks and patches without end, and a window that reads along with it. */
async function readAlongWithProcess(t: TestContext) {
  const folder = temporaryFolder(t);
  const sim = await startSimulator({
    assistant: () => [text("one word after the other, ".repeat(20)), drip(700, 1)],
  });
  t.after(() => sim.close());
  const first = await openWindow(t, { folder, sim });
  sim.reply(text("One."));
  await first.shown.session.send({ prompt: "say first" });
  await first.shown.close();
  const order: KillOrder = {
    // It is ended from here.
    ...{ number: 0, phase: "mid-stream", pass: Number.MAX_SAFE_INTEGER, delay: 0 },
    ...{ url: sim.url, key: sim.key, folder, workspace: temporaryFolder(t) },
  };
  const args = [".build/unit/store/killed.process.mjs", JSON.stringify(order)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const over = once(child, "close");
  let said = "";
  child.stdout.on("data", (piece) => {
    said += piece;
  });
  while (!said.includes('"what":"turn"')) await once(child.stdout, "data");
  const reader = await openWindow(t, { folder, sim });
  return { folder, sim, child, over, reader, said: () => said };
}

test("a conversation is taken over from another process in the middle of a response, and nothing of it is lost or doubled", async (t) => {
  const { folder, sim, over, reader, said } = await readAlongWithProcess(t);
  const { session } = reader.shown;
  const arrived = nextReread(reader.shown);
  await session.takeOver.ask();
  await arrived;
  // The process goes on asking, is refused, and ends.
  await over;
  const promised: Promised[] = said()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const turns = new Map<string, string>();
  for (const each of promised) {
    if (each.what === "turn") turns.set(each.id, each.status);
    // It was about to be asked again.
    else if (each.what === "cut") turns.delete(each.id);
  }
  assert.ok(promised.some(({ what }) => what === "turn"));
  for (const [id, status] of turns)
    assert.deepEqual(
      session.state.turns.filter((turn) => turn.id === id).map((turn) => turn.status),
      [status],
    );
  sim.reply(text("Here."));
  assert.equal((await session.send({ prompt: "Mine?" }))?.status, "done");
  await reader.shown.close();
  const later = await openWindow(t, { folder: folder, sim });
  assert.deepEqual(later.shown.session.repaired, []);
  assert.deepEqual(
    words(later.shown).map(([prompt]) => prompt),
    words(reader.shown).map(([prompt]) => prompt),
  );
});

test("a conversation is taken over from a process that does not respond", async (t) => {
  const { sim, child, over, reader } = await readAlongWithProcess(t);
  child.kill("SIGSTOP");
  const arrived = nextReread(reader.shown);
  await reader.shown.session.takeOver.ask();
  await arrived;
  sim.reply(text("Here."));
  assert.equal((await reader.shown.session.send({ prompt: "Mine?" }))?.status, "done");
  child.kill("SIGKILL");
  await over;
});

test("a conversation open in another window is read along and refuses questions here", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  const { sim } = writer;
  const say = async ({ shown }: Window, prompt: string) => {
    sim.reply(text(`Answer to ${prompt}`));
    return shown.session.send({ prompt });
  };
  await say(writer, "One?");
  const reader = await openWindow(t, { folder, sim });
  const prompts = () => words(reader.shown).map(([prompt]) => prompt);
  assert.deepEqual(prompts(), ["One?"]);
  assert.match(english(reader.shown.session.readOnly), /open in another window/);
  await assert.rejects(reader.shown.session.send({ prompt: "Mine?" }), /open in another window/);
  assert.equal(reader.shown.session.draft.text, "Mine?", "the words are in the box again");
  assert.equal(sim.requests.length, 1);
  const ended = nextHeard(reader.shown, "ended");
  await say(writer, "Two?");
  t.mock.timers.tick(1000);
  await ended;
  assert.deepEqual(prompts(), ["One?", "Two?"]);
  assert.equal(reader.shown.session.draft.text, "Mine?");
  const promoted = nextReread(reader.shown);
  await writer.shown.close();
  t.mock.timers.tick(1000);
  await promoted;
  assert.equal(reader.shown.session.readOnly, undefined);
  assert.equal((await say(reader, "Three?"))?.status, "done");
  const again = await openWindow(t, { folder, sim });
  await reader.shown.close();
  assert.deepEqual(
    words(again.shown).map(([prompt]) => prompt),
    ["One?", "Two?", "Three?"],
  );
});

test("a reading window keeps a draft and attachments of its own, apart from those of the writing window", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = temporaryFolder(t);
  const earlier = await openWindow(t, { folder });
  const { sim } = earlier;
  const say = async ({ shown }: Window, prompt: string) => {
    sim.reply(text(`Answer to ${prompt}`));
    return shown.session.send({ prompt });
  };
  await say(earlier, "One?");
  earlier.shown.session.draft.attach({ kind: "text", name: "theirs", text: "a" });
  await earlier.shown.close();
  const writer = await openWindow(t, { folder, sim });
  const waiting = ({ shown }: Window) => shown.session.draft.attachments.map(({ label }) => label);
  assert.deepEqual(waiting(writer), ["theirs"]);
  const reader = await openWindow(t, { folder, sim });
  assert.deepEqual(waiting(reader), []);
  reader.shown.session.draft.attach({ kind: "text", name: "mine", text: "b" });
  for (const prompt of ["Two?", "Three?"]) {
    const ended = nextHeard(reader.shown, "ended");
    await say(writer, prompt);
    t.mock.timers.tick(1000);
    await ended;
    reader.shown.session.draft.write(`After ${prompt}`);
  }
  assert.deepEqual(
    words(reader.shown).map(([prompt]) => prompt),
    ["One?", "Two?", "Three?"],
  );
  const promoted = nextReread(reader.shown);
  await writer.shown.close();
  t.mock.timers.tick(1000);
  await promoted;
  assert.deepEqual([reader.shown.session.draft.text, waiting(reader)], ["After Three?", ["mine"]]);
  assert.deepEqual(reader.errors, []);
});

test("a reading window leaves the draft of the writing window unchanged", async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  writer.sim.reply(text("Answer."));
  await writer.shown.session.send({ prompt: "One?" });
  const reader = await openWindow(t, { folder, sim: writer.sim });
  writer.shown.session.draft.write("What I was about to ask");
  await writer.shown.close();
  await reader.shown.close();
  const later = await openWindow(t, { folder, sim: writer.sim });
  assert.equal(later.shown.session.draft.text, "What I was about to ask");
});

test("a draft typed beside a conversation deleted in another window does not restore it", async (t) => {
  const folder = temporaryFolder(t);
  const writer = await openWindow(t, { folder });
  writer.sim.reply(text("Answer."));
  await writer.shown.session.send({ prompt: "One?" });
  const { id } = writer.shown.session.state;
  const reader = await openWindow(t, { folder, sim: writer.sim });
  assert.match(english(reader.shown.session.readOnly), /open in another window/);
  await writer.shown.newConversation();
  await libraryOn(folder).remove(id);
  reader.shown.session.draft.write("Late words");
  await assert.rejects(reader.shown.newConversation(), /no longer exists/);
  reader.shown.session.draft.write("");
  await reader.shown.newConversation();
  assert.deepEqual(await libraryOn(folder).list(), []);
});
