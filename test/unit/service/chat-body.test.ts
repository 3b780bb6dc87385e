// What leaves on the chat route and for estimates: every key of every body (requirements I, J).
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultCapabilities } from "../../../src/service/capabilities.ts";
import { chatBody, estimateBody } from "../../../src/service/internal/body.ts";
import type { ChatMessage } from "../../../src/service/request.ts";
import { plainSettings as settings } from "./plain-settings.ts";

test("a chat body holds model, messages, stream and usage option, with role, content and name per message", () => {
  const odd = { role: "assistant", content: "Hi", partial: true, extra: 1 } as unknown as ChatMessage;
  const messages: ChatMessage[] = [{ role: "system", content: "Be brief.", name: "boss" }, odd];
  const body = chatBody({ model: "svc-k2.6", messages }, settings, defaultCapabilities);
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
  const plain = chatBody({ model: "svc-k2.6", messages, stream: false }, settings, defaultCapabilities);
  assert.ok(plain.ok);
  assert.deepEqual(Object.keys(JSON.parse(plain.json)), ["model", "messages"]);
});

test("chat and estimate bodies carry images as image_url parts", () => {
  const part = { type: "image_url" as const, image_url: { url: "data:image/png;base64,AAAA" } };
  const messages: ChatMessage[] = [{ role: "user", content: [{ type: "text", text: "What?" }, part] }];
  for (const body of [
    chatBody({ model: "svc-k2.6", messages }, settings, defaultCapabilities),
    estimateBody({ model: "svc-k2.6", messages }),
  ]) {
    assert.ok(body.ok);
    assert.deepEqual(JSON.parse(body.json).messages, messages);
  }
});

test("an estimate body holds model and messages only", () => {
  const body = estimateBody({ model: "svc-k3", messages: [{ role: "user", content: "Hi" }] });
  assert.ok(body.ok);
  assert.deepEqual(Object.keys(JSON.parse(body.json)), ["model", "messages"]);
});
