// The nonce and what it brings back: one value for each request, a receipt or none, and never a word about validity.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Receipt, ReceiptBytes, ReplyDigest, type ReplyEvent } from "../../../src/service/reply.ts";
import { isOwnHeader } from "../../../src/service/settings.ts";
import { recompute } from "../../../src/usage/ledger.ts";
import { answer, json, reset, sse, startFaultServer } from "../../support/fault-server.ts";
import { simulatedClient } from "../../support/simulated-client.ts";
import { sourceFiles } from "../../support/source-patterns.ts";
import { watch } from "../../support/watched-client.ts";

const nonceHeader = "Svc-Request-Nonce";
const body = sse({ type: "response.completed", response: { id: "resp_1", status: "completed", output: [] } });
const signed = { "Svc-Request-Timestamp": "1790000000", "SVC-REQUEST-SIGNATURE": "c2lnbmF0dXJl" };
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a request has no nonce if nonceHeader is not set", async () => {
  await using server = await startFaultServer(answer(200, body, signed));
  using watched = watch(server.url);
  const { events } = await watched.turn();
  assert.ok(!server.requests[0]?.rawHeaders.some((line) => /nonce/i.test(line)));
  assert.ok(!events.some((event) => event.type === "receipt"));
});

test("every request carries one fresh UUID as nonce, retries included", async () => {
  await using server = await startFaultServer(reset(), json(503, {}), answer(200, body, signed));
  using watched = watch(server.url, { nonceHeader });
  await watched.turn();
  const nonces = server.requests.map((request) =>
    request.rawHeaders.filter((line) => line.toLowerCase().startsWith("svc-request-nonce:")),
  );
  assert.deepEqual(
    nonces.map((lines) => lines.length),
    [1, 1, 1],
  );
  const values = nonces.map(([line = ""]) => line.slice(line.indexOf(":") + 1).trim());
  for (const value of values) assert.match(value, uuid);
  assert.equal(new Set(values).size, 3);
});

test("a receipt holds both headers and the digests of both bodies", async () => {
  await using server = await startFaultServer(answer(200, body, signed));
  using watched = watch(server.url, { nonceHeader }, { now: () => 1_790_000_000_000 });
  const { events } = await watched.turn();
  const event = events.find((one) => one.type === "receipt");
  const [request] = server.requests;
  assert.deepEqual(event?.type === "receipt" && event.receipt, {
    operation: "POST /v1/responses",
    nonce: request?.headers.get("svc-request-nonce"),
    timestamp: "1790000000",
    signature: "c2lnbmF0dXJl",
    requestSha256: sha256(request?.body ?? ""),
    responseSha256: sha256(body),
    responseWhole: true,
    model: "svc-k3",
    responseId: "resp_1",
    at: 1_790_000_000_000,
  });
});

test("a token count and a refused deletion have receipts", async () => {
  const given = '{"data":{"total_tokens":5}}';
  await using server = await startFaultServer(
    answer(200, given, signed),
    answer(404, '{"error":{"message":"No."}}', signed),
  );
  using watched = watch(server.url, { nonceHeader });
  const never = new AbortController().signal;
  const messages = [{ role: "user" as const, content: "Hi" }];
  const { receipt: counted } = await watched.client.estimate({ model: "svc-k3", messages }, never);
  assert.equal(counted?.operation, "POST /v1/tokenizers/estimate-token-count");
  assert.deepEqual([counted?.model, counted?.responseSha256], ["svc-k3", sha256(given)]);
  assert.equal(counted?.requestSha256, sha256(server.requests[0]?.body ?? ""));
  const { receipt: deleted, status } = await watched.client.deleteFile("file_1", never);
  assert.deepEqual([status, deleted?.operation], ["not-found", "DELETE /v1/files/file_1"]);
  assert.equal(deleted?.requestSha256, sha256(""));
});

for (const [name, headers] of [
  ["neither header", {}],
  ["the timestamp alone", { "svc-request-timestamp": "1" }],
  ["the signature alone", { "svc-request-signature": "x" }],
  ["an empty signature", { "svc-request-timestamp": "1", "svc-request-signature": "" }],
] as const) {
  test(`a reply with ${name} completes without a receipt`, async () => {
    await using server = await startFaultServer(answer(200, body, headers));
    using watched = watch(server.url, { nonceHeader });
    const { reply, events } = await watched.turn();
    assert.equal(reply.status, "completed");
    assert.ok(!events.some((event) => event.type === "receipt"));
  });
}

test("a receipt keeps header values unchanged up to 4 KiB", async () => {
  const signature = `<b>${"x".repeat(5_000)}`;
  await using server = await startFaultServer(
    answer(200, body, { ...signed, "SVC-REQUEST-SIGNATURE": signature }),
  );
  using watched = watch(server.url, { nonceHeader });
  const { events } = await watched.turn();
  const event = events.find((one) => one.type === "receipt");
  assert.equal(event?.type === "receipt" && event.receipt.signature, signature.slice(0, 4_096));
});

test("an invalid or reserved nonce header name is not used", async () => {
  for (const name of ["authorization", "Content-Type", "host", "cookie", "a b", "a:b", "a\nb", "", "ü"])
    assert.ok(!isOwnHeader(name), name);
  for (const name of ["Svc-Request-Nonce", "x-nonce", "nonce"]) assert.ok(isOwnHeader(name), name);
  await using server = await startFaultServer(answer(200, body, signed));
  using watched = watch(server.url, { nonceHeader: "authorization" });
  await watched.turn();
  assert.equal(server.requests[0]?.rawHeaders.filter((line) => /^authorization:/i.test(line)).length, 1);
});

test("no message of the client calls a receipt verified or valid", () => {
  const texts = sourceFiles("src/service").flatMap(
    (file) => readFileSync(file, "utf8").match(/"[^"\n]*"|`[^`]*`/g) ?? [],
  );
  const about = texts.filter((text) => /receipt|signature/i.test(text));
  assert.ok(about.length > 0);
  for (const text of about) assert.doesNotMatch(text, /\b(is|was|are) (verified|valid)\b/i);
});

test("ReceiptBytes keeps the bytes of a receipt so that its digests can be recomputed", async () => {
  await using server = await startFaultServer(answer(200, body, signed));
  const receiptBytes = new ReceiptBytes();
  using watched = watch(server.url, { nonceHeader }, { receiptBytes });
  const { events } = await watched.turn();
  const event = events.find((one) => one.type === "receipt");
  assert.ok(event?.type === "receipt");
  const bytes = receiptBytes.of(event.receipt.nonce);
  assert.deepEqual(recompute(event.receipt, bytes ?? {}), { request: "same", response: "same" });
  assert.equal(Buffer.from(bytes?.request ?? []).toString(), server.requests[0]?.body);
  const changed = Uint8Array.from(bytes?.response ?? [], (byte, at) => (at === 9 ? byte ^ 1 : byte));
  assert.equal(recompute(event.receipt, { response: changed }).response, "different");
});

test("ReceiptBytes keeps only the latest bytes, and ReplyDigest drops those of a very long reply", () => {
  const kept = new ReceiptBytes();
  for (let at = 0; at < 60; at += 1) kept.keep(`n${at}`, { request: new Uint8Array(10) });
  assert.equal(kept.of("n9"), undefined);
  assert.equal(kept.of("n10")?.request?.length, 10);
  for (const nonce of ["a", "b", "c"]) kept.keep(nonce, { response: new Uint8Array(3 * 1024 * 1024) });
  assert.equal(kept.of("n59"), undefined);
  assert.equal(kept.of("a"), undefined);
  assert.equal(kept.of("b")?.response?.length, 3 * 1024 * 1024);
  assert.equal(kept.of("c")?.response?.length, 3 * 1024 * 1024);
  const digest = new ReplyDigest();
  for (let at = 0; at < 5; at += 1) digest.update(new Uint8Array(1024 * 1024));
  const { bytes, sha256 } = digest.result(true);
  assert.equal(bytes, undefined);
  assert.equal(
    sha256,
    createHash("sha256")
      .update(new Uint8Array(5 * 1024 * 1024))
      .digest("hex"),
  );
});

test("the receipts of counts and deletions are noted once each", async (t) => {
  const noted: string[] = [];
  const notes = {
    receipt: ({ operation }: Receipt) => void noted.push(operation),
    reply: (events: AsyncGenerator<ReplyEvent, void>) => events,
  };
  const settings = () => ({ nonceHeader: "x-nonce" });
  const { client } = await simulatedClient(
    t,
    { nonceHeader: "x-nonce", files: ["file-1"] },
    { settings, notes },
  );
  const { signal } = new AbortController();
  await client.estimate({ model: "svc-k3", messages: [{ role: "user", content: "Hello" }] }, signal);
  await Promise.all([client.deleteFile("file-1", signal), client.deleteFile("file-1", signal)]);
  assert.deepEqual(noted, ["POST /v1/tokenizers/estimate-token-count", "DELETE /v1/files/file-1"]);
});
