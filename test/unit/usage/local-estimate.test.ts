import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Turn } from "../../../src/conversation/state.ts";
import { featuresOf, LocalEstimate, widenMargin } from "../../../src/usage/local-estimate.ts";
import { scanText } from "../../../src/usage/text-features.ts";
import { present } from "../../../src/util/present.ts";
import { chatTokens } from "../../sim/tokens.ts";
import { contentKinds, sampleTexts } from "../../support/sample-texts.ts";

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const countedBy = (text: string): number => chatTokens([{ role: "user", content: text }]).length;
const asMessage = (text: string) => featuresOf({ texts: [text], messages: 1 });
const missOf = (estimate: number, counted: number) => Math.abs(estimate - counted) / counted;

for (const kind of contentKinds) {
  test(`a local estimate has a median error of at most 3 % on other ${kind} after 20 counts of ${kind}`, () => {
    const local = new LocalEstimate();
    const texts = sampleTexts(kind, 60);
    for (const text of texts.slice(0, 20)) local.learn("svc-k3", asMessage(text), countedBy(text));
    const misses = texts
      .slice(20)
      .map((text) => missOf(local.count("svc-k3", asMessage(text)).tokens, countedBy(text)));
    assert.ok(median(misses) <= 0.03, `${(median(misses) * 100).toFixed(1)} %`);
  });
}

test("a local estimate keeps its accuracy for each kind after learning the others", () => {
  const local = new LocalEstimate();
  for (const kind of contentKinds)
    for (const text of sampleTexts(kind, 20)) local.learn("m", asMessage(text), countedBy(text));
  for (const kind of contentKinds) {
    const misses = sampleTexts(kind, 60)
      .slice(20)
      .map((text) => missOf(local.count("m", asMessage(text)).tokens, countedBy(text)));
    assert.ok(median(misses) <= 0.03, `${kind} ${(median(misses) * 100).toFixed(1)} %`);
  }
});

test("a local estimate learns a model with three times the tokens, also after another kind of text", () => {
  const local = new LocalEstimate();
  for (const text of sampleTexts("prose", 20)) local.learn("m", asMessage(text), 3 * countedBy(text));
  for (const text of sampleTexts("wide", 20)) local.learn("m", asMessage(text), 3 * countedBy(text));
  for (const kind of ["prose", "wide"] as const) {
    const misses = sampleTexts(kind, 60)
      .slice(20)
      .map((text) => missOf(local.count("m", asMessage(text)).tokens, 3 * countedBy(text)));
    assert.ok(median(misses) <= 0.03, `${kind} ${(median(misses) * 100).toFixed(1)} %`);
  }
});

test("a local estimate learns each model separately and is restored from its saved state", () => {
  const local = new LocalEstimate();
  const [text = ""] = sampleTexts("prose", 1);
  const before = local.count("a", asMessage(text)).tokens;
  for (const more of sampleTexts("prose", 10)) local.learn("b", asMessage(more), 2 * countedBy(more));
  assert.equal(local.count("a", asMessage(text)).tokens, before);
  const again = new LocalEstimate(JSON.parse(JSON.stringify(local.save())));
  assert.deepEqual(again.count("b", asMessage(text)), local.count("b", asMessage(text)));
});

test("a local estimate ignores an invalid saved state", () => {
  const [text = ""] = sampleTexts("prose", 1);
  const fresh = new LocalEstimate().count("m", asMessage(text));
  for (const saved of [
    null,
    7,
    {},
    { version: 2, models: {} },
    { version: 1, models: { m: { weights: [1], covariance: [], counts: 1, error: 0 } } },
    { version: 1, models: { m: null } },
  ])
    assert.deepEqual(new LocalEstimate(saved).count("m", asMessage(text)), fresh);
});

test("a local estimate narrows its margin while it is right and ignores an outlier", () => {
  const local = new LocalEstimate();
  const texts = sampleTexts("code", 40);
  const margin = () => local.count("m", asMessage(texts[0] ?? "")).margin;
  const wide = margin();
  for (const text of texts.slice(0, 30)) local.learn("m", asMessage(text), countedBy(text));
  const narrow = margin();
  assert.ok(narrow < wide / 2, `${wide} → ${narrow}`);
  const before = local.count("m", asMessage(texts[35] ?? ""));
  local.learn("m", asMessage(texts[36] ?? ""), 50 * countedBy(texts[36] ?? ""));
  assert.deepEqual(local.count("m", asMessage(texts[35] ?? "")), before);
});

test("a local estimate is never negative, and 0 for an empty text", () => {
  const local = new LocalEstimate();
  assert.equal(local.count("m", scanText("")).tokens, 0);
  for (const text of sampleTexts("prose", 20)) local.learn("m", asMessage(text), 1);
  assert.ok(local.count("m", scanText("   ")).tokens >= 0);
  local.learn("m", scanText(""), 5);
  local.learn("m", scanText("text"), Number.NaN);
  assert.ok(Number.isFinite(local.count("m", scanText("text")).tokens));
});

/** A turn for each list of `[input, estimate]`. */
const turnsWith = (...turns: (readonly [input: number | undefined, estimate?: number])[][]): Turn[] =>
  turns.map((usage, at) => ({
    ...{ id: String(at), at, model: "m", route: "responses", prompt: "", attachments: [], continues: false },
    ...{ parts: [], status: "done", receipts: [] },
    usage: usage.map(([input, estimate]) => present({ input, estimate })),
  }));

test("widenMargin widens the margin to the recent drift of a conversation and drops old drift", () => {
  const off = turnsWith([[1000, 900]]);
  assert.equal(widenMargin(0.02, off), 0.1);
  assert.equal(widenMargin(0.3, off), 0.3);
  assert.equal(widenMargin(0.02, turnsWith([[0, 100], [undefined, 100], [1000]])), 0.02, "it says nothing");
  const right = turnsWith(...Array.from({ length: 8 }, () => [[1000, 1000] as const]));
  assert.equal(widenMargin(0.02, [...off, ...right.slice(1)]), 0.1);
  assert.equal(widenMargin(0.02, [...off, ...right]), 0.02);
});

test("widenMargin covers the latest requests of any conversation and never exceeds 1", () => {
  const row = fc.tuple(fc.nat(2000), fc.nat(3000));
  const margins = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 5 }), { maxLength: 6 }), margins, (rows, margin) => {
      const turns = turnsWith(...rows);
      const widest = widenMargin(margin, turns);
      const counted = rows.flat().filter(([input]) => input > 0);
      for (const [input, estimate] of counted.slice(-8))
        assert.ok(widest >= Math.min(1, Math.abs(input - estimate) / input));
      assert.ok(widest >= margin && widest <= 1);
    }),
  );
});
