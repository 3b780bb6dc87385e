// The reply that most tests of transport are about: "Hello" on Responses, in its events and whole.
import { type Answer, answer, json, type SeenRequest, sse } from "./fault-server.ts";
import { canary } from "./watched-client.ts";

export const delta = (text: string) => ({ type: "response.output_text.delta", item_id: "m", delta: text });
export const created = {
  type: "response.created",
  response: { id: "r", status: "in_progress", output: [] },
};
export const completedWith = (text: string) => ({
  type: "response.completed",
  response: {
    id: "r",
    status: "completed",
    output: [{ id: "m", type: "message", content: [{ type: "output_text", text }] }],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
});
export const whole = sse(created, delta("Hel"), delta("lo"), completedWith("Hello"));
export const good = answer(200, whole);

/** What a careless service says: the request, key and all. */
export const quoting =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (socket, request) => {
    const message = `Bad request with ${quote(request)}`;
    void json(status, { error: { message, type: "x", code: null } }, headers)(socket, request);
  };
const quote = ({ headers }: SeenRequest) => {
  const credential = headers.get("authorization") ?? "";
  return `${credential} ${Buffer.from(credential).toString("base64")} key=${canary.slice(0, 14)}…`;
};

/** What comes of a reply that arrives, breaks off, or never was one. */
export const done = { status: "completed", text: "Hello" };
export const partial = { status: "interrupted", text: "Hel", says: /ended before the reply was complete/ };
export const failed = { status: "failed" };
