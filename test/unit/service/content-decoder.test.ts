// Bodies that gateways compress although nobody asked: what could be decoded is there, whatever becomes of the rest.
import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, createGzip, deflateSync, gzipSync } from "node:zlib";
import { type Answer, head, sse, startFaultServer } from "../../support/fault-server.ts";
import { completedWith, delta, whole } from "../../support/hello-reply.ts";
import { watch } from "../../support/watched-client.ts";

const encoded =
  (bytes: Uint8Array, encoding = "gzip"): Answer =>
  (socket) => {
    socket.write(head(200, { "content-encoding": encoding }));
    socket.end(bytes);
  };

async function replyTo(answer: Answer) {
  await using server = await startFaultServer(answer);
  using watched = watch(server.url);
  return (await watched.turn()).reply;
}

/** With one of its last bytes, those of the checksum, turned over. */
function wrong(bytes: Buffer, fromEnd: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - fromEnd] = (copy.at(-fromEnd) ?? 0) ^ 0xff;
  return copy;
}

for (const [name, answer] of [
  ["a wrong checksum", encoded(wrong(gzipSync(whole), 6))],
  ["a wrong length at the end", encoded(wrong(gzipSync(whole), 1))],
  ["something behind its end", encoded(Buffer.concat([gzipSync(whole), Buffer.from("more")]))],
  ["two members", encoded(Buffer.concat([gzipSync(whole.slice(0, 100)), gzipSync(whole.slice(100))]))],
  ["a wrong checksum of the zlib format", encoded(wrong(deflateSync(whole), 1), "deflate")],
  ["a name in capitals", encoded(gzipSync(whole), "GZIP")],
  ["a list of encodings of which one is one", encoded(gzipSync(whole), "identity, gzip")],
] as const) {
  test(`a compressed reply with ${name} is completed once its end record has arrived`, async () => {
    const { status, text } = await replyTo(answer);
    assert.deepEqual([status, text], ["completed", "Hello"]);
  });
}

test("a corrupt compressed reply keeps the text before the corruption", async () => {
  const words = Array.from({ length: 200 }, (_, at) => `${at * 7919}. `);
  const bytes = gzipSync(sse(...words.map(delta), completedWith(words.join(""))));
  const { status, text, problem } = await replyTo(encoded(wrong(bytes, Math.floor(bytes.length / 3))));
  assert.deepEqual([status, problem?.kind], ["interrupted", "protocol"]);
  assert.ok(text.length > 100 && words.join("").startsWith(text.slice(0, 100)));
});

test("a compressed reply is shown incrementally and completes while its connection stays open", async () => {
  await using server = await startFaultServer(async (socket) => {
    socket.write(head(200, { "content-encoding": "gzip" }));
    const gzip = createGzip();
    const pieces: Buffer[] = [];
    gzip.on("data", (piece: Buffer) => pieces.push(piece));
    for (const event of [delta("Hel"), delta("lo"), completedWith("Hello")]) {
      gzip.write(sse(event));
      await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    }
    for (const byte of Buffer.concat(pieces)) {
      await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
    }
  });
  using watched = watch(server.url);
  const { reply, events } = await watched.turn();
  assert.deepEqual([reply.status, reply.text], ["completed", "Hello"]);
  assert.deepEqual(
    events.flatMap((event) => (event.type === "text" ? [event.delta] : [])),
    ["Hel", "lo"],
  );
  await server.idle();
});
