// Tools, their calls and their results in the shapes that an origin takes: found out by asking, remembered for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { verbatim } from "../../../src/conversation/events.ts";
import { callOutput } from "../../../src/service/response-items.ts";
import { call, patchCall, text } from "../../sim/script.ts";
import { ground, namespace, never, patchTool, reply, user } from "./simulator-ground.ts";

for (const [profile, shape, requests] of [
  ["standard", "custom", 1],
  ["custom-no-format", "custom", 2],
  ["custom-no", "function", 2],
] as const) {
  test(`the patch tool goes to a ${profile} service as a ${shape} tool and yields runnable calls`, async () => {
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

test("results of custom calls go back as function results where the service refuses custom results", async () => {
  await using service = await ground("custom-no-output");
  service.sim.reply(patchCall("*** Begin Patch\n*** End Patch"));
  const request = { input: [user("Hi")], tools: [patchTool] };
  const { reply: first } = await reply(service.client.respond(request, never));
  const [called] = first.runnable;
  assert.ok(called !== undefined);
  const input = [
    ...request.input,
    ...first.items.map((item) => item.raw),
    callOutput(called, verbatim("Done.")),
  ];
  service.sim.reply(text("Good."));
  const { reply: second, adapted } = await reply(service.client.respond({ ...request, input }, never));
  assert.deepEqual([second.text, adapted], ["Good.", ["custom_tool_call_output"]]);
  const sent = service.sim.requests.at(-1)?.body["input"] as { type: string; output?: string }[];
  assert.deepEqual(sent.at(-1), { type: "function_call_output", call_id: called.callId, output: "Done." });
});

test("refused namespaces are flattened to functions, and a call resolves to its namespaced tool", async () => {
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
  test(`a call of ${name} ${JSON.stringify(given)} resolves to the tool in its namespace`, async () => {
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
