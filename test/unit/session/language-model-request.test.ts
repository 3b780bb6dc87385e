// The messages of another extension as a request of ours: every call has one output, names fit the wire, pictures go along.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  LanguageModelReplies,
  languageModelRequest,
} from "../../../src/session/internal/language-model-request.ts";
import type { LanguageModelMessage } from "../../../src/session/language-model-chat.ts";
import { calls, k3, tools, user } from "../../support/foreign-extension.ts";

test("languageModelRequest gives every call one output and drops outputs without a call", async () => {
  const call_ = (id: string) => ({ kind: "call", id, name: "look_up", input: {} }) as const;
  const result = (id: string) => ({ kind: "result", id, text: "" }) as const;
  const {
    outgoing: { request },
  } = await languageModelRequest(
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

test("languageModelRequest omits tools with invalid names and keeps images unchanged", async () => {
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
  const {
    outgoing: { request },
  } = await languageModelRequest(
    { ...question, messages },
    new LanguageModelReplies("salt"),
    new AbortController().signal,
  );
  assert.ok("input" in request && request.tools?.length === 1);
  assert.match(request.input[0] ?? "", /input_image.*data:image\/png/);
});

test("languageModelRequest puts the images of a tool result behind its output", async () => {
  const url = "data:image/png;base64,AA==";
  const made = { id: "a", name: "look_up", input: {} };
  const messages: LanguageModelMessage[] = [
    user("Show it."),
    calls(made),
    { role: "user", parts: [{ kind: "result", id: "a", text: "", images: [url] }] },
  ];
  const {
    outgoing: { request },
  } = await languageModelRequest(
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
