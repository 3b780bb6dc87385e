// One final response, its fields in a test's hands, read the way the client reads it.
import assert from "node:assert/strict";
import type { ItemView, Reply } from "../../src/service/reply.ts";
import { sse } from "./fault-server.ts";
import { play } from "./play-stream.ts";

export const hello = { id: "msg_1", type: "message", content: [{ type: "output_text", text: "Hello" }] };
export const response = (more: object = {}) => ({
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

export const whole = (more: object = {}) => replyOf({ type: "response.completed", response: response(more) });

export const viewsOf = async (...output: object[]) =>
  (await whole({ output })).items.map((item) => item.view);

export async function viewOf<K extends ItemView["kind"]>(item: object, kind: K) {
  const [view] = await viewsOf(item);
  assert.equal(view?.kind, kind);
  return view as Extract<ItemView, { kind: K }>;
}
