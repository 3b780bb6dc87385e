// What holds for all four operations: address, key, headers, redirects, refused keys, and what is never sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { finalReply } from "../../../src/service/reply.ts";
import { text } from "../../sim/script.ts";
import { answer, type FaultServer, head, json, sse, startFaultServer } from "../../support/fault-server.ts";
import { clientOf } from "../../support/simulated-client.ts";
import { usingSimulator } from "../../support/using-simulator.ts";
import { canary, watch } from "../../support/watched-client.ts";
import { operations } from "./operations.ts";
import { never, user } from "./simulator-ground.ts";

/** No proxy of this machine. */
const alone = { environment: {} };

const paths: Readonly<Record<string, string>> = {
  responses: "POST /v1/responses",
  chat: "POST /v1/chat/completions",
  estimate: "POST /v1/tokenizers/estimate-token-count",
  delete: "DELETE /v1/files/file_1",
};

for (const [name, run] of Object.entries(operations)) {
  test(`${name}: a refused key is reported with the set-key action and not retried`, async () => {
    await using server = await startFaultServer(json(401, { error: { message: `Bad key ${canary}` } }));
    using watched = watch(server.url);
    const problem = await run(watched.client);
    assert.deepEqual([problem?.kind, problem?.status, problem?.actions], ["auth", 401, ["set-key"]]);
    assert.equal(server.requests.length, 1);
    watched.assertNoCanary();
  });

  test(`${name}: the key is only in the Authorization header`, async () => {
    await using server = await startFaultServer(json(400, { error: { message: "No." } }));
    using watched = watch(server.url);
    await run(watched.client);
    const [request] = server.requests;
    assert.equal(`${request?.method} ${request?.path}`, paths[name]);
    assert.equal(request?.headers.get("authorization"), `Bearer ${canary}`);
    const holding = request?.rawHeaders.filter((line) => line.includes(canary));
    assert.equal(holding?.length, 1);
    assert.ok(!request?.body.includes(canary) && !request?.path.includes(canary));
    watched.assertNoCanary();
  });

  test(`${name}: a redirect is refused without a request to its target`, async () => {
    await using elsewhere = await startFaultServer(json(200, {}));
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await startFaultServer(json(status, {}, { location: elsewhere.url }));
      using watched = watch(server.url);
      assert.equal((await run(watched.client))?.kind, "redirect");
      assert.equal(server.requests.length, 1);
    }
    assert.equal(elsewhere.connections, 0);
  });

  test(`${name}: a missing service URL or key is reported with its action and without a request`, async () => {
    await using server = await startFaultServer(json(200, {}));
    for (const [baseUrl, key, kind, action] of [
      ["", canary, "not-configured", "set-base-url"],
      ["http://example.com", canary, "not-configured", "set-base-url"],
      [server.url, "", "no-key", "set-key"],
      [server.url, "two words", "no-key", "set-key"],
    ] as const) {
      const client = clientOf({ url: baseUrl, key }, alone);
      const problem = await run(client);
      assert.deepEqual([problem?.kind, problem?.actions], [kind, [action]]);
      client.dispose();
    }
    assert.equal(server.requests.length, 0);
  });

  test(`${name}: a body is sent as JSON with its content type, and no body without one`, async () => {
    await using server = await startFaultServer(json(400, {}));
    using watched = watch(server.url);
    await run(watched.client);
    const [request] = server.requests;
    assert.equal(request?.headers.get("content-type"), name === "delete" ? undefined : "application/json");
    if (name !== "delete") assert.equal(typeof JSON.parse(request?.body ?? ""), "object");
  });

  test(`${name}: a disposed client ends its running request and sends no other`, async () => {
    await using server = await startFaultServer(() => {});
    const client = clientOf({ url: server.url, key: canary }, alone);
    const running = run(client);
    await arrived(server);
    client.dispose();
    await running;
    await server.idle();
    await run(client);
    assert.equal(server.requests.length, 1);
  });
}

test("a service URL with a path keeps the path before /v1", async () => {
  await using server = await startFaultServer(json(400, {}));
  const client = clientOf({ url: `${server.url}/gateway/`, key: canary }, alone);
  for (const run of Object.values(operations)) await run(client);
  // What a service refuses without a word is asked once more.
  assert.deepEqual(
    [...new Set(server.requests.map((request) => `${request.method} ${request.path}`))],
    Object.values(paths).map((path) => path.replace("/v1", "/gateway/v1")),
  );
  client.dispose();
});

test("the client sends four kinds of requests and breaks no rule of the simulator", async () => {
  await using sim = await usingSimulator({ files: ["file_1"] });
  const client = clientOf(sim, alone);
  sim.reply(text("Hello"));
  sim.reply(text("Hello"));
  for (const run of Object.values(operations)) assert.equal(await run(client), undefined);
  const asked = sim.requests.map((request) => `${request.method} ${request.path}`);
  assert.deepEqual(asked, Object.values(paths));
  sim.done();
  client.dispose();
});

test("a changed key and service URL apply to the next request, not to the running one", async () => {
  await using first = await startFaultServer(async (socket) => {
    socket.write(head(200) + sse({ type: "response.output_text.delta", item_id: "m", delta: "Hel" }));
  });
  await using second = await startFaultServer(json(400, {}));
  let connection = { baseUrl: first.url, key: "sk-first-0123456789" };
  const client = clientOf({ url: "", key: "" }, { connection: async () => connection });
  const running = client.respond({ input: [user("Hi")] }, never);
  for await (const event of running) {
    if (event.type !== "text") continue;
    connection = { baseUrl: second.url, key: "sk-second-0123456789" };
    await operations.chat(client);
    break;
  }
  assert.equal(first.requests.length, 1);
  assert.equal(second.requests[0]?.headers.get("authorization"), "Bearer sk-second-0123456789");
  client.dispose();
});

test("found and forgetFound do not contact the service", async () => {
  await using server = await startFaultServer(json(200, {}));
  const client = clientOf({ url: server.url, key: canary }, alone);
  await client.found();
  await client.forgetFound();
  assert.equal(server.connections, 0);
  client.dispose();
});

test("warm opens a connection without a request, and the next request uses it", async () => {
  await using server = await startFaultServer(answer(400, "{}"));
  const client = clientOf({ url: server.url, key: canary }, alone);
  client.warm();
  await opened(server);
  client.warm();
  assert.equal(server.requests.length, 0);
  await operations.responses(client);
  assert.deepEqual([server.connections, server.requests.length], [1, 1]);
  client.dispose();
});

const turns = () => new Promise((resolve) => setImmediate(resolve));
async function arrived(server: FaultServer): Promise<void> {
  while (server.requests.length === 0) await turns();
}
async function opened(server: FaultServer): Promise<void> {
  while (server.connections === 0) await turns();
}

test("an echo that differs from the request is logged without its content and does not affect the reply", async () => {
  const tool = { type: "web_search" };
  const request = { input: [user("Hi")], instructions: "Be brief.", tools: [JSON.stringify(tool)] };
  for (const [echo, expected] of [
    [{ instructions: "Be brief.", tools: [tool] }, []],
    [{ instructions: null }, []],
    [{ instructions: "Obey.", tools: [tool] }, ["instructions"]],
    [{ instructions: "Be brief.", tools: [] }, ["tools"]],
    [{ instructions: "", tools: [{ ...tool, more: 1 }] }, ["instructions", "tools"]],
  ] as const) {
    await using server = await startFaultServer(json(200, { status: "completed", output: [], ...echo }));
    using watched = watch(server.url);
    assert.equal((await finalReply(watched.client.respond(request, never))).status, "completed");
    const told = watched.lines.filter((line) => line.includes("echoed"));
    assert.deepEqual(
      told,
      expected.map((field) => `/responses: the echoed ${field} are not those that were sent`),
    );
    assert.ok(!watched.lines.join().includes("Obey"));
  }
});
