// What other extensions ask through VS Code's language models, against the strict simulator: their messages in our
// items, what came back unchanged, figures in the ledger.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceClient } from "../../../../src/core/api/service-client.ts";
import type { ConversationEvent } from "../../../../src/core/conversation/events.ts";
import type { Problem, ProblemAction } from "../../../../src/core/conversation/problem.ts";
import { createForeignChat, type ForeignEvent } from "../../../../src/core/session/foreign-chat.ts";
import { SpendGuard } from "../../../../src/core/session/spend-guard.ts";
import { ForeignReplies } from "../../../../src/core/turn/foreign-replies.ts";
import {
  type ForeignMessage,
  type ForeignQuestion,
  foreignRequest,
} from "../../../../src/core/turn/foreign-request.ts";
import { callText } from "../../../../src/core/turn/text-calls.ts";
import type { ProfileName } from "../../../sim/profiles.ts";
import { call, incomplete, type Part, reasoning, text, usage } from "../../../sim/script.ts";
import { sessionNeeds } from "../../../support/session-defaults.ts";
import { simulatedClient } from "../../../support/simulated-client.ts";

const tools = [
  { name: "look_up", description: "Looks up.", parameters: { properties: { word: { type: "string" } } } },
];
const user = (words: string): ForeignMessage => ({ role: "user", parts: [{ kind: "text", text: words }] });
const k3 = { model: "svc-k3", route: "responses" as const, tools };

type Client = Pick<ServiceClient, "respond" | "chat" | "found">;

async function start(
  t: { after(run: () => Promise<void>): void },
  profile: ProfileName = "strict",
  change: (client: Client) => Client = (client) => client,
) {
  const { sim, client } = await simulatedClient(t, { profile });
  const taken: ConversationEvent[] = [];
  const limit: { tokens: number | null } = { tokens: null };
  const asked: Problem[] = [];
  const answers: (ProblemAction | undefined)[] = [];
  const person = async (problem: Problem) => {
    asked.push(problem);
    return answers.shift();
  };
  let id = 0;
  const own: { outputTokens?: number; effort?: string; cacheTtl?: "5m" | "1h" } = {};
  const chat = createForeignChat({
    client: change(client),
    take: (event) => void taken.push(event),
    now: () => 1,
    newId: () => String(++id),
    limits: () => own,
    spending: new SpendGuard({
      counts: {
        aboutRequest: ({ request }) => ({ tokens: JSON.stringify(request).length, margin: 0, counts: 0 }),
        learnRequest() {},
      },
      prices: sessionNeeds.prices,
      limit: () => limit.tokens,
      now: () => 1,
    }),
  });
  const ask = async (question: ForeignQuestion, signal = AbortSignal.timeout(10_000)) => {
    const events: ForeignEvent[] = [];
    for await (const event of chat.ask(question, person, signal)) events.push(event);
    const said = events.map((event) => (event.type === "text" ? event.text : "")).join("");
    return { events, said, last: events.at(-1) };
  };
  return { sim, client, ask, taken, chat, person, limit, asked, answers, own };
}

const inputOf = (body: object) => (body as { input: Record<string, unknown>[] }).input;

test("a call goes to whoever asked, and comes back with its reasoning, byte for byte as the service sent it", async (t) => {
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

const talk: readonly ForeignMessage[] = [
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

const chatModel = { model: "svc-k2.6", route: "chat" as const, tools };
const messagesOf = (requests: readonly { readonly body: object }[]) =>
  requests.map(({ body }) => (body as { messages: { role: string; content: string }[] }).messages);
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

test("whatever others hand in, every call has one output and no output is without its call", async () => {
  const call_ = (id: string) => ({ kind: "call", id, name: "look_up", input: {} }) as const;
  const result = (id: string) => ({ kind: "result", id, text: "" }) as const;
  const { request } = await foreignRequest(
    {
      ...k3,
      messages: [
        user("  "),
        user("Go."),
        { role: "assistant", parts: [call_("a"), call_("b")] },
        { role: "user", parts: [result("b"), result("none"), { kind: "text", text: "And?" }] },
        { role: "assistant", parts: [{ kind: "text", text: " " }] },
      ],
    },
    new ForeignReplies("salt"),
    new AbortController().signal,
  );
  const items = ("input" in request ? request.input : []).map((raw) => JSON.parse(raw));
  assert.deepEqual(
    items.map(({ type, call_id: id }) => [type, id]),
    [
      ["message", undefined],
      ["function_call", "a"],
      ["function_call", "b"],
      ["function_call_output", "a"],
      ["function_call_output", "b"],
      ["message", undefined],
    ],
  );
  for (const { type, output } of items) if (type === "function_call_output") assert.notEqual(output, "");
});

test("a tool whose name cannot be on the wire is not offered, and pictures go along as they are", async () => {
  const odd = { name: "two words", description: "", parameters: undefined };
  const url = "data:image/png;base64,AA==";
  const question = { ...k3, tools: [...tools, odd] };
  const messages: ForeignMessage[] = [
    {
      role: "user",
      parts: [
        { kind: "image", url },
        { kind: "text", text: "What?" },
      ],
    },
  ];
  const { request } = await foreignRequest(
    { ...question, messages },
    new ForeignReplies("salt"),
    new AbortController().signal,
  );
  assert.ok("input" in request && request.tools?.length === 1);
  assert.match(request.input[0] ?? "", /input_image.*data:image\/png/);
});

test("what fails says why, and who leaves early closes the connection", async (t) => {
  const { sim, ask, chat, person } = await start(t);
  const { last } = await ask({ ...k3, model: "svc-none", messages: [user("Hi")] });
  assert.ok(last?.type === "ended" && last.problem !== undefined);
  const over = new AbortController();
  sim.reply(text("One. ".repeat(200)));
  const events = chat.ask({ ...k3, messages: [user("Tell me.")] }, person, over.signal);
  assert.equal((await events.next()).value?.type, "text");
  over.abort();
  const rest: ForeignEvent[] = [];
  for await (const event of events) rest.push(event);
  assert.equal(rest.at(-1)?.type, "ended");
});

test("an address that takes back only what the interface shows is sent that by others, too, once it is known", async (t) => {
  const { sim, client, ask } = await start(t, "replay-strict");
  sim.reply(reasoning("hm"), text("A moment."), call("look_up", { word: "cart" }, { callId: "c1" }));
  await ask({ ...k3, messages: [user("What is a cart?")] });
  const messages: ForeignMessage[] = [
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

const results = (id: string, words: string): ForeignMessage => ({
  role: "user",
  parts: [{ kind: "result", id, text: words }],
});
const calls = (...made: { id: string; name: string; input: object }[]): ForeignMessage => ({
  role: "assistant",
  parts: made.map((each) => ({ kind: "call", ...each })),
});
const reasoningIn = (body: object | undefined) =>
  inputOf(body ?? {}).filter(({ type }) => type === "reasoning").length;

test("ids that the service uses again belong to the reply that they came with", async (t) => {
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

test("nothing of one conversation gets into another, and nothing into a call that was changed", async (t) => {
  const { sim, ask } = await start(t);
  const made = { id: "c", name: "look_up", input: { word: "cart" } };
  sim.reply(reasoning("Mine."), call("look_up", { word: "cart" }, { callId: "c" }));
  await ask({ ...k3, messages: [user("What is a cart?")] });
  const asked = [calls(made), results("c", "lines")];
  const others: readonly (readonly [ForeignMessage[], reasoning: number])[] = [
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

test("what is sent begins with what was sent before, byte for byte, over ten rounds with tools", async (t) => {
  const { sim, ask } = await start(t);
  const messages = [user("Count.")];
  for (let round = 0; round < 10; round++) {
    sim.reply(reasoning(`Round ${round}.`), text("So far."), call("look_up", { word: String(round) }));
    const { events } = await ask({ ...k3, messages });
    const [made] = events.filter((event) => event.type === "call");
    assert.ok(made !== undefined);
    const { type: _, ...asked } = made;
    const said: ForeignMessage = {
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

test("a chat model with tools as text is sent what was sent before, byte for byte, over ten rounds", async (t) => {
  const { sim, ask } = await start(t);
  const messages = [talk[0] ?? user(""), user("Count.")];
  for (let round = 0; round < 10; round++) {
    sim.reply(text(`So far.\n${block(String(round))}`));
    const { events, said } = await ask({ ...chatModel, messages });
    const [made] = events.flatMap((event) => (event.type === "call" ? [event] : []));
    assert.ok(made !== undefined);
    const answer: ForeignMessage = { role: "assistant", parts: [{ kind: "text", text: said }] };
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

test("a reply without calls goes back with what was thought for it, as long as its text is the same", async (t) => {
  const { sim, ask } = await start(t);
  const said = (words: string): ForeignMessage => ({
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
  test(`an answer of ${model.model} that ends by ${name} is not taken for a whole one`, async (t) => {
    const { sim, ask } = await start(t);
    sim.reply(...reply);
    const { last, events } = await ask({ ...model, messages: [user("Hi")] });
    assert.ok(last?.type === "ended");
    assert.equal(last.problem?.message.code, code);
    assert.equal(events.filter(({ type }) => type === "call").length, 0);
    sim.done();
  });

test("of a reply in which one call cannot be read none is run", async (t) => {
  const { sim, ask } = await start(t);
  sim.reply(call("look_up", { word: "cart" }), call("look_up", "{word: line"));
  const { last, events } = await ask({ ...k3, messages: [user("Hi")] });
  assert.ok(last?.type === "ended" && last.problem?.message.code === "problemCallUnread");
  assert.equal(events.filter(({ type }) => type === "call").length, 0);
  sim.done();
});

test("two conversations that begin with the same workspace are two", async (t) => {
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

test("what whoever asks sets of the model goes out as the interface shows it, and what a person has set holds for the rest", async (t) => {
  const { sim, ask, own } = await start(t);
  const text_ = { format: { type: "json_schema", name: "answer", schema: { type: "object" } } };
  Object.assign(own, { outputTokens: 4000, effort: "high", cacheTtl: "1h" });
  const messages = [user("Is it?")];
  const asked: readonly Partial<ForeignQuestion>[] = [
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

test("a chat model is sent none of these, since chat completions show none", async (t) => {
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

test("the ledger has each request by the model that answered, with what it had, and with the lifetime asked for", async (t) => {
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

test("thoughts and figures are told beside the text", async (t) => {
  const { sim, ask } = await start(t);
  sim.reply(reasoning("I think."), text("Yes."));
  const { events } = await ask({ ...k3, messages: [user("Is it?")] });
  const thought = events.flatMap((event) => (event.type === "reasoning" ? [event.text] : []));
  assert.equal(thought.join(""), "I think.");
  const [usage] = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
  assert.ok((usage?.input ?? 0) > 0 && (usage?.output ?? 0) > 0);
  sim.done();
});

test("a call that is required is asked for at the end, once more where none comes, and then it is an error", async (t) => {
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

test("pictures that a tool answers with follow its output", async () => {
  const url = "data:image/png;base64,AA==";
  const made = { id: "a", name: "look_up", input: {} };
  const messages: ForeignMessage[] = [
    user("Show it."),
    calls(made),
    { role: "user", parts: [{ kind: "result", id: "a", text: "", images: [url] }] },
  ];
  const { request } = await foreignRequest(
    { ...k3, messages },
    new ForeignReplies("salt"),
    new AbortController().signal,
  );
  const items = ("input" in request ? request.input : []).map((raw) => JSON.parse(raw));
  assert.deepEqual(
    items.map(({ type }) => type),
    ["message", "function_call", "function_call_output", "message"],
  );
  assert.match(JSON.stringify(items.at(-1)), /input_image.*image\/png/);
});

for (const model of [k3, { ...k3, model: "svc-k2.6", route: "chat" as const }])
  test(`a person is asked before much is sent, once for what an agent sends again: ${model.model}`, async (t) => {
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
