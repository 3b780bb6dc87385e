// A service that takes exactly what the interface shows, and refuses everything else without saying what was wrong: the
// first question is answered with one more request, and every later one at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Found } from "../../../../src/core/api/capabilities.ts";
import type { ResponsesRequest } from "../../../../src/core/api/request.ts";
import { callOutput } from "../../../../src/core/api/tool-calls.ts";
import { verbatim } from "../../../../src/core/conversation/content.ts";
import { status } from "../../../sim/http-answers.ts";
import { profile } from "../../../sim/profiles.ts";
import { call, patchCall, text } from "../../../sim/script.ts";
import { english } from "../../../support/english.ts";
import { json, startFaultServer } from "../../../support/fault-server.ts";
import { watch } from "../../../support/watched-client.ts";
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

test("the first question to a service that takes the interface only costs one more request, and no later one does", async () => {
  const saved = new Map<string, Found>();
  await using service = await ground("interface-strict", { settings, saved });
  const { sim, client } = service;
  sim.reply(call("read_file", {}, { callId: "call_1" }), patchCall("*** Begin Patch\n*** End Patch"));
  const notes: string[] = [];
  const input = [user("Hi")];
  let requests = 0;
  for await (const event of client.respond(asked(...input), never)) {
    if (event.type === "adapted") notes.push(english(event.note));
    if (event.type !== "ended") continue;
    requests = event.reply.requests;
    assert.equal(event.reply.runnable.length, 2);
    input.push(...event.reply.items.map(({ raw }) => raw));
    input.push(...event.reply.runnable.map((one) => callOutput(one, verbatim("Done."))));
  }
  assert.equal(requests, 2);
  assert.equal(notes.length, 1, "said once, in one line");
  assert.match(notes[0] ?? "", /only accepts what its interface shows, so requests are sent that way\.$/);
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
  // In the next window it is known from the start.
  const found = [...saved.values()].at(-1);
  assert.deepEqual(found?.plain, ["responses", "chat"]);
  assert.deepEqual([found?.patch, found?.namespaces], ["function", "flat"]);
});

test("what was asked without the interface's silence is not asked again, whatever is refused", async () => {
  await using server = await startFaultServer(json(400, { error: { message: "Invalid request body." } }));
  using watched = watch(server.url);
  const { reply: given } = await watched.turn();
  assert.deepEqual([given.status, given.requests], ["failed", 1]);
  assert.match(english(given.problem), /Invalid request body\./);
});

test("where the plain form is refused too, nothing is learned, and it is not tried at the next question", async () => {
  await using server = await startFaultServer(json(400, { error: { message: "Invalid request body." } }));
  using watched = watch(server.url);
  for (const requests of [2, 1, 1]) {
    const { reply: given } = await watched.turn({ route: "chat" });
    assert.deepEqual([given.status, given.requests], ["failed", requests]);
  }
  assert.deepEqual((await watched.client.found())?.plain, []);
});

test("what a service has taken once is not taken away because of a later refusal without a reason", async () => {
  await using service = await ground("standard", { settings });
  service.sim.reply(text("Hello."));
  await reply(service.client.respond(asked(user("Hi")), never));
  service.sim.fault(status(400, { message: "Bad request." }));
  const { reply: given } = await reply(service.client.respond(asked(user("Hi")), never));
  assert.deepEqual([given.status, given.requests], ["failed", 1]);
});

test("a refusal that is about what was said is not answered with another form", async () => {
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

test("another name for the cache identifier is tried although the first was left out", async () => {
  const saved = new Map<string, Found>();
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
  test(`every part that a service refuses is found by its words (${wording})`, async () => {
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

  test(`a value that is refused is left out and no other is (${wording})`, async () => {
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
