// A service that takes exactly what the interface shows, and refuses everything else without saying what was wrong: the
// first question is answered with one more request, and every later one at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { verbatim } from "../../../src/conversation/events.ts";
import type { Capabilities } from "../../../src/service/capabilities.ts";
import type { ResponsesRequest } from "../../../src/service/request.ts";
import { callOutput } from "../../../src/service/response-items.ts";
import { status } from "../../sim/http-answers.ts";
import { profile } from "../../sim/profiles.ts";
import { call, patchCall, text } from "../../sim/script.ts";
import { english } from "../../support/english.ts";
import { json, startFaultServer } from "../../support/fault-server.ts";
import { watch } from "../../support/watched-client.ts";
import { ground, namespace, never, patchTool, reply, user } from "./simulator-ground.ts";

const settings = { userId: "u".repeat(64) };
const readFile = JSON.stringify({
  type: "function",
  name: "read_file",
  description: "Reads.",
  strict: false,
  parameters: { type: "object", properties: {} },
});
const asked = (...input: string[]): ResponsesRequest => ({
  input,
  instructions: "Be brief.",
  tools: [readFile, patchTool, namespace],
  cacheId: "conversation-1",
  cacheTtl: "5m",
  effort: "high",
});

test("a strict service costs one extra request for the first question only", async () => {
  const saved = new Map<string, Capabilities>();
  await using service = await ground("interface-strict", { settings, saved });
  const { sim, client } = service;
  sim.reply(call("read_file", {}, { callId: "call_1" }), patchCall("*** Begin Patch\n*** End Patch"));
  const notes: string[] = [];
  const input = [user("Hi")];
  let requests = 0;
  for await (const event of client.respond(asked(...input), never)) {
    if (event.type === "note") notes.push(english(event.notes));
    if (event.type !== "ended") continue;
    requests = event.reply.requests;
    assert.equal(event.reply.runnable.length, 2);
    input.push(...event.reply.items.map(({ raw }) => raw));
    input.push(...event.reply.runnable.map((one) => callOutput(one, verbatim("Done."))));
  }
  assert.equal(requests, 2);
  assert.equal(notes.length, 1, "said once, in one line");
  assert.match(notes[0] ?? "", /accepted a simpler one, so requests are simpler for now\.$/);
  sim.reply(text("Read."));
  const second = await reply(client.respond(asked(...input), never));
  assert.deepEqual([second.reply.text, second.reply.requests, second.adapted], ["Read.", 1, []]);
  sim.reply(text("Hello."));
  const chatting = () =>
    client.chat({ model: "svc-k2.6", messages: [{ role: "user", content: "Hi" }] }, never);
  const first = await reply(chatting());
  assert.deepEqual([first.reply.text, first.reply.requests], ["Hello.", 2]);
  sim.reply(text("Again."));
  assert.equal((await reply(chatting())).reply.requests, 1);
  sim.done();
  // In the next window the full form is tried once more, and from then on it is known from the start.
  assert.deepEqual([...saved.values()].at(-1)?.plain, []);
  for (const requests of [2, 1]) {
    await using next = await ground("interface-strict", { settings, saved: at(saved, sim.url) });
    at(saved, sim.url, next.sim.url);
    next.sim.reply(text("Hello."));
    assert.equal((await reply(next.client.respond(asked(user("Hi")), never))).reply.requests, requests);
    at(saved, next.sim.url, sim.url);
  }
  const found = saved.get(new URL(sim.url).origin);
  assert.deepEqual(found?.plain, ["responses"]);
  assert.deepEqual([found?.patch, found?.namespaces], ["function", "flat"]);
});

/** What was found of one address holds for another one, too. */
function at(saved: Map<string, Capabilities>, from: string, to = from): Map<string, Capabilities> {
  const found = saved.get(new URL(from).origin);
  if (found !== undefined) saved.set(new URL(to).origin, found);
  return saved;
}

test("a request without optional fields is not retried after a refusal without a reason", async () => {
  await using server = await startFaultServer(json(400, { error: { message: "Invalid request body." } }));
  using watched = watch(server.url);
  const { reply: given } = await watched.turn();
  assert.deepEqual([given.status, given.requests], ["failed", 1]);
  assert.match(english(given.problem), /Invalid request body\./);
});

test("a plain form that is refused as well saves nothing and is not tried again", async () => {
  await using server = await startFaultServer(json(400, { error: { message: "Invalid request body." } }));
  using watched = watch(server.url);
  for (const requests of [2, 1, 1]) {
    const { reply: given } = await watched.turn({ route: "chat" });
    assert.deepEqual([given.status, given.requests], ["failed", requests]);
  }
  assert.deepEqual((await watched.client.found())?.plain, []);
});

test("a full request that succeeded once is not simplified after a later refusal without a reason", async () => {
  await using service = await ground("standard", { settings });
  service.sim.reply(text("Hello."));
  await reply(service.client.respond(asked(user("Hi")), never));
  service.sim.fault(status(400, { message: "Bad request." }));
  const { reply: given } = await reply(service.client.respond(asked(user("Hi")), never));
  assert.deepEqual([given.status, given.requests], ["failed", 1]);
});

test("a refusal about the content of a request is not retried in another form", async () => {
  for (const message of [
    "Your message was flagged by our safety system.",
    "The model is overloaded with images.",
    "This API key cannot be used here.",
    "messages[0].content must not be empty",
  ]) {
    await using server = await startFaultServer(json(400, { error: { message } }));
    using watched = watch(server.url);
    assert.equal((await watched.turn({ route: "chat" })).reply.requests, 1, message);
  }
});

test("a renamed cache identifier is sent although the previous name was refused", async () => {
  const saved = new Map<string, Capabilities>();
  await using strict = await ground("interface-strict", { settings, saved });
  strict.sim.reply(text("Hello."));
  await reply(strict.client.respond(asked(user("Hi")), never));
  const renamed = { ...settings, cacheKeyField: "session" };
  const origin = new URL(strict.sim.url).origin;
  await using standard = await ground("standard", { settings: renamed, saved });
  const known = saved.get(origin);
  assert.ok(known !== undefined);
  saved.set(new URL(standard.sim.url).origin, known);
  standard.sim.reply(text("Hello."));
  await reply(standard.client.respond(asked(user("Hi")), never));
  assert.equal(standard.sim.requests[0]?.body["session"], "conversation-1");
});

for (const wording of ["param", "worded", "fastapi", "vllm", "gateway"] as const) {
  test(`each refused part is detected from the wording of the refusal (${wording})`, async () => {
    const refusedFields = ["prompt_cache_key", "safety_identifier", "prompt_cache_options", "reasoning"];
    await using service = await ground(
      profile("standard", { refusedFields, custom: false, namespace: false, wording }),
      { settings },
    );
    service.sim.reply(text("Hello."));
    const { reply: given } = await reply(service.client.respond(asked(user("Hi")), never));
    assert.equal(given.text, "Hello.");
    const sent = service.sim.requests.at(-1)?.body ?? {};
    assert.deepEqual(Object.keys(sent).sort(), [
      "input",
      "instructions",
      "model",
      "stream",
      "tool_choice",
      "tools",
    ]);
    assert.deepEqual((await service.client.found())?.plain, [], "each by its name");
  });

  test(`a refused value is omitted, and other values of its field are sent (${wording})`, async () => {
    const refusedValues = [
      ["reasoning.effort", "ultra"],
      ["prompt_cache_options.ttl", "1h"],
    ] as const;
    await using service = await ground(profile("standard", { refusedValues, wording }), { settings });
    const ask = (effort: string, cacheTtl: "5m" | "1h") => {
      service.sim.reply(text("Hello."));
      return reply(service.client.respond({ ...asked(user("Hi")), effort, cacheTtl }, never));
    };
    const first = await ask("ultra", "1h");
    assert.deepEqual([first.reply.text, first.reply.requests], ["Hello.", 3]);
    assert.deepEqual(first.adapted, ["reasoning.effort", "prompt_cache_options.ttl"]);
    assert.equal(first.reply.askedTtl, undefined, "shown as asked is what was sent");
    const again = await ask("ultra", "1h");
    assert.equal(again.reply.requests, 1);
    assert.deepEqual(service.client.acceptedEfforts(), [], "it has answered without the word");
    const other = await ask("high", "5m");
    assert.deepEqual([other.reply.requests, other.reply.askedTtl], [1, "5m"]);
    const sent = service.sim.requests.at(-1)?.body ?? {};
    assert.deepEqual(sent["reasoning"], { effort: "high" });
    assert.deepEqual(service.client.acceptedEfforts(), ["high"]);
    assert.deepEqual([...service.saved.values()].at(-1)?.efforts, ["high"]);
    assert.deepEqual(sent["prompt_cache_options"], { mode: "implicit", ttl: "5m" });
  });
}
