// Tools of another extension for a model that has none on the wire: offered in words, called in a block of text, answered in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelMessage } from "../../../../src/core/turn/language-model-request.ts";
import { callText } from "../../../../src/core/turn/text-calls.ts";
import { call, incomplete, text } from "../../../sim/script.ts";
import { calls, chatModel, messagesOf, results, start, user } from "../../../support/foreign-extension.ts";

const talk: readonly LanguageModelMessage[] = [
  { role: "system", parts: [{ kind: "text", text: "Be brief." }] },
  user("Is it?"),
  { role: "assistant", parts: [{ kind: "call", id: "c", name: "look_up", input: { word: "it" } }] },
  { role: "user", parts: [{ kind: "result", id: "c", text: "it is" }] },
];

test("a chat model without tools is asked with messages alone, what tools did told in words", async (t) => {
  const { sim, ask } = await start(t);
  sim.reply(text("Yes."));
  const { said } = await ask({ model: "svc-k2.6", route: "chat", tools: [], messages: talk });
  assert.equal(said, "Yes.");
  const { body } = sim.requests[0] ?? { body: {} };
  assert.match(JSON.stringify(body), /Be brief.*Is it\?.*I called look_up.*it is/);
  sim.done();
});

const block = (word: string) => callText({ name: "look_up", input: { word } });

test("a chat model is offered tools in words, and what it calls in a block at the end is a call", async (t) => {
  const { sim, ask } = await start(t);
  sim.reply(text(`I look.\n\n${block("cart")}`));
  const first = await ask({ ...chatModel, messages: [user("What is a cart?")] });
  assert.equal(first.said, "I look.\n\n");
  const [made] = first.events.flatMap((event) => (event.type === "call" ? [event] : []));
  assert.ok(made !== undefined);
  assert.deepEqual([made.name, made.input, first.last], ["look_up", { word: "cart" }, { type: "ended" }]);

  sim.reply(text("A list."));
  const messages = [
    user("What is a cart?"),
    calls(made),
    { role: "user" as const, parts: [{ kind: "result" as const, id: made.id, text: "lines" }] },
  ];
  assert.equal((await ask({ ...chatModel, messages })).said, "A list.");
  const sent = messagesOf(sim.requests);
  const [one, two] = [sent[0], sent.at(-1)];
  assert.deepEqual(
    one?.map(({ role }) => role),
    ["system", "user"],
  );
  assert.match(one?.[0]?.content ?? "", /"name":"look_up"/);
  assert.deepEqual(two?.slice(0, 2), one);
  assert.equal(two?.[2]?.content, block("cart"));
  assert.match(two?.[3]?.content ?? "", /^<tool_result name="look_up">\nlines\n/);
  sim.done();
});

test("a chat model that calls a tool as other services have it is heard, too, and sent it as text", async (t) => {
  const { sim, ask } = await start(t);
  sim.reply(text("I look."), call("look_up", { word: "cart" }, { callId: "look_up:0" }));
  const messages = [user("What is a cart?")];
  const { events, said, last } = await ask({ ...chatModel, messages });
  const made = { id: "look_up:0", name: "look_up", input: { word: "cart" } };
  assert.deepEqual(
    events.filter(({ type }) => type === "call"),
    [{ type: "call", ...made }],
  );
  assert.deepEqual([said, last], ["I look.", { type: "ended" }]);
  sim.reply(text("A list."));
  await ask({ ...chatModel, messages: [...messages, calls(made), results(made.id, "lines")] });
  const [, , told, answered] = messagesOf(sim.requests).at(-1) ?? [];
  assert.equal(told?.content, block("cart"));
  assert.match(answered?.content ?? "", /^<tool_result name="look_up">\nlines\n/);
  sim.reply(call("look_up", "{word: cart"));
  const odd = await ask({ ...chatModel, messages });
  assert.ok(odd.last?.type === "ended" && odd.last.problem?.message.code === "problemCallUnread");
  sim.done();
});

test("a block that cannot be read is asked for once more, at the end, and then it is an error", async (t) => {
  const { sim, ask } = await start(t);
  const messages = [user("What is a cart?")];
  sim.reply(text(`I look.\n${block("cart")}\nIt is a list.`));
  sim.reply(text(block("cart")));
  const mended = await ask({ ...chatModel, messages });
  assert.deepEqual([mended.said, mended.last], ["I look.\n", { type: "ended" }]);
  assert.equal(mended.events.filter(({ type }) => type === "call").length, 1);
  const sent = messagesOf(sim.requests);
  const [one, two] = [sent[0], sent.at(-1)];
  assert.deepEqual(two?.slice(0, 2), one);
  assert.match(two?.[2]?.content ?? "", /It is a list/);
  assert.match(two?.at(-1)?.content ?? "", /could not be read/);
  for (const _ of [1, 2]) sim.reply(text("<tool_call>\nlook_up(cart)\n</tool_call>"));
  const never = await ask({ ...chatModel, messages });
  assert.ok(never.last?.type === "ended" && never.last.problem?.message.code === "problemCallBlock");
  assert.equal(
    never.events.some(({ type }) => type === "call"),
    false,
  );
  sim.done();
});

test("a block of an answer that was cut off is no call", async (t) => {
  const { sim, ask } = await start(t);
  sim.reply(text(block("cart")), incomplete());
  const { events, last, said } = await ask({ ...chatModel, messages: [user("What is a cart?")] });
  assert.ok(last?.type === "ended" && last.problem !== undefined);
  assert.deepEqual([said, events.filter(({ type }) => type === "call")], ["", []]);
  sim.done();
});

test("a chat model with tools as text is sent what was sent before, byte for byte, over ten rounds", async (t) => {
  const { sim, ask } = await start(t);
  const messages = [talk[0] ?? user(""), user("Count.")];
  for (let round = 0; round < 10; round++) {
    sim.reply(text(`So far.\n${block(String(round))}`));
    const { events, said } = await ask({ ...chatModel, messages });
    const [made] = events.flatMap((event) => (event.type === "call" ? [event] : []));
    assert.ok(made !== undefined);
    const answer: LanguageModelMessage = { role: "assistant", parts: [{ kind: "text", text: said }] };
    messages.push(
      { ...answer, parts: [...answer.parts, ...calls(made).parts] },
      results(made.id, `${round}.`),
    );
  }
  const sent = messagesOf(sim.requests);
  assert.ok(sent.length >= 10);
  for (const [at, each] of sent.slice(1).entries())
    assert.deepEqual(each.slice(0, sent[at]?.length), sent[at]);
  sim.done();
});
