import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type OpenAI from "openai";
import {
  call,
  cite,
  incomplete,
  interleaved,
  message,
  type Part,
  patchCall,
  reasoning,
  refusal,
  search,
  text,
} from "../../sim/script.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { askAi, askOpenai, openaiClient, type Understood } from "./clients.ts";

// The gate: what the simulator says by default, real clients of the de-facto standard understand.

const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old\n+new\n*** End Patch\n";
const site = { url: "https://docs.example/", title: "Docs" };

interface Case {
  readonly parts: readonly Part[];
  readonly openai: Partial<Understood>;
  readonly ai: Partial<Understood>;
  readonly chat: Partial<Understood>;
}

const cases: Record<string, Case> = {
  "a text": {
    parts: [text("Grüße, 世界 👩‍🚀!\n\n- one\n- two\n")],
    openai: { text: "Grüße, 世界 👩‍🚀!\n\n- one\n- two\n", end: "completed" },
    ai: { text: "Grüße, 世界 👩‍🚀!\n\n- one\n- two\n", end: "stop" },
    chat: { text: "Grüße, 世界 👩‍🚀!\n\n- one\n- two\n", end: "stop" },
  },
  "a summary of reasoning": {
    parts: [reasoning({ summary: ["First.", " Second."] }), text("Done.")],
    openai: { reasoning: "First. Second.", text: "Done." },
    ai: { reasoning: "First. Second.", text: "Done." },
    chat: { text: "Done." },
  },
  "raw reasoning": {
    parts: [reasoning({ raw: "Let me see." }), text("Done.")],
    openai: { reasoning: "Let me see.", text: "Done." },
    ai: { text: "Done." },
    chat: { text: "Done." },
  },
  "reasoning without anything to read": {
    parts: [reasoning({ encrypted: "blob" }), text("Done.")],
    openai: { reasoning: "", text: "Done." },
    ai: { reasoning: "", text: "Done." },
    chat: { text: "Done." },
  },
  "a function call": {
    parts: [text("Reading."), call("read_file", { path: "a.ts" })],
    openai: { text: "Reading.", calls: ['read_file({"path":"a.ts"})'] },
    ai: { calls: ['read_file({"path":"a.ts"})'], end: "tool-calls" },
    chat: { text: "Reading.", calls: ['read_file({"path":"a.ts"})'], end: "tool-calls" },
  },
  "parallel calls": {
    parts: [call("read_file", { path: "a.ts" }), call("list_files")],
    openai: { calls: ['read_file({"path":"a.ts"})', "list_files({})"] },
    ai: { calls: ['read_file({"path":"a.ts"})', "list_files({})"] },
    chat: { calls: ['read_file({"path":"a.ts"})', "list_files({})"] },
  },
  "interleaved calls": {
    parts: [call("read_file", { path: "a b c" }), call("search_text", { words: "x y z" }), interleaved()],
    openai: { calls: ['read_file({"path":"a b c"})', 'search_text({"words":"x y z"})'] },
    ai: { calls: ['read_file({"path":"a b c"})', 'search_text({"words":"x y z"})'] },
    chat: { calls: ['read_file({"path":"a b c"})', 'search_text({"words":"x y z"})'] },
  },
  "a call of a namespace": {
    parts: [call("search_issues", { q: "crash" }, { namespace: "mcp__tracker" })],
    openai: { calls: ['search_issues({"q":"crash"})'] },
    ai: { calls: ['search_issues({"q":"crash"})'] },
    chat: { calls: ['search_issues({"q":"crash"})'] },
  },
  "a patch": {
    parts: [patchCall(patch)],
    openai: { calls: [`apply_patch(${patch})`] },
    ai: { calls: [`apply_patch(${JSON.stringify(patch)})`] },
    chat: { calls: [`apply_patch(${JSON.stringify({ input: patch })})`] },
  },
  "a search with sources and citations": {
    parts: [search("docs", [site]), text("See the Docs.", cite(site.url, site.title, "Docs"))],
    openai: { text: "See the Docs.", sources: [site.url] },
    ai: { text: "See the Docs.", sources: [site.url] },
    chat: { text: "See the Docs.", sources: [] },
  },
  "a refusal": {
    parts: [refusal("I cannot help with that.")],
    openai: { text: "", end: "completed" },
    ai: { text: "I cannot help with that." },
    chat: { text: "I cannot help with that." },
  },
  "a message of two parts": {
    parts: [
      message({ kind: "text", text: "One. ", citations: [] }, { kind: "text", text: "Two.", citations: [] }),
    ],
    openai: { text: "One. Two." },
    ai: { text: "One. Two." },
    chat: { text: "One. Two." },
  },
  "a text cut at the limit": {
    parts: [text("Hello th"), incomplete()],
    openai: { text: "Hello th", end: "max_output_tokens" },
    ai: { text: "Hello th", end: "length" },
    chat: { text: "Hello th", end: "length" },
  },
  "a text cut by the filter": {
    parts: [text("Hello th"), incomplete("content_filter")],
    openai: { text: "Hello th", end: "content_filter" },
    ai: { text: "Hello th", end: "content-filter" },
    chat: { text: "Hello th", end: "content-filter" },
  },
  everything: {
    parts: [search("docs", [site]), reasoning("Hm."), text("Now."), call("list_files"), patchCall(patch)],
    openai: { reasoning: "Hm.", text: "Now.", calls: ["list_files({})", `apply_patch(${patch})`] },
    ai: {
      reasoning: "Hm.",
      text: "Now.",
      calls: ["list_files({})", `apply_patch(${JSON.stringify(patch)})`],
    },
    chat: { text: "Now.", calls: ["list_files({})", `apply_patch(${JSON.stringify({ input: patch })})`] },
  },
};

let sim: Simulator;
before(async () => {
  sim = await startSimulator();
});
after(() => sim.close());

const include = ["web_search_call.action.sources"];
const tools = [{ type: "web_search" }];

for (const [name, expected] of Object.entries(cases)) {
  test(`the official client understands ${name} as a stream of Responses`, async () => {
    sim.reply(...expected.parts);
    match(await askOpenai(sim, { include, tools }), expected.openai);
  });

  test(`the AI SDK understands ${name} as a stream of Responses`, async () => {
    sim.reply(...expected.parts);
    const answer = await askAi(sim, "responses");
    // It reports the service's own search as a call too.
    match({ ...answer, calls: answer.calls.filter((each) => !each.startsWith("web_search")) }, expected.ai);
  });

  test(`the AI SDK understands ${name} as a stream of Chat completions`, async () => {
    sim.reply(...expected.parts);
    match(await askAi(sim, "chat"), expected.chat);
  });

  test(`the official client understands ${name} as a stream of Chat completions`, async () => {
    sim.reply(...expected.parts);
    const stream = openaiClient(sim).chat.completions.stream({
      model: "svc-k2.6",
      messages: [{ role: "user", content: "Hello?" }],
      stream_options: { include_usage: true },
    });
    const whole = await stream.finalChatCompletion();
    assert.equal(whole.choices[0]?.message.content ?? "", expected.chat.text ?? "");
    assert.equal(whole.choices[0]?.finish_reason, finish(expected));
    assert.deepEqual(chatCalls(whole), expected.chat.calls ?? []);
    assert.equal(typeof whole.usage?.total_tokens, "number");
  });

  test(`the official client understands ${name} as one object on both routes`, async () => {
    sim.reply(...expected.parts);
    sim.reply(...expected.parts);
    const client = openaiClient(sim);
    const response = await client.responses.create({ model: "svc-k3", input: "Hello?" });
    if (expected.openai.text !== undefined) assert.equal(response.output_text, expected.openai.text);
    const messages = [{ role: "user" as const, content: "Hello?" }];
    const completion = await client.chat.completions.create({ model: "svc-k2.6", messages });
    assert.equal(completion.choices[0]?.message.content ?? "", expected.chat.text ?? "");
    assert.deepEqual(chatCalls(completion), expected.chat.calls ?? []);
  });
}

function match(actual: Understood, expected: Partial<Understood>): void {
  assert.deepEqual({ ...actual, ...expected }, actual);
}

/** The AI SDK's word for an end, as the wire spells it. */
function finish({ chat }: Case): string {
  if (chat.end !== undefined) return chat.end.replace("-", "_");
  return (chat.calls ?? []).length > 0 ? "tool_calls" : "stop";
}

function chatCalls(completion: OpenAI.ChatCompletion): readonly string[] {
  return (completion.choices[0]?.message.tool_calls ?? []).map((each) =>
    each.type === "function" ? `${each.function.name}(${each.function.arguments})` : each.type,
  );
}
