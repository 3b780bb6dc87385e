// Settings that hold whatever an origin was found to take: streaming on or off, and the form of the patch tool.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Found, nothingFound } from "../../../../src/core/api/capabilities.ts";
import type { ClientSettings } from "../../../../src/core/api/settings.ts";
import { type FaultServer, json, type SeenRequest, startFaultServer } from "../../../support/fault-server.ts";
import { good } from "../../../support/hello-reply.ts";
import { watch } from "../../../support/watched-client.ts";

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

async function ask(server: FaultServer, settings: ClientSettings, found: Partial<Found> = {}) {
  const store = { load: async () => ({ ...nothingFound, ...found }), save: async () => {} };
  using watched = watch(server.url, settings, { capabilities: store });
  for await (const event of watched.client.respond({ input, tools }, never))
    if (event.type === "ended") return event.reply;
  throw new Error("A reply has one last event.");
}

const refuses = (name: string) =>
  json(400, { error: { message: `Unknown parameter: '${name}'.`, param: name } });

for (const route of ["responses", "chat"] as const) {
  test(`${route}: a stream is asked for, or not, as the setting says`, async () => {
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

test("a stream that is insisted on is asked for although the origin once refused it, and is not given up", async () => {
  await using server = await startFaultServer(refuses("stream"));
  const insisted = await ask(server, { stream: "on" }, { refused: ["stream"] });
  assert.deepEqual([insisted.status, insisted.requests], ["failed", 1]);
  assert.ok(server.requests.every((request) => bodyOf(request)["stream"] === true));
  await using yielding = await startFaultServer(refuses("stream"), good);
  const auto = await ask(yielding, { stream: "auto" });
  assert.deepEqual([auto.status, auto.requests], ["completed", 2]);
});

test("the patch tool goes as a function where the setting says so, whatever was found", async () => {
  for (const patch of ["grammar", "text", "function"] as const) {
    await using server = await startFaultServer(good);
    await ask(server, { patchTransport: "function" }, { patch });
    assert.deepEqual(server.requests.map(toolOf), ["function"]);
  }
});

test("a custom patch tool that is insisted on loses its grammar where that is refused, and never more", async () => {
  await using server = await startFaultServer(refuses("tools[0].format"), refuses("tools[0].custom"), good);
  const reply = await ask(server, { patchTransport: "custom" });
  assert.deepEqual(server.requests.map(toolOf), ["custom with a grammar", "custom"]);
  assert.equal(reply.status, "failed");
  await using again = await startFaultServer(good);
  await ask(again, { patchTransport: "custom" }, { patch: "function" });
  assert.deepEqual(again.requests.map(toolOf), ["custom"]);
});

test("left to itself the patch tool becomes what the service takes", async () => {
  await using server = await startFaultServer(refuses("tools[0].format"), refuses("tools[0].custom"), good);
  const reply = await ask(server, {});
  assert.deepEqual(server.requests.map(toolOf), ["custom with a grammar", "custom", "function"]);
  assert.equal(reply.status, "completed");
});
