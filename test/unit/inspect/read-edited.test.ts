import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../../src/conversation/messages.ts";
import { readEdited } from "../../../src/inspect/internal/edit-and-compare.ts";
import { createServiceClient } from "../../../src/service/service-client.ts";
import { silentLog } from "../../../src/util/log.ts";
import { english, verbatim } from "../../support/english.ts";
import { clientOf } from "../../support/simulated-client.ts";

const names = { cacheKeyField: "prompt_cache_key", userIdField: "safety_identifier" };
const key = "sk-0123456789abcdef";
const client = clientOf({ url: "https://service.test", key }, { settings: () => ({ userId: "me" }) });

test("readEdited reads a composed request so that composing it again gives the same bytes", async () => {
  const responses = {
    route: "responses",
    request: {
      input: ['{"type":"message","role":"user","content":"Hi // there"}', '{"type":"reasoning","id":"rs_1"}'],
      instructions: "Be kind.",
      tools: ['{"type":"web_search"}'],
      include: ["web_search_call.action.sources"],
      maxOutputTokens: 100,
      effort: "high",
      cacheTtl: "1h",
      cacheId: "c",
    },
  } as const;
  const chat = {
    route: "chat",
    request: { model: "svc-k2.6", messages: [{ role: "user", content: "Hi" }] },
  } as const;
  for (const asked of [responses, chat]) {
    const first = await client.compose(asked);
    assert.ok("body" in first);
    const edited = `// a comment\n${JSON.stringify(JSON.parse(first.body), undefined, 2)}`;
    const read = readEdited(edited, names);
    assert.ok(read.ok, JSON.stringify(read));
    assert.deepEqual(await client.compose(read.asked), first);
  }
});

test("readEdited refuses unknown fields by name, and invalid requests", () => {
  const cases = [
    ["{", /not a JSON object/],
    ['{"input":"Hi"}', /names no model/],
    ['{"model":"svc-k3"}', /input is missing/],
    ['{"model":"svc-k3","input":"Hi","store":true}', /field store is not one/],
    ['{"model":"svc-k3","input":"Hi","what_is_this":1}', /field what_is_this is not one/],
    ['{"model":"svc-k2.6","messages":[{"role":"boss","content":"Hi"}]}', /role and content/],
    ['{"model":"svc-k2.6","messages":[{"role":"user","content":"Hi"}],"temperature":1}', /field temperature/],
  ] as const;
  for (const [text, sentence] of cases) {
    const read = readEdited(text, names);
    assert.ok(!read.ok);
    assert.match(english(read.message), sentence);
  }
});

test("readEdited refuses field values that it cannot send, by the name of the field", () => {
  const responses = { text: { format: { type: "text" } }, reasoning: { summary: "auto" }, seed: 1 };
  const allowed = { ...names, extraBody: { responses, chat: { thinking: "on" } } };
  const read = (fields: object) =>
    readEdited(JSON.stringify({ model: "svc-k3", input: "Hi", ...fields }), allowed);
  assert.ok(read({}).ok);
  assert.ok(read({ text: { format: { type: "text" } }, seed: 1 }).ok);
  assert.ok(!read({ seed: 2 }).ok);
  const chatted = (fields: object) =>
    readEdited(
      JSON.stringify({ model: "svc-k2.6", messages: [{ role: "user", content: "Hi" }], ...fields }),
      allowed,
    ).ok;
  assert.deepEqual([chatted({ thinking: "on" }), chatted({ thinking: "off" })], [true, false]);
  assert.ok(read({ reasoning: { summary: "auto", effort: "low" }, tool_choice: "auto" }).ok);
  assert.ok(read({ prompt_cache_options: { mode: "implicit", ttl: "1h" } }).ok);
  assert.ok(
    read({ text: { format: { type: "json_object" } } }).ok,
    "a person can choose that for a conversation",
  );
  for (const [field, value] of [
    ["text", { format: { type: "json_schema" } }],
    ["reasoning", { summary: "detailed", effort: "low" }],
    ["reasoning", "high"],
    ["tool_choice", "required"],
    ["prompt_cache_options", { mode: "explicit", ttl: "5m" }],
    ["prompt_cache_options", { mode: "implicit", ttl: "2h" }],
  ] as const) {
    const refused = read({ [field]: value });
    assert.ok(!refused.ok, field);
    assert.equal(english(refused.message), `The field ${field} can hold only what the settings allow.`);
  }
});

test("compose refuses or drops what the interface does not accept in an edited request", async () => {
  const composed = async (fields: object) => {
    const read = readEdited(JSON.stringify({ model: "svc-k3", input: "Hi", ...fields }), names);
    assert.ok(read.ok);
    const { message, body } = (await client.compose(read.asked)) as { message?: Message; body?: string };
    return message === undefined ? JSON.parse(body ?? "{}") : english(message);
  };
  const search = [{ type: "web_search" }];
  assert.match(await composed({ model: "svc-k2.6" }), /supports only svc-k3, not svc-k2\.6/);
  assert.match(
    await composed({ tools: search, include: ["reasoning.encrypted_content"] }),
    /cannot hold reasoning\.encrypted_content/,
  );
  assert.match(await composed({ max_output_tokens: "many" }), /whole number of tokens/);
  assert.equal("stream" in (await composed({ stream: false })), false);
});

test("compose hides the key, also within a question", async () => {
  const request = { model: "svc-k2.6", messages: [{ role: "user" as const, content: `Is ${key} safe?` }] };
  const composed = await client.compose({ route: "chat", request });
  assert.ok("body" in composed);
  assert.equal(JSON.stringify(composed).includes(key), false);
  assert.match(composed.body, /Is \[hidden\] safe\?/);
});

test("compose works without a URL", async () => {
  const problem = { kind: "no-key" as const, message: verbatim("No."), actions: [] };
  const alone = createServiceClient({
    connection: async () => problem,
    settings: () => ({}),
    log: silentLog,
  });
  const request = { model: "svc-k2.6", messages: [{ role: "user" as const, content: "Hi" }] };
  const composed = await alone.compose({ route: "chat", request });
  assert.ok("url" in composed);
  assert.match(composed.url, /invalid\/v1\/chat\/completions$/);
});
