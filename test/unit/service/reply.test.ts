// What a reply comes to, field by field of the interface's "Response object" and "Usage object".
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { text, usage } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { answer, json, sse, startFaultServer } from "../../support/fault-server.ts";
import { oneReply } from "../../support/one-turn.ts";
import { usingSimulator } from "../../support/using-simulator.ts";
import { watch } from "../../support/watched-client.ts";
import { hello, response, whole } from "../../support/whole-response.ts";

for (const status of [200, 201, 202, 203, 226]) {
  test(`a reply with status ${status} completes`, async () => {
    await using server = await startFaultServer(json(status, response()));
    const reply = await oneReply({ baseUrl: server.url, key: "sk-test", route: "responses", prompt: "Hi" });
    assert.deepEqual([reply.status, reply.text], ["completed", "Hello"]);
  });
}

test("a failed response keeps its text and reports the service's error", async () => {
  const error = { code: "server_error", message: "It broke." };
  await using server = await startFaultServer(json(200, response({ status: "failed", error })));
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.runnable], ["failed", "Hello", []]);
  assert.match(english(reply.problem), /It broke/);
  assert.match(reply.problem?.detail ?? "", /server_error/);
});

test("a response with an unknown status is reported with it, and its calls are not runnable", async () => {
  const call = { id: "fc_1", type: "function_call", call_id: "c", name: "x", arguments: "{}" };
  await using server = await startFaultServer(
    answer(
      200,
      sse({ type: "response.completed", response: response({ status: "paused", output: [hello, call] }) }),
    ),
  );
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.match(english(reply.problem), /unknown status paused/);
  assert.deepEqual([reply.text, reply.runnable], ["Hello", []]);
});

test("a document in progress is reported as unfinished and offers a retry", async () => {
  await using server = await startFaultServer(json(200, response({ status: "in_progress" })));
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.match(english(reply.problem), /not finished .* no way to fetch it later/);
  assert.ok(reply.problem?.actions.includes("retry"));
  assert.equal(reply.requests, 1);
});

test("a document without a status keeps its text, and its calls are not runnable", async () => {
  const call = { id: "fc_1", type: "function_call", call_id: "c", name: "x", arguments: "{}" };
  await using server = await startFaultServer(
    json(200, { output: [hello, call] }),
    json(200, { output: [hello] }),
  );
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text, reply.runnable], ["incomplete", "Hello", []]);
  assert.equal(reply.calls.length, 1);
  assert.equal((await watched.turn()).reply.status, "completed", "where there is nothing to run");
});

test("a duplicate call and a missing completed_at are only logged", async () => {
  const call = {
    id: "fc_1",
    type: "function_call",
    call_id: "c",
    name: "x",
    arguments: "{}",
    status: "completed",
  };
  const output = [call, { ...call, id: "fc_2" }];
  await using server = await startFaultServer(
    json(200, response({ output, completed_at: null })),
    json(200, response({ completed_at: 3 })),
  );
  using watched = watch(server.url);
  assert.equal((await watched.turn()).reply.runnable.length, 1);
  const lines = watched.lines.join("\n");
  assert.match(lines, /the call c came twice in one reply; it counts once/);
  assert.match(lines, /completed_at is null although the response is completed/);
  const before = watched.lines.length;
  await watched.turn();
  assert.doesNotMatch(watched.lines.slice(before).join("\n"), /twice|completed_at/);
});

for (const [name, details, reason] of [
  ["its reason", { reason: "max_output_tokens" }, "max_output_tokens"],
  ["a reason of its own", { reason: "moonrise" }, "moonrise"],
  ["no reason", null, undefined],
] as const) {
  test(`an incomplete response with ${name} keeps its text`, async () => {
    const reply = await whole({ status: "incomplete", incomplete_details: details });
    assert.deepEqual([reply.status, reply.text, reply.reason], ["incomplete", "Hello", reason]);
  });
}

test("the duration of a reply is set only if the service reports both its start and its end", async () => {
  for (const status of ["completed", "incomplete", "failed"]) {
    const took = async (from: unknown, to: unknown) =>
      (await whole({ status, created_at: from, completed_at: to })).milliseconds;
    assert.equal(await took(100, 103), 3_000, status);
    for (const to of [null, undefined, "103", 99, {}]) assert.equal(await took(100, to), undefined, status);
    assert.equal(await took(null, 103), undefined, status);
  }
});

test("the echoed fields of a response do not affect the reply", async () => {
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

test("the cache options of a reply are those that the response reports", async () => {
  assert.deepEqual((await whole({ prompt_cache_options: { mode: "implicit", ttl: "1h" } })).cache, {
    mode: "implicit",
    ttl: "1h",
  });
  assert.deepEqual((await whole({ prompt_cache_options: { ttl: "1h" } })).cache, { ttl: "1h" });
  assert.equal((await whole()).cache, undefined);
  assert.equal((await whole({ prompt_cache_options: null })).cache, undefined);
});

test("a reply accepts any id and a missing one", async () => {
  for (const id of ["resp-1", "", "🦆", undefined, 7]) {
    const reply = await whole({ id, output: [{ ...hello, id }] });
    assert.deepEqual([reply.status, reply.text, reply.items.length], ["completed", "Hello", 1]);
  }
});

test("the model of a reply is the one that the response names", async () => {
  assert.equal((await whole({ model: "svc-k3-2026" })).model, "svc-k3-2026");
});

test("a response without output becomes an empty completed reply", async () => {
  for (const output of [undefined, null, [], "x", [null, 1, "x"]]) {
    const reply = await whole({ output });
    assert.deepEqual([reply.status, reply.text, reply.items], ["completed", "", []]);
  }
});

test("the usage of a reply reports input, cached and cache write tokens", async () => {
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

test("inconsistent usage numbers are reported unchanged", async () => {
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

test("missing usage stays undefined instead of zero", async () => {
  for (const none of [undefined, null, {}, [], "x", { input_tokens: null }])
    assert.equal((await whole({ usage: none })).usage, undefined);
  assert.deepEqual((await whole({ usage: { output_tokens: 0 } })).usage, { output: 0 });
});

for (const [name, body, says] of [
  ["no choices", { object: "chat.completion", choices: [] }, /couldn't be understood|before the reply/],
  ["an error", { error: { message: "Not today." } }, /Not today/],
] as const) {
  test(`a chat document with ${name} is reported as a problem`, async () => {
    await using server = await startFaultServer(json(200, body));
    const reply = await oneReply({ baseUrl: server.url, key: "sk-test", route: "chat", prompt: "Hi" });
    assert.notEqual(reply.status, "completed");
    assert.match(english(reply.problem), says);
  });
}

test("a chat document yields its reasoning besides its text", async () => {
  const message = { role: "assistant", content: "Hello", reasoning_content: "A greeting." };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  await using server = await startFaultServer(json(200, { object: "chat.completion", choices }));
  using watched = watch(server.url);
  const { reply, events } = await watched.turn({ route: "chat" });
  assert.equal(reply.text, "Hello");
  const thoughts = events.flatMap((event) => (event.type === "reasoning" ? [event.delta] : []));
  assert.deepEqual(thoughts, ["A greeting."]);
});
