// Whoever uses the assistant without mercy: everything at once, in the wrong order, from inside its own events, while
// it is being closed or deleted. Nothing is thrown, nothing that was said is lost, nothing leaves that belongs nowhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Assistant } from "../../../src/core/assistant.ts";
import { text } from "../../sim/script.ts";
import { ask, type Desk, openDesk, prompts } from "../../support/desk.ts";

const k3 = { defaultModel: () => "svc-k3" };

/** Resolves at the first event after which `is` holds, or at once. */
function when(assistant: Assistant, is: () => boolean): Promise<void> {
  if (is()) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = assistant.onEvent(() => {
      if (!is()) return;
      listening.dispose();
      setImmediate(resolve);
    });
  });
}
const begun = (assistant: Assistant, turns: number) =>
  when(assistant, () => assistant.conversation.turns.length === turns);
const over = (assistant: Assistant, turns: number) =>
  when(
    assistant,
    () => assistant.conversation.turns.filter(({ status }) => status !== "running").length === turns,
  );

/** What every conversation on the disk asks and what became of it. */
async function onDisk(desk: Desk): Promise<Map<string, string[]>> {
  const assistant = await desk.restart();
  const found = new Map<string, string[]>();
  for (const { id } of await desk.library.list()) {
    await assistant.openConversation(id);
    const turns = assistant.conversation.turns.map(({ prompt, status }) => `${prompt} ${status}`);
    found.set(id, [...turns, ...(assistant.draft === "" ? [] : [`draft: ${assistant.draft}`])]);
  }
  return found;
}

for (const again of ["edit", "regenerate", "retry"] as const)
  test(`${again} in the moment in which another conversation takes the place: nothing leaves for nobody`, async (t) => {
    const desk = await openDesk(t, k3);
    const { sim } = desk;
    await ask(desk, "One?", "Eins.");
    const assistant = await desk.restart();
    const [turn] = assistant.conversation.turns;
    const { id } = assistant.conversation;
    sim.reply(text("Late."));
    const heard: string[] = [];
    const moved = assistant.newConversation();
    if (again === "edit") assistant.edit(turn?.id ?? "", "Other?");
    else if (again === "regenerate") assistant.regenerate(turn?.id ?? "");
    else assistant.retry();
    await moved;
    assistant.onEvent(({ type }) => heard.push(type));
    const later = await desk.restart();
    assert.deepEqual(heard, [], "nothing of it is heard in the new one");
    assert.deepEqual(assistant.conversation.turns, []);
    const asked = sim.requests.length;
    await later.openConversation(id);
    const now = later.conversation.turns.map(({ prompt, status }) => `${prompt} ${status}`);
    if (asked === 1) assert.deepEqual(now, ["One? done"]);
    else assert.match(now.join(), /interrupted|done/);
  });

test("a question and a new conversation in one moment: the question is not lost", async (t) => {
  const desk = await openDesk(t, k3);
  const { assistant, sim } = desk;
  for (let round = 0; round < 5; round++) {
    sim.replyWith(() => [text("Answer.")]);
    const sent = assistant.send({ prompt: `Question ${round}?` });
    for (let pause = 0; pause < round; pause++) await Promise.resolve();
    const moved = assistant.newConversation();
    await Promise.all([sent, moved]);
  }
  const words = [...(await onDisk(desk)).values()].flat().join("\n");
  for (let round = 0; round < 5; round++) assert.match(words, new RegExp(`Question ${round}\\?`));
});

test("what is sent while another conversation is on its way belongs to that one", async (t) => {
  const desk = await openDesk(t, k3);
  const { assistant, sim } = desk;
  await ask(desk, "One?", "Eins.");
  const first = assistant.conversation.id;
  const moved = assistant.newConversation();
  sim.reply(text("Zwei."));
  const turn = await assistant.send({ prompt: "Two?" });
  await moved;
  assert.equal(turn?.status, "done");
  assert.notEqual(assistant.conversation.id, first);
  assert.deepEqual(prompts(assistant), ["Two?"]);
});

test("twenty questions at once are asked one after the other, each once, and kept in that order", async (t) => {
  const desk = await openDesk(t, k3);
  const { assistant, sim } = desk;
  const all = Array.from({ length: 20 }, (_, at) => `Question ${at}?`);
  for (const _ of all) sim.reply(text("Yes."));
  const turns = await Promise.all(all.map((prompt) => assistant.send({ prompt })));
  assert.deepEqual(
    turns.map((turn) => `${turn?.prompt} ${turn?.status}`),
    all.map((prompt) => `${prompt} done`),
  );
  sim.done();
  const [kept] = (await onDisk(desk)).values();
  assert.deepEqual(
    kept,
    all.map((prompt) => `${prompt} done`),
  );
});

test("conversations opened faster than they open: the last one stands, each is whole", async (t) => {
  const desk = await openDesk(t, k3);
  const { assistant } = desk;
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) {
    await ask(desk, name, name);
    ids.push(assistant.conversation.id);
    await assistant.newConversation();
  }
  const [a = "", b = "", c = ""] = ids;
  await Promise.all([a, b, a, c, "no-such", b].map((id) => assistant.openConversation(id).catch(() => {})));
  assert.equal(assistant.conversation.id, b);
  assert.deepEqual(prompts(assistant), ["b"]);
  assert.deepEqual([...(await onDisk(desk)).values()].sort(), [["a done"], ["b done"], ["c done"]]);
});

test("a branch while an answer comes ends the answer, and both conversations are whole", async (t) => {
  const desk = await openDesk(t, k3);
  const { assistant, sim } = desk;
  await ask(desk, "One?", "Eins.");
  const [turn] = assistant.conversation.turns;
  sim.replyWith(() => new Promise(() => {}) as never);
  const second = assistant.send({ prompt: "Two?" });
  await begun(assistant, 2);
  await assistant.branch(turn?.id ?? "");
  assert.deepEqual(prompts(assistant), ["One?"]);
  assert.equal((await second)?.status, "interrupted");
  const kept = [...(await onDisk(desk)).values()].map((each) => each.join()).sort();
  assert.deepEqual(kept, ["One? done", "One? done,Two? interrupted"]);
});

test("closed twice, and used after that: nothing is thrown, nothing is sent", async (t) => {
  const desk = await openDesk(t, k3);
  const { assistant, sim } = desk;
  await ask(desk, "One?", "Eins.");
  await Promise.all([assistant.close(), assistant.close()]);
  const turn = assistant.conversation.turns[0]?.id ?? "";
  assistant.setDraft("late");
  assistant.stop();
  assistant.edit(turn, "Again?");
  assistant.regenerate(turn);
  assistant.goOn();
  assistant.retry();
  assistant.raiseLimit();
  assistant.askBare();
  assistant.chooseWebSearch(true);
  assistant.chooseModel("svc-k2.6");
  assistant.attach({ kind: "text", name: "n", text: "t" });
  assistant.decide("call", { kind: "accept" });
  const sent = await Promise.allSettled([assistant.send({ prompt: "Late?" })]);
  await desk.restart();
  await ask(desk, "In time?", "Yes.");
  assert.equal(sim.requests.length, 2, "what had left late would have been there before this one");
  assert.ok(sent[0]?.status === "rejected" || sent[0]?.value === undefined);
});

test("deleted while it answers: the answer ends, nothing comes back to the disk, the next question has a place", async (t) => {
  const desk = await openDesk(t, k3);
  const { assistant, library, sim } = desk;
  await ask(desk, "One?", "Eins.");
  const { id } = assistant.conversation;
  sim.replyWith(() => new Promise(() => {}) as never);
  const running = assistant.send({ prompt: "Two?" });
  await begun(assistant, 2);
  await library.remove(id);
  assistant.decide("call", { kind: "accept" });
  assistant.stop();
  await running;
  assert.deepEqual(
    (await library.list()).map((each) => each.id),
    [],
  );
  await assistant.newConversation();
  await ask(desk, "Three?", "Drei.");
  const kept = [...(await onDisk(desk)).values()];
  assert.deepEqual(kept, [["Three? done"]]);
});

test("whoever listens may do anything: throw, ask, stop, leave", async (t) => {
  const desk = await openDesk(t, k3);
  const { assistant, sim } = desk;
  sim.replyWith(() => [text("Answer.")]);
  assistant.onEvent(() => {
    throw new Error("I always fail.");
  });
  let asked = 0;
  assistant.onEvent(({ type }) => {
    if (type !== "ended" || asked++ > 2) return;
    sim.replyWith(() => [text("Answer.")]);
    void assistant.send({ prompt: `From inside ${asked}?` });
  });
  assert.equal((await assistant.send({ prompt: "First?" }))?.status, "done");
  await over(assistant, 4);
  assert.deepEqual(
    assistant.conversation.turns.map(({ status }) => status),
    ["done", "done", "done", "done"],
  );
  let left: Promise<void> | undefined;
  assistant.onEvent(({ type }) => {
    if (type !== "text" || left !== undefined) return;
    assistant.stop();
    left = assistant.newConversation();
  });
  sim.replyWith(() => [text("Answer.")]);
  await assistant.send({ prompt: "Leave." });
  await left;
  assert.deepEqual(assistant.conversation.turns, []);
  const [kept] = [...(await onDisk(desk)).values()];
  assert.equal(kept?.length, 5);
});

test("every kind of text comes back as it was: half characters, NUL, line ends, a million letters", async (t) => {
  const desk = await openDesk(t, k3);
  const odd = [
    "a\u0000b",
    "\ud83d half",
    "👩‍💻 e\u0301 \u202e",
    "\u2028\u2029\r\n\r",
    "x".repeat(1_000_000),
    '</file>"\\',
  ];
  for (const [at, words] of odd.entries()) await ask(desk, words, `${at}: ${words}`);
  const before = desk.assistant.conversation;
  const assistant = await desk.restart();
  assert.deepEqual(assistant.conversation, before);
  // What the service said itself goes back as it came.
  const own = desk.sim.requests.flatMap(
    ({ body }) => body["input"] as { role?: string; content?: unknown }[],
  );
  for (const { content } of own.filter(({ role }) => role === "user"))
    assert.ok(
      typeof content === "string" && content.isWellFormed(),
      "no half character of a question leaves",
    );
  desk.sim.reply(text("Yes."));
  assert.equal((await assistant.send({ prompt: "Still there?" }))?.status, "done");
});
