// Questions of the model: asked in their row, answered by a person, open until then, also over a closed window.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { waitingTools } from "../../../src/conversation/reduce.ts";
import type { ToolPart, Turn } from "../../../src/conversation/state.ts";
import type { JsonObject } from "../../../src/util/json.ts";
import { call, text } from "../../sim/script.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { lastBody, outputs, reading, startTalk } from "../../support/talk.ts";
import { openTestApp, type TestApp, until } from "../../support/test-app.ts";
import { says } from "../../support/text-calls.ts";

const question = { question: "Which database?", choices: ["SQLite", "Postgres", "SQLite"] };
const asks = (callId = "q", input: JsonObject = question) => call("ask_user", input, { callId });
const rowOf = (turn: Turn | undefined): ToolPart => {
  const part = turn?.parts.findLast(({ type }) => type === "tool");
  return part?.type === "tool" ? part : assert.fail();
};

test("ask_user shows a question with its choices, and the model gets the answer", async () => {
  const talk = await startTalk();
  const seen: unknown[] = [];
  talk.decide = (event) => {
    if (event.type !== "tool") return undefined;
    seen.push(event.question);
    return { kind: "answer", text: " Neither, MySQL " };
  };
  talk.sim.reply(asks());
  talk.sim.reply(text("MySQL then."));
  const turn = await talk.ask("Set up the store.");
  assert.deepEqual(seen, [{ text: "Which database?", choices: ["SQLite", "Postgres"] }]);
  assert.deepEqual(reading(turn), ["ask_user done", "text MySQL then."]);
  const row = rowOf(turn);
  assert.deepEqual(row.message, message("askUserAnswer", { answer: "Neither, MySQL" }));
  assert.equal(row.output, undefined);
  assert.deepEqual(outputs(lastBody(talk)), [["q", "The user answers:\nNeither, MySQL"]]);
});

test("ask_user without an answer tells the model to go on", async () => {
  const talk = await startTalk();
  talk.decide = () => ({ kind: "reject" });
  talk.sim.reply(asks());
  talk.sim.reply(text("I took SQLite."));
  const turn = await talk.ask("Set up the store.");
  assert.equal(rowOf(turn).status, "done");
  assert.deepEqual(rowOf(turn).message, message("askUserNoAnswer"));
  assert.match(String(outputs(lastBody(talk))[0]?.[1]), /gives no answer. Go on/);
});

test("ask_user asks once per reply: a second question is answered by the client, one of the next reply is asked", async () => {
  const talk = await startTalk();
  let count = 0;
  talk.decide = () => {
    count += 1;
    return { kind: "answer", text: `answer ${count}` };
  };
  talk.sim.reply(asks("a"), asks("b", { question: "And which port?" }));
  talk.sim.reply(asks("c", { question: "And which port?" }));
  talk.sim.reply(text("Good."));
  const turn = await talk.ask("Set up the store.");
  assert.equal(count, 2);
  assert.deepEqual(reading(turn), ["ask_user done", "ask_user failed", "ask_user done", "text Good."]);
  const [first, second, third] = outputs(lastBody(talk)).map(([, output]) => String(output));
  assert.match(first ?? "", /answer 1/);
  assert.match(second ?? "", /^One question per reply/);
  assert.match(third ?? "", /answer 2/);
});

test("ask_user refuses five choices, empty ones and no question, and asks nobody", async () => {
  const talk = await startTalk();
  talk.sim.reply(
    asks("a", { question: "Which?", choices: ["1", "2", "3", "4", "5"] }),
    asks("b", { question: "" }),
    asks("c", { question: "Which?", choices: [""] }),
    asks("d", { choices: ["1"] }),
  );
  talk.sim.reply(text("So."));
  const turn = await talk.ask("Hm.");
  assert.deepEqual(
    reading(turn).slice(0, 4),
    Array.from({ length: 4 }, () => "ask_user failed"),
  );
  assert.equal(
    talk.events.some((event) => event.type === "tool" && event.status === "asked"),
    false,
  );
});

test("a turn that is stopped while it asks ends cleanly, and a late answer changes nothing", async () => {
  const talk = await startTalk();
  talk.onEvent((event) => {
    if (event.type === "tool" && event.status === "asked") setImmediate(() => talk.stop());
  });
  talk.sim.reply(asks());
  const turn = await talk.ask("Set up the store.");
  assert.equal(turn.status, "stopped");
  assert.equal(rowOf(turn).status, "stopped");
  assert.equal(talk.conversation.decisions.decide("q", { kind: "answer", text: "SQLite" }), false);
  talk.sim.reply(text("Ok."));
  await talk.ask("Leave it.");
  assert.deepEqual(outputs(lastBody(talk)), [["q", "The turn ended before the user had answered."]]);
});

test("an answer reaches the model even if the window is killed before the output is saved", async () => {
  for (const [decision, output] of [
    [{ kind: "answer", text: "Postgres" }, "The user answers:\nPostgres"],
    [{ kind: "reject" }, /^The user gives no answer\. Go on/],
  ] as const) {
    const talk = await startTalk();
    talk.decide = () => decision;
    talk.sim.reply(asks());
    talk.sim.reply(text("So be it."));
    await talk.ask("Set up the store.");
    const isAnswer = (line: string) => /"type":"tool".*"status":"done"/.test(line);
    const later = talk.reopen(talk.lines.slice(0, talk.lines.findIndex(isAnswer) + 1));
    later.sim.reply(text("Yes."));
    await later.ask("Go on.");
    const [[call, said] = []] = outputs(lastBody(later));
    assert.equal(call, "q");
    if (typeof output === "string") assert.equal(said, output);
    else assert.match(String(said), output);
  }
});

test("a chat model asks by a call in its text", async () => {
  const talk = await startTalk();
  talk.decide = () => ({ kind: "answer", text: "Postgres" });
  talk.sim.replyWith(says((tags) => tags.call("ask_user", question)));
  talk.sim.reply(text("Postgres then."));
  const turn = await talk.ask("Set up the store.", "svc-k2.6");
  assert.deepEqual(reading(turn), ["ask_user done", "text Postgres then."]);
  assert.match(JSON.stringify(lastBody(talk).body["messages"]), /The user answers:\\nPostgres/);
});

const openFolder = (t: TestContext) =>
  openTestApp(t, { workspace: createFolderWorkspace(), defaultModel: () => "svc-k3" });

const sentTo = ({ sim }: TestApp) => JSON.stringify(sim.requests.at(-1)?.body["input"]);

test("a queued question does not answer what the model asks", async (t) => {
  const app = await openFolder(t);
  const { session, sim } = app;
  sim.reply(asks());
  const asked = session.send({ prompt: "Set up the store." });
  await until(session, () => session.status === "needs-review");
  const next = session.send({ prompt: "SQLite" });
  assert.equal(session.queue.length, 1);
  assert.equal(rowOf(session.state.turns.at(-1)).status, "asked");
  sim.reply(text("Postgres then."));
  sim.reply(text("SQLite?"));
  await session.decide("q", { kind: "answer", text: "Postgres" });
  await asked;
  await next;
  assert.deepEqual(
    session.state.turns.map(({ prompt, status }) => [prompt, status]),
    [
      ["Set up the store.", "done"],
      ["SQLite", "done"],
    ],
  );
});

for (const decision of [{ kind: "answer", text: "Postgres" }, { kind: "reject" }] as const)
  test(`an open question outlives its window; ${decision.kind} then continues the response`, async (t) => {
    const app = await openFolder(t);
    app.sim.reply(asks());
    void app.session.send({ prompt: "Set up the store." });
    await until(app.session, () => app.session.status === "needs-review");
    const session = await app.restart();
    const [turn] = session.state.turns;
    assert.equal(turn?.status, "interrupted");
    assert.equal(turn && waitingTools(turn).length, 1);
    assert.equal(session.status, "needs-review");
    app.sim.reply(text("Understood."));
    const next = await session.decide("q", decision);
    assert.equal(next?.status, "done");
    assert.deepEqual([next?.continues, next?.prompt], [true, ""]);
    assert.equal(rowOf(session.state.turns[0]).status, "done");
    const sent = sentTo(app);
    assert.match(sent, /"call_id":"q","output":"The turn ended before the user had answered\."/);
    assert.match(
      sent,
      decision.kind === "answer" ? /has now answered your question:\]\\nPostgres/ : /gives no answer/,
    );
    assert.doesNotMatch(sent, /It is over/);
    assert.equal(await session.decide("q", decision), undefined, "only once");
    const again = await app.restart();
    assert.equal(rowOf(again.state.turns[0]).status, "done");
    assert.equal(again.status, "idle");
  });

test("another question closes one that has outlived its window", async (t) => {
  const app = await openFolder(t);
  app.sim.reply(asks());
  void app.session.send({ prompt: "Set up the store." });
  await until(app.session, () => app.session.status === "needs-review");
  const session = await app.restart();
  app.sim.reply(text("Fine."));
  await session.send({ prompt: "Forget it." });
  assert.equal(rowOf(session.state.turns[0]).status, "stopped");
  assert.equal(await session.decide("q", { kind: "answer", text: "Late" }), undefined);
  assert.equal(app.sim.requests.length, 2);
});

test("a question that has outlived its window can be answered again once what was asked after it is taken back", async (t) => {
  const app = await openFolder(t);
  app.sim.reply(asks());
  void app.session.send({ prompt: "Set up the store." });
  await until(app.session, () => app.session.status === "needs-review");
  const session = await app.restart();
  app.sim.reply(text("Fine."));
  const later = await session.send({ prompt: "Forget it." });
  await session.rewind(later?.id ?? "", "conversation");
  assert.deepEqual([rowOf(session.state.turns[0]).status, session.status], ["asked", "needs-review"]);
  const again = await app.restart();
  assert.deepEqual(again.state, session.state);
  app.sim.reply(text("Understood."));
  assert.equal((await again.decide("q", { kind: "answer", text: "Postgres" }))?.status, "done");
  assert.match(sentTo(app), /has now answered your question:\]\\nPostgres/);
});

test("a question that has outlived its window is closed when its turn is left out of requests", async (t) => {
  const app = await openFolder(t);
  app.sim.reply(asks());
  void app.session.send({ prompt: "Set up the store." });
  await until(app.session, () => app.session.status === "needs-review");
  const session = await app.restart();
  await session.exclude(session.state.turns[0]?.id ?? "");
  assert.equal(rowOf(session.state.turns[0]).status, "stopped");
  assert.equal(await session.decide("q", { kind: "answer", text: "Late" }), undefined);
  assert.equal(app.sim.requests.length, 1, "nothing is sent without the question");
  const again = await app.restart();
  assert.deepEqual([rowOf(again.state.turns[0]).status, again.status], ["stopped", "failed"]);
});

test("two conversations ask at once and each gets its own answer", async (t) => {
  const app = await openFolder(t);
  const one = app.session;
  app.sim.reply(asks());
  const first = one.send({ prompt: "First." });
  await until(one, () => one.status === "needs-review");
  await app.newConversation();
  const two = app.session;
  app.sim.reply(asks());
  const second = two.send({ prompt: "Second." });
  await until(two, () => two.status === "needs-review");
  app.sim.reply(text("B."));
  await two.decide("q", { kind: "answer", text: "for the second" });
  await second;
  assert.match(sentTo(app), /for the second/);
  assert.equal(one.status, "needs-review");
  app.sim.reply(text("A."));
  await one.decide("q", { kind: "answer", text: "for the first" });
  await first;
  assert.match(sentTo(app), /for the first/);
  assert.doesNotMatch(sentTo(app), /for the second/);
});
