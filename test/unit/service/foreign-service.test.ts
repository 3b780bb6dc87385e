// The client against a service that others wrote (@copilotkit/aimock), with habits of its own: ids in another form,
// no sequence numbers, usage by estimate, a stream as text/plain when it likes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { verbatim } from "../../../src/conversation/events.ts";
import { finalReply } from "../../../src/service/reply.ts";
import { callOutput } from "../../../src/service/response-items.ts";
import { english } from "../../support/english.ts";
import { oneTurn } from "../../support/one-turn.ts";
import { clientOf } from "../../support/simulated-client.ts";

const mock = new LLMock({ port: 0, chunkSize: 3 });
const toolCalls = [{ name: "read_file", arguments: '{"path":"a.ts"}', id: "call_1" }];
const words = "Héllo 👋, this is somebody else's service.";
const key = "sk-test-0123456789";
before(async () => {
  mock.onToolResult("call_1", { content: "It declares a." });
  mock.onMessage("read", { toolCalls });
  mock.onMessage("think", { content: "Done.", reasoning: "Let me see." });
  mock.onMessage("both", { content: "I read it.", toolCalls });
  mock.onMessage("cut", { content: "x".repeat(300) }, { truncateAfterChunks: 10, latency: 5 });
  mock.onMessage("refuse", {
    error: { message: "Not with me.", type: "invalid_request_error" },
    status: 400,
  });
  mock.onMessage("hello", { content: words });
  await mock.start();
});
after(() => mock.stop());

for (const route of ["responses", "chat"] as const) {
  const ask = (prompt: string) => oneTurn({ baseUrl: mock.url, key, route, prompt });

  test(`a reply of a foreign service completes in one request (${route})`, async () => {
    const turn = await ask("hello");
    assert.deepEqual([turn.status, turn.text, turn.requests], ["completed", words, 1]);
  });

  test(`the calls of a foreign service are runnable (${route})`, async () => {
    const turn = await ask("read");
    assert.deepEqual(
      turn.runnable.map((call) => [call.name, call.callId, call.input]),
      [["read_file", "call_1", '{"path":"a.ts"}']],
    );
    const both = await ask("both");
    assert.deepEqual([both.text, both.runnable.length], ["I read it.", 1]);
  });

  test(`the reasoning of a foreign service is not part of the text (${route})`, async () => {
    assert.equal((await ask("think")).text, "Done.");
  });

  test(`a cut reply of a foreign service is interrupted and not retried (${route})`, async () => {
    const turn = await ask("cut");
    assert.deepEqual([turn.status, turn.requests], ["interrupted", 1]);
    assert.match(turn.text, /^x{3,}$/);
  });

  test(`a refusal of a foreign service is quoted (${route})`, async () => {
    assert.equal(
      english((await ask("refuse")).problem),
      "The service refused the request (400): Not with me.",
    );
  });
}

test("a tool round with a foreign service sends its items back with the result", async () => {
  const client = clientOf({ url: mock.url, key });
  const never = new AbortController().signal;
  const question = JSON.stringify({ type: "message", role: "user", content: "read" });
  const first = await finalReply(client.respond({ input: [question] }, never));
  const [call] = first.runnable;
  assert.ok(call !== undefined);
  const input = [question, ...first.items.map((item) => item.raw), callOutput(call, verbatim("let a;"))];
  const second = await finalReply(client.respond({ input }, never));
  assert.deepEqual([second.status, second.text], ["completed", "It declares a."]);
  client.dispose();
});
