// Whoever uses sessions without mercy: everything at once, in the wrong order, from inside its own events, while
// it is being closed or deleted. Nothing is thrown, nothing that was said is lost, nothing leaves that belongs nowhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../src/session/session.ts";
import { holdBefore } from "../sim/delivery-faults.ts";
import { text } from "../sim/script.ts";
import { ask, openTestApp, prompts, type TestApp } from "../support/test-app.ts";

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
async function onDisk(app: TestApp): Promise<Map<string, string[]>> {
  await app.restart();
  const found = new Map<string, string[]>();
  for (const { id } of await app.library.list()) {
    await app.open(id);
    const turns = app.session.state.turns.map(({ prompt, status }) => `${prompt} ${status}`);
    found.set(id, [...turns, ...(app.session.draft.text === "" ? [] : [`draft: ${app.session.draft.text}`])]);
  }
  return found;
}

for (const again of ["edit", "regenerate", "retry"] as const)
  test(`${again} during a switch to a new conversation applies only to its own conversation`, async (t) => {
    const app = await openTestApp(t, k3);
    const { sim } = app;
    await ask(app, "One?", "Eins.");
    await app.restart();
    const [turn] = app.session.state.turns;
    const { id } = app.session.state;
    sim.reply(text("Late."));
    const heard: string[] = [];
    const moved = app.newConversation();
    if (again === "edit") app.session.edit(turn?.id ?? "", "Other?");
    else if (again === "regenerate") app.session.retry("regenerate", turn?.id ?? "");
    else app.session.retry("retry");
    await moved;
    const there = app.session;
    there.onEvent(({ type }) => heard.push(type));
    await app.restart();
    assert.deepEqual(heard, [], "nothing of it is heard in the new one");
    assert.deepEqual(there.state.turns, []);
    const asked = sim.requests.length;
    await app.open(id);
    const now = app.session.state.turns.map(({ prompt, status }) => `${prompt} ${status}`);
    if (asked === 1) assert.deepEqual(now, ["One? done"]);
    else assert.match(now.join(), /interrupted|done/);
  });

test("a session keeps a question that is sent at the same moment as a new conversation opens", async (t) => {
  const app = await openTestApp(t, k3);
  const { sim } = app;
  for (let round = 0; round < 5; round++) {
    sim.replyWith(() => [text("Answer.")]);
    const sent = app.session.send({ prompt: `Question ${round}?` });
    for (let pause = 0; pause < round; pause++) await Promise.resolve();
    const moved = app.newConversation();
    await Promise.all([sent, moved]);
  }
  const words = [...(await onDisk(app)).values()].flat().join("\n");
  for (let round = 0; round < 5; round++) assert.match(words, new RegExp(`Question ${round}\\?`));
});

test("a question sent while a new conversation opens belongs to the new conversation", async (t) => {
  const app = await openTestApp(t, k3);
  const { sim } = app;
  await ask(app, "One?", "Eins.");
  const first = app.session.id;
  const moved = app.newConversation();
  sim.reply(text("Zwei."));
  const turn = await (await app.settled()).send({ prompt: "Two?" });
  await moved;
  assert.equal(turn?.status, "done");
  assert.notEqual(app.session.id, first);
  assert.deepEqual(prompts(app), ["Two?"]);
});

test("a session sends twenty simultaneous questions one at a time and keeps them in order", async (t) => {
  const app = await openTestApp(t, k3);
  const { sim } = app;
  const all = Array.from({ length: 20 }, (_, at) => `Question ${at}?`);
  for (const _ of all) sim.reply(text("Yes."));
  const turns = await Promise.all(all.map((prompt) => app.session.send({ prompt })));
  assert.deepEqual(
    turns.map((turn) => `${turn?.prompt} ${turn?.status}`),
    all.map((prompt) => `${prompt} done`),
  );
  sim.done();
  const [kept] = (await onDisk(app)).values();
  assert.deepEqual(
    kept,
    all.map((prompt) => `${prompt} done`),
  );
});

test("concurrent opens of conversations show the last one and keep every conversation intact", async (t) => {
  const app = await openTestApp(t, k3);
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) {
    await ask(app, name, name);
    ids.push(app.session.id);
    await app.newConversation();
  }
  const [a = "", b = "", c = ""] = ids;
  await Promise.all([a, b, a, c, "no-such", b].map((id) => app.open(id).catch(() => {})));
  assert.equal(app.session.id, b);
  assert.deepEqual(prompts(app), ["b"]);
  assert.deepEqual([...(await onDisk(app)).values()].sort(), [["a done"], ["b done"], ["c done"]]);
});

test("a branch during a response leaves the response running and keeps both conversations intact", async (t) => {
  const app = await openTestApp(t, k3);
  const { sim } = app;
  await ask(app, "One?", "Eins.");
  const [turn] = app.session.state.turns;
  const held = holdBefore(1);
  sim.reply(text("Zwei."), held);
  const second = app.session.send({ prompt: "Two?" });
  await begun(app.session, 2);
  await app.branch(turn?.id ?? "");
  assert.deepEqual(prompts(app), ["One?"]);
  held.release();
  assert.equal((await second)?.status, "done");
  const kept = [...(await onDisk(app)).values()].map((each) => each.join()).sort();
  assert.deepEqual(kept, ["One? done", "One? done,Two? done"]);
});

test("a closed session neither throws nor sends when it is closed again or used", async (t) => {
  const app = await openTestApp(t, k3);
  const { sim } = app;
  await ask(app, "One?", "Eins.");
  await Promise.all([app.session.close(), app.session.close()]);
  const turn = app.session.state.turns[0]?.id ?? "";
  app.session.draft.write("late");
  app.session.stop();
  app.session.edit(turn, "Again?");
  app.session.retry("regenerate", turn);
  app.session.retry("continue");
  app.session.retry("retry");
  app.session.retry("raise-limit");
  app.session.retry("remove-attachments");
  app.session.choices.chooseWebSearch(true);
  app.session.choices.chooseModel("svc-k2.6");
  app.session.draft.attach({ kind: "text", name: "n", text: "t" });
  app.session.decide("call", { kind: "accept" });
  const sent = await Promise.allSettled([app.session.send({ prompt: "Late?" })]);
  await app.restart();
  await ask(app, "In time?", "Yes.");
  assert.equal(sim.requests.length, 2, "what had left late would have been there before this one");
  assert.ok(sent[0]?.status === "rejected" || sent[0]?.value === undefined);
});

test("a conversation deleted during a response is not written to disk again", async (t) => {
  const app = await openTestApp(t, k3);
  const { library, sim } = app;
  await ask(app, "One?", "Eins.");
  const { id } = app.session.state;
  sim.replyWith(() => new Promise(() => {}) as never);
  const running = app.session.send({ prompt: "Two?" });
  await begun(app.session, 2);
  await library.remove(id);
  app.session.decide("call", { kind: "accept" });
  app.session.stop();
  await running;
  assert.deepEqual(
    (await library.list()).map((each) => each.id),
    [],
  );
  await app.newConversation();
  await ask(app, "Three?", "Drei.");
  const kept = [...(await onDisk(app)).values()];
  assert.deepEqual(kept, [["Three? done"]]);
});

test("a session survives event listeners that throw, send, stop or open a new conversation", async (t) => {
  const app = await openTestApp(t, k3);
  const { sim } = app;
  sim.replyWith(() => [text("Answer.")]);
  app.session.onEvent(() => {
    throw new Error("I always fail.");
  });
  let asked = 0;
  app.session.onEvent(({ type }) => {
    if (type !== "ended" || asked++ > 2) return;
    sim.replyWith(() => [text("Answer.")]);
    void app.session.send({ prompt: `From inside ${asked}?` });
  });
  assert.equal((await app.session.send({ prompt: "First?" }))?.status, "done");
  await over(app.session, 4);
  assert.deepEqual(
    app.session.state.turns.map(({ status }) => status),
    ["done", "done", "done", "done"],
  );
  let left: Promise<void> | undefined;
  app.session.onEvent(({ type }) => {
    if (type !== "text" || left !== undefined) return;
    app.session.stop();
    left = app.newConversation();
  });
  sim.replyWith(() => [text("Answer.")]);
  await app.session.send({ prompt: "Leave." });
  await left;
  assert.deepEqual(app.session.state.turns, []);
  const [kept] = [...(await onDisk(app)).values()];
  assert.equal(kept?.length, 5);
});

test("a session restores every kind of text exactly: lone surrogates, NUL, line ends, a million characters", async (t) => {
  const app = await openTestApp(t, k3);
  const odd = [
    "a\u0000b",
    "\ud83d half",
    "👩‍💻 e\u0301 \u202e",
    "\u2028\u2029\r\n\r",
    "x".repeat(1_000_000),
    '</file>"\\',
  ];
  for (const [at, words] of odd.entries()) await ask(app, words, `${at}: ${words}`);
  const before = app.session.state;
  await app.restart();
  assert.deepEqual(app.session.state, before);
  // What the service said itself goes back as it came.
  const own = app.sim.requests.flatMap(({ body }) => body["input"] as { role?: string; content?: unknown }[]);
  for (const { content } of own.filter(({ role }) => role === "user"))
    assert.ok(
      typeof content === "string" && content.isWellFormed(),
      "no half character of a question leaves",
    );
  app.sim.reply(text("Yes."));
  assert.equal((await app.session.send({ prompt: "Still there?" }))?.status, "done");
});
