import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInModels, modelsWith, routeOf } from "../../../src/conversation/models.ts";

test("modelsWith returns the four built-in models without a setting", () => {
  for (const nothing of [undefined, null, [], {}, "svc-k3"])
    assert.deepEqual(modelsWith(nothing), { models: builtInModels, ignored: [] });
});

test("modelsWith appends a user's model, marked as added, with the chat route by default", () => {
  const { models } = modelsWith([{ id: "own" }, { id: "insisting", label: " Mine ", route: "responses" }]);
  assert.deepEqual(models.slice(0, 4), builtInModels);
  assert.deepEqual(models.slice(4), [
    { id: "own", label: "own", route: "chat", added: true },
    { id: "insisting", label: "Mine", route: "responses", added: true },
  ]);
});

test("modelsWith overrides label, context window, vision and route of a built-in model", () => {
  const { models } = modelsWith([
    { id: "svc-k2.6", contextWindow: 128_000, vision: false },
    { id: "svc-k3", label: "The big one", route: "chat" },
  ]);
  assert.deepEqual(models[3], {
    id: "svc-k2.6",
    label: "K2.6",
    route: "chat",
    contextWindow: 128_000,
    vision: false,
  });
  assert.deepEqual(models[0], { id: "svc-k3", label: "The big one", route: "chat" });
});

test("modelsWith ignores an unusable entry and gives the reason", () => {
  for (const [entry, why] of [
    ["own", "it has no id without spaces"],
    [{}, "it has no id without spaces"],
    [{ id: "" }, "it has no id without spaces"],
    [{ id: "two words" }, "it has no id without spaces"],
    [{ id: "x".repeat(129) }, "it has no id without spaces"],
    [{ id: "own", label: 7 }, "the label of own is no short text"],
    [{ id: "own", label: " " }, "the label of own is no short text"],
    [{ id: "own", route: "files" }, 'the route of own is neither "responses" nor "chat"'],
    [{ id: "own", contextWindow: 0 }, "the contextWindow of own is no number of tokens"],
    [{ id: "own", contextWindow: "8k" }, "the contextWindow of own is no number of tokens"],
    [{ id: "own", vision: "yes" }, "the vision of own is not true or false"],
  ] as const) {
    const { models, ignored } = modelsWith([{ id: "first" }, entry]);
    assert.deepEqual(ignored, [`Entry 2 of patchbay.models is left out: ${why}.`]);
    assert.equal(models.length, 5);
  }
  assert.deepEqual(modelsWith([{ id: "own" }, { id: "own" }]).ignored, [
    "Entry 2 of patchbay.models is left out: own stands there before.",
  ]);
});

test("routeOf returns chat for an unknown model", () => {
  const { models } = modelsWith([{ id: "own", route: "responses" }]);
  assert.deepEqual(
    ["svc-k3", "svc-k2.6", "own", "gone"].map((id) => routeOf(id, models)),
    ["responses", "chat", "responses", "chat"],
  );
});
