import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { emptyConversation, planOf, reduce } from "../../../src/conversation/reduce.ts";
import type { Conversation } from "../../../src/conversation/state.ts";
import { verbatim } from "../../support/english.ts";

const started = (turn: string): ConversationEvent => ({
  type: "started",
  turn,
  at: 1,
  model: "svc-k3",
  route: "responses",
  prompt: "Hello",
});
const ended = (turn: string): ConversationEvent => ({ type: "ended", turn, at: 2, ending: "done" });
const text = (turn: string, part: string, delta: string): ConversationEvent => ({
  type: "text",
  turn,
  part,
  delta,
});
const run = (...events: ConversationEvent[]) => events.reduce(reduce, emptyConversation("c"));

test("reduce joins the deltas of a part and keeps parts in order of arrival", () => {
  const turn = run(
    started("1"),
    text("1", "a", "Hel"),
    { type: "reasoning", turn: "1", part: "r", delta: "hm" },
    text("1", "a", "lo"),
  ).turns[0];
  assert.deepEqual(turn?.parts, [
    { type: "text", id: "a", text: "Hello" },
    { type: "reasoning", id: "r", text: "hm" },
  ]);
});

test("reduce replaces the deltas of a part with its final form", () => {
  const turn = run(started("1"), text("1", "a", "Helo"), {
    type: "replaced",
    turn: "1",
    part: "a",
    text: "Hello",
  }).turns[0];
  assert.deepEqual(turn?.parts, [{ type: "text", id: "a", text: "Hello" }]);
});

test("reduce ignores events after the end of a turn", () => {
  const before = run(started("1"), text("1", "a", "x"), ended("1"));
  assert.equal(reduce(before, text("1", "a", "late")), before);
  assert.equal(reduce(before, { type: "ended", turn: "1", at: 3, ending: "failed" }), before);
});

test("reduce refuses a second turn while one runs, and a turn that starts twice", () => {
  const running = run(started("1"));
  assert.equal(reduce(running, started("2")), running);
  const done = run(started("1"), ended("1"));
  assert.equal(reduce(done, started("1")), done);
});

test("reduce keeps untouched turns as the same objects", () => {
  const before = run(started("1"), ended("1"), started("2"));
  const after = reduce(before, text("2", "a", "x"));
  assert.equal(after.turns[0], before.turns[0]);
  assert.notEqual(after.turns[1], before.turns[1]);
});

test("reduce ends waiting with the next event of the turn", () => {
  const waiting = run(started("1"), { type: "waiting", turn: "1", until: 9, reason: verbatim("busy") });
  assert.deepEqual(waiting.turns[0]?.waiting, { until: 9, reason: verbatim("busy") });
  assert.equal(reduce(waiting, text("1", "a", "x")).turns[0]?.waiting, undefined);
});

const tool = (turn: string, status: "asked" | "running" | "done"): ConversationEvent => ({
  type: "tool",
  turn,
  id: "0/fc",
  call: "call_1",
  name: "read_file",
  status,
  summary: "src/a.ts",
});
const patch = (turn: string, status: "arriving" | "proposed" | "applied"): ConversationEvent => ({
  type: "patch",
  turn,
  id: "0/ctc",
  call: "call_2",
  status,
  files: [],
});
const statuses = (conversation: ReturnType<typeof run>) =>
  conversation.turns.at(-1)?.parts.map((part) => ("status" in part ? part.status : part.type));

test("reduce keeps the position of a tool and a patch through their statuses", () => {
  const conversation = run(
    started("1"),
    tool("1", "asked"),
    patch("1", "arriving"),
    tool("1", "running"),
    patch("1", "proposed"),
    tool("1", "done"),
  );
  assert.deepEqual(statuses(conversation), ["done", "proposed"]);
});

test("reduce stops waiting and running parts when the turn ends, except a proposed patch", () => {
  const end = (event: ConversationEvent) => statuses(run(started("1"), event, ended("1")));
  assert.deepEqual(end(tool("1", "asked")), ["stopped"]);
  assert.deepEqual(end(tool("1", "running")), ["stopped"]);
  assert.deepEqual(end(tool("1", "done")), ["done"]);
  assert.deepEqual(end(patch("1", "arriving")), ["stopped"]);
  assert.deepEqual(end(patch("1", "proposed")), ["proposed"], "it waits for nobody's turn");
  assert.deepEqual(end(patch("1", "applied")), ["applied"]);
});

test("reduce ignores text for the part of a tool", () => {
  const before = run(started("1"), tool("1", "running"));
  assert.deepEqual(reduce(before, text("1", "0/fc", "x")).turns[0]?.parts, before.turns[0]?.parts);
});

test("reduce cuts a turn and all that follow, but not while a turn runs", () => {
  const three = run(started("1"), ended("1"), started("2"), ended("2"), started("3"), ended("3"));
  assert.deepEqual(
    reduce(three, { type: "cut", turn: "2", at: 9 }).turns.map(({ id }) => id),
    ["1"],
  );
  assert.equal(reduce(three, { type: "cut", turn: "?", at: 9 }), three);
  const running = run(started("1"), ended("1"), started("2"));
  assert.equal(reduce(running, { type: "cut", turn: "1", at: 9 }), running);
});

test("reduce adds a usage row for each request of a turn", () => {
  const { usage } =
    run(
      started("1"),
      { type: "usage", turn: "1", usage: { input: 5 }, ttl: "5m" },
      { type: "usage", turn: "1", usage: {} },
    ).turns[0] ?? {};
  assert.deepEqual(usage, [{ input: 5, ttl: "5m" }, {}]);
});

const asks = (turn: string, status: "asked" | "done"): ConversationEvent => ({
  ...{ type: "tool", turn, id: "0/q", call: "call_q", name: "ask_user", status, summary: "Which?" },
  question: { text: "Which?", choices: ["A", "B"] },
});

test("reduce keeps a question of the model open over a closed window, until it is answered or something else is asked", () => {
  const cutOff: ConversationEvent = { type: "ended", turn: "1", at: 2, ending: "interrupted" };
  const open = run(started("1"), asks("1", "asked"), cutOff);
  assert.deepEqual(statuses(open), ["asked"]);
  assert.deepEqual(statuses(reduce(open, asks("1", "done"))), ["done"]);
  const next = reduce(open, started("2"));
  assert.deepEqual(
    next.turns[0]?.parts.map((part) => "status" in part && part.status),
    ["stopped"],
  );
  assert.deepEqual(
    statuses(run(started("1"), asks("1", "asked"), ended("1"))),
    ["stopped"],
    "if not cut off",
  );
  const permission = run(started("1"), tool("1", "asked"), cutOff);
  assert.deepEqual(statuses(permission), ["stopped"]);
});

test("reduce takes the answer to a question that it has not seen wait, and no second one", () => {
  const { question: _, ...row } = asks("1", "asked") as Extract<ConversationEvent, { type: "tool" }>;
  const running: ConversationEvent = { ...row, status: "running" };
  const cutOff: ConversationEvent = { type: "ended", turn: "1", at: 2, ending: "interrupted" };
  for (const before of [
    run(started("1")),
    run(started("1"), running),
    run(started("1"), running, cutOff),
    run(started("1"), cutOff),
  ])
    assert.deepEqual(statuses(reduce(before, asks("1", "done"))), ["done"]);
  const answered = run(started("1"), running, asks("1", "done"), ended("1"));
  assert.equal(
    reduce(answered, { ...asks("1", "done"), summary: "Another?" } as ConversationEvent),
    answered,
  );
});

const plan = (turn: string, text: string, by?: "person"): ConversationEvent => ({
  ...{ type: "plan", turn, steps: [{ text, status: "pending" }] },
  ...(by && { by }),
});
const planned = (conversation: Conversation) => planOf(conversation)?.steps.map(({ text }) => text);

test("reduce has the latest plan in force, takes a person's edit at any time, and cuts a plan with its turn", () => {
  const two = run(started("1"), plan("1", "a"), ended("1"), started("2"), ended("2"));
  assert.deepEqual(planned(two), ["a"]);
  assert.equal(reduce(two, plan("1", "late")), two, "a model writes none after its turn");
  const edited = reduce(two, plan("1", "mine", "person"));
  assert.deepEqual(planOf(edited), { steps: [{ text: "mine", status: "pending" }], by: "person" });
  const third = [started("3"), plan("3", "b")].reduce(reduce, edited);
  assert.deepEqual(planned(third), ["b"]);
  const cut = [ended("3"), { type: "cut", turn: "3", at: 9 } as const].reduce(reduce, third);
  assert.deepEqual(planned(cut), ["mine"]);
  assert.equal(planned(reduce(cut, { type: "cut", turn: "1", at: 9 })), undefined);
});
