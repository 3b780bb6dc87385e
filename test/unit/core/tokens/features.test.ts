import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type FeatureName, featureNames, featureOf, scanText } from "../../../../src/core/tokens/features.ts";
import { TextCounter } from "../../../../src/core/tokens/text-counter.ts";
import { anyLetters } from "../../../support/any-letters.ts";

const found = (text: string): Partial<Record<FeatureName, number>> => {
  const features = scanText(text);
  return Object.fromEntries(
    featureNames.map((name) => [name, featureOf(features, name)]).filter(([, count]) => count !== 0),
  );
};

test("words, humps, capitals, numbers and marks are told apart", () => {
  assert.deepEqual(found("getElementById(HTML_2024);"), {
    words: 2,
    humps: 3,
    capitals: 3,
    numbers: 1,
    digits: 4,
    markRuns: 3,
    marks: 1,
  });
});

test("blanks count by where they stand", () => {
  assert.deepEqual(found("  a b  c\n\n\td"), {
    words: 4,
    indents: 2,
    blanks: 1,
    wideBlanks: 1,
    moreBlanks: 2,
    lines: 1,
    emptyLines: 1,
  });
});

test("scripts are counted by their letters, emoji by their halves", () => {
  assert.deepEqual(found("héПри漢字かな한글العربية😀…"), {
    words: 1,
    casedLetters: 4,
    ideographs: 2,
    syllables: 4,
    otherLetters: 7,
    halves: 2,
    symbols: 1,
  });
});

test("an empty text has nothing", () => assert.deepEqual(found(""), {}));

const anyText = fc.oneof(
  anyLetters,
  fc.stringMatching(/^[a-zA-Z0-9 \t\n\r.,;(){}]*$/),
  fc
    .array(fc.constantFrom("\n", "\r\n", "  ", "word", "Ünïcode", "{", "漢"), { maxLength: 40 })
    .map((all) => all.join("")),
);

test("every character of a text is counted once", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const features = scanText(text);
      const of = (...names: FeatureName[]) => names.reduce((sum, name) => sum + featureOf(features, name), 0);
      const blanks = of("blanks", "wideBlanks", "indents", "moreBlanks");
      const others = of(
        "lines",
        "emptyLines",
        "casedLetters",
        "ideographs",
        "syllables",
        "otherLetters",
        "halves",
        "symbols",
      );
      const ascii = text.replaceAll(/[^\x21-\x7e]/g, "");
      const digits = of("digits");
      const marks = of("markRuns", "marks");
      const letters = ascii.replaceAll(/[^a-zA-Z]/g, "").length;
      assert.equal(blanks + others + digits + marks + letters, text.length);
    }),
  );
});

test("after any edits the counter says what a fresh scan of the whole says", () => {
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

test("a keystroke in a long text costs one piece, not the text", () => {
  const line = "const value = compute(another, 42);\n";
  const text = line.repeat(30_000);
  const counter = new TextCounter();
  counter.update(text);
  const whole = counter.scanned;
  const middle = line.length * 15_000 + 7;
  counter.update(`${text.slice(0, middle)}x${text.slice(middle)}`);
  assert.ok(counter.scanned - whole < 10_000, `${counter.scanned - whole} characters were scanned`);
});
