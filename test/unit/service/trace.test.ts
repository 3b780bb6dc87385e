// What a person who traces the wire finds in the log, and what never gets there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, json, sse, startFaultServer } from "../../support/fault-server.ts";
import { completedWith, delta, whole } from "../../support/hello-reply.ts";
import { canary, type Watched, watch } from "../../support/watched-client.ts";

const nonceHeader = "Svc-Request-Nonce";
const traced = ({ lines }: Watched) => lines.filter((line) => /^[→←]/.test(line)).join("\n");

test("the log contains no traffic unless trace is set", async () => {
  await using server = await startFaultServer(answer(200, whole));
  using watched = watch(server.url);
  await watched.turn();
  assert.equal(traced(watched), "");
  assert.ok(!watched.lines.join().includes("Hello"));
});

test('trace "headers" logs method, path, status and headers but no bodies', async () => {
  await using server = await startFaultServer(answer(200, whole, { "x-request-id": "req_1" }));
  using watched = watch(server.url, { trace: "headers", nonceHeader });
  await watched.turn({ prompt: "A question" });
  const text = traced(watched);
  assert.match(text, /→ POST \/v1\/responses \{.*"content-type":"application\/json"/);
  assert.match(text, /← 200 \{.*"x-request-id":"req_1"/);
  assert.ok(!text.includes("A question") && !text.includes("Hello"));
  const nonce = server.requests[0]?.headers.get("svc-request-nonce") ?? "";
  assert.ok(nonce !== "" && !text.includes(nonce), "the nonce is ours alone");
  watched.assertNoCanary();
});

test('trace "bodies" logs both bodies, also of an interrupted reply', async () => {
  await using server = await startFaultServer(answer(200, sse(delta("Hel"))));
  using watched = watch(server.url, { trace: "bodies" });
  await watched.turn({ prompt: "A question" });
  assert.match(traced(watched), /→ \{"model":"svc-k3".*A question/);
  assert.match(traced(watched), /← data: \{"type":"response\.output_text\.delta".*"Hel"/);
});

test("traced bodies hide key, encrypted content and images wherever lines are split", async () => {
  const opaque = "gAAAA".repeat(400);
  const item = { id: "rs_1", type: "reasoning", summary: [], encrypted_content: opaque };
  for (const filler of [0, 3_400, 3_480, 3_495, 256 * 1024 - 40]) {
    await using server = await startFaultServer(
      answer(
        200,
        sse({ type: "note", filler: "x".repeat(filler), seen: `Bearer ${canary}` }) +
          sse({ type: "response.output_item.done", item }, completedWith("Hello")),
      ),
    );
    using watched = watch(server.url, { trace: "bodies" });
    const picture = `data:image/png;base64,${"iVBOR".repeat(200)}`;
    const content = [{ type: "input_image", image_url: picture }];
    const input = [JSON.stringify({ type: "message", role: "user", content })];
    for await (const _ of watched.client.respond({ input }, new AbortController().signal));
    const text = traced(watched);
    assert.ok(text.includes("data:image/png;base64,…") && !text.includes("iVBORiVBOR"));
    assert.ok(!watched.lines.join().includes("gAAAA"));
    assert.ok(!watched.lines.join().includes(canary.slice(0, 8)));
  }
});

test('trace "bodies" covers estimates and deletions', async () => {
  await using server = await startFaultServer(json(200, { data: { total_tokens: 7 } }));
  using watched = watch(server.url, { trace: "bodies" });
  const never = new AbortController().signal;
  await watched.client.estimate(
    { model: "svc-k3", messages: [{ role: "user", content: "Count me" }] },
    never,
  );
  await watched.client.deleteFile("file_1", never);
  const text = traced(watched);
  assert.match(text, /→ POST \/v1\/tokenizers\/estimate-token-count/);
  assert.match(text, /Count me[\s\S]*← \{"data":\{"total_tokens":7\}\}/);
  assert.match(text, /→ DELETE \/v1\/files\/file_1/);
});
