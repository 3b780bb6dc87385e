// The fault matrix (faults.md §3), rows 29 to 46 and what belongs to them: a stream that is not as it should be.
import assert from "node:assert/strict";
import { test } from "node:test";
import { finalReply } from "../../../src/service/reply.ts";
import { type AnswerRow, answerRow, faultRow } from "../../support/fault-row.ts";
import { answer, head, reset, sse, startFaultServer } from "../../support/fault-server.ts";
import {
  completedWith,
  created,
  delta,
  done,
  failed,
  good,
  partial,
  whole,
} from "../../support/hello-reply.ts";
import { canary, watch } from "../../support/watched-client.ts";

faultRow(29, "a stream that arrives byte by byte yields the same text", async ({ watch }) => {
  await using server = await startFaultServer(async (socket) => {
    socket.write(head(200));
    for (const byte of Buffer.from(sse(delta("Héllo "), delta("👋"), completedWith("Héllo 👋")))) {
      await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
    }
    socket.end();
  });
  const watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.status, reply.text], ["completed", "Héllo 👋"]);
});

const rows: readonly AnswerRow[] = [
  {
    row: 30,
    name: "CRLF, byte order mark, comments",
    answers: [answer(200, `\ufeff: hi\r\n\r\n${whole.replaceAll("\n", "\r\n")}`)],
    ...done,
  },
  {
    row: 31,
    name: "a clean close before any output, which may have been generated",
    kind: "network",
    answers: [answer(200, sse(created)), good],
    status: "interrupted",
  },
  {
    row: 32,
    name: "a clean close after text",
    answers: [answer(200, sse(created, delta("Hel")))],
    ...partial,
  },
  { row: 33, name: "a reset after text", answers: [reset(head(200) + sse(delta("Hel")))], ...partial },
  { row: 34, name: "a reset after the end record", answers: [reset(head(200) + whole)], ...done },
  {
    row: 35,
    name: "half a record at the end",
    answers: [answer(200, sse(delta("Hel")) + sse(delta("lo")).slice(0, -10))],
    ...partial,
  },
  { row: 36, name: "the last record without a blank line", answers: [answer(200, whole.trimEnd())], ...done },
  {
    row: 37,
    name: "[DONE] without an end record",
    answers: [answer(200, sse(delta("Hel"), "[DONE]"))],
    ...partial,
  },
  {
    row: 40,
    name: "[DONE]x",
    answers: [answer(200, sse(delta("Hel"), "[DONE]x"))],
    status: "interrupted",
    text: "Hel",
    kind: "protocol",
    says: /damaged/,
  },
  {
    row: 41,
    name: "a record that is not JSON",
    answers: [answer(200, sse(delta("Hel"), '{"type":'))],
    status: "interrupted",
    text: "Hel",
    kind: "protocol",
    says: /damaged/,
  },
  {
    row: 42,
    name: "an error record, flat, before text, worth repeating",
    answers: [answer(200, sse({ type: "error", code: "rate_limit_exceeded", message: "x" })), good],
    requests: 2,
    ...done,
  },
  {
    row: 42,
    name: "an error record, nested, after text",
    answers: [
      answer(200, sse(delta("Hel"), { type: "error", error: { message: `It broke for ${canary}.` } })),
      good,
    ],
    ...failed,
    text: "Hel",
    says: /It broke for \[hidden\]/,
  },
  {
    row: 42,
    name: "an error record of plain text",
    answers: [answer(200, `${sse(delta("Hel"))}event: error\ndata: It broke.\n\n`)],
    ...failed,
    text: "Hel",
    says: /It broke/,
  },
  {
    row: 43,
    name: "response.failed after text",
    answers: [
      answer(
        200,
        sse(delta("Hel"), {
          type: "response.failed",
          response: { status: "failed", error: { code: "server_error", message: "It broke." } },
        }),
      ),
    ],
    ...failed,
    text: "Hel",
    says: /It broke/,
  },
  {
    row: 44,
    name: "response.incomplete",
    answers: [
      answer(
        200,
        sse(delta("Hel"), {
          type: "response.incomplete",
          response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
        }),
      ),
    ],
    status: "incomplete",
    text: "Hel",
  },
  {
    row: 45,
    name: "deltas doubled, swapped and lost",
    answers: [answer(200, sse(delta("lo"), delta("lo"), delta("Hel"), completedWith("Hello")))],
    ...done,
  },
  {
    row: 46,
    name: "unknown events, items and fields",
    answers: [
      answer(
        200,
        sse(
          { type: "response.new", x: 1 },
          { ...delta("Hel"), obfuscation: "x" },
          { type: "response.output_item.done", output_index: 3, item: { id: "z", type: "z_call" } },
          completedWith("Hello"),
        ),
      ),
    ],
    ...done,
  },
];

for (const row of rows) answerRow(row);

const chunk = (content: string, finish: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});
for (const [row, name, body, status] of [
  [38, "a finish_reason without [DONE]", sse(chunk("Hello", "stop")), "completed"],
  [38, "[DONE] without a finish_reason", sse(chunk("Hello"), "[DONE]"), "completed"],
  [39, "neither finish_reason nor [DONE]", sse(chunk("Hello")), "interrupted"],
] as const) {
  faultRow(row, `chat with ${name}`, async ({ watch }) => {
    await using server = await startFaultServer(answer(200, body));
    const { reply } = await watch(server.url).turn({ route: "chat" });
    assert.deepEqual([reply.status, reply.text], [status, "Hello"]);
  });
}

faultRow(57, "a call whose call_id is in the history is not runnable", async ({ watch }) => {
  const item = {
    id: "fc_1",
    type: "function_call",
    status: "completed",
    call_id: "call_1",
    name: "read_file",
    arguments: "{}",
  };
  const replayed = sse(
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { status: "completed", output: [item] } },
  );
  await using server = await startFaultServer(answer(200, replayed));
  const watched = watch(server.url);
  const input = [JSON.stringify(item), '{"type":"function_call_output","call_id":"call_1","output":"x"}'];
  const reply = await finalReply(watched.client.respond({ input }, new AbortController().signal));
  assert.equal(reply.calls.length, 1);
  assert.deepEqual(reply.runnable, []);
});

faultRow(62, "Stop at the moment of the end has one outcome", async ({ watch }) => {
  for (const stopAt of ["text", "item"]) {
    await using server = await startFaultServer(good);
    const watched = watch(server.url);
    const stop = new AbortController();
    const { reply, events } = await watched.turn({
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === stopAt) stop.abort();
      },
    });
    assert.equal(reply.status, "stopped");
    assert.deepEqual(reply.runnable, []);
    const at = events.findIndex((event) => event.type === stopAt);
    assert.equal(events[at + 1]?.type, "ended", "nothing follows an abort but the end");
    await server.idle();
  }
});

test("leaving the event loop of a reply early closes the socket", async () => {
  await using server = await startFaultServer((socket) => void socket.write(head(200) + sse(delta("Hel"))));
  const watched = watch(server.url);
  const message = '{"type":"message","role":"user","content":"Hi"}';
  for await (const event of watched.client.respond({ input: [message] }, new AbortController().signal)) {
    if (event.type === "text") break;
  }
  await server.idle();
});
