// The messages of another extension as a request of ours: every call has one output, names fit the wire, pictures go along.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LanguageModelReplies } from "../../../../src/core/turn/language-model-replies.ts";
import {
  type LanguageModelMessage,
  languageModelRequest,
} from "../../../../src/core/turn/language-model-request.ts";
import { calls, k3, tools, user } from "../../../support/foreign-extension.ts";

test("whatever others hand in, every call has one output and no output is without its call", async () => {
  const call_ = (id: string) => ({ kind: "call", id, name: "look_up", input: {} }) as const;
  const result = (id: string) => ({ kind: "result", id, text: "" }) as const;
  const { request } = await languageModelRequest(
    {
      ...k3,
      messages: [
        user("  "),
        user("Go."),
        { role: "assistant", parts: [call_("a"), call_("b")] },
        { role: "user", parts: [result("b"), result("none"), { kind: "text", text: "And?" }] },
        { role: "assistant", parts: [{ kind: "text", text: " " }] },
      ],
    },
    new LanguageModelReplies("salt"),
    new AbortController().signal,
  );
  const items = ("input" in request ? request.input : []).map((raw) => JSON.parse(raw));
  assert.deepEqual(
    items.map(({ type, call_id: id }) => [type, id]),
    [
      ["message", undefined],
      ["function_call", "a"],
      ["function_call", "b"],
      ["function_call_output", "a"],
      ["function_call_output", "b"],
      ["message", undefined],
    ],
  );
  for (const { type, output } of items) if (type === "function_call_output") assert.notEqual(output, "");
});

test("a tool whose name cannot be on the wire is not offered, and pictures go along as they are", async () => {
  const odd = { name: "two words", description: "", parameters: undefined };
  const url = "data:image/png;base64,AA==";
  const question = { ...k3, tools: [...tools, odd] };
  const messages: LanguageModelMessage[] = [
    {
      role: "user",
      parts: [
        { kind: "image", url },
        { kind: "text", text: "What?" },
      ],
    },
  ];
  const { request } = await languageModelRequest(
    { ...question, messages },
    new LanguageModelReplies("salt"),
    new AbortController().signal,
  );
  assert.ok("input" in request && request.tools?.length === 1);
  assert.match(request.input[0] ?? "", /input_image.*data:image\/png/);
});

test("pictures that a tool answers with follow its output", async () => {
  const url = "data:image/png;base64,AA==";
  const made = { id: "a", name: "look_up", input: {} };
  const messages: LanguageModelMessage[] = [
    user("Show it."),
    calls(made),
    { role: "user", parts: [{ kind: "result", id: "a", text: "", images: [url] }] },
  ];
  const { request } = await languageModelRequest(
    { ...k3, messages },
    new LanguageModelReplies("salt"),
    new AbortController().signal,
  );
  const items = ("input" in request ? request.input : []).map((raw) => JSON.parse(raw));
  assert.deepEqual(
    items.map(({ type }) => type),
    ["message", "function_call", "function_call_output", "message"],
  );
  assert.match(JSON.stringify(items.at(-1)), /input_image.*image\/png/);
});
