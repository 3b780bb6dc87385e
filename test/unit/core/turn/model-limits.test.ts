import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outgoing } from "../../../../src/core/api/request.ts";
import { verbatim } from "../../../../src/core/conversation/content.ts";
import type { Model } from "../../../../src/core/conversation/models.ts";
import { userItem } from "../../../../src/core/turn/history.ts";
import { beyondModel } from "../../../../src/core/turn/model-limits.ts";
import { english } from "../../../support/english.ts";

const url = "data:image/png;base64,AAAA";
const model = (more: Partial<Model> = {}): Model => ({ id: "own", label: "Own", route: "chat", ...more });
const responses = (content: Parameters<typeof userItem>[0]): Outgoing => ({
  route: "responses",
  model: "own",
  request: { input: [userItem(content)] },
});
const chat = (...parts: { type: "image_url"; image_url: { url: string } }[]): Outgoing => ({
  route: "chat",
  model: "own",
  request: { model: "own", messages: [{ role: "user", content: [{ type: "text", text: "Hi" }, ...parts] }] },
});
const text = responses([{ kind: "text", text: verbatim("Hi") }]);
const uncounted = () => assert.fail("nothing needs to be counted");

test("nothing is asked about a model of which nothing is set, and nothing is counted for it", () => {
  for (const each of [undefined, model(), model({ vision: true })])
    assert.equal(beyondModel(text, each, uncounted), undefined);
});

test("a request that seems larger than the context window that was set is asked about", () => {
  assert.equal(
    beyondModel(text, model({ contextWindow: 128_000 }), () => 128_000),
    undefined,
  );
  const asked = beyondModel(text, model({ contextWindow: 128_000 }), () => 130_500);
  assert.equal(
    english(asked),
    "The request has ≈130500 tokens, more than the context window of Own (128000).",
  );
  assert.deepEqual(asked?.actions, ["send-anyway", "keep-draft"]);
});

test("a picture is asked about where the model was said to take none", () => {
  const pictures = [responses([{ kind: "image", url }]), chat({ type: "image_url", image_url: { url } })];
  for (const each of pictures) {
    assert.match(
      english(beyondModel(each, model({ vision: false }), uncounted)?.message),
      /is set to not accept images/,
    );
    assert.equal(beyondModel(each, model(), uncounted), undefined);
  }
  for (const each of [text, chat()])
    assert.equal(beyondModel(each, model({ vision: false }), uncounted), undefined);
});
