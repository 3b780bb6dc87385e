import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type FeatureName,
  featureNames,
  featureOf,
  scanText,
  TextCounter,
} from "../../../src/usage/text-features.ts";
import { anyLetters } from "../../support/any-letters.ts";

const found = (text: string): Partial<Record<FeatureName, number>> => {
  const features = scanText(text);
  return Object.fromEntries(
    featureNames.map((name) => [name, featureOf(features, name)]).filter(([, count]) => count !== 0),
  );
};

test("scanText counts letters, numbers and marks separately, with less weight for repeats", () => {
  // Two words, three humps and capitals beyond the first; four digits; the first marks of three runs, and one more.
  assert.deepEqual(found("getElementById(HTML_2024);"), {
    words: 2 * 102 + 3 * 75 + 3 * 35,
    numbers: 75 + 3 * 30,
    marks: 3 * 80 + 35,
  });
});

test("scanText weighs whitespace by its position", () => {
  const { blanks } = found("  a b  c\n\n\td");
  const [indents, between, lines] = [50 + 2 + 50, 3 + 3 + 89, 50 + 10];
  assert.equal(blanks, indents + between + lines);
});

test("scanText counts scripts by letters and emoji by marks", () => {
  assert.deepEqual(found("héПри漢字かな한글العربية😀…"), {
    words: 102,
    casedLetters: 4 * 40,
    ideographs: 2 * 80 + 2 * 90,
    syllables: 4 * 80,
    otherLetters: 7 * 60,
    marks: 90,
  });
});

test("scanText finds no features in an empty text", () => assert.deepEqual(found(""), {}));

const anyText = fc.oneof(
  anyLetters,
  fc.stringMatching(/^[a-zA-Z0-9 \t\n\r.,;(){}]*$/),
  fc
    .array(fc.constantFrom("\n", "\r\n", "  ", "word", "Ünïcode", "{", "漢"), { maxLength: 40 })
    .map((all) => all.join("")),
);

test("scanText gives weight to every character except the first small letters of a word", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(..."A7(漢あع—Ж\n"), (text, more) => {
      const weight = (whole: string) => scanText(whole).reduce((sum, each) => sum + each, 0);
      assert.ok(weight(text + more) > weight(text));
    }),
  );
});

test("TextCounter equals a fresh scan of the whole text after any edits", () => {
  const edit = fc.record({ at: fc.nat(), remove: fc.nat(200), insert: anyText });
  const start = fc.array(anyText, { maxLength: 30 }).map((all) => all.join("\n").repeat(20));
  fc.assert(
    fc.property(start, fc.array(edit, { maxLength: 8 }), (text, edits) => {
      const counter = new TextCounter();
      assert.deepEqual(counter.update(text), scanText(text));
      let now = text;
      for (const { at, remove, insert } of edits) {
        const from = now.length === 0 ? 0 : at % (now.length + 1);
        now = now.slice(0, from) + insert + now.slice(from + remove);
        assert.deepEqual(counter.update(now), scanText(now));
      }
    }),
    { numRuns: 200 },
  );
});

test("TextCounter rescans only one piece after a keystroke in a long text", () => {
  const line = "const value = compute(another, 42);\n";
  const text = line.repeat(30_000);
  const counter = new TextCounter();
  counter.update(text);
  const whole = counter.scanned;
  const middle = line.length * 15_000 + 7;
  counter.update(`${text.slice(0, middle)}x${text.slice(middle)}`);
  assert.ok(counter.scanned - whole < 10_000, `${counter.scanned - whole} characters were scanned`);
});
