// What an origin refuses is found out, left out or changed, and remembered for it: against services that refuse
// each optional thing in turn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { adapt, type Found, nothingFound, nothingOffered } from "../../../../src/core/api/capabilities.ts";
import type { Reply, ReplyEvent } from "../../../../src/core/api/reply.ts";
import type { ResponsesRequest } from "../../../../src/core/api/request.ts";
import { createServiceClient, type ServiceClient } from "../../../../src/core/api/service-client.ts";
import { callOutput } from "../../../../src/core/api/tool-calls.ts";
import { silentLog } from "../../../../src/core/util/log.ts";
import { optionalFields, type Profile, type ProfileName, refusing } from "../../../sim/profiles.ts";
import { call, patchCall, text } from "../../../sim/script.ts";
import { type Simulator, startSimulator } from "../../../sim/simulator.ts";
import { json, startFaultServer } from "../../../support/fault-server.ts";
import { usingSimulator } from "../../../support/using-simulator.ts";
import { watch } from "../../../support/watched-client.ts";

const never = new AbortController().signal;
const user = (content: string) => JSON.stringify({ type: "message", role: "user", content });
const patchTool = JSON.stringify({
  type: "custom",
  name: "apply_patch",
  description: "Edits files.",
  format: { type: "grammar", syntax: "lark", definition: 'start: "x"' },
});
const searchIssues = {
  type: "function",
  name: "search",
  description: "x",
  strict: false,
  parameters: { type: "object", properties: {} },
};
const namespace = JSON.stringify({
  type: "namespace",
  name: "tracker",
  description: "x",
  tools: [searchIssues],
});
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

interface Ground extends AsyncDisposable {
  readonly sim: Simulator;
  readonly client: ServiceClient;
  readonly saved: Map<string, Found>;
}

async function ground(profile: ProfileName | Profile, saved = new Map<string, Found>()): Promise<Ground> {
  const sim = await startSimulator({ profile });
  const client = createServiceClient({
    connection: async () => ({ baseUrl: sim.url, key: sim.key }),
    settings: () => ({ userId: "u".repeat(64), extraText: { format: { type: "text" } } }),
    capabilities: {
      load: async (origin) => saved.get(origin),
      save: async (origin, found) => void saved.set(origin, found),
    },
    log: silentLog,
    environment: {},
  });
  return {
    sim,
    client,
    saved,
    async [Symbol.asyncDispose]() {
      client.dispose();
      await sim.close();
    },
  };
}

async function reply(events: AsyncGenerator<ReplyEvent, void>): Promise<{ reply: Reply; adapted: string[] }> {
  const adapted: string[] = [];
  for await (const event of events) {
    if (event.type === "adapted") adapted.push(event.field);
    if (event.type === "ended") return { reply: event.reply, adapted };
  }
  throw new Error("A reply has one last event.");
}

for (const field of optionalFields) {
  test(`a service that refuses ${field} is answered without it, once and from then on`, async () => {
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

test("what was saved for an origin is known from the first request on, and of no other origin", async () => {
  const saved = new Map<string, Found>();
  await using service = await ground(refusing("prompt_cache_key"), saved);
  saved.set(new URL(service.sim.url).origin, { ...nothingFound, refused: ["prompt_cache_key"] });
  service.sim.reply(text("Hello"));
  assert.equal((await reply(service.client.respond(everything, never))).reply.requests, 1);
  await using other = await ground("standard", saved);
  other.sim.reply(text("Hello"));
  await reply(other.client.respond(everything, never));
  assert.equal(other.sim.requests[0]?.body["prompt_cache_key"], "conversation-1");
});

for (const [profile, shape, requests] of [
  ["standard", "custom", 1],
  ["custom-no-format", "custom", 2],
  ["custom-no", "function", 3],
] as const) {
  test(`the patch tool reaches a ${profile} service as a ${shape} tool, and its calls come back alike`, async () => {
    await using service = await ground(profile);
    service.sim.reply(patchCall("*** Begin Patch\n*** End Patch"));
    const { reply: given } = await reply(
      service.client.respond({ input: [user("Hi")], tools: [patchTool] }, never),
    );
    assert.equal(given.requests, requests);
    assert.deepEqual(
      given.runnable.map((one) => one.name),
      ["apply_patch"],
    );
    const [tool] = service.sim.requests.at(-1)?.body["tools"] as { type: string; format?: object }[];
    assert.equal(tool?.type, shape);
    assert.equal(tool?.format !== undefined, profile === "standard");
  });
}

test("results of custom calls go back as function results where the service wants that", async () => {
  await using service = await ground("custom-no-output");
  service.sim.reply(patchCall("*** Begin Patch\n*** End Patch"));
  const request = { input: [user("Hi")], tools: [patchTool] };
  const { reply: first } = await reply(service.client.respond(request, never));
  const [called] = first.runnable;
  assert.ok(called !== undefined);
  const input = [...request.input, ...first.items.map((item) => item.raw), callOutput(called, "Done.")];
  service.sim.reply(text("Good."));
  const { reply: second, adapted } = await reply(service.client.respond({ ...request, input }, never));
  assert.deepEqual([second.text, adapted], ["Good.", ["custom_tool_call_output"]]);
  const sent = service.sim.requests.at(-1)?.body["input"] as { type: string; output?: string }[];
  assert.deepEqual(sent.at(-1), { type: "function_call_output", call_id: called.callId, output: "Done." });
});

test("namespaces become single functions where they are refused, and their calls find their tool", async () => {
  await using service = await ground("namespace-no");
  service.sim.reply(call("tracker__search"));
  const { reply: given } = await reply(
    service.client.respond({ input: [user("Hi")], tools: [namespace] }, never),
  );
  assert.equal(given.requests, 2);
  assert.deepEqual(
    (service.sim.requests.at(-1)?.body["tools"] as { name: string }[]).map(({ name }) => name),
    ["tracker__search"],
  );
  assert.deepEqual(
    given.runnable.map(({ namespace: space, name }) => [space, name]),
    [["tracker", "search"]],
  );
});

for (const [name, given] of [
  ["tracker.search", {}],
  ["tracker/search", {}],
  ["tracker:search", {}],
  ["search", { namespace: "tracker" }],
  ["search", {}],
] as const) {
  test(`a call of ${name} ${JSON.stringify(given)} finds the tool in its namespace`, async () => {
    await using service = await ground("standard");
    service.sim.reply(call(name, {}, given));
    const { reply: found } = await reply(
      service.client.respond({ input: [user("Hi")], tools: [namespace] }, never),
    );
    assert.deepEqual(
      found.runnable.map((one) => [one.namespace, one.name]),
      [["tracker", "search"]],
    );
  });
}

test("what another model said goes as its message, or as a summary where that is refused", async () => {
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

test("a service that takes no pictures is quoted, with what can be done", async () => {
  await using service = await ground("images-no");
  const input = [
    JSON.stringify({
      type: "message",
      role: "user",
      content: [{ type: "input_image", image_url: "data:image/png;base64,AAAA" }],
    }),
  ];
  const { reply: given } = await reply(service.client.respond({ input }, never));
  assert.equal(given.requests, 1);
  assert.match(given.problem?.message ?? "", /Image parts are not accepted\. .*without them/);
});

test("a refusal that names nothing optional is told and changes nothing", async () => {
  await using server = await startFaultServer(
    json(400, { error: { message: "The text of your message is not suitable.", param: "input[0].content" } }),
  );
  using watched = watch(server.url);
  assert.equal((await watched.turn()).reply.requests, 1);
  assert.deepEqual((await watched.client.found())?.refused, []);
});

test("a service that refuses everything is not asked for ever", async () => {
  await using server = await startFaultServer((socket, request) => {
    const [field = "x"] = Object.keys(JSON.parse(request.body)).slice(-1);
    void json(400, { error: { message: `Unknown parameter: '${field}'.`, param: field } })(socket, request);
  });
  using watched = watch(server.url);
  const { reply: given } = await watched.turn();
  assert.equal(given.status, "failed");
  assert.ok(server.requests.length <= 13);
});

test("words of the language are taken for field names only where they stand as names", () => {
  const offered = { ...nothingOffered, optional: ["text", "include", "reasoning", "stream"] };
  const learned = (message: string) => adapt({ message }, offered, nothingFound)?.field;
  assert.equal(learned("Your text includes reasoning about a stream."), undefined);
  assert.equal(learned("Unknown parameter: 'text'."), "text");
  assert.equal(learned("unexpected field reasoning"), "reasoning");
  assert.equal(learned('"include" is not supported'), "include");
  assert.equal(adapt({ message: "", param: "text.format" }, offered, nothingFound)?.field, "text");
});

test("a limit is dropped where it is unknown, never because its number is refused", () => {
  const offered = { ...nothingOffered, optional: ["max_output_tokens"] };
  const learned = (message: string) => adapt({ message }, offered, nothingFound)?.field;
  assert.equal(learned("max_output_tokens must be at most 4096."), undefined);
  assert.equal(learned("Unknown parameter max_output_tokens."), "max_output_tokens");
});

test("findings that cannot be saved still hold for this session", async () => {
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
