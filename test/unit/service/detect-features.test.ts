// Features that a service refuses without saying which: each is tried by itself, on click, and what was found holds.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Capabilities } from "../../../src/service/capabilities.ts";
import type { CheckPlan, ConnectionReport } from "../../../src/service/request.ts";
import type { ClientSettings } from "../../../src/service/settings.ts";
import { status } from "../../sim/http-answers.ts";
import { type Profile, profile } from "../../sim/profiles.ts";
import { text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { type Ground, ground, namespace, never, patchTool, reply, user } from "./simulator-ground.ts";

const settings = { userId: "u".repeat(64) };

/** What it refuses it refuses without a reason. */
const opaque = (change: Partial<Profile>, own: ClientSettings = settings) =>
  ground(profile("standard", { wording: "opaque", ...change }), {
    settings: own,
    assistant: () => [text("ok")],
  });

async function detected({ client }: Ground): Promise<ConnectionReport> {
  const report = await client.detectFeatures(async () => true, never);
  assert.ok(typeof report === "object" && "findings" in report);
  return report;
}

const states = (report: ConnectionReport) =>
  Object.fromEntries(report.findings.map(({ name, state }) => [english(name), state]));

const ask = ({ client }: Ground) =>
  reply(
    client.respond({ input: [user("Hi")], tools: [patchTool, namespace], cacheId: "conversation-1" }, never),
  );

test("detectFeatures shows its plan and sends nothing if it is declined", async () => {
  await using service = await opaque({});
  const plans: CheckPlan[] = [];
  const outcome = await service.client.detectFeatures(async (plan) => {
    plans.push(plan);
    return false;
  }, never);
  assert.deepEqual([outcome, service.sim.requests.length], ["declined", 0]);
  const [plan] = plans;
  assert.ok(plan !== undefined && plan.tokens >= plan.requests * 100);
  assert.match(english(plan.steps.at(-1)), /Cache identifier; User identifier; Patch tool/);
});

test("detectFeatures finds a fully capable service with one request per feature and per operation", async () => {
  await using service = await opaque({});
  const report = await detected(service);
  assert.deepEqual(new Set(Object.values(states(report))), new Set(["yes"]));
  assert.equal(service.sim.requests.length, 9);
  assert.equal(report.requests, 9);
  assert.deepEqual([report.found.refused, report.found.plain, report.found.patch], [[], [], "grammar"]);
  assert.ok(report.found.detected !== undefined);
});

const cases: readonly (readonly [
  name: string,
  change: Partial<Profile>,
  found: Partial<Capabilities>,
  row: string,
])[] = [
  ["custom tools", { custom: false, customOutput: false }, { patch: "function" }, "Patch tool"],
  ["the grammar", { customFormat: false }, { patch: "text" }, "Patch tool"],
  ["namespaces", { namespace: false }, { namespaces: "flat" }, "Tool namespaces"],
  [
    "messages of others",
    { assistantMessages: false },
    { assistantText: "recap" },
    "Messages of other models",
  ],
  [
    "the cache identifier",
    { refusedFields: ["prompt_cache_key"] },
    { refused: ["prompt_cache_key"] },
    "Cache identifier",
  ],
  [
    "the user identifier",
    { refusedFields: ["safety_identifier"] },
    { refused: ["safety_identifier"] },
    "User identifier",
  ],
  [
    "usage of chats",
    { refusedFields: ["stream_options"] },
    { refused: ["stream_options"] },
    "Usage of chat streams",
  ],
];

for (const [name, change, found, row] of cases)
  test(`detectFeatures finds a service that refuses only ${name}, and later turns need no extra request`, async () => {
    await using service = await opaque(change);
    // The first question has taken everything away at once.
    const first = await ask(service);
    const { client, sim } = service;
    const chatting = { model: "svc-k2.6", messages: [{ role: "user" as const, content: "Hi" }] };
    await reply(client.chat(chatting, never));
    const report = await detected(service);
    assert.equal(states(report)[row], "no");
    assert.deepEqual(Object.values(states(report)).filter((state) => state !== "yes").length, 1);
    const { refused, patch, namespaces, assistantText, plain } = report.found;
    const nothing = { refused: [], patch: "grammar", namespaces: "namespace", assistantText: "message" };
    assert.deepEqual({ refused, patch, namespaces, assistantText }, { ...nothing, ...found });
    assert.deepEqual(plain, []);
    assert.deepEqual(service.saved.get(new URL(sim.url).origin), report.found);
    const before = sim.requests.length;
    const again = await ask(service);
    await reply(client.chat(chatting, never));
    assert.deepEqual([again.reply.status, again.adapted, sim.requests.length - before], ["completed", [], 2]);
    assert.ok(first.reply.requests <= 2);
  });

test("detectFeatures tries custom tool results with the detected form of the tool", async () => {
  await using service = await opaque({ customFormat: false, customOutput: false });
  const report = await detected(service);
  assert.deepEqual([report.found.patch, report.found.customOutput], ["text", "function"]);
  const tried = service.sim.requests
    .map(({ raw }) => String(raw))
    .filter((raw) => raw.includes("custom_tool_call_output"));
  assert.equal(tried.length, 1);
  assert.doesNotMatch(tried[0] ?? "", /grammar/);
});

test("detected features survive a later connection check", async () => {
  await using service = await opaque({ namespace: false });
  const { found } = await detected(service);
  const report = await service.client.checkConnection(async () => true, never);
  assert.ok(typeof report === "object" && "findings" in report);
  assert.equal(report.requests, 3, "nothing is refused any more");
  assert.deepEqual(report.found, found);
  assert.deepEqual(await service.client.found(), found);
  await service.client.forgetFound();
  assert.equal((await service.client.found())?.detected, undefined);
});

test("a changed service falls back to the plain form and loses its detected mark", async () => {
  await using service = await opaque({});
  await detected(service);
  service.sim.setProfile("interface-strict");
  const { reply: given } = await ask(service);
  assert.deepEqual([given.status, given.requests], ["completed", 2]);
  const found = await service.client.found();
  assert.deepEqual([found?.plain, found?.detected], [["responses"], undefined]);
});

test("detectFeatures keeps the known capabilities during an outage", async () => {
  await using service = await opaque({ namespace: false });
  await ask(service);
  const known = await service.client.found();
  for (const _ of Array(30)) service.sim.fault(status(503, { message: "Later." }));
  const report = await detected(service);
  assert.deepEqual(states(report), { Responses: "no", "Chat completions": "no" });
  assert.deepEqual(await service.client.found(), known);
  assert.ok(report.problem !== undefined);
});

test("detectFeatures tries fields of extraBody and skips features that the profile fixes", async () => {
  const extraBody = { responses: { session: "x" }, chat: { thinking: { type: "disabled" } } };
  await using service = await opaque(
    { refusedFields: ["thinking"] },
    { extraBody, patchTool: "function", namespaces: "flat", streamUsage: true, cacheKeyField: "" },
  );
  const report = await detected(service);
  assert.deepEqual(states(report), {
    Responses: "yes",
    session: "yes",
    "Messages of other models": "yes",
    "Chat completions": "yes",
    thinking: "no",
  });
  assert.deepEqual(report.found.refused, ["thinking"]);
});

test("detectFeatures sends no more requests than its plan announced", async () => {
  await using service = await opaque({});
  for (const _ of Array(40)) service.sim.fault(status(429, { message: "Later." }));
  const plans: CheckPlan[] = [];
  await service.client.detectFeatures(async (plan) => plans.push(plan) > 0, never);
  assert.ok(service.sim.requests.length <= (plans[0]?.requests ?? 0));
});
