// What becomes of each kind of item: the interface's "Output items", and what a tool call among them means.
import assert from "node:assert/strict";
import { test } from "node:test";
import { verbatim } from "../../../src/conversation/events.ts";
import {
  callOutput,
  outputText,
  patchText,
  readArguments,
  searchAction,
} from "../../../src/service/response-items.ts";
import { reasoning, search, text } from "../../sim/script.ts";
import { oneReply } from "../../support/one-turn.ts";
import { play } from "../../support/play-stream.ts";
import { usingSimulator } from "../../support/using-simulator.ts";
import { watch } from "../../support/watched-client.ts";
import { hello, viewOf, viewsOf, whole } from "../../support/whole-response.ts";

test("items of all kinds keep the order of the output", async () => {
  const call = { id: "fc_1", type: "function_call", call_id: "c", name: "x", arguments: "{}" };
  const found = { id: "ws_1", type: "web_search_call", status: "completed" };
  const thought = { id: "rs_1", type: "reasoning", summary: [] };
  const views = await viewsOf(call, hello, found, thought, { ...hello, id: "msg_2" });
  assert.deepEqual(
    views.map((view) => view.kind),
    ["call", "message", "search", "reasoning", "message"],
  );
});

test("an item of an unknown type is kept with its type, size and bytes", async () => {
  const raw = '{"type":"foo_call", "id":"f", "n":1.50}';
  const data = `data: {"type":"response.completed","response":{"status":"completed","output":[${raw}]}}\n\n`;
  const { reply } = await play("responses", [Buffer.from(data)], "clean");
  assert.deepEqual(reply.items, [{ raw, view: { kind: "other", type: "foo_call", bytes: raw.length } }]);
});

for (const [name, item, expected] of [
  ["content that is a string", { content: "Hi" }, "Hi"],
  ["parts with text", { content: [{ type: "output_text", text: "H" }, { text: "i" }] }, "Hi"],
  ["text beside its content", { text: "Hi" }, "Hi"],
  ["parts of other kinds", { content: [{ type: "audio" }] }, ""],
  ["nothing", {}, ""],
] as const) {
  test(`a message item with ${name} yields the text that it has`, async () => {
    const view = await viewOf({ id: "m", type: "message", ...item }, "message");
    assert.equal(view.parts.map((part) => part.text).join(""), expected);
  });
}

test("a reasoning item shows its summaries and text but not its encrypted content", async () => {
  const item = {
    id: "rs_1",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "One." }, { text: "Two." }, {}],
    content: [{ type: "reasoning_text", text: "Raw." }],
    encrypted_content: "gAAAA-opaque",
  };
  const view = await viewOf(item, "reasoning");
  assert.deepEqual(view, {
    kind: "reasoning",
    summary: ["One.", "Two."],
    text: "Raw.",
  });
  assert.deepEqual((await viewOf({ type: "reasoning" }, "reasoning")).summary, []);
});

test("encrypted content stays in the raw item and out of the log", async () => {
  await using sim = await usingSimulator();
  using watched = watch(sim.url, {}, { connection: async () => ({ baseUrl: sim.url, key: sim.key }) });
  sim.reply(reasoning({ summary: ["Hm."], encrypted: "gAAAA-opaque-content" }), text("Hello"));
  const { reply } = await watched.turn();
  assert.ok(reply.items.some((item) => item.raw.includes("gAAAA-opaque-content")));
  assert.ok(!JSON.stringify(reply.items.map((item) => item.view)).includes("gAAAA"));
  assert.ok(watched.lines.length > 0 && !watched.lines.join().includes("gAAAA"));
});

test("searchAction returns the query and only the sources with http or https URLs", () => {
  const sources = [
    { type: "url", url: "https://a.example/x", title: "A" },
    { url: "http://b.example" },
    { url: "javascript:alert(1)" },
    { url: "file:///etc/passwd" },
    { url: "//c" },
    {},
    null,
  ];
  const item = { id: "ws_1", type: "web_search_call", status: "completed" };
  const { query, sources: told } = searchAction({ ...item, action: { type: "search", query: "q", sources } });
  assert.equal(query, "q");
  assert.deepEqual(told, [{ url: "https://a.example/x", title: "A" }, { url: "http://b.example" }]);
  assert.deepEqual(searchAction(item), { sources: [], images: [] });
});

test("the results of an image search are kept unchanged", async () => {
  const results = [{ image_url: "https://a.example/x.png" }, 7];
  const view = await viewOf({ type: "web_search_call", results }, "search");
  assert.deepEqual(view.results, results);
  assert.deepEqual((await viewOf({ type: "web_search_call" }, "search")).results, []);
});

test("readArguments accepts only a JSON object and drops __proto__", () => {
  assert.deepEqual(readArguments('{"a":1}'), { a: 1 });
  assert.deepEqual(readArguments(" "), {});
  for (const bad of ['{"a":', "[1]", "1", '"x"', "null", "{'a':1}"])
    assert.equal(readArguments(bad), undefined);
  assert.deepEqual(Object.keys(readArguments('{"__proto__":{"polluted":1},"a":1}') ?? {}), ["a"]);
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

const called = { item: "fc_1", callId: "call_1", name: "x", kind: "function", input: "{}" } as const;

test("callOutput holds the call_id and a text that is never empty", () => {
  const answered = (output: unknown, kind: "function" | "custom" = "function") =>
    JSON.parse(callOutput({ ...called, kind }, verbatim(outputText(output)))) as Record<string, unknown>;
  assert.deepEqual(answered("Done."), { type: "function_call_output", call_id: "call_1", output: "Done." });
  assert.equal(answered("Done.", "custom")["type"], "custom_tool_call_output");
  assert.equal(answered({ a: [1] })["output"], '{"a":[1]}');
  for (const nothing of ["", "  \n", undefined])
    assert.equal(answered(nothing)["output"], "The tool returned nothing.");
  assert.equal(answered("a\ud800")["output"], "a\ufffd");
});

test("patchText finds the patch in custom calls and in function calls", () => {
  assert.equal(patchText({ ...called, kind: "custom", input: "*** Begin" }), "*** Begin");
  for (const key of ["input", "patch"])
    assert.equal(patchText({ ...called, input: JSON.stringify({ [key]: "*** Begin" }) }), "*** Begin");
  assert.equal(patchText({ ...called, input: "{}" }), undefined);
});

for (const [name, item] of [
  ["custom_tool_call", { type: "custom_tool_call", call_id: "c", name: "apply_patch", input: "P" }],
  ["custom", { type: "custom", call_id: "c", name: "apply_patch", input: "P" }],
  ["apply_patch_call", { type: "apply_patch_call", id: "c", patch: "P" }],
  ["arguments of a custom call", { type: "custom", call_id: "c", name: "apply_patch", arguments: "P" }],
] as const) {
  test(`a patch call in the shape ${name} is runnable`, async () => {
    const reply = await whole({ output: [{ id: "ctc_1", status: "completed", ...item }] });
    assert.deepEqual(
      reply.runnable.map(({ callId, name: tool, input }) => [callId, tool, input]),
      [["c", "apply_patch", "P"]],
    );
  });
}

test("a search by the service is an item and not a call", async () => {
  await using sim = await usingSimulator();
  sim.reply(search("q", [{ url: "https://a.example", title: "A" }]), text("Hello"));
  const reply = await oneReply({ baseUrl: sim.url, key: sim.key, route: "responses", prompt: "Hi" });
  assert.deepEqual([reply.calls, reply.runnable], [[], []]);
  assert.ok(reply.items.some((item) => item.view.kind === "search"));
});
