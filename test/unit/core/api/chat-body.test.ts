// What leaves on the chat route and for estimates: every key of every body (requirements I, J).
import assert from "node:assert/strict";
import { test } from "node:test";
import { chatBody, estimateBody } from "../../../../src/core/api/body.ts";
import { nothingFound } from "../../../../src/core/api/capabilities.ts";
import type { ChatMessage } from "../../../../src/core/api/request.ts";
import { plainSettings as settings } from "./plain-settings.ts";

test("chat sends model, messages, stream and the wish for usage, and nothing of a message but role, content and name", () => {
  const odd = { role: "assistant", content: "Hi", partial: true, extra: 1 } as unknown as ChatMessage;
  const messages: ChatMessage[] = [{ role: "system", content: "Be brief.", name: "boss" }, odd];
  const body = chatBody({ model: "svc-k2.6", messages }, settings, nothingFound);
  assert.ok(body.ok);
  assert.deepEqual(JSON.parse(body.json), {
    model: "svc-k2.6",
    messages: [
      { role: "system", content: "Be brief.", name: "boss" },
      { role: "assistant", content: "Hi" },
    ],
    stream: true,
    stream_options: { include_usage: true },
  });
  const plain = chatBody({ model: "svc-k2.6", messages, stream: false }, settings, nothingFound);
  assert.ok(plain.ok);
  assert.deepEqual(Object.keys(JSON.parse(plain.json)), ["model", "messages"]);
});

test("chat and estimate carry pictures as image_url parts", () => {
  const part = { type: "image_url" as const, image_url: { url: "data:image/png;base64,AAAA" } };
  const messages: ChatMessage[] = [{ role: "user", content: [{ type: "text", text: "What?" }, part] }];
  for (const body of [
    chatBody({ model: "svc-k2.6", messages }, settings, nothingFound),
    estimateBody({ model: "svc-k2.6", messages }),
  ]) {
    assert.ok(body.ok);
    assert.deepEqual(JSON.parse(body.json).messages, messages);
  }
});

test("an estimate sends model and messages and nothing else", () => {
  const body = estimateBody({ model: "svc-k3", messages: [{ role: "user", content: "Hi" }] });
  assert.ok(body.ok);
  assert.deepEqual(Object.keys(JSON.parse(body.json)), ["model", "messages"]);
});
