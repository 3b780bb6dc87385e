// What leaves: every key of every body, against the interface's tables (requirements B, I, J).
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Capabilities, defaultCapabilities } from "../../../src/service/capabilities.ts";
import { chatBody, estimateBody, responsesBody } from "../../../src/service/internal/body.ts";
import type { ChatMessage, ResponsesRequest, WebSearchInclude } from "../../../src/service/request.ts";
import type { BodySettings } from "../../../src/service/settings.ts";
import { english } from "../../support/english.ts";
import { plainSettings as settings } from "./plain-settings.ts";

const user = (content: string) => JSON.stringify({ type: "message", role: "user", content });
const tool = (type: string, more: object = {}) => JSON.stringify({ type, ...more });
const readFile = tool("function", {
  name: "read_file",
  description: "x",
  parameters: { type: "object" },
  strict: false,
});
const patch = tool("custom", { name: "apply_patch", description: "x", format: { type: "grammar" } });
const everything: ResponsesRequest = {
  input: [user("Hi")],
  instructions: "Be brief.",
  tools: [readFile, patch, tool("web_search")],
  maxOutputTokens: 100,
  effort: "high",
  include: ["web_search_call.action.sources"],
  cacheTtl: "1h",
  cacheId: "conversation-1",
};

function json(
  request: ResponsesRequest,
  change: Partial<BodySettings> = {},
  found: Capabilities = defaultCapabilities,
) {
  const body = responsesBody(request, { ...settings, ...change }, found);
  assert.ok(body.ok, body.ok ? "" : english(body.message));
  return body.json;
}
const parsed = (...given: Parameters<typeof json>) => JSON.parse(json(...given)) as Record<string, unknown>;
function refusal(request: Partial<ResponsesRequest>): string {
  const body = responsesBody({ input: [user("Hi")], ...request }, settings, defaultCapabilities);
  assert.ok(!body.ok);
  return english(body.message);
}

test("a minimal Responses body holds model, input and stream only", () => {
  assert.deepEqual(parsed({ input: [user("Hi")] }), {
    model: "svc-k3",
    input: [{ type: "message", role: "user", content: "Hi" }],
    stream: true,
  });
});

test("a full Responses body holds the fields of the interface and the two identifiers only", () => {
  const sent = parsed(everything, {
    userId: "u1",
    extraBody: { responses: { reasoning: { summary: "auto" }, text: { a: 1 } } },
  });
  assert.deepEqual(Object.keys(sent).sort(), [
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "model",
    "prompt_cache_key",
    "prompt_cache_options",
    "reasoning",
    "safety_identifier",
    "stream",
    "text",
    "tool_choice",
    "tools",
  ]);
  assert.deepEqual(sent["reasoning"], { summary: "auto", effort: "high" });
  assert.deepEqual(sent["prompt_cache_options"], { mode: "implicit", ttl: "1h" });
  assert.deepEqual(sent["include"], ["web_search_call.action.sources"]);
  assert.equal(sent["tool_choice"], "auto");
  assert.equal(sent["prompt_cache_key"], "conversation-1");
  assert.equal(sent["safety_identifier"], "u1");
  assert.deepEqual((sent["tools"] as unknown[])[2], { type: "web_search" });
});

test("a requested JSON format is merged into the text field of extraBody", () => {
  const own = { extraBody: { responses: { text: { verbosity: "low" } } } };
  const format = { type: "json_object" };
  const text = { format };
  assert.deepEqual(parsed({ ...everything, text })["text"], text);
  assert.deepEqual(parsed({ ...everything, text }, own)["text"], { verbosity: "low", format });
  assert.deepEqual(parsed(everything, own)["text"], { verbosity: "low" });
});

test("a reserved or malformed name for an identifier is not sent as a field", () => {
  for (const name of [
    "previous_response_id",
    "store",
    "background",
    "conversation",
    "metadata",
    "service_tier",
    "temperature",
    "top_p",
    "parallel_tool_calls",
    "prompt_cache_breakpoint",
    "input",
    "model",
    "__proto__",
    "a b",
    'x"y',
  ]) {
    const sent = parsed(everything, { cacheKeyField: name, userIdField: name, userId: "u" });
    assert.deepEqual(sent["input"], [{ type: "message", role: "user", content: "Hi" }], name);
    if (name !== "input" && name !== "model") assert.ok(!Object.hasOwn(sent, name), name);
  }
});

test("the identifiers use their configured field names and are omitted for an empty name", () => {
  const named = parsed(everything, { cacheKeyField: "session", userIdField: "person", userId: "u" });
  assert.equal(named["session"], "conversation-1");
  assert.equal(named["person"], "u");
  const unnamed = parsed(everything, { cacheKeyField: "", userIdField: "", userId: "u" });
  assert.ok(!JSON.stringify(unnamed).includes("conversation-1"));
  assert.ok(!Object.hasOwn(unnamed, "safety_identifier"));
});

test("maxOutputTokens accepts integers from 1 to 1048576 and is omitted when unset", () => {
  for (const limit of [1, 1_048_576])
    assert.equal(parsed({ input: [user("Hi")], maxOutputTokens: limit })["max_output_tokens"], limit);
  for (const limit of [0, -1, 1.5, 1_048_577, Number.NaN, Number.POSITIVE_INFINITY])
    assert.match(refusal({ maxOutputTokens: limit }), /from 1 to 1048576/);
  assert.ok(!Object.hasOwn(parsed({ input: [user("Hi")] }), "max_output_tokens"));
});

test("include is sent only together with web search", () => {
  const include: WebSearchInclude[] = ["web_search_call.results"];
  assert.ok(!Object.hasOwn(parsed({ input: [user("Hi")], include, tools: [readFile] }), "include"));
  assert.deepEqual(parsed({ input: [user("Hi")], include, tools: [tool("web_search")] })["include"], include);
});

test("include refuses values outside the two of the interface", () => {
  const include = ["reasoning.encrypted_content"] as unknown as WebSearchInclude[];
  assert.match(refusal({ include, tools: [tool("web_search")] }), /cannot hold reasoning\.encrypted_content/);
});

test("responsesBody refuses a model other than svc-k3 unless responsesModels lists it", () => {
  const request = { input: [user("Hi")], model: "svc-k2.6" };
  assert.match(refusal(request), /supports only svc-k3, not svc-k2\.6/);
  assert.equal(parsed(request, { responsesModels: ["svc-k2.6"] })["model"], "svc-k2.6");
});

test("responsesBody refuses the same field name for both identifiers", () => {
  const same = { ...settings, cacheKeyField: "user", userIdField: "user", userId: "u" };
  const body = responsesBody(everything, same, defaultCapabilities);
  assert.ok(!body.ok);
  assert.match(english(body.message), /Both identifiers are set to go as “user”/);
  assert.equal(parsed(everything, { ...same, userId: undefined })["user"], "conversation-1");
});

test("a request without tools has no tool_choice", () => {
  assert.ok(!Object.hasOwn(parsed({ input: [user("Hi")], tools: [] }), "tool_choice"));
});

test("responsesBody refuses unknown tool types, other custom tools, invalid names and duplicate names", () => {
  const fn = (name: string) => tool("function", { name, description: "x", parameters: {}, strict: false });
  for (const [tools, says] of [
    [[tool("code_interpreter")], /not supported/],
    [[tool("custom", { name: "other" })], /Only apply_patch/],
    [[tool("web_search", { filters: {} })], /no fields to set/],
    [[tool("function", { name: "x" })], /no parameters object/],
    [[fn("a b")], /characters that are not allowed/],
    [[fn("x".repeat(65))], /characters that are not allowed/],
    [[fn("x"), fn("x")], /Two tools are named x/],
    [[tool("namespace", { name: "ns", tools: [{ ...JSON.parse(fn("x")) }] }), fn("ns__x")], /Two tools/],
    [["1"], /not an object/],
  ] as const)
    assert.match(refusal({ tools }), says);
});

test("an empty message is refused in Responses, chat and estimate bodies", () => {
  assert.match(refusal({ input: [user("")] }), /without content/);
  assert.match(refusal({ input: ['{"type":"message","role":"user","content":[]}'] }), /without content/);
  assert.match(refusal({ input: [] }), /nothing to send/);
  const empty: ChatMessage[][] = [
    [],
    [{ role: "user", content: "" }],
    [{ role: "user", content: "  \n" }],
    [{ role: "user", content: [] }],
    [{ role: "user", content: [{ type: "text", text: "" }] }],
  ];
  for (const messages of empty) {
    assert.ok(!chatBody({ model: "svc-k2.6", messages }, settings, defaultCapabilities).ok);
    assert.ok(!estimateBody({ model: "svc-k2.6", messages }).ok);
  }
});

test("the instructions precede the input in their own field and are not among its items", () => {
  const text = json(everything);
  assert.ok(text.indexOf('"instructions"') < text.indexOf('"input"'));
  assert.ok(text.indexOf('"tools"') < text.indexOf('"input"'));
  assert.ok(!JSON.stringify(JSON.parse(text).input).includes("Be brief"));
});

test("the body of each request in a conversation starts with the bytes of the previous one", () => {
  const item = fc.oneof(
    fc.string({ minLength: 1 }).map(user),
    fc.string().map((text) => `{ "type":"message", "id":"m", "odd":1.50, "content":${JSON.stringify(text)}}`),
  );
  fc.assert(
    fc.property(fc.array(item, { minLength: 2, maxLength: 20 }), (items) => {
      let before = "";
      for (const at of items.keys()) {
        const text = json({ ...everything, input: items.slice(0, at + 1) });
        const input = text.slice(0, text.lastIndexOf('],"tool_choice"'));
        assert.ok(input.startsWith(before));
        before = input;
      }
    }),
    { numRuns: 50 },
  );
});

test("items go back byte for byte, including number formats, spaces and unknown keys", () => {
  const raw = '{ "id":"rs_1","type":"reasoning" ,"n":1.0e2,"encrypted_content":"\\u0041","x":{"b":1,"a":2}}';
  assert.ok(json({ input: [raw, user("Hi")] }).includes(raw));
});

test("a lone surrogate becomes U+FFFD, and a complete pair is kept", () => {
  const text = json({ input: [user("a\ud83db"), user("\ud83d\ude00")], instructions: "\udc00" });
  const sent = JSON.parse(text) as { input: { content: string }[]; instructions: string };
  assert.deepEqual(
    sent.input.map((item) => item.content),
    ["a\ufffdb", "😀"],
  );
  assert.equal(sent.instructions, "\ufffd");
});

test("text that mentions prompt_cache_breakpoint is sent unchanged, and no such key is created", () => {
  const sent = parsed({ input: [user("What is prompt_cache_breakpoint?")] });
  assert.deepEqual(sent["input"], [
    { type: "message", role: "user", content: "What is prompt_cache_breakpoint?" },
  ]);
  assert.ok(!json(everything).includes("prompt_cache_breakpoint"));
});

test("only fields that the origin refused are omitted", () => {
  const found = { ...defaultCapabilities, refused: ["prompt_cache_key", "stream", "tool_choice"] };
  const sent = parsed(everything, {}, found);
  for (const name of found.refused) assert.ok(!Object.hasOwn(sent, name));
  assert.ok(Object.hasOwn(sent, "prompt_cache_options"));
  const body = responsesBody(everything, settings, found);
  assert.ok(body.ok && !body.stream, "an answer that does not stream is asked for as a document");
});

test("model, tools and input are sent even if recorded as refused", () => {
  const found = { ...defaultCapabilities, refused: ["model", "tools", "input"] };
  const sent = parsed(everything, {}, found);
  for (const name of ["model", "tools", "input"]) assert.ok(Object.hasOwn(sent, name));
});
