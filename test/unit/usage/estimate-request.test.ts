import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateOf } from "../../../src/usage/internal/service-estimate.ts";

test("estimateOf converts a Responses request to chat messages and lists what it left out", () => {
  const input = [
    { type: "message", role: "user", content: "What is in a.ts?" },
    { type: "reasoning", id: "rs_1", summary: [] },
    { type: "web_search_call", id: "ws_1", status: "completed" },
    { type: "function_call", call_id: "c1", name: "read_file", arguments: '{"path":"a.ts"}' },
    { type: "function_call_output", call_id: "c1", output: "let a;" },
    { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin Patch" },
    { type: "custom_tool_call_output", call_id: "c2", output: "Done." },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "A variable." }] },
    { type: "message", role: "assistant", content: [] },
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "And this?" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      ],
    },
    { type: "odd_call" },
  ].map((item) => JSON.stringify(item));
  const { request, leftOut } = estimateOf("svc-k3", {
    input,
    instructions: "Be brief.",
    tools: ['{"type":"web_search"}'],
  });
  assert.deepEqual(request, {
    model: "svc-k3",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "What is in a.ts?" },
      { role: "assistant", content: 'read_file\n{"path":"a.ts"}' },
      { role: "tool", content: "let a;" },
      { role: "assistant", content: "apply_patch\n*** Begin Patch" },
      { role: "tool", content: "Done." },
      { role: "assistant", content: "A variable." },
      {
        role: "user",
        content: [
          { type: "text", text: "And this?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ],
  });
  assert.deepEqual(leftOut, ["tools", "reasoning", "search", "other"]);
});
