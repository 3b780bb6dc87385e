// Habits of services and gateways that used to lose an answer, to hide an error or to blame the key.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeyWatcher } from "../../../src/service/url-and-key.ts";
import { answer, json, startFaultServer } from "../../support/fault-server.ts";
import { watch } from "../../support/watched-client.ts";

const chunks = (...choices: object[]) =>
  answer(
    200,
    `${choices.map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`).join("")}data: [DONE]\n\n`,
    { "content-type": "text/event-stream" },
  );

test("a chat reply with content parts in its deltas is read", async () => {
  const part = (text: string) => ({ delta: { content: [{ type: "text", text }] } });
  await using server = await startFaultServer(
    chunks(part("Hel"), part("lo"), { delta: {}, finish_reason: "stop" }),
  );
  using watched = watch(server.url);
  const { reply } = await watched.turn({ route: "chat" });
  assert.deepEqual([reply.status, reply.text], ["completed", "Hello"]);
});

test("a chat reply with finish_reason error fails and keeps its text", async () => {
  await using server = await startFaultServer(
    chunks({ delta: { content: "Hel" } }, { delta: {}, finish_reason: "error" }),
  );
  using watched = watch(server.url);
  const { reply } = await watched.turn({ route: "chat" });
  assert.deepEqual([reply.status, reply.text, reply.requests], ["failed", "Hel", 1]);
});

test("a 401 counts as a refused key, a 403 only if its message is about the key", async () => {
  for (const [status, message, refused] of [
    [401, "No.", true],
    [403, "The model svc-k3 is not available in your region.", false],
    [403, "Your API key does not have access.", true],
  ] as const) {
    await using server = await startFaultServer(json(status, { error: { message } }));
    let marked = false;
    const keyWatcher: KeyWatcher = {
      refused: () => {
        marked = true;
      },
      accepted: () => {},
      reached: () => {},
      answers: () => {},
    };
    using watched = watch(server.url, {}, { keyWatcher });
    await watched.turn();
    assert.equal(marked, refused, message);
  }
});
