import assert from "node:assert/strict";
import { test } from "node:test";
import { verbatim } from "../../../src/conversation/events.ts";
import type { Model } from "../../../src/conversation/models.ts";
import type { Outgoing } from "../../../src/service/request.ts";
import { userItem } from "../../../src/session/internal/history.ts";
import { modelLimitProblem } from "../../../src/session/internal/model-limits.ts";
import { english } from "../../support/english.ts";

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

test("modelLimitProblem asks and counts nothing for a model without limits", () => {
  for (const each of [undefined, model(), model({ vision: true })])
    assert.equal(modelLimitProblem(text, each, uncounted), undefined);
});

test("modelLimitProblem asks about a request larger than the configured context window", () => {
  assert.equal(
    modelLimitProblem(text, model({ contextWindow: 128_000 }), () => 128_000),
    undefined,
  );
  const asked = modelLimitProblem(text, model({ contextWindow: 128_000 }), () => 130_500);
  assert.equal(
    english(asked),
    "The request has ≈130500 tokens, more than the context window of Own (128000).",
  );
  assert.deepEqual(asked?.actions, ["send-anyway", "keep-draft"]);
});

test("modelLimitProblem asks about an image for a model that is set to accept none", () => {
  const pictures = [responses([{ kind: "image", url }]), chat({ type: "image_url", image_url: { url } })];
  for (const each of pictures) {
    assert.match(
      english(modelLimitProblem(each, model({ vision: false }), uncounted)?.message),
      /is set to not accept images/,
    );
    assert.equal(modelLimitProblem(each, model(), uncounted), undefined);
  }
  for (const each of [text, chat()])
    assert.equal(modelLimitProblem(each, model({ vision: false }), uncounted), undefined);
});
