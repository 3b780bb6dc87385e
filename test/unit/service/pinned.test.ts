// What the profile of a service says holds whatever an origin was found to take.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Capabilities, defaultCapabilities } from "../../../src/service/capabilities.ts";
import { finalReply } from "../../../src/service/reply.ts";
import type { ClientSettings } from "../../../src/service/settings.ts";
import { present } from "../../../src/util/present.ts";
import { type FaultServer, json, type SeenRequest, startFaultServer } from "../../support/fault-server.ts";
import { good } from "../../support/hello-reply.ts";
import { watch } from "../../support/watched-client.ts";

const never = new AbortController().signal;
const tools = [
  JSON.stringify({
    type: "custom",
    name: "apply_patch",
    description: "Changes files.",
    format: { type: "grammar", syntax: "lark", definition: 'start: "x"' },
  }),
];
const input = [JSON.stringify({ type: "message", role: "user", content: "Hi" })];
const bodyOf = ({ body }: SeenRequest) => JSON.parse(body) as Record<string, unknown>;
const toolOf = (request: SeenRequest) => {
  const [tool] = bodyOf(request)["tools"] as { type: string; format?: unknown }[];
  return tool?.format === undefined ? tool?.type : "custom with a grammar";
};

async function ask(
  server: FaultServer,
  settings: ClientSettings,
  found: Partial<Capabilities> = {},
  offered = tools,
) {
  const store = { load: async () => ({ ...defaultCapabilities, ...found }), save: async () => {} };
  using watched = watch(server.url, settings, { capabilities: store });
  return await finalReply(watched.client.respond({ input, tools: offered }, never));
}

const refuses = (name: string) =>
  json(400, { error: { message: `Unknown parameter: '${name}'.`, param: name } });

for (const route of ["responses", "chat"] as const) {
  test(`${route}: the stream setting decides whether a stream is requested`, async () => {
    for (const [stream, expected] of [
      ["auto", true],
      ["on", true],
      ["off", undefined],
    ] as const) {
      await using server = await startFaultServer(good);
      using watched = watch(server.url, { stream });
      await watched.turn({ route });
      const [request] = server.requests;
      assert.equal(request && bodyOf(request)["stream"], expected);
      assert.equal(request?.headers.get("accept"), expected ? "text/event-stream" : "application/json");
      assert.equal(
        request && bodyOf(request)["stream_options"] !== undefined,
        stream !== "off" && route === "chat",
      );
    }
  });
}

test('stream "on" is requested despite earlier refusals and is not dropped', async () => {
  await using server = await startFaultServer(refuses("stream"));
  const insisted = await ask(server, { stream: "on" }, { refused: ["stream"] });
  assert.deepEqual([insisted.status, insisted.requests], ["failed", 1]);
  assert.ok(server.requests.every((request) => bodyOf(request)["stream"] === true));
  await using yielding = await startFaultServer(refuses("stream"), good);
  const auto = await ask(yielding, { stream: "auto" });
  assert.deepEqual([auto.status, auto.requests], ["completed", 2]);
});

for (const [patchTool, expected] of [
  ["custom-grammar", "custom with a grammar"],
  ["custom-text", "custom"],
  ["function", "function"],
] as const) {
  test(`the patch tool goes as ${patchTool} if the profile says so, despite capabilities and refusals`, async () => {
    for (const patch of ["grammar", "text", "function"] as const) {
      await using server = await startFaultServer(refuses("tools[0].format"));
      const reply = await ask(server, { patchTool }, { patch });
      assert.deepEqual(server.requests.map(toolOf), [expected]);
      assert.equal(reply.status, "failed");
    }
  });
}

test('patchTool "off" omits the patch tool from the request', async () => {
  await using server = await startFaultServer(good);
  await ask(server, { patchTool: "off" });
  assert.deepEqual(
    server.requests.map((request) => bodyOf(request)["tools"]),
    [undefined],
  );
});

test("namespaces go as the profile says, despite capabilities and refusals", async () => {
  const tracker = JSON.stringify({
    type: "namespace",
    name: "tracker",
    description: "x",
    tools: [{ type: "function", name: "search", description: "x", strict: false, parameters: {} }],
  });
  for (const [namespaces, expected] of [
    ["namespace", "namespace"],
    ["flat", "function"],
  ] as const) {
    for (const found of ["namespace", "flat"] as const) {
      await using server = await startFaultServer(refuses("tools[0].namespace"));
      await ask(server, { namespaces }, { namespaces: found }, [tracker]);
      assert.deepEqual(server.requests.map(toolOf), [expected]);
    }
  }
});

test("streamUsage decides whether a chat stream requests usage", async () => {
  for (const [streamUsage, refused, expected] of [
    [true, ["stream_options"], true],
    [false, [], false],
    [undefined, ["stream_options"], false],
    [undefined, [], true],
  ] as const) {
    await using server = await startFaultServer(refuses("stream_options"));
    const store = {
      load: async () => ({ ...defaultCapabilities, refused: [...refused] }),
      save: async () => {},
    };
    using watched = watch(server.url, present({ streamUsage }), { capabilities: store });
    await watched.turn({ route: "chat" });
    const [first] = server.requests;
    assert.equal(first !== undefined && "stream_options" in bodyOf(first), expected);
    assert.equal(server.requests.length, streamUsage === undefined && expected ? 2 : 1);
  }
});

test("headers and fields of the profile go with every request, except for fields that are refused", async () => {
  await using server = await startFaultServer(refuses("seed"), good);
  const settings = {
    extraHeaders: { "X-Gateway": "team-7" },
    extraBody: { responses: { seed: 7, top_k: 1 }, chat: { thinking: { type: "enabled" } } },
  };
  const reply = await ask(server, settings);
  assert.equal(reply.status, "completed");
  assert.deepEqual(
    server.requests.map((request) => [
      request.headers.get("x-gateway"),
      bodyOf(request)["seed"],
      bodyOf(request)["top_k"],
    ]),
    [
      ["team-7", 7, 1],
      ["team-7", undefined, 1],
    ],
  );
  await using chatting = await startFaultServer(good);
  using watched = watch(chatting.url, settings);
  await watched.turn({ route: "chat" });
  assert.deepEqual(chatting.requests.map((request) => bodyOf(request)["thinking"])[0], { type: "enabled" });
});

test("the patch tool falls back to a shape that the service accepts if the profile sets none", async () => {
  await using server = await startFaultServer(refuses("tools[0].format"), refuses("tools[0].custom"), good);
  const reply = await ask(server, {});
  assert.deepEqual(server.requests.map(toolOf), ["custom with a grammar", "custom", "function"]);
  assert.equal(reply.status, "completed");
});
