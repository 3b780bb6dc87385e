// A conversation that another extension holds: what is sent again is what was sent and said before, byte for byte, with the
// thoughts that belong to it, and nothing of another conversation.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModelMessage } from "../../../src/session/language-model-chat.ts";
import { call, reasoning, text, usage } from "../../sim/script.ts";
import { calls, inputOf, k3, results, start, user } from "../../support/foreign-extension.ts";

test("a tool call that comes without its reasoning is sent back with it", async (t) => {
  const { sim, ask, taken } = await start(t);
  sim.reply(reasoning("I look it up."), text("A moment."), call("look_up", { word: "cart" }));
  const first = await ask({ ...k3, messages: [user("What is a cart?")] });
  assert.equal(first.said, "A moment.");
  const [called] = first.events.filter((event) => event.type === "call");
  assert.ok(called?.type === "call");
  assert.deepEqual([called.name, called.input], ["look_up", { word: "cart" }]);
  assert.deepEqual(first.last, { type: "ended" });

  sim.reply(text("A list of lines."));
  const { id, name, input } = called;
  const second = await ask({
    ...k3,
    messages: [
      user("What is a cart?"),
      // As VS Code hands it back: no reasoning, arguments as an object.
      {
        role: "assistant",
        parts: [
          { kind: "text", text: "A moment." },
          { kind: "call", id, name, input },
        ],
      },
      { role: "user", parts: [{ kind: "result", id, text: "lines" }] },
    ],
  });
  assert.equal(second.said, "A list of lines.");
  const [one, two] = sim.requests.map(({ body }) => body);
  assert.deepEqual(
    inputOf(two ?? {}).map(({ type }) => type),
    ["message", "reasoning", "message", "function_call", "function_call_output"],
  );
  assert.equal(two?.["prompt_cache_key"], one?.["prompt_cache_key"]);
  assert.equal(taken.filter(({ type }) => type === "usage").length, 2);
  sim.done();
});

test("an origin known to accept only plain history gets plain history from other extensions, too", async (t) => {
  const { sim, client, ask } = await start(t, "replay-strict");
  sim.reply(reasoning("hm"), text("A moment."), call("look_up", { word: "cart" }, { callId: "c1" }));
  await ask({ ...k3, messages: [user("What is a cart?")] });
  const messages: LanguageModelMessage[] = [
    user("What is a cart?"),
    { role: "assistant", parts: [{ kind: "call", id: "c1", name: "look_up", input: { word: "cart" } }] },
    { role: "user", parts: [{ kind: "result", id: "c1", text: "lines" }] },
  ];
  const refused = await ask({ ...k3, messages });
  assert.ok(refused.last?.type === "ended" && refused.last.problem?.kind === "bad-request");
  await client.learnHistory(new URL(sim.url).origin, "plain");
  sim.reply(text("A list of lines."));
  assert.equal((await ask({ ...k3, messages })).said, "A list of lines.");
  assert.deepEqual(
    inputOf(sim.requests.at(-1)?.body ?? {}).map(({ type }) => type),
    ["message", "message", "function_call", "function_call_output"],
  );
  sim.done();
});

const reasoningIn = (body: object | undefined) =>
  inputOf(body ?? {}).filter(({ type }) => type === "reasoning").length;

test("a call id that the service repeats belongs to the reply it came with", async (t) => {
  const inputs: Record<string, unknown>[][] = [];
  const { sim, ask } = await start(t, "strict", (client) => ({
    ...client,
    async *respond(request, signal) {
      inputs.push(request.input.map((raw) => JSON.parse(raw)));
      if (inputs.length <= 2) yield* client.respond(request, signal);
    },
  }));
  const made = (word: string) => ({ id: "look_up_0", name: "look_up", input: { word } });
  const messages = [user("What are they?")];
  for (const word of ["cart", "line"]) {
    sim.reply(reasoning(`About ${word}.`), call("look_up", { word }, { callId: "look_up_0" }));
    const { events, last } = await ask({ ...k3, messages });
    assert.deepEqual(
      events.filter(({ type }) => type === "call"),
      [{ type: "call", ...made(word) }],
    );
    assert.deepEqual(last, { type: "ended" });
    messages.push(calls(made(word)), results("look_up_0", `a ${word}`));
  }
  await ask({ ...k3, messages }).catch(() => {});
  // The simulator takes no id twice, as a service does that never repeats one: what would go out is looked at here.
  const [last] = inputs.slice(-1);
  assert.deepEqual(
    last?.map(({ type, output, arguments: given }) => output ?? given ?? type),
    ["message", "reasoning", '{"word":"cart"}', "a cart", "reasoning", '{"word":"line"}', "a line"],
  );
  sim.done();
});

test("reasoning is never added to another conversation or to a changed call", async (t) => {
  const { sim, ask } = await start(t);
  const made = { id: "c", name: "look_up", input: { word: "cart" } };
  sim.reply(reasoning("Mine."), call("look_up", { word: "cart" }, { callId: "c" }));
  await ask({ ...k3, messages: [user("What is a cart?")] });
  const asked = [calls(made), results("c", "lines")];
  const others: readonly (readonly [LanguageModelMessage[], reasoning: number])[] = [
    [[user("What is a cart?"), ...asked], 1],
    [[user("Something else?"), ...asked], 0],
    [[user("What is a cart?"), calls({ ...made, input: { word: "line" } }), results("c", "lines")], 0],
    [[user("What is a cart?"), calls({ ...made, name: "look" }), results("c", "lines")], 0],
  ];
  for (const [messages, count] of others) {
    sim.reply(text("Lines."));
    await ask({ ...k3, messages });
    assert.equal(reasoningIn(sim.requests.at(-1)?.body), count, JSON.stringify(messages));
  }
  sim.done();
});

test("each request begins with all items of the one before, over ten rounds with tools", async (t) => {
  const { sim, ask } = await start(t);
  const messages = [user("Count.")];
  for (let round = 0; round < 10; round++) {
    sim.reply(reasoning(`Round ${round}.`), text("So far."), call("look_up", { word: String(round) }));
    const { events } = await ask({ ...k3, messages });
    const [made] = events.filter((event) => event.type === "call");
    assert.ok(made !== undefined);
    const { type: _, ...asked } = made;
    const said: LanguageModelMessage = {
      role: "assistant",
      parts: [
        { kind: "text", text: "So far." },
        { kind: "call", ...asked },
      ],
    };
    messages.push(said, results(made.id, `${round}.`));
  }
  const bodies = sim.requests.map(({ raw }) => raw.toString("utf8"));
  const inputs = sim.requests.map(({ body }) => inputOf(body).map((item) => JSON.stringify(item)));
  for (const [at, input] of inputs.slice(1).entries())
    assert.deepEqual(input.slice(0, inputs[at]?.length), inputs[at]);
  const beginning = (raw = "") => raw.slice(0, raw.indexOf('"Count."'));
  assert.equal(new Set(bodies.map(beginning)).size, 1);
  assert.equal(new Set(sim.requests.map(({ body }) => JSON.stringify(body["tools"]))).size, 1);
  sim.done();
});

test("a reply without calls is sent back with its reasoning as long as its text is unchanged", async (t) => {
  const { sim, ask } = await start(t);
  const said = (words: string): LanguageModelMessage => ({
    role: "assistant",
    parts: [{ kind: "text", text: words }],
  });
  sim.reply(reasoning("Hm."), text("A list."));
  await ask({ ...k3, messages: [user("What is it?")] });
  for (const [words, count] of [
    ["A list.", 1],
    ["A map.", 0],
  ] as const) {
    sim.reply(text("Yes."));
    await ask({ ...k3, messages: [user("What is it?"), said(words), user("Sure?")] });
    assert.equal(reasoningIn(sim.requests.at(-1)?.body), count);
  }
  sim.done();
});

test("two conversations with the same first message share neither reasoning nor agreed spending", async (t) => {
  const { sim, ask, limit, asked, answers } = await start(t);
  const workspace = user("The workspace has these files.");
  const made = { id: "look_up_0", name: "look_up", input: { word: "cart" } };
  sim.reply(reasoning("Mine."), call("look_up", made.input, { callId: made.id }), usage({ input: 50_000 }));
  await ask({ ...k3, messages: [workspace, user("What is a cart?")] });
  limit.tokens = 1000;
  answers.push("send-anyway", "send-anyway");
  const same = [calls(made), results(made.id, "lines")];
  sim.reply(text("Lines."));
  await ask({ ...k3, messages: [workspace, user("What is a cart?"), ...same] });
  assert.deepEqual([reasoningIn(sim.requests.at(-1)?.body), asked.length], [1, 0]);
  sim.reply(text("Lines."));
  await ask({ ...k3, messages: [workspace, user("Is there a cart?".padEnd(2000)), ...same] });
  assert.deepEqual([reasoningIn(sim.requests.at(-1)?.body), asked.length], [0, 1]);
  const keys = sim.requests.map(({ body }) => body["prompt_cache_key"]);
  assert.equal(new Set(keys).size, 1);
  sim.done();
});
