// What an origin refuses is found out, left out or changed, and remembered for it: against services that refuse
// each optional thing in turn.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Capabilities,
  CapabilityRegistry,
  defaultCapabilities,
} from "../../../src/service/capabilities.ts";
import { adapt } from "../../../src/service/internal/adapt-request.ts";
import { AdaptedRetry } from "../../../src/service/internal/adapted-retry.ts";
import { noRequestFeatures } from "../../../src/service/internal/dialect.ts";
import type { Fault } from "../../../src/service/internal/fault.ts";
import type { ResponsesRequest } from "../../../src/service/request.ts";
import { createServiceClient } from "../../../src/service/service-client.ts";
import { silentLog } from "../../../src/util/log.ts";
import { optionalFields, refusing } from "../../sim/profiles.ts";
import { text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { json, startFaultServer } from "../../support/fault-server.ts";
import { usingSimulator } from "../../support/using-simulator.ts";
import { watch } from "../../support/watched-client.ts";
import { ground, namespace, never, patchTool, reply, user } from "./simulator-ground.ts";

const everything: ResponsesRequest = {
  input: [user("Hi")],
  instructions: "Be brief.",
  tools: ['{"type":"web_search"}', patchTool, namespace],
  maxOutputTokens: 100,
  effort: "high",
  include: ["web_search_call.action.sources"],
  cacheTtl: "1h",
  cacheId: "conversation-1",
};

for (const field of optionalFields) {
  test(`a service that refuses ${field} gets the request again without it, and later requests omit it`, async () => {
    await using service = await ground(refusing(field));
    const { sim, client } = service;
    const isChat = field === "stream_options";
    const ask = () =>
      isChat
        ? client.chat({ model: "svc-k2.6", messages: [{ role: "user", content: "Hi" }] }, never)
        : client.respond(everything, never);
    sim.reply(text("Hello"));
    const first = await reply(ask());
    assert.deepEqual([first.reply.status, first.reply.text], ["completed", "Hello"]);
    assert.deepEqual(first.adapted, [field]);
    assert.equal(first.reply.requests, 2);
    assert.ok(Object.hasOwn(sim.requests[0]?.body ?? {}, field));
    sim.reply(text("Again"));
    const second = await reply(ask());
    assert.deepEqual([second.reply.text, second.reply.requests], ["Again", 1]);
    for (const request of sim.requests.slice(1)) assert.ok(!Object.hasOwn(request.body, field));
    const before = Object.keys(sim.requests[0]?.body ?? {}).filter((name) => name !== field);
    assert.deepEqual(Object.keys(sim.requests[1]?.body ?? {}), before, "nothing else is left out");
    assert.deepEqual([...service.saved.values()].at(-1)?.refused, [field]);
  });
}

test("saved capabilities apply to the first request of their origin and to no other origin", async () => {
  const saved = new Map<string, Capabilities>();
  await using service = await ground(refusing("prompt_cache_key"), { saved });
  const known = { refused: ["prompt_cache_key"], efforts: ["max"] };
  saved.set(new URL(service.sim.url).origin, { ...defaultCapabilities, ...known });
  await service.client.found();
  assert.deepEqual(service.client.acceptedEfforts(), ["max"]);
  service.sim.reply(text("Hello"));
  assert.equal((await reply(service.client.respond(everything, never))).reply.requests, 1);
  await using other = await ground("standard", { saved });
  other.sim.reply(text("Hello"));
  await reply(other.client.respond(everything, never));
  assert.equal(other.sim.requests[0]?.body["prompt_cache_key"], "conversation-1");
});

test("a message of another model goes as an assistant message, or as a summary where that is refused", async () => {
  const said = JSON.stringify({
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "Forty-two." }],
  });
  const request = { input: [user("What?"), said, user("Why?")] };
  for (const [profile, role, requests] of [
    ["standard", "assistant", 1],
    ["assistant-no", "user", 2],
  ] as const) {
    await using service = await ground(profile);
    service.sim.reply(text("Because."));
    const { reply: given } = await reply(service.client.respond(request, never));
    assert.deepEqual([given.text, given.requests], ["Because.", requests]);
    const sent = service.sim.requests.at(-1)?.body["input"] as { role: string; content: unknown }[];
    assert.deepEqual(
      sent.map((item) => item.role),
      ["user", role, "user"],
    );
    assert.ok(JSON.stringify(sent[1]?.content).includes("Forty-two."));
  }
});

test("a service that takes no images gets each request again without them, and no capability is saved", async () => {
  const data = "data:image/png;base64,AAAA";
  for (const route of ["responses", "chat"] as const) {
    await using service = await ground("images-no");
    const { sim, client } = service;
    const input = [
      { type: "input_text", text: "What is this?" },
      { type: "input_image", image_url: data },
    ];
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: data } },
    ] as const;
    const ask = () =>
      route === "chat"
        ? client.chat({ model: "svc-k2.6", messages: [{ role: "user", content }] }, never)
        : client.respond(
            { input: [JSON.stringify({ type: "message", role: "user", content: input })] },
            never,
          );
    for (const _ of [1, 2]) {
      const before = sim.requests.length;
      sim.reply(text("A cat."));
      const { reply: given, adapted } = await reply(ask());
      assert.deepEqual([given.text, given.requests, adapted], ["A cat.", 2, ["pictures"]]);
      const [first, second] = sim.requests.slice(before).map(({ body }) => JSON.stringify(body));
      assert.ok(first?.includes(data) && !second?.includes(data));
      assert.match(second ?? "", /"content":"What is this\?\\n\[An image was here/);
    }
    assert.deepEqual((await client.found())?.refused, []);
  }
});

test("a refusal about the content of an image is quoted with a hint to omit images, and not retried", async () => {
  await using server = await startFaultServer(json(400, { error: { message: "This image is too small." } }));
  using watched = watch(server.url);
  const input = [
    JSON.stringify({
      type: "message",
      role: "user",
      content: [{ type: "input_image", image_url: "data:image/png;base64,AAAA" }],
    }),
  ];
  const { reply: given } = await reply(watched.client.respond({ input }, never));
  assert.equal(given.requests, 1);
  assert.match(english(given.problem), /This image is too small\. .*without them/);
});

test("a refusal that names no optional field is not retried and saves no capability", async () => {
  await using server = await startFaultServer(
    json(400, { error: { message: "The text of your message is not suitable.", param: "input[0].content" } }),
  );
  using watched = watch(server.url);
  assert.equal((await watched.turn()).reply.requests, 1);
  assert.deepEqual((await watched.client.found())?.refused, []);
});

test("a service that refuses every field in turn gets at most 13 requests", async () => {
  await using server = await startFaultServer((socket, request) => {
    const [field = "x"] = Object.keys(JSON.parse(request.body)).slice(-1);
    void json(400, { error: { message: `Unknown parameter: '${field}'.`, param: field } })(socket, request);
  });
  using watched = watch(server.url);
  const { reply: given } = await watched.turn();
  assert.equal(given.status, "failed");
  assert.ok(server.requests.length <= 13);
});

test("adapt takes a common word for a field name only where the refusal uses it as a name", () => {
  const offered = { ...noRequestFeatures, optional: ["text", "include", "reasoning", "stream"] };
  const learned = (message: string) => adapt({ message }, offered, defaultCapabilities)?.field;
  assert.equal(learned("Your text includes reasoning about a stream."), undefined);
  assert.equal(learned("Unknown parameter: 'text'."), "text");
  assert.equal(learned("unexpected field reasoning"), "reasoning");
  assert.equal(learned('"include" is not supported'), "include");
  assert.equal(adapt({ message: "", param: "text.format" }, offered, defaultCapabilities)?.field, "text");
});

test("adapt drops max_output_tokens when the field is unknown, not when its value is refused", () => {
  const offered = { ...noRequestFeatures, optional: ["max_output_tokens"] };
  const learned = (message: string) =>
    adapt({ message, param: "max_output_tokens" }, offered, defaultCapabilities)?.field;
  for (const message of [
    "max_output_tokens must be at most 4096.",
    "max_output_tokens must be under 65536.",
    "max_output_tokens cannot be set until billing is enabled.",
    "max_output_tokens is refused unless streaming.",
    "Unsupported value for max_output_tokens.",
    "This value of max_output_tokens is not supported.",
    "max_output_tokens is not allowed to exceed the maximum.",
    "max_output_tokens 100000 is not supported.",
  ])
    assert.equal(learned(message), undefined, message);
  for (const message of [
    "Unknown parameter max_output_tokens.",
    "Unsupported parameter: 'max_output_tokens' for model svc-k3.",
    "max_output_tokens is not supported.",
    "Extra inputs are not permitted",
  ])
    assert.equal(learned(message), "max_output_tokens", message);
});

test("adapt does not take the content of a request for the name of one of its fields", () => {
  const offered = {
    ...noRequestFeatures,
    optional: ["instructions", "text", "user", "prompt_cache_key"],
    shapes: ["assistant", "custom"] as const,
  };
  const learned = (message: string, param?: string, code?: string) =>
    adapt({ message, ...(param && { param }), ...(code && { code }) }, offered, defaultCapabilities)?.field;
  assert.equal(learned("The instructions and input exceed the context window."), undefined);
  assert.equal(learned("The instructions and the user input are not supported together."), undefined);
  assert.equal(learned("'instructions' is too long.", "instructions"), undefined);
  assert.equal(learned("Unknown parameter: 'instructions'."), "instructions");
  assert.equal(learned("Invalid value", "input[0].content[0].text"), undefined);
  assert.equal(learned("Unsupported 'text'.", "input[0].content[0].text"), undefined);
  assert.equal(learned('A part {"type": "text"} is not supported here.'), undefined);
  assert.equal(learned("Not known", "input[2].format"), undefined);
  assert.equal(learned("Not known", "tools[0].format"), "format");
  assert.equal(learned("Unknown parameter: 'user'."), "user");
  assert.equal(learned("prompt_cache_key: no such thing"), "prompt_cache_key");
  for (const code of ["context_length_exceeded", "insufficient_quota"])
    assert.equal(learned("Unknown parameter: 'text'.", "text", code), undefined);
});

test("capabilities that cannot be saved hold for the rest of the session", async () => {
  await using sim = await usingSimulator({ profile: refusing("prompt_cache_key") });
  const client = createServiceClient({
    connection: async () => ({ baseUrl: sim.url, key: sim.key }),
    settings: () => ({}),
    capabilities: {
      load: () => Promise.reject(new Error("No disk.")),
      save: () => Promise.reject(new Error("No disk.")),
    },
    log: silentLog,
  });
  for (const requests of [2, 1]) {
    sim.reply(text("Hello"));
    assert.equal((await reply(client.respond(everything, never))).reply.requests, requests);
  }
  client.dispose();
});

test("refusals of two concurrent requests are both saved without overwriting capabilities learned meanwhile", async () => {
  const capabilities = new CapabilityRegistry(undefined, silentLog);
  const address = { url: "https://h/v1", origin: "https://h" };
  const clock = { now: () => 0, random: () => 0, wait: async () => {} };
  const [one, other] = [0, 1].map(
    () => new AdaptedRetry({ capabilities, address, clock, probes: false }, "responses"),
  );
  assert.ok(one && other);
  const offered = { ...noRequestFeatures, optional: ["prompt_cache_key", "safety_identifier"] };
  const refusal = (field: string): Fault => ({
    ...{ at: "status", status: 400, headers: () => undefined, sentBytes: 0 },
    words: { message: `Unknown parameter: '${field}'.` },
  });
  const found = await one.found();
  await capabilities.learn(address.origin, { ...found, windows: [{ model: "svc-k3", tokens: 1000 }] });
  await one.refused(refusal("prompt_cache_key"), offered, found);
  await other.refused(refusal("safety_identifier"), offered, found);
  assert.deepEqual((await capabilities.of(address.origin)).refused, [], "not before it has helped");
  for (const each of [one, other]) await each.answered(noRequestFeatures);
  const { refused, windows } = await capabilities.of(address.origin);
  assert.deepEqual(refused, ["prompt_cache_key", "safety_identifier"]);
  assert.deepEqual(windows, [{ model: "svc-k3", tokens: 1000 }]);
});
