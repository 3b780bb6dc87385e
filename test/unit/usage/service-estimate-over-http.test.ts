// The service's counts over real HTTP: shown as they are, teaching the local estimate, part by part.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { builtInModels } from "../../../src/conversation/models.ts";
import type { ChatMessage, EstimateRequest } from "../../../src/service/request.ts";
import { ServiceEstimate } from "../../../src/usage/internal/service-estimate.ts";
import { LocalEstimate } from "../../../src/usage/local-estimate.ts";
import { featureOf, scanText } from "../../../src/usage/text-features.ts";
import { countParts, featuresOfMessages, forEachModel } from "../../../src/usage/token-counts.ts";
import { simulatedClient } from "../../support/simulated-client.ts";

const draft = (content: string): EstimateRequest => ({
  model: "svc-k3",
  messages: [{ role: "user", content }],
});
const never = new AbortController().signal;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function overHttp(t: TestContext) {
  const { sim, client } = await simulatedClient(t);
  const local = new LocalEstimate();
  const service = new ServiceEstimate({
    estimate: client.estimate,
    mayAskUnasked: () => false,
    onCount: ({ model, messages }, tokens) => local.learn(model, featuresOfMessages(messages), tokens),
    onPaused() {},
  });
  return { sim, service, local };
}

test("service counts over HTTP are reported unchanged and improve the local estimate", async (t) => {
  const { sim, service, local } = await overHttp(t);
  const text = "const value = compute(another, 42);\n".repeat(40);
  const request = draft(text);
  const off = () => {
    const estimate = local.count("svc-k3", featuresOfMessages(request.messages)).tokens;
    return Math.abs(estimate - (service.known(request) ?? 0));
  };
  const answer = await service.count(request, never);
  assert.ok("tokens" in answer);
  const before = new LocalEstimate().count("svc-k3", featuresOfMessages(request.messages)).tokens;
  assert.ok(off() < Math.abs(before - answer.tokens) / 4);
  assert.equal(sim.requests.length, 1);
  sim.done();
});

test("service counts over HTTP are requested by part and by model, without a request for an empty part", async (t) => {
  const { sim, service } = await overHttp(t);
  const count = (request: EstimateRequest, signal: AbortSignal) => service.count(request, signal);
  const parts = ["a file", "", "a file and more"].map((content) => ({
    label: content,
    request: draft(content),
  }));
  const rows = await all(countParts(parts, count, never));
  assert.deepEqual(
    rows.map(({ label, tokens = -1 }) => [label, tokens > 0]),
    [
      ["a file", true],
      ["", false],
      ["a file and more", true],
    ],
  );
  assert.equal(rows[1]?.tokens, 0);
  const messages: ChatMessage[] = [{ role: "user", content: "Hello there" }];
  const models = await all(countParts(forEachModel(builtInModels, messages), count, never));
  assert.deepEqual(
    models.map(({ label, problem: why }) => [label, why]),
    builtInModels.map(({ label }) => [label, undefined]),
  );
  assert.deepEqual(
    sim.requests.slice(2).map(({ body }) => body["model"]),
    builtInModels.map(({ id }) => id),
  );
  const off = AbortSignal.abort();
  assert.deepEqual(await all(countParts(parts, count, off)), []);
  sim.done();
});

test("featuresOfMessages counts images as images", () => {
  const features = featuresOfMessages([
    { role: "system", content: "Help." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      ],
    },
  ]);
  assert.equal(featureOf(features, "images"), 1);
  assert.equal(featureOf(features, "messages"), 2);
  assert.equal(featureOf(features, "words"), featureOf(scanText("Help. What is this?"), "words"));
});
