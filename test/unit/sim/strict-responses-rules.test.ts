// What a service refuses that takes nothing but what its interface shows.
import { call, custom, func, namespace, output, picture, user, withParts } from "./request-samples.ts";
import { type Row, testTable } from "./rule-table.ts";

const strict: readonly Row[] = [
  [
    "every shown field",
    {
      instructions: "Be brief.",
      stream: false,
      max_output_tokens: 10,
      reasoning: {},
      text: {},
      tools: [func],
      tool_choice: "auto",
      include: [],
      prompt_cache_options: {},
      prompt_cache_key: "k",
      safety_identifier: "u",
    },
    undefined,
  ],
  ["a field that is not shown", { store: false }, "store"],
  ["an include that is not shown", { include: ["reasoning.encrypted_content"] }, "include"],
  ["another tool choice", { tool_choice: "required" }, "tool_choice"],
  ["an unknown cache option", { prompt_cache_options: { scope: "org" } }, "prompt_cache_options.scope"],
  [
    "fields on web_search",
    { tools: [{ type: "web_search", search_context_size: "low" }] },
    "tools[0].search_context_size",
  ],
  ["an unknown field of a function", { tools: [{ ...func, cache: true }] }, "tools[0].cache"],
  ["an unknown field of a custom tool", { tools: [{ ...custom, cache: true }] }, "tools[0].cache"],
  ["an unknown field of a namespace", { tools: [{ ...namespace, cache: true }] }, "tools[0].cache"],
  ["an unknown field of a message", { input: [{ ...user, name: "Ann" }] }, "input[0].name"],
  ["an unknown field of an output", { input: [call, { ...output, status: "completed" }] }, "input[1].status"],
  ["an unknown field of a call", { input: [{ ...call, caller: "me" }, output] }, "input[0].caller"],
  [
    "an unknown field of a part",
    withParts({ type: "input_text", text: "Hi.", cache: true }),
    "input[0].content[0].cache",
  ],
  ["an image with its detail", withParts({ ...picture, detail: "auto" }), undefined],
  ["an empty part", withParts({ type: "input_text", text: " " }), "input[0].content[0].text"],
  [
    "every field of an item of the service",
    { input: [user, { ...user, id: "msg_1", role: "assistant", status: "completed" }, user] },
    undefined,
  ],
  ["the word of the breakpoint in text", { input: "What is prompt_cache_breakpoint?" }, "input"],
  ["empty content", { input: [{ ...user, content: "  " }] }, "input[0].content"],
  ["an empty input", { input: "" }, "input"],
  ["a message that leaves its type out", { input: [{ role: "user", content: "Hello?" }] }, "input[0].type"],
  [
    "an output in parts",
    { input: [call, { ...output, output: [{ type: "input_text", text: "seen" }] }] },
    "input[1].output",
  ],
];

testTable({
  path: "/v1/responses",
  profile: "strict",
  base: { model: "svc-k3", input: [user] },
  rows: strict,
});
