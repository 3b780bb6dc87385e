// What other extensions ask through VS Code's language models, against the strict simulator: their messages in our
// items, what came back unchanged, figures in the ledger.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationEvent } from "../../../src/core/conversation/events.ts";
import { createForeignChat, type ForeignEvent } from "../../../src/core/foreign-chat.ts";
import {
  type ForeignMessage,
  type ForeignQuestion,
  ForeignReplies,
  foreignRequest,
} from "../../../src/core/turn/foreign-request.ts";
import type { ProfileName } from "../../sim/profiles.ts";
import { call, reasoning, text } from "../../sim/script.ts";
import { simulatedClient } from "../../support/simulated-client.ts";

const tools = [
  { name: "look_up", description: "Looks up.", parameters: { properties: { word: { type: "string" } } } },
];
const user = (words: string): ForeignMessage => ({ role: "user", parts: [{ kind: "text", text: words }] });
const k3 = { model: "svc-k3", route: "responses" as const, tools };

async function start(t: { after(run: () => Promise<void>): void }, profile: ProfileName = "strict") {
  const { sim, client } = await simulatedClient(t, { profile });
  const taken: ConversationEvent[] = [];
  let id = 0;
  const chat = createForeignChat({
    client,
    take: (event) => void taken.push(event),
    now: () => 1,
    newId: () => String(++id),
  });
  const ask = async (question: ForeignQuestion, signal = AbortSignal.timeout(10_000)) => {
    const events: ForeignEvent[] = [];
    for await (const event of chat.ask(question, signal)) events.push(event);
    const said = events.map((event) => (event.type === "text" ? event.text : "")).join("");
    return { events, said, last: events.at(-1) };
  };
  return { sim, client, ask, taken, chat };
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

test("a chat model is asked with messages alone: no tools, what they did told in words", async (t) => {
  const { sim, ask } = await start(t);
  sim.reply(text("Yes."));
  const messages: ForeignMessage[] = [
    { role: "system", parts: [{ kind: "text", text: "Be brief." }] },
    user("Is it?"),
    { role: "assistant", parts: [{ kind: "call", id: "c", name: "look_up", input: { word: "it" } }] },
    { role: "user", parts: [{ kind: "result", id: "c", text: "it is" }] },
  ];
  const { said } = await ask({ model: "svc-k2.6", route: "chat", tools, messages });
  assert.equal(said, "Yes.");
  const { body } = sim.requests[0] ?? { body: {} };
  assert.equal("tools" in body, false);
  assert.match(JSON.stringify(body), /Be brief.*Is it\?.*I called look_up.*it is/);
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
  const { sim, ask, chat } = await start(t);
  const { last } = await ask({ ...k3, model: "svc-none", messages: [user("Hi")] });
  assert.ok(last?.type === "ended" && last.problem !== undefined);
  const over = new AbortController();
  sim.reply(text("One. ".repeat(200)));
  const events = chat.ask({ ...k3, messages: [user("Tell me.")] }, over.signal);
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
