import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { type Exchange, Exchanges, sendOnce } from "../../../src/inspect/exchanges.ts";
import { answerOf } from "../../../src/inspect/internal/edit-and-compare.ts";
import { status } from "../../sim/http-answers.ts";
import { call, text } from "../../sim/script.ts";
import { simulatedClient } from "../../support/simulated-client.ts";
import { openTestApp } from "../../support/test-app.ts";

async function start(t: { after(run: () => Promise<void>): void }) {
  const { sim, client } = await simulatedClient(t);
  const exchanges = new Exchanges();
  const owner = { conversation: "conversation", turn: "turn" };
  const ask = async (content: string) => {
    const request = { input: [JSON.stringify({ type: "message", role: "user", content })] };
    for await (const event of client.respond(request, new AbortController().signal))
      if (event.type === "ended") {
        const { reply, sent } = event;
        const outgoing = { route: "responses", model: "svc-k3", request } as const;
        exchanges.add(owner, { ...outgoing, number: 1, began: 1, ended: 1, sent, reply });
      }
  };
  return { sim, exchanges, client, ask };
}

test("a turn reports every request and its reply, on either route", async (t) => {
  const told: [string, Exchange][] = [];
  const app = await openTestApp(t, {
    defaultModel: () => "svc-k3",
    exchanged: ({ conversation, turn }, exchange) => {
      assert.equal(conversation, app.session.id);
      told.push([turn, exchange]);
    },
  });
  const { session, sim } = app;
  sim.reply(call("read_file", { path: "a" }));
  for (const answer of ["There is none.", "Yes."]) sim.reply(text(answer));
  const read = await session.send({ prompt: "Read a." });
  session.choices.chooseModel("svc-k2.6");
  const chatted = await session.send({ prompt: "Really?" });
  assert.deepEqual(
    told.map(([turn, { route, model, number }]) => [turn, route, model, number]),
    [
      [read?.id, "responses", "svc-k3", 1],
      [read?.id, "responses", "svc-k3", 2],
      [chatted?.id, "chat", "svc-k2.6", 1],
    ],
  );
  for (const [at, [, { sent, began, ended, reply }]] of told.entries()) {
    assert.equal(sent?.(), sim.requests[at]?.raw.toString("utf8"));
    assert.ok(began <= ended);
    assert.equal(reply.status, "completed");
  }
});

test("an exchange holds the exact bytes that were sent last, also after a refused field", async (t) => {
  const { sim, exchanges, ask } = await start(t);
  sim.reply(status(400, { message: "Unknown field: stream", code: "unknown" }));
  sim.reply(text("Hello"));
  await ask("Hi “you”");
  const [exchange] = exchanges.of("turn");
  assert.equal(exchange?.sent?.(), sim.requests.at(-1)?.raw.toString("utf8"));
  assert.equal(answerOf(exchange?.reply.items.map(({ raw }) => raw) ?? []), "Hello");
});

test("Exchanges keeps the latest fifty", async (t) => {
  const { sim, exchanges, ask } = await start(t);
  for (let at = 0; at < 53; at += 1) {
    sim.reply(text(String(at)));
    await ask("Hi");
  }
  assert.equal(exchanges.of("turn").length, 50);
  assert.equal(exchanges.of("turn").at(-1)?.reply.text, "52");
});

test("Exchanges keeps the latest exchanges within 32 million characters, and none that is larger alone", async (t) => {
  const { sim, exchanges, ask } = await start(t);
  sim.reply(text("zero"));
  await ask("Hi");
  const [small = assert.fail()] = exchanges.of("turn");
  const add = (answer: string, length: number) => {
    const request = { input: ["x".repeat(length)] };
    const outgoing = { route: "responses", request } as const;
    const reply = { ...small.reply, text: answer };
    exchanges.add({ conversation: "", turn: "long" }, { ...small, ...outgoing, reply });
  };
  const answers = () => exchanges.of("long").map(({ reply }) => reply.text);
  for (const answer of ["one", "two", "three"]) add(answer, 12_000_000);
  assert.deepEqual(answers(), ["two", "three"]);
  assert.deepEqual(exchanges.of("turn"), []);
  add("four", 34_000_000);
  assert.deepEqual(answers(), ["two", "three"]);
  add("five", 2);
  assert.deepEqual(answers(), ["two", "three", "five"]);
});

test("Exchanges finds the earlier request of the same conversation and route", async (t) => {
  const { sim, exchanges, ask } = await start(t);
  sim.reply(text("Hello"));
  await ask("Hi");
  const [first = assert.fail()] = exchanges.of("turn");
  const add = (conversation: string, turn: string, exchange: Exchange) =>
    exchanges.add({ conversation, turn }, exchange);
  add("other", "elsewhere", { ...first, number: 1 });
  const chat = { route: "chat", model: "svc-k2.6", request: { model: "svc-k2.6", messages: [] } } as const;
  add("conversation", "chatted", { ...first, ...chat, number: 1 });
  const second = { ...first, number: 1 };
  const third = { ...first, number: 2 };
  add("conversation", "next", second);
  add("conversation", "next", third);
  assert.deepEqual(exchanges.withEarlier("next", 1), [first, second]);
  assert.deepEqual(exchanges.withEarlier("next", 2), [second, third]);
  assert.deepEqual(exchanges.withEarlier("turn", 1), [undefined, first]);
  for (const [turn, number] of [
    ["next", 3],
    ["chatted", 1],
    ["gone", 1],
  ] as const)
    assert.equal(exchanges.withEarlier(turn, number), undefined);
});

test("sendOnce reports the usage and the end of a request outside every conversation", async (t) => {
  const { sim, client } = await start(t);
  sim.reply(call("read_file", { path: "a" }));
  const facts: ConversationEvent[] = [];
  const asked = {
    route: "responses",
    request: {
      input: ['{"type":"message","role":"user","content":"Hi"}'],
      tools: [
        '{"type":"function","name":"read_file","description":"","parameters":{"type":"object"},"strict":false}',
      ],
    },
  } as const;
  const deps = {
    client,
    take: (event: ConversationEvent) => void facts.push(event),
    now: () => 2,
    newId: () => "once",
  };
  const reply = await sendOnce(asked, deps, new AbortController().signal);
  assert.match(answerOf(reply.items.map(({ raw }) => raw)), /^\[read_file\]\n/);
  assert.deepEqual(
    facts.map((fact) => [fact.type, "turn" in fact && fact.turn]),
    [
      ["usage", "once"],
      ["ended", "once"],
    ],
  );
});
