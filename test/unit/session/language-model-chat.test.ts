// What other extensions ask through VS Code's language models, against the strict simulator: how an answer of theirs ends, what
// it may cost, and what stands in the ledger.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LanguageModelQuestion } from "../../../src/session/internal/language-model-request.ts";
import type { LanguageModelEvent, LanguageModelMessage } from "../../../src/session/language-model-chat.ts";
import { call, incomplete, type Part, reasoning, text, usage } from "../../sim/script.ts";
import { chatModel, inputOf, k3, start, user } from "../../support/foreign-extension.ts";

test("a failed or aborted request of another extension ends with an ended event", async (t) => {
  const { sim, ask, chat, person } = await start(t);
  const { last } = await ask({ ...k3, model: "svc-none", messages: [user("Hi")] });
  assert.ok(last?.type === "ended" && last.problem !== undefined);
  const over = new AbortController();
  sim.reply(text("One. ".repeat(200)));
  const events = chat.ask({ ...k3, messages: [user("Tell me.")] }, person, over.signal);
  assert.equal((await events.next()).value?.type, "text");
  over.abort();
  const rest: LanguageModelEvent[] = [];
  for await (const event of events) rest.push(event);
  assert.equal(rest.at(-1)?.type, "ended");
});

const ends: readonly (readonly [name: string, reply: Part[], code: string])[] = [
  ["a call whose arguments are no JSON", [call("look_up", "{word: cart")], "problemCallUnread"],
  ["the output limit", [text("Half."), incomplete("max_output_tokens")], "problemLimit"],
  ["a filter", [text("Half."), incomplete("content_filter")], "problemCutOffFor"],
  ["nothing at all", [text("")], "problemNothing"],
];

const models = [k3, { ...k3, model: "svc-k2.6", route: "chat" as const, tools: [] }];

for (const [name, reply, code, model] of models.flatMap((model) =>
  ends.flatMap(([name, reply, code]) =>
    model.route === "chat" && code === "problemCallUnread" ? [] : [[name, reply, code, model] as const],
  ),
))
  test(`a response of ${model.model} that ends with ${name} is reported as a problem`, async (t) => {
    const { sim, ask } = await start(t);
    sim.reply(...reply);
    const { last, events } = await ask({ ...model, messages: [user("Hi")] });
    assert.ok(last?.type === "ended");
    assert.equal(last.problem?.message.code, code);
    assert.equal(events.filter(({ type }) => type === "call").length, 0);
    sim.done();
  });

test("a response with one unreadable call reports none of its calls", async (t) => {
  const { sim, ask } = await start(t);
  sim.reply(call("look_up", { word: "cart" }), call("look_up", "{word: line"));
  const { last, events } = await ask({ ...k3, messages: [user("Hi")] });
  assert.ok(last?.type === "ended" && last.problem?.message.code === "problemCallUnread");
  assert.equal(events.filter(({ type }) => type === "call").length, 0);
  sim.done();
});

test("a request's own settings override the user's, except for a higher output limit", async (t) => {
  const { sim, ask, own } = await start(t);
  const text_ = { format: { type: "json_schema", name: "answer", schema: { type: "object" } } };
  Object.assign(own, { outputTokens: 4000, effort: "high", cacheTtl: "1h" });
  const messages = [user("Is it?")];
  const asked: readonly Partial<LanguageModelQuestion>[] = [
    {},
    {
      text: text_,
      reasoning: { effort: "low", summary: "auto" },
      effort: "low",
      cacheTtl: "5m",
      maxOutputTokens: 500,
    },
    // As much as the model wants is one of the choices; no more output than a person allows is not.
    { effort: "", maxOutputTokens: 9000 },
  ];
  for (const limits of asked) {
    sim.reply(text("Yes."));
    await ask({ ...k3, messages, ...limits });
  }
  const fields = ["text", "reasoning", "prompt_cache_options", "max_output_tokens"];
  assert.deepEqual(
    sim.requests.map(({ body }) => fields.map((field) => body[field])),
    [
      [undefined, { effort: "high" }, { mode: "implicit", ttl: "1h" }, 4000],
      [text_, { effort: "low", summary: "auto" }, { mode: "implicit", ttl: "5m" }, 500],
      [undefined, undefined, { mode: "implicit", ttl: "1h" }, 4000],
    ],
  );
  sim.done();
});

test("a request to a chat model contains no settings for text, reasoning, cache or output limit", async (t) => {
  const { sim, ask, own } = await start(t);
  Object.assign(own, { outputTokens: 4000, effort: "high", cacheTtl: "1h" });
  sim.reply(text("Yes."));
  await ask({ ...chatModel, tools: [], messages: [user("Is it?")], text: {}, cacheTtl: "1h" });
  assert.deepEqual(Object.keys(sim.requests[0]?.body ?? {}).sort(), [
    "messages",
    "model",
    "stream",
    "stream_options",
  ]);
  sim.done();
});

test("the ledger records each request with its model, usage and requested cache lifetime", async (t) => {
  const { sim, ask, taken } = await start(t, "standard");
  sim.reply(text("Yes."), usage({ input: 12, cached: 5, output: 3 }));
  await ask({ ...k3, messages: [user("Is it?")], cacheTtl: "1h" });
  sim.reply(text("Yes."), usage({ input: 9, output: 2 }));
  await ask({ ...chatModel, tools: [], messages: [user("Is it?")] });
  const rows = taken.flatMap((event) => (event.type === "usage" ? [event] : []));
  assert.deepEqual(
    rows.map(({ model, usage: { input, output }, askedTtl }) => [model, input, output, askedTtl]),
    [
      ["svc-k3", 12, 3, "1h"],
      ["svc-k2.6", 9, 2, undefined],
    ],
  );
  assert.equal(new Set(rows.map(({ turn }) => turn)).size, 2);
  sim.done();
});

test("reasoning and usage are reported as events beside the text", async (t) => {
  const { sim, ask } = await start(t);
  sim.reply(reasoning("I think."), text("Yes."));
  const { events } = await ask({ ...k3, messages: [user("Is it?")] });
  const thought = events.flatMap((event) => (event.type === "reasoning" ? [event.text] : []));
  assert.equal(thought.join(""), "I think.");
  const [usage] = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
  assert.ok((usage?.input ?? 0) > 0 && (usage?.output ?? 0) > 0);
  sim.done();
});

test("a required call is requested once more if it is missing, and then reported as an error", async (t) => {
  const { sim, ask } = await start(t);
  const question = { ...k3, messages: [user("Look it up.")], mustCall: true };
  sim.reply(text("I would rather not."));
  sim.reply(text("Now."), call("look_up", { word: "it" }));
  const second = await ask(question);
  assert.deepEqual([second.said, second.last], ["Now.", { type: "ended" }]);
  assert.equal(second.events.filter(({ type }) => type === "call").length, 1);
  const [one] = sim.requests.map(({ body }) => inputOf(body).map(({ content }) => content));
  assert.deepEqual(one?.slice(0, 1), ["Look it up."]);
  assert.match(String(one?.at(-1)), /Call one of the tools/);
  for (const _ of [1, 2]) sim.reply(text("No."));
  const never = await ask(question);
  assert.equal(never.said, "");
  assert.ok(never.last?.type === "ended" && never.last.problem?.message.code === "problemNotCalled");
  assert.equal(sim.requests.length, 4);
  sim.done();
});

for (const model of [k3, { ...k3, model: "svc-k2.6", route: "chat" as const }])
  test(`a large request asks the user first, and once for what an agent sends again: ${model.model}`, async (t) => {
    const { sim, ask, limit, asked, answers } = await start(t);
    const messages = [user("What is a cart?"), user("x".repeat(4000))];
    limit.tokens = 3000;
    const declined = await ask({ ...model, messages });
    assert.ok(declined.last?.type === "ended" && declined.last.problem?.message.code === "problemNotSent");
    assert.deepEqual([asked[0]?.message.code, sim.requests.length], ["questionSpending", 0]);

    answers.push("send-anyway");
    const figures = usage({ input: 5000 });
    sim.reply(text("A list."), figures);
    assert.equal((await ask({ ...model, messages })).said, "A list.");
    sim.reply(text("Of lines."), figures);
    const more = [...messages, { role: "assistant" as const, parts: [] }, user("Of what?")];
    assert.equal((await ask({ ...model, messages: more })).said, "Of lines.");
    assert.equal(asked.length, 2);
    // Another conversation begins with nothing.
    await ask({ ...model, messages: [user("Again."), ...messages] });
    assert.equal(asked.length, 3);
    sim.done();
  });

for (const model of [k3, { ...k3, model: "svc-k2.6", route: "chat" as const }])
  describe(`the spending limit for other extensions with ${model.model}`, () => {
    const opening: readonly LanguageModelMessage[] = [
      user("The folder has these files."),
      { role: "assistant", parts: [{ kind: "text", text: "I see." }] },
    ];
    const limit = 3000;

    test("counts as known only the beginning that a request shares with an earlier one", async (t) => {
      const fixture = await start(t);
      fixture.limit.tokens = limit;
      let asked = 0;
      // Each is longer than the last by less than the limit, and has nothing but its first messages in common with it.
      for (let round = 1; round <= 5; round++) {
        fixture.sim.reply(text("Well."));
        fixture.answers.push("send-anyway");
        const messages = [...opening, user(String(round).repeat(round * 2000))];
        await fixture.ask({ ...model, tools: [], messages });
        asked += 2000 * round > limit ? 1 : 0;
        assert.equal(fixture.asked.length, asked, `${round}`);
      }
      fixture.sim.done();
    });

    test("covers an agreed request for five minutes", async (t) => {
      const fixture = await start(t);
      fixture.limit.tokens = limit;
      const messages = [...opening, user("x".repeat(4000))];
      for (const [minutes, asked] of [
        [0, 1],
        [4.9, 1],
        [9.9, 2],
      ] as const) {
        fixture.clock.now = minutes * 60_000;
        fixture.sim.reply(text("Well."));
        fixture.answers.push("send-anyway");
        await fixture.ask({ ...model, messages });
        assert.equal(fixture.asked.length, asked, `after ${minutes} minutes`);
      }
      fixture.sim.done();
    });

    test("asks again for another model", async (t) => {
      const fixture = await start(t);
      fixture.limit.tokens = limit;
      const messages = [...opening, user("x".repeat(4000))];
      for (const name of [model.model, `${model.model}-next`]) {
        fixture.answers.push("send-anyway");
        fixture.sim.reply(text("Well."));
        await fixture.ask({ ...model, model: name, messages });
      }
      assert.equal(fixture.asked.length, 2);
    });
  });
