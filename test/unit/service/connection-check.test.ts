// The connection check and the key test against the simulator: what is sent, what is asked first, what is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckPlan, ConnectionReport } from "../../../src/service/request.ts";
import type { ClientSettings } from "../../../src/service/settings.ts";
import { status } from "../../sim/http-answers.ts";
import { type Profile, type ProfileName, refusing } from "../../sim/profiles.ts";
import { text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { answer, json, startFaultServer } from "../../support/fault-server.ts";
import { whole } from "../../support/hello-reply.ts";
import { clientOf } from "../../support/simulated-client.ts";
import { type Ground, ground, never } from "./simulator-ground.ts";

const checked = (profile: ProfileName | Profile, settings: ClientSettings = {}, key?: string) =>
  ground(profile, { settings, key, assistant: () => [text("ok")] });

async function reportOf({ client }: Ground): Promise<ConnectionReport> {
  const report = await client.checkConnection(async () => true, never);
  assert.ok(typeof report === "object" && "findings" in report);
  return report;
}

const states = (report: ConnectionReport) =>
  Object.fromEntries(report.findings.map(({ name, state }) => [english(name), state]));

test("the connection check shows its plan and sends nothing if it is declined", async () => {
  await using service = await checked("standard");
  const plans: CheckPlan[] = [];
  const outcome = await service.client.checkConnection(async (plan) => {
    plans.push(plan);
    return false;
  }, never);
  assert.equal(outcome, "declined");
  assert.equal(service.sim.requests.length, 0);
  const [plan] = plans;
  assert.ok(plan !== undefined && plan.requests <= 6 && plan.tokens > 0 && plan.steps.length > 0);
});

test("the connection check of a service that accepts everything takes three requests and reports only yes", async () => {
  await using service = await checked("standard", {
    userId: "u".repeat(64),
    nonceHeader: "svc-request-nonce",
  });
  const report = await reportOf(service);
  assert.equal(report.requests, 3);
  assert.equal(service.sim.requests.length, 3);
  assert.equal(report.problem, undefined);
  assert.ok(report.milliseconds !== undefined);
  assert.deepEqual(new Set(Object.values(states(report))), new Set(["yes"]));
  for (const { detail } of report.findings) assert.match(english(detail), /^[A-Z“].*\.$/);
});

test("the connection check detects refused fields and saves them for the origin", async () => {
  await using service = await checked(refusing("prompt_cache_key", "stream_options"));
  const report = await reportOf(service);
  assert.equal(report.requests, 5);
  assert.equal(states(report)["Cache identifier"], "no");
  assert.equal(states(report)["Cache lifetime"], "yes");
  assert.deepEqual([...report.found.refused].sort(), ["prompt_cache_key", "stream_options"]);
  assert.deepEqual([...service.saved], [[new URL(service.sim.url).origin, report.found]]);
  assert.deepEqual(await service.client.found(), report.found);
});

test("the connection check detects a service without custom tools or without namespaces", async () => {
  await using service = await checked("custom-no");
  const report = await reportOf(service);
  assert.equal(states(report)["Patch tool"], "no");
  assert.equal(report.found.patch, "function");
  await using flat = await checked("namespace-no");
  assert.equal(states(await reportOf(flat))["Tool namespaces"], "no");
});

test("the connection check stops after six requests and keeps the refused fields found so far", async () => {
  await using service = await checked(
    refusing("prompt_cache_key", "prompt_cache_options", "max_output_tokens", "tool_choice"),
  );
  const { origin } = new URL(service.sim.url);
  const report = await reportOf(service);
  assert.equal(report.requests, 6);
  assert.equal(service.sim.requests.length, 6);
  assert.match(english(report.problem), /You chose not to continue/);
  assert.equal(states(report)["Patch tool"], "unknown");
  assert.ok(report.found.refused.length >= 3);
  assert.deepEqual(service.saved.get(origin), report.found);
});

test("a second connection check clears a refused field that the service now accepts", async () => {
  await using service = await checked(refusing("prompt_cache_key"));
  assert.deepEqual((await reportOf(service)).found.refused, ["prompt_cache_key"]);
  service.sim.setProfile("standard");
  assert.deepEqual((await reportOf(service)).found.refused, []);
});

test("the history form learned in conversations survives a connection check, which reports it", async () => {
  await using service = await checked("standard");
  const { origin } = new URL(service.sim.url);
  for (const [form, detail] of [
    ["no-search", /searches are omitted/],
    ["plain", /sent as a summary/],
  ] as const) {
    await service.client.learnHistory(origin, form);
    const report = await reportOf(service);
    const [own] = report.findings.filter(({ name }) => name.code === "checkHistory");
    assert.equal(own?.state, "no");
    assert.match(english(own.detail), detail);
    const lasts = form === "plain" ? "plain" : "whole";
    assert.equal(service.saved.get(origin)?.history, lasts, "a guess holds for this window");
  }
  await service.client.learnHistory(origin, "no-search");
  assert.equal((await service.client.found())?.history, "plain", "it takes no more because of it");
  await service.client.forgetFound();
  assert.equal((await service.client.found())?.history, "whole");
});

test("forgetFound clears the saved capabilities without a check", async () => {
  await using service = await checked(refusing("prompt_cache_key"));
  await reportOf(service);
  await service.client.forgetFound();
  assert.deepEqual((await service.client.found())?.refused, []);
  assert.deepEqual(service.saved.get(new URL(service.sim.url).origin)?.refused, []);
});

test("the connection check ends after one request if the key is refused", async () => {
  await using service = await checked("standard", {}, "sk-wrong-0123456789");
  const report = await reportOf(service);
  assert.equal(report.requests, 1);
  assert.equal(report.problem?.kind, "auth");
  assert.deepEqual(states(report), { Reachable: "yes", "Key accepted": "no", "Token estimate": "no" });
});

test("the connection check reports a failing estimate without affecting the other findings", async () => {
  await using service = await checked("standard");
  for (const _ of [1, 2]) service.sim.replyTo("estimate", status(501, { message: "Not here." }));
  const report = await reportOf(service);
  assert.equal(states(report)["Token estimate"], "no");
  assert.equal(states(report)["Key accepted"], "yes");
  assert.equal(states(report)["Responses"], "yes");
});

for (const [profile, words] of [
  ["standard", /event stream \(.*delta/],
  ["nostream", /one document/],
  ["snapshot-only", /event stream \(snapshot\)/],
] as const) {
  test(`the connection check reports the reply format of a ${profile} service`, async () => {
    await using service = await checked(profile);
    const { findings } = await reportOf(service);
    assert.match(english(findings.find(({ name }) => name.code === "checkResponses")?.detail), words);
  });
}

test("the connection check reports a nonce header that the service does not know", async () => {
  await using service = await checked("standard", { nonceHeader: "x-other-nonce" });
  assert.equal(states(await reportOf(service))["Signed replies"], "no");
});

test("Stop ends the connection check without another request", async () => {
  const stop = new AbortController();
  await using server = await startFaultServer(() => stop.abort());
  const client = clientOf({ url: server.url, key: "sk-test-0123456789" });
  const outcome = await client.checkConnection(async () => true, stop.signal);
  assert.ok(typeof outcome === "object" && "kind" in outcome && outcome.kind === "refused-locally");
  assert.equal(server.requests.length, 1);
  client.dispose();
});

test("checkKey sends a single token count", async () => {
  await using service = await checked("standard");
  const outcome = await service.client.checkKey(never);
  assert.ok(outcome.ok && outcome.tokens > 0 && outcome.milliseconds >= 0 && outcome.model === "svc-k3");
  assert.deepEqual(
    service.sim.requests.map(({ method, path }) => `${method} ${path}`),
    ["POST /v1/tokenizers/estimate-token-count"],
  );
});

test("checkKey measures its duration independently of changes to the system clock", async () => {
  await using service = await checked("standard");
  const { sim } = service;
  const hours = 3_600_000;
  for (const step of [2 * hours, -2 * hours]) {
    let wall = 1_790_000_000_000;
    const client = clientOf(sim, { now: () => (wall += step), environment: {} });
    const outcome = await client.checkKey(never);
    assert.ok(outcome.ok && outcome.milliseconds >= 0 && outcome.milliseconds < hours);
    client.dispose();
  }
});

test("checkKey quotes the service's message when it fails", async () => {
  await using server = await startFaultServer(answer(403, '{"error":{"message":"No access."}}'));
  const client = clientOf({ url: server.url, key: "sk-test-0123456789" });
  const outcome = await client.checkKey(never);
  assert.ok(!outcome.ok);
  assert.match(english(outcome.problem), /403\): No access\./);
  client.dispose();
});

for (const [title, offered, state, asked] of [
  ["another chat model", ["svc-k2.7-code"], "yes", ["svc-k2.6", "svc-k2.7-code"]],
  ["no chat model", [], "unknown", ["svc-k2.6", "svc-k2.7-code"]],
  ["the first chat model", ["svc-k2.6"], "yes", ["svc-k2.6"]],
] as const) {
  test(`the connection check handles a service with ${title}`, async () => {
    const models: string[] = [];
    await using server = await startFaultServer((socket, request) => {
      const { model } = JSON.parse(request.body) as { model: string };
      if (request.path.endsWith("/estimate-token-count"))
        return json(200, { data: { total_tokens: 3 } })(socket, request);
      if (request.path.endsWith("/responses")) return answer(200, whole)(socket, request);
      models.push(model);
      const refusal = { error: { message: `The model ${model} does not exist.` } };
      if (!(offered as readonly string[]).includes(model)) return json(404, refusal)(socket, request);
      const chunk = { choices: [{ delta: { content: "ok" }, finish_reason: "stop" }] };
      return answer(200, `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)(socket, request);
    });
    const client = clientOf({ url: server.url, key: "sk-test-0123456789" }, { wait: async () => {} });
    const report = await client.checkConnection(async () => true, never);
    client.dispose();
    assert.ok(typeof report === "object" && "findings" in report);
    assert.deepEqual([states(report)["Chat completions"], models, report.problem], [state, asked, undefined]);
  });
}
