// What a reply comes to, field by field of the interface's "Response object", "Usage object" and "Output items".
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ItemView, Reply } from "../../../../src/core/api/reply.ts";
import { callOutput, patchText, readArguments } from "../../../../src/core/api/tool-calls.ts";
import { reasoning, search, text, usage } from "../../../sim/script.ts";
import { answer, json, sse, startFaultServer } from "../../../support/fault-server.ts";
import { oneReply } from "../../../support/one-turn.ts";
import { play } from "../../../support/play-stream.ts";
import { usingSimulator } from "../../../support/using-simulator.ts";
import { watch } from "../../../support/watched-client.ts";

const hello = { id: "msg_1", type: "message", content: [{ type: "output_text", text: "Hello" }] };
const response = (more: object = {}) => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  model: "svc-k3",
  output: [hello],
  ...more,
});

async function replyOf(...events: object[]): Promise<Reply> {
  return (await play("responses", [Buffer.from(sse(...events))], "clean")).reply;
}
const whole = (more: object = {}) => replyOf({ type: "response.completed", response: response(more) });
const viewsOf = async (...output: object[]) => (await whole({ output })).items.map((item) => item.view);
async function viewOf<K extends ItemView["kind"]>(item: object, kind: K) {
  const [view] = await viewsOf(item);
  assert.equal(view?.kind, kind);
  return view as Extract<ItemView, { kind: K }>;
}

for (const status of [200, 201, 202, 203, 226]) {
  test(`a reply with status ${status} is a success`, async () => {
    await using server = await startFaultServer(json(status, response()));
    const reply = await oneReply({ baseUrl: server.url, key: "sk-test", route: "responses", prompt: "Hi" });
    assert.deepEqual([reply.status, reply.text], ["completed", "Hello"]);
  });
}

test("a failed response is an error in the service's words, whatever came with it", async () => {
  const error = { code: "server_error", message: "It broke." };
  await using server = await startFaultServer(json(200, response({ status: "failed", error })));
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.runnable], ["failed", "Hello", []]);
  assert.match(reply.problem?.message ?? "", /It broke/);
  assert.match(reply.problem?.detail ?? "", /server_error/);
});

test("a status that the interface does not know is shown as it is, and nothing of the reply may run", async () => {
  const call = { id: "fc_1", type: "function_call", call_id: "c", name: "x", arguments: "{}" };
  await using server = await startFaultServer(
    answer(
      200,
      sse({ type: "response.completed", response: response({ status: "paused", output: [hello, call] }) }),
    ),
  );
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.match(reply.problem?.message ?? "", /unknown status paused/);
  assert.deepEqual([reply.text, reply.runnable], ["Hello", []]);
});

test("a document that is still in progress is told as one that cannot be fetched later", async () => {
  await using server = await startFaultServer(json(200, response({ status: "in_progress" })));
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.match(reply.problem?.message ?? "", /not finished .* no way to fetch it later/);
  assert.ok(reply.problem?.actions.includes("retry"));
  assert.equal(reply.requests, 1);
});

for (const [name, details, reason] of [
  ["its reason", { reason: "max_output_tokens" }, "max_output_tokens"],
  ["a reason of its own", { reason: "moonrise" }, "moonrise"],
  ["no reason", null, undefined],
] as const) {
  test(`an incomplete response with ${name} keeps what it has`, async () => {
    const reply = await whole({ status: "incomplete", incomplete_details: details });
    assert.deepEqual([reply.status, reply.text, reply.reason], ["incomplete", "Hello", reason]);
  });
}

test("the time a reply took is told only where the service reports both ends of it", async () => {
  for (const status of ["completed", "incomplete", "failed"]) {
    const took = async (from: unknown, to: unknown) =>
      (await whole({ status, created_at: from, completed_at: to })).milliseconds;
    assert.equal(await took(100, 103), 3_000, status);
    for (const to of [null, undefined, "103", 99, {}]) assert.equal(await took(100, to), undefined, status);
    assert.equal(await took(null, 103), undefined, status);
  }
});

test("nothing depends on the fields that are only echoed, whatever they hold", async () => {
  const names = [
    "background",
    "store",
    "parallel_tool_calls",
    "previous_response_id",
    "conversation",
    "metadata",
    "service_tier",
    "temperature",
    "top_p",
    "tools",
    "instructions",
    "tool_choice",
    "text",
    "reasoning",
    "max_output_tokens",
  ];
  const expected = await whole();
  const values = fc.constantFrom(true, false, null, 1, "x", {}, []);
  const fields = fc.dictionary(fc.constantFrom(...names), values);
  await fc.assert(
    fc.asyncProperty(fields, async (more) => assert.deepEqual(await whole(more), expected)),
    { numRuns: 200 },
  );
});

test("the cache options that the service applied are those it tells, not those that were sent", async () => {
  assert.deepEqual((await whole({ prompt_cache_options: { mode: "implicit", ttl: "1h" } })).cache, {
    mode: "implicit",
    ttl: "1h",
  });
  assert.equal((await whole()).cache, undefined);
  assert.equal((await whole({ prompt_cache_options: null })).cache, undefined);
});

test("ids are opaque: any text will do, and none", async () => {
  for (const id of ["resp-1", "", "🦆", undefined, 7]) {
    const reply = await whole({ id, output: [{ ...hello, id }] });
    assert.deepEqual([reply.status, reply.text, reply.items.length], ["completed", "Hello", 1]);
  }
});

test("the model is the one that the response names", async () => {
  assert.equal((await whole({ model: "svc-k3-2026" })).model, "svc-k3-2026");
});

test("a response without output is an empty reply, not a mistake", async () => {
  for (const output of [undefined, null, [], "x", [null, 1, "x"]]) {
    const reply = await whole({ output });
    assert.deepEqual([reply.status, reply.text, reply.items], ["completed", "", []]);
  }
});

test("items stand in the order of the output, whatever their kinds", async () => {
  const call = { id: "fc_1", type: "function_call", call_id: "c", name: "x", arguments: "{}" };
  const found = { id: "ws_1", type: "web_search_call", status: "completed" };
  const thought = { id: "rs_1", type: "reasoning", summary: [] };
  const views = await viewsOf(call, hello, found, thought, { ...hello, id: "msg_2" });
  assert.deepEqual(
    views.map((view) => view.kind),
    ["call", "message", "search", "reasoning", "message"],
  );
});

test("an item of an unknown type is kept with its type, its size and its bytes", async () => {
  const raw = '{"type":"foo_call", "id":"f", "n":1.50}';
  const data = `data: {"type":"response.completed","response":{"status":"completed","output":[${raw}]}}\n\n`;
  const { reply } = await play("responses", [Buffer.from(data)], "clean");
  assert.deepEqual(reply.items, [{ raw, view: { kind: "other", type: "foo_call", bytes: raw.length } }]);
});

for (const [name, item, expected] of [
  ["content that is a string", { content: "Hi" }, "Hi"],
  ["parts with text", { content: [{ type: "output_text", text: "H" }, { text: "i" }] }, "Hi"],
  ["text beside its content", { text: "Hi" }, "Hi"],
  ["parts of other kinds", { content: [{ type: "audio" }] }, ""],
  ["nothing", {}, ""],
] as const) {
  test(`a message item with ${name} is read as far as it goes`, async () => {
    const view = await viewOf({ id: "m", type: "message", ...item }, "message");
    assert.equal(view.parts.map((part) => part.text).join(""), expected);
  });
}

test("reasoning has its summaries, its text, and of its encrypted content only the size", async () => {
  const secret = "gAAAA-opaque";
  const item = {
    id: "rs_1",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "One." }, { text: "Two." }, {}],
    content: [{ type: "reasoning_text", text: "Raw." }],
    encrypted_content: secret,
  };
  const view = await viewOf(item, "reasoning");
  assert.deepEqual(view, {
    kind: "reasoning",
    id: "rs_1",
    summary: ["One.", "Two."],
    text: "Raw.",
    encryptedBytes: secret.length,
  });
  assert.deepEqual((await viewOf({ type: "reasoning" }, "reasoning")).summary, []);
});

test("encrypted content is in the bytes that go back, and in no line of the log", async () => {
  await using sim = await usingSimulator();
  using watched = watch(sim.url, {}, { connection: async () => ({ baseUrl: sim.url, key: sim.key }) });
  sim.reply(reasoning({ summary: ["Hm."], encrypted: "gAAAA-opaque-content" }), text("Hello"));
  const { reply } = await watched.turn();
  assert.ok(reply.items.some((item) => item.raw.includes("gAAAA-opaque-content")));
  assert.ok(!JSON.stringify(reply.items.map((item) => item.view)).includes("gAAAA"));
  assert.ok(watched.lines.length > 0 && !watched.lines.join().includes("gAAAA"));
});

test("of a search the query and the web addresses among its sources are told", async () => {
  const sources = [
    { type: "url", url: "https://a.example/x", title: "A" },
    { url: "http://b.example" },
    { url: "javascript:alert(1)" },
    { url: "file:///etc/passwd" },
    { url: "//c" },
    {},
    null,
  ];
  const item = { id: "ws_1", type: "web_search_call", status: "completed" };
  const view = await viewOf({ ...item, action: { type: "search", query: "q", sources } }, "search");
  assert.equal(view.query, "q");
  assert.deepEqual(view.sources, [{ url: "https://a.example/x", title: "A" }, { url: "http://b.example" }]);
  const bare = await viewOf(item, "search");
  assert.deepEqual([bare.query, bare.sources, bare.results], [undefined, [], []]);
});

test("results of an image search are kept as they are", async () => {
  const results = [{ image_url: "https://a.example/x.png" }, 7];
  const view = await viewOf({ type: "web_search_call", results }, "search");
  assert.deepEqual(view.results, results);
});

test("the three parts of the input are each reported once, and add up to it", async () => {
  await using sim = await usingSimulator();
  for (const [cached, written] of [
    [0, 0],
    [64, 40],
  ] as const) {
    sim.reply(text("Hello"), usage({ input: 120, cached, written }));
    const reply = await oneReply({ baseUrl: sim.url, key: sim.key, route: "responses", prompt: "Hi" });
    assert.deepEqual(
      [reply.usage?.input, reply.usage?.cached, reply.usage?.cacheWrite],
      [120, cached, written],
    );
  }
});

test("numbers that contradict each other are reported as they came, never repaired", async () => {
  const odd = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 20, cache_write_tokens: 30 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 3,
  };
  assert.deepEqual((await whole({ usage: odd })).usage, {
    input: 10,
    cached: 20,
    cacheWrite: 30,
    output: 1,
    reasoning: 5,
    total: 3,
  });
});

test("usage that is not reported stays absent, and is never zero", async () => {
  for (const none of [undefined, null, {}, [], "x", { input_tokens: null }])
    assert.equal((await whole({ usage: none })).usage, undefined);
  assert.deepEqual((await whole({ usage: { output_tokens: 0 } })).usage, { output: 0 });
});

test("arguments are read as JSON or not at all", () => {
  assert.deepEqual(readArguments('{"a":1}'), { a: 1 });
  assert.deepEqual(readArguments(" "), {});
  for (const bad of ['{"a":', "[1]", "1", '"x"', "null", "{'a':1}"])
    assert.equal(readArguments(bad), undefined);
  assert.deepEqual(Object.keys(readArguments('{"__proto__":{"polluted":1},"a":1}') ?? {}), ["a"]);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

const called = { item: "fc_1", callId: "call_1", name: "x", kind: "function", input: "{}" } as const;

test("a call is answered under its call_id, in text, and never with nothing", () => {
  const answered = (output: unknown, kind: "function" | "custom" = "function") =>
    JSON.parse(callOutput({ ...called, kind }, output)) as Record<string, unknown>;
  assert.deepEqual(answered("Done."), { type: "function_call_output", call_id: "call_1", output: "Done." });
  assert.equal(answered("Done.", "custom")["type"], "custom_tool_call_output");
  assert.equal(answered({ a: [1] })["output"], '{"a":[1]}');
  for (const nothing of ["", "  \n", undefined])
    assert.equal(answered(nothing)["output"], "The tool returned nothing.");
  assert.equal(answered("a\ud800")["output"], "a\ufffd");
});

test("a patch is found in a custom call and in a function call", () => {
  assert.equal(patchText({ ...called, kind: "custom", input: "*** Begin" }), "*** Begin");
  for (const key of ["input", "patch"])
    assert.equal(patchText({ ...called, input: JSON.stringify({ [key]: "*** Begin" }) }), "*** Begin");
  assert.equal(patchText({ ...called, input: "{}" }), undefined);
});

for (const [name, item] of [
  ["custom_tool_call", { type: "custom_tool_call", call_id: "c", name: "apply_patch", input: "P" }],
  ["custom", { type: "custom", call_id: "c", name: "apply_patch", input: "P" }],
  ["apply_patch_call", { type: "apply_patch_call", id: "c", patch: "P" }],
  ["arguments of a custom call", { type: "custom", call_id: "c", name: "apply_patch", arguments: "P" }],
] as const) {
  test(`a patch call in the shape ${name} is a call that may run`, async () => {
    const reply = await whole({ output: [{ id: "ctc_1", status: "completed", ...item }] });
    assert.deepEqual(
      reply.runnable.map(({ callId, name: tool, input }) => [callId, tool, input]),
      [["c", "apply_patch", "P"]],
    );
  });
}

test("what is not a search of the service's own is answered, a search never is", async () => {
  await using sim = await usingSimulator();
  sim.reply(search("q", [{ url: "https://a.example", title: "A" }]), text("Hello"));
  const reply = await oneReply({ baseUrl: sim.url, key: sim.key, route: "responses", prompt: "Hi" });
  assert.deepEqual([reply.calls, reply.runnable], [[], []]);
  assert.ok(reply.items.some((item) => item.view.kind === "search"));
});

for (const [name, body, says] of [
  ["no choices", { object: "chat.completion", choices: [] }, /could not be understood|before the reply/],
  ["an error", { error: { message: "Not today." } }, /Not today/],
] as const) {
  test(`a chat document with ${name} is told in a sentence`, async () => {
    await using server = await startFaultServer(json(200, body));
    const reply = await oneReply({ baseUrl: server.url, key: "sk-test", route: "chat", prompt: "Hi" });
    assert.notEqual(reply.status, "completed");
    assert.match(reply.problem?.message ?? "", says);
  });
}
