import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, head, json, reset, sse, startFaultServer } from "../../support/fault-server.ts";
import { oneTurn } from "../../support/one-turn.ts";

const key = "sk-test-0123456789";
const done = {
  type: "response.completed",
  response: {
    id: "resp_1",
    status: "completed",
    output: [{ id: "m", type: "message", content: [{ type: "output_text", text: "Hello" }] }],
    usage: { input_tokens: 5, output_tokens: 1, total_tokens: 6 },
  },
};
const delta = (text: string) => ({ type: "response.output_text.delta", item_id: "m", delta: text });

test("oneTurn reads a streamed response to its end", async () => {
  await using server = await startFaultServer(answer(200, sse(delta("Hel"), delta("lo"), done)));
  const turn = await oneTurn({ baseUrl: server.url, key, route: "responses", prompt: "Hi" });
  assert.deepEqual(turn, {
    status: "completed",
    text: "Hello",
    calls: [],
    runnable: [],
    usage: { input: 5, output: 1, total: 6 },
    requests: 1,
  });
});

test("oneTurn reads a chat stream with the usage after its end", async () => {
  const chunk = (content: string, finish?: string) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: finish ?? null }],
  });
  const usage = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } };
  await using server = await startFaultServer(
    answer(200, sse(chunk("He"), chunk("y", "stop"), usage, "[DONE]")),
  );
  const turn = await oneTurn({ baseUrl: server.url, key, route: "chat", prompt: "Hi" });
  assert.equal(turn.status, "completed");
  assert.equal(turn.text, "Hey");
  assert.deepEqual(turn.usage, { input: 3, output: 2, total: 5 });
});

test("oneTurn reads a document although it requested a stream", async () => {
  await using server = await startFaultServer(json(200, done.response));
  const turn = await oneTurn({ baseUrl: server.url, key, route: "responses", prompt: "Hi" });
  assert.equal(turn.status, "completed");
  assert.equal(turn.text, "Hello");
});

test("oneTurn reports a reset after text as interrupted, keeps the text and does not retry", async () => {
  await using server = await startFaultServer(reset(head(200) + sse(delta("Hel"))));
  const turn = await oneTurn({ baseUrl: server.url, key, route: "responses", prompt: "Hi" });
  assert.equal(turn.status, "interrupted");
  assert.equal(turn.text, "Hel");
  assert.equal(turn.requests, 1);
  assert.deepEqual(turn.problem?.actions, ["continue", "retry"]);
});
