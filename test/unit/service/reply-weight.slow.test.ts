// Replies of very many pieces: as one document, as a stream of items, and as a stream of parts of one item.
import assert from "node:assert/strict";
import { test } from "node:test";
import { english } from "../../support/english.ts";
import { answer, sse, startFaultServer } from "../../support/fault-server.ts";
import { play } from "../../support/play-stream.ts";
import { watch } from "../../support/watched-client.ts";

const count = 500_000;
const item = { type: "message" };
const bodies: Readonly<Record<string, string>> = {
  "one document": `{"status":"completed","output":[${`${JSON.stringify(item)},`.repeat(count - 1)}{"type":"message"}]}`,
  "a stream of items": sse({ type: "response.output_item.done", item }).repeat(count),
  "a stream of parts": Array.from(
    { length: count / 4 },
    (_, index) =>
      `data: {"type":"response.output_text.delta","output_index":0,"content_index":${index},"delta":"a"}\n\n`,
  ).join(""),
};

for (const [form, body] of Object.entries(bodies))
  test(`a reply of too many pieces is refused without high memory use: ${form}`, async () => {
    await using server = await startFaultServer(answer(200, body));
    using watched = watch(server.url);
    const before = process.memoryUsage.rss();
    const { reply } = await watched.turn();
    assert.equal(reply.problem?.kind, "too-large");
    assert.match(english(reply.problem), /^The reply was too large/);
    const grown = (process.memoryUsage.rss() - before) / 2 ** 20;
    assert.ok(grown < 200, `${grown} MB`);
  });

const most = 990;
const whole = { type: "message", content: [{ type: "output_text", text: "a" }] };
const allOf = JSON.stringify({ status: "completed", output: Array.from({ length: most }, () => whole) });
const read: Readonly<Record<string, string>> = {
  "one document": allOf,
  "a stream": `${sse({ type: "response.output_item.done", item: whole }).repeat(most)}data: {"type":"response.completed","response":${allOf}}\n\n`,
};

for (const [form, body] of Object.entries(read))
  test(`a reply just below the limit of pieces is read completely: ${form}`, async () => {
    await using server = await startFaultServer(answer(200, body));
    using watched = watch(server.url);
    const { reply } = await watched.turn();
    assert.equal(reply.status, "completed");
    assert.equal(reply.text, "a".repeat(most));
  });

const calls = {
  responses: (at: number) => ({
    type: "response.output_item.done",
    output_index: at,
    item: { type: "function_call", call_id: `c${at}`, name: "f", arguments: "{}", status: "completed" },
  }),
  chat: (at: number) => ({
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ index: at, id: `c${at}`, function: { name: "f", arguments: "{}" } }] },
      },
    ],
  }),
};
const ends = {
  responses: { type: "response.completed", response: { status: "completed" } },
  chat: { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
};

for (const route of ["responses", "chat"] as const)
  test(`a ${route} reply has room for 2,000 calls with their input and for no more`, async () => {
    const of = (count: number) => Array.from({ length: count }, (_, at) => sse(calls[route](at))).join("");
    const played = (body: string) => play(route, [Buffer.from(body + sse(ends[route]))], "clean");
    const { reply } = await played(of(2_000));
    assert.deepEqual([reply.status, reply.runnable.length], ["completed", 2_000]);
    assert.equal((await played(of(2_001))).fault, "too-large");
  });
