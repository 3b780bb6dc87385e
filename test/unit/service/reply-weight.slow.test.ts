// Replies of very many pieces: as one document, as a stream of items, and as a stream of parts of one item.
import assert from "node:assert/strict";
import { test } from "node:test";
import { english } from "../../support/english.ts";
import { answer, sse, startFaultServer } from "../../support/fault-server.ts";
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
