// Whoever uses sessions without mercy: everything at once, in the wrong order, from inside its own events, while
// it is being closed or deleted. Nothing is thrown, nothing that was said is lost, nothing leaves that belongs nowhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../../src/core/session/session.ts";
import { holdBefore } from "../../sim/faults.ts";
import { text } from "../../sim/script.ts";
import { ask, openDesk, prompts, type ReviewModel } from "../../support/desk.ts";

const k3 = { defaultModel: () => "svc-k3" };

/** Resolves at the first event after which `is` holds, or at once. */
function when(session: Session, is: () => boolean): Promise<void> {
  if (is()) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = session.onEvent(() => {
      if (!is()) return;
      listening.dispose();
      setImmediate(resolve);
    });
  });
}
const begun = (session: Session, turns: number) => when(session, () => session.state.turns.length === turns);
const over = (session: Session, turns: number) =>
  when(session, () => session.state.turns.filter(({ status }) => status !== "running").length === turns);

/** What every conversation on the disk asks and what became of it. */
async function onDisk(desk: ReviewModel): Promise<Map<string, string[]>> {
  await desk.restart();
  const found = new Map<string, string[]>();
  for (const { id } of await desk.library.list()) {
    await desk.open(id);
    const turns = desk.session.state.turns.map(({ prompt, status }) => `${prompt} ${status}`);
    found.set(id, [
      ...turns,
      ...(desk.session.draft.text === "" ? [] : [`draft: ${desk.session.draft.text}`]),
    ]);
  }
  return found;
}

for (const again of ["edit", "regenerate", "retry"] as const)
  test(`${again} in the moment in which another conversation takes the place: it happens in its own, and nowhere else`, async (t) => {
    const desk = await openDesk(t, k3);
    const { sim } = desk;
    await ask(desk, "One?", "Eins.");
    await desk.restart();
    const [turn] = desk.session.state.turns;
    const { id } = desk.session.state;
    sim.reply(text("Late."));
    const heard: string[] = [];
    const moved = desk.newConversation();
    if (again === "edit") desk.session.edit(turn?.id ?? "", "Other?");
    else if (again === "regenerate") desk.session.regenerate(turn?.id ?? "");
    else desk.session.retry();
    await moved;
    const there = desk.session;
    there.onEvent(({ type }) => heard.push(type));
    await desk.restart();
    assert.deepEqual(heard, [], "nothing of it is heard in the new one");
    assert.deepEqual(there.state.turns, []);
    const asked = sim.requests.length;
    await desk.open(id);
    const now = desk.session.state.turns.map(({ prompt, status }) => `${prompt} ${status}`);
    if (asked === 1) assert.deepEqual(now, ["One? done"]);
    else assert.match(now.join(), /interrupted|done/);
  });

test("a question and a new conversation in one moment: the question is not lost", async (t) => {
  const desk = await openDesk(t, k3);
  const { sim } = desk;
  for (let round = 0; round < 5; round++) {
    sim.replyWith(() => [text("Answer.")]);
    const sent = desk.session.send({ prompt: `Question ${round}?` });
    for (let pause = 0; pause < round; pause++) await Promise.resolve();
    const moved = desk.newConversation();
    await Promise.all([sent, moved]);
  }
  const words = [...(await onDisk(desk)).values()].flat().join("\n");
  for (let round = 0; round < 5; round++) assert.match(words, new RegExp(`Question ${round}\\?`));
});

test("what is sent while another conversation is on its way belongs to that one", async (t) => {
  const desk = await openDesk(t, k3);
  const { sim } = desk;
  await ask(desk, "One?", "Eins.");
  const first = desk.session.id;
  const moved = desk.newConversation();
  sim.reply(text("Zwei."));
  const turn = await (await desk.settled()).send({ prompt: "Two?" });
  await moved;
  assert.equal(turn?.status, "done");
  assert.notEqual(desk.session.id, first);
  assert.deepEqual(prompts(desk), ["Two?"]);
});

test("twenty questions at once are asked one after the other, each once, and kept in that order", async (t) => {
  const desk = await openDesk(t, k3);
  const { sim } = desk;
  const all = Array.from({ length: 20 }, (_, at) => `Question ${at}?`);
  for (const _ of all) sim.reply(text("Yes."));
  const turns = await Promise.all(all.map((prompt) => desk.session.send({ prompt })));
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
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) {
    await ask(desk, name, name);
    ids.push(desk.session.id);
    await desk.newConversation();
  }
  const [a = "", b = "", c = ""] = ids;
  await Promise.all([a, b, a, c, "no-such", b].map((id) => desk.open(id).catch(() => {})));
  assert.equal(desk.session.id, b);
  assert.deepEqual(prompts(desk), ["b"]);
  assert.deepEqual([...(await onDisk(desk)).values()].sort(), [["a done"], ["b done"], ["c done"]]);
});

test("a branch while a response comes leaves it running, and both conversations are whole", async (t) => {
  const desk = await openDesk(t, k3);
  const { sim } = desk;
  await ask(desk, "One?", "Eins.");
  const [turn] = desk.session.state.turns;
  const held = holdBefore(1);
  sim.reply(text("Zwei."), held);
  const second = desk.session.send({ prompt: "Two?" });
  await begun(desk.session, 2);
  await desk.branch(turn?.id ?? "");
  assert.deepEqual(prompts(desk), ["One?"]);
  held.release();
  assert.equal((await second)?.status, "done");
  const kept = [...(await onDisk(desk)).values()].map((each) => each.join()).sort();
  assert.deepEqual(kept, ["One? done", "One? done,Two? done"]);
});

test("closed twice, and used after that: nothing is thrown, nothing is sent", async (t) => {
  const desk = await openDesk(t, k3);
  const { sim } = desk;
  await ask(desk, "One?", "Eins.");
  await Promise.all([desk.session.close(), desk.session.close()]);
  const turn = desk.session.state.turns[0]?.id ?? "";
  desk.session.draft.write("late");
  desk.session.stop();
  desk.session.edit(turn, "Again?");
  desk.session.regenerate(turn);
  desk.session.goOn();
  desk.session.retry();
  desk.session.raiseLimit();
  desk.session.askBare();
  desk.session.choices.chooseWebSearch(true);
  desk.session.choices.chooseModel("svc-k2.6");
  desk.session.draft.attach({ kind: "text", name: "n", text: "t" });
  desk.session.decide("call", { kind: "accept" });
  const sent = await Promise.allSettled([desk.session.send({ prompt: "Late?" })]);
  await desk.restart();
  await ask(desk, "In time?", "Yes.");
  assert.equal(sim.requests.length, 2, "what had left late would have been there before this one");
  assert.ok(sent[0]?.status === "rejected" || sent[0]?.value === undefined);
});

test("deleted while it answers: the answer ends, nothing comes back to the disk, the next question has a place", async (t) => {
  const desk = await openDesk(t, k3);
  const { library, sim } = desk;
  await ask(desk, "One?", "Eins.");
  const { id } = desk.session.state;
  sim.replyWith(() => new Promise(() => {}) as never);
  const running = desk.session.send({ prompt: "Two?" });
  await begun(desk.session, 2);
  await library.remove(id);
  desk.session.decide("call", { kind: "accept" });
  desk.session.stop();
  await running;
  assert.deepEqual(
    (await library.list()).map((each) => each.id),
    [],
  );
  await desk.newConversation();
  await ask(desk, "Three?", "Drei.");
  const kept = [...(await onDisk(desk)).values()];
  assert.deepEqual(kept, [["Three? done"]]);
});

test("whoever listens may do anything: throw, ask, stop, leave", async (t) => {
  const desk = await openDesk(t, k3);
  const { sim } = desk;
  sim.replyWith(() => [text("Answer.")]);
  desk.session.onEvent(() => {
    throw new Error("I always fail.");
  });
  let asked = 0;
  desk.session.onEvent(({ type }) => {
    if (type !== "ended" || asked++ > 2) return;
    sim.replyWith(() => [text("Answer.")]);
    void desk.session.send({ prompt: `From inside ${asked}?` });
  });
  assert.equal((await desk.session.send({ prompt: "First?" }))?.status, "done");
  await over(desk.session, 4);
  assert.deepEqual(
    desk.session.state.turns.map(({ status }) => status),
    ["done", "done", "done", "done"],
  );
  let left: Promise<void> | undefined;
  desk.session.onEvent(({ type }) => {
    if (type !== "text" || left !== undefined) return;
    desk.session.stop();
    left = desk.newConversation();
  });
  sim.replyWith(() => [text("Answer.")]);
  await desk.session.send({ prompt: "Leave." });
  await left;
  assert.deepEqual(desk.session.state.turns, []);
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
  const before = desk.session.state;
  await desk.restart();
  assert.deepEqual(desk.session.state, before);
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
  assert.equal((await desk.session.send({ prompt: "Still there?" }))?.status, "done");
});
