// Any body of any failing answer becomes one sentence that can be read, with no key and no markup in it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { english } from "../../support/english.ts";
import { answer, startFaultServer } from "../../support/fault-server.ts";
import { sourceFiles } from "../../support/source-patterns.ts";
import { canary, watch } from "../../support/watched-client.ts";

const refused = "The service refused the request (400)";
const basic = Buffer.from(`me:${canary}`).toString("base64");

const bodies: readonly (readonly [name: string, body: string | Buffer, says: string | RegExp])[] = [
  ["the error body", '{"error":{"message":"No.","type":"t","code":"c"}}', `${refused}: No.`],
  ["a message alone", '{"error":{"message":"No"}}', `${refused}: No.`],
  ["a number for a code", '{"error":{"message":"No.","code":7}}', `${refused}: No.`],
  ["no message", '{"error":{"type":"t"}}', `${refused}.`],
  ["an empty message", '{"error":{"message":""}}', `${refused}.`],
  ["an error that is a text", '{"error":"No."}', `${refused}: No.`],
  ["a message without its envelope", '{"message":"No."}', `${refused}: No.`],
  ["a detail", '{"detail":"No."}', `${refused}: No.`],
  ["a list of details", '{"detail":[{"msg":"No.","loc":["x"]}]}', `${refused}: No.`],
  ["a list of one error", '[{"error":{"message":"No.","code":400}}]', `${refused}: No.`],
  ["a list", "[1,2]", `${refused}: [1,2].`],
  ["an empty object", "{}", `${refused}.`],
  ["another object", '{"reason":"No."}', `${refused}: {"reason":"No."}.`],
  ["a number", "7", /^The service refused the request \(400\)/],
  ["null", "null", /^The service refused the request \(400\)/],
  ["an event stream", 'event: error\ndata: {"error":{"message":"No."}}\n\n', `${refused}: No.`],
  ["nesting without end", "[".repeat(30_000) + "]".repeat(30_000), `${refused}.`],
  ["half an object", '{"error":{"message":"No.', `${refused}.`],
  ["an object without its end", '{"error":{"message":"No \\"x\\".","type":', `${refused}: No "x".`],
  ["plain text", "No such thing", `${refused}: No such thing.`],
  ["text of many lines", "No\r\nsuch\n\n thing", `${refused}: No.`],
  ["nothing", "", `${refused}.`],
  ["spaces", " \n ", `${refused}.`],
  ["a page", "<!doctype html><title>No</title><script>alert(1)</script>", `${refused}.`],
  ["control characters", '{"error":{"message":"N\\u0000o\\u001b[31m\\u202e."}}', /: N.*o/],
  [
    "bytes that are no text",
    Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    /^The service refused the request \(400\)/,
  ],
  ["a long message", JSON.stringify({ error: { message: "x".repeat(5_000) } }), /^.{100,500}$/],
  ["more than 64 KiB", JSON.stringify({ error: { message: "x".repeat(70_000) } }), `${refused}.`],
  ["markup in the message", '{"error":{"message":"<b>No</b> [x](command:y)"}}', /<b>No<\/b>/],
  ["the key", JSON.stringify({ error: { message: `Bad key ${canary}` } }), `${refused}: Bad key [hidden].`],
  [
    "half of the key",
    JSON.stringify({ error: { message: `Bad key ${canary.slice(0, 12)}***` } }),
    /\[hidden\]/,
  ],
  ["the key in base64", JSON.stringify({ error: { message: `Basic ${basic}` } }), /\[hidden\]/],
  ["another key", '{"error":{"message":"Bad key sk-OtherKey0123456789"}}', /Bad key \[hidden\]/],
];

for (const [name, body, says] of bodies) {
  test(`an error body that is ${name} becomes one readable sentence`, async () => {
    await using server = await startFaultServer(answer(400, body, { "content-type": "application/json" }));
    using watched = watch(server.url);
    const { reply } = await watched.turn();
    const { detail, status, kind } = reply.problem ?? {};
    const message = english(reply.problem);
    assert.deepEqual([status, kind], [400, "bad-request"]);
    if (typeof says === "string") assert.equal(message, says);
    else assert.match(message, says);
    assert.match(message, /^[A-Z].*[.!?…]$/s);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is asked.
    assert.doesNotMatch(message + (detail ?? ""), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    assert.ok((detail ?? "").length <= 2_000);
    watched.assertNoCanary();
  });
}

test("a problem holds the service's message, type, code and request id", async () => {
  await using server = await startFaultServer(
    answer(400, '{"error":{"message":"No.","type":"invalid","code":"c1"}}', { "x-request-id": "req_7" }),
  );
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.equal(reply.problem?.detail, "No.\ninvalid, c1");
  assert.equal(reply.problem?.requestId, "req_7");
});

test("a 404 for a model quotes the service's message and is not retried", async () => {
  await using server = await startFaultServer(
    answer(404, '{"error":{"message":"The model svc-k3 was retired.","code":"model_not_found"}}'),
  );
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.deepEqual([reply.problem?.kind, reply.requests], ["not-found", 1]);
  assert.match(english(reply.problem), /was retired/);
});

test("context_length_exceeded is reported as too-large", async () => {
  for (const status of [400, 413]) {
    await using server = await startFaultServer(
      answer(status, '{"error":{"message":"Too many tokens.","code":"context_length_exceeded"}}'),
    );
    using watched = watch(server.url);
    const { problem } = (await watched.turn()).reply;
    assert.deepEqual([problem?.kind, problem?.message.code], ["too-large", "problemTooLarge"]);
  }
});

test("only request.ts contains values of type and code", () => {
  const words = /rate_limit|insufficient_quota|context_length_exceeded|overloaded|invalid_request_error/;
  const knowing = sourceFiles("src/service").filter((file) => words.test(readFileSync(file, "utf8")));
  assert.deepEqual(knowing, ["src/service/request.ts"]);
});

test("a refusal on an open connection is reported once its body is complete or stalls", async () => {
  for (const [body, says] of [
    ['{"error":{"message":"No."}}', `${refused}: No.`],
    ['{"error":{"message":"No."},"more', `${refused}: No.`],
  ] as const) {
    await using server = await startFaultServer((socket) => {
      socket.write(`HTTP/1.1 400 X\r\ncontent-type: application/json\r\n\r\n${body}`);
    });
    using watched = watch(server.url, { idleSeconds: 0.2 });
    const { reply } = await watched.turn();
    assert.equal(english(reply.problem), says);
    await server.idle();
  }
});

test("a type and a code of the same value are shown once", async () => {
  await using server = await startFaultServer(
    answer(400, '{"error":{"message":"No.","type":"invalid","code":"invalid"}}'),
  );
  using watched = watch(server.url);
  const { reply } = await watched.turn();
  assert.equal(reply.problem?.detail, "No.\ninvalid");
});
