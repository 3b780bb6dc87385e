import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { isObject, type JsonObject, listAt, stringAt } from "../../sim/json.ts";
import { isProfile, optionalFields, type ProfileName, profile } from "../../sim/profiles.ts";
import { call, type Part, patchCall, reasoning, search, text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import { within } from "./rule-table.ts";

const user = { type: "message", role: "user", content: "Hello?" };
const func = { type: "function", name: "look", parameters: { type: "object", properties: {} } };
const custom = { type: "custom", name: "apply_patch", description: "Patches." };
const grammar = { type: "grammar", syntax: "lark", definition: "start: x" };
const namespace = { type: "namespace", name: "ns", description: "Group.", tools: [func] };
const picture = { type: "input_image", image_url: "https://pictures.example/a.png" };
const patched = [
  user,
  { type: "custom_tool_call", call_id: "c", name: "apply_patch", input: "x" },
  { type: "custom_tool_call_output", call_id: "c", output: "done" },
];
const searched = [user, { type: "web_search_call", id: "ws_1", status: "completed" }];

/** What each profile refuses, and what it takes instead; neither counts against the client. */
const refusals: readonly (readonly [
  ProfileName,
  refused: JsonObject,
  param: string,
  accepted: JsonObject,
])[] = [
  ["custom-no", { tools: [custom] }, "tools[0].type", { tools: [{ ...func, name: "apply_patch" }] }],
  ["custom-no-format", { tools: [{ ...custom, format: grammar }] }, "tools[0].format", { tools: [custom] }],
  [
    "custom-no-output",
    { input: patched },
    "input[2].type",
    { input: [...patched.slice(0, 2), { ...patched[2], type: "function_call_output" }] },
  ],
  ["namespace-no", { tools: [namespace] }, "tools[0].type", { tools: [{ ...func, name: "ns__look" }] }],
  ["images-no", { input: [{ ...user, content: [picture] }] }, "input[0].content[0].type", {}],
  [
    "assistant-no",
    { input: [user, { ...user, role: "assistant" }, user] },
    "input[1].role",
    { input: [user, user] },
  ],
  ["replay-strict", { input: searched }, "input[1].type", { input: [user] }],
  ["replay-strict", { input: patched }, "input[1].type", { input: [user] }],
  ["replay-no-search", { input: searched }, "input[1].type", { input: patched }],
  ["strict", { client_metadata: {} }, "client_metadata", { input: [user] }],
];

for (const [name, refused, param, accepted] of refusals)
  test(`the profile ${name} refuses ${param} and accepts the alternative`, () =>
    within({ profile: name }, async (sim) => {
      sim.reply(text("Hello."));
      const no = await ask(sim, refused);
      const error = no.body["error"];
      assert.ok(isObject(error));
      assert.deepEqual([no.status, error["param"]], [400, param]);
      assert.equal((await ask(sim, accepted)).status, 200);
      sim.done();
    }));

for (const field of optionalFields)
  test(`the profile refuses-${field} names the field in its refusal and accepts a request without it`, () =>
    within({ profile: `refuses-${field}` }, async (sim) => {
      sim.reply(text("Hello."));
      const chat = field === "stream_options";
      const extra = chat ? { stream: true } : {};
      const no = await ask(sim, { ...extra, [field]: field === "stream" ? true : {} }, chat);
      const error = no.body["error"];
      assert.ok(isObject(error));
      assert.deepEqual([no.status, error["param"]], [400, field]);
      assert.match(String(error["message"]), new RegExp(field));
      assert.equal((await ask(sim, {}, chat)).status, 200);
      sim.done();
    }));

test("the profile interface-strict takes neither tools nor results of them on Chat completions, and text instead", () =>
  within({ profile: "interface-strict" }, async (sim) => {
    const tool = { type: "function", function: { name: "look", parameters: { type: "object" } } };
    const made = { id: "look:0", type: "function", function: { name: "look", arguments: "{}" } };
    const asked = { role: "user", content: "Hello?" };
    const called = { role: "assistant", content: "I look.", tool_calls: [made] };
    const seen = { role: "tool", tool_call_id: "look:0", content: "seen" };
    sim.reply(text("Hello."));
    for (const refused of [{ tools: [tool] }, { messages: [asked, called, seen] }, { tool_choice: "auto" }])
      assert.equal((await ask(sim, refused, true)).status, 400, JSON.stringify(refused));
    const words = { role: "assistant", content: "<tool_call_1>{}</tool_call_1>" };
    assert.equal((await ask(sim, { messages: [asked, words, asked] }, true)).status, 200);
    sim.done();
  }));

test("isProfile accepts the name of every supported kind of service and no other", () => {
  const dialects = ["open-responses", "vllm", "gateway", "snapshot-only"];
  const others = ["strict", "nostream", "custom-yes", "custom-no", "replay-strict", "replay-needs-reasoning"];
  const names = [...dialects, ...others, "usage-odd", "2xx-error", "flaky", "receipts", "files"];
  const refusals = optionalFields.map((field) => `refuses-${field}`);
  assert.deepEqual(
    [...names, ...refusals].filter((name) => !isProfile(name)),
    [],
  );
  assert.deepEqual(["", "Strict", "refuses-", "refuses-model", "toString"].filter(isProfile), []);
});

test("the profiles custom-yes, receipts and files provide custom tools, signatures and file deletion", async () => {
  await within({ profile: "custom-yes" }, async (sim) => {
    sim.reply(patchCall("*** Begin Patch\n*** End Patch\n"));
    const output = listAt((await ask(sim, { tools: [{ ...custom, format: grammar }] })).body, "output");
    assert.equal(stringAt(output[0], "type"), "custom_tool_call");
  });
  for (const name of ["receipts", "files"] as const)
    await within({ profile: name, files: ["file-1"] }, async (sim) => {
      const remove = () =>
        fetch(`${sim.url}/v1/files/file-1`, {
          method: "DELETE",
          headers: { authorization: `Bearer ${sim.key}`, "svc-request-nonce": randomUUID() },
        });
      const [first, second] = [await remove(), await remove()];
      assert.deepEqual([first.status, second.status], [200, 404]);
      assert.ok(first.headers.has("svc-request-signature"));
      sim.done();
    });
});

test("the profile nostream sends JSON although a stream was requested", () =>
  within({ profile: "nostream" }, async (sim) => {
    for (const chat of [false, true]) {
      sim.reply(text("Hello."));
      const answer = await ask(sim, { stream: true }, chat);
      assert.equal(answer.type, "application/json; charset=utf-8");
      assert.match(JSON.stringify(answer.body), /Hello\./);
    }
  }));

test("the profile 2xx-error sends an error with status 200", () =>
  within({ profile: "2xx-error" }, async (sim) => {
    sim.reply(text("Hello."));
    const answer = await ask(sim, {});
    assert.deepEqual([answer.status, Object.keys(answer.body)], [200, ["error"]]);
  }));

test("the profile usage-odd sends inconsistent usage, and usage-none sends none", async () => {
  await within({ profile: "usage-odd" }, async (sim) => {
    sim.reply(text("Hello."));
    const { usage } = (await ask(sim, {})).body;
    assert.ok(isObject(usage) && isObject(usage["input_tokens_details"]));
    assert.ok(Number(usage["input_tokens_details"]["cached_tokens"]) > Number(usage["input_tokens"]));
  });
  await within({ profile: "usage-none" }, async (sim) => {
    sim.reply(text("Hello."));
    assert.equal((await ask(sim, {})).body["usage"], null);
  });
});

test("the profile replay-needs-reasoning refuses a call without its reasoning", () =>
  within({ profile: "replay-needs-reasoning" }, async (sim) => {
    const output = await answered(sim, [reasoning("Hm."), call("look")]);
    const result = { type: "function_call_output", call_id: "call_0001_1", output: "seen" };
    sim.reply(text("Done."));
    assert.equal((await ask(sim, { input: [user, output[1], result] })).status, 400);
    assert.equal((await ask(sim, { input: [user, ...output, result] })).status, 200);
    sim.done();
  }));

test("an output item that is sent back with another field order is a complaint", () =>
  within({ profile: "standard" }, async (sim) => {
    const output = await answered(sim, [call("look", { a: 1, b: 2 })]);
    const { type, ...rest } = output[0] as JsonObject;
    const result = { type: "function_call_output", call_id: "call_0001_0", output: "seen" };
    sim.reply(text("Done."));
    assert.equal((await ask(sim, { input: [user, { ...rest, type }, result] })).status, 200);
    assert.throws(() => sim.done(), /The item fc_0001_0 came back changed/);
  }));

test("items of a dialect's own types are accepted when sent back unchanged", async () => {
  for (const name of ["custom-short", "open-responses"] as const)
    await within({ profile: name }, async (sim) => {
      sim.reply(search("x"), patchCall("*** Begin Patch\n*** End Patch\n"));
      const { stream } = await ask(sim, { stream: true });
      const last = JSON.parse(
        stream.match(/data: (\{"type":"response.completed".*)/)?.[1] ?? "{}",
      ) as JsonObject;
      const items = listAt(last["response"], "output");
      assert.equal(items.length, 2);
      const result = { type: "custom_tool_call_output", call_id: "call_0001_1", output: "done" };
      sim.reply(text("Done."));
      assert.equal((await ask(sim, { input: [user, ...items, result] })).status, 200);
      sim.done();
    });
});

test("setProfile changes the profile between two requests", () =>
  within({ profile: "standard" }, async (sim) => {
    sim.reply(text("Hello."));
    sim.setProfile("custom-no");
    assert.equal((await ask(sim, { tools: [custom] })).status, 400);
    sim.setProfile(profile("standard"));
    assert.equal((await ask(sim, { tools: [custom] })).status, 200);
  }));

async function answered(sim: Simulator, parts: readonly Part[]): Promise<readonly unknown[]> {
  sim.reply(...parts);
  return listAt((await ask(sim, {})).body, "output");
}

async function ask(sim: Simulator, body: JsonObject, chat = false) {
  const base = chat
    ? { model: "svc-k2.6", messages: [{ role: "user", content: "Hello?" }] }
    : { model: "svc-k3", input: [user] };
  const answer = await fetch(`${sim.url}/v1/${chat ? "chat/completions" : "responses"}`, {
    method: "POST",
    headers: { authorization: `Bearer ${sim.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...base, ...body }),
  });
  const stream = await answer.text();
  const parsed: unknown = stream.startsWith("{") ? JSON.parse(stream) : {};
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    stream,
    body: isObject(parsed) ? parsed : {},
  };
}
