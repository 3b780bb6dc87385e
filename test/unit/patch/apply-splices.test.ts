// Replacements one after another, on a text that is not split anew each time: the lines are those of the whole text, and
// the composed replacements give it at once.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits, type Lines, splitLines } from "../../../src/patch/edits.ts";
import { applySplices, compose, editsOf, type Splice } from "../../../src/patch/internal/splice.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;
const numRuns = long ? 40_000 : 400;

const aLine = fc.constantFrom("a", "", "  b", "“c”", "\uFEFFd", "e\rf", "g ");
const aText = fc
  .record({
    mark: fc.constantFrom("", "\uFEFF"),
    lines: fc.array(aLine, { maxLength: 8 }),
    end: fc.constantFrom("\n", "\n", "\r\n", "\r"),
    open: fc.boolean(),
  })
  .map(({ mark, lines, end, open }) => mark + lines.join(end) + (open ? "" : end));
const aStep = (line: fc.Arbitrary<string>) =>
  fc.array(
    fc.record({
      gap: fc.nat({ max: 3 }),
      removed: fc.nat({ max: 2 }),
      lines: fc.array(line, { maxLength: 3 }),
    }),
    { maxLength: 4 },
  );

const few = fc.constantFrom("a", "b", "");

/** In order and apart from each other, as far as the text goes. */
function splicesIn(lines: Lines, steps: readonly Step[]): Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  for (const [hunk, { gap, removed, lines: added }] of steps.entries()) {
    const first = at + gap;
    const last = Math.min(lines.count, first + removed);
    if (first > lines.count) break;
    if (last > first || added.length > 0) splices.push({ first, last, lines: added, hunks: [hunk] });
    at = last + 1;
  }
  return splices;
}

interface Step {
  readonly gap: number;
  readonly removed: number;
  readonly lines: readonly string[];
}

const plain = ({ text, count, open, starts, hashes }: Lines) => {
  return { text, count, open, starts: [...starts.slice(0, count + 1)], hashes: [...hashes.slice(0, count)] };
};
const after = (lines: Lines, splices: readonly Splice[]) => applyEdits(lines.text, editsOf(lines, splices));

test("applySplices gives the lines of the resulting text as splitLines does", () =>
  fc.assert(
    fc.property(aText, aStep(aLine), (text, step) => {
      const lines = splitLines(text);
      const splices = splicesIn(lines, step);
      assert.deepEqual(plain(applySplices(lines, splices)), plain(splitLines(after(lines, splices))));
    }),
    { numRuns },
  ));

test("compose joins two rounds of splices into one with the same effect", () =>
  fc.assert(
    fc.property(fc.array(few, { maxLength: 9 }), aStep(few), aStep(few), (rows, one, two) => {
      const lines = splitLines(rows.map((row) => `${row}\n`).join(""));
      const first = splicesIn(lines, one);
      const between = splitLines(after(lines, first));
      const second = splicesIn(between, two);
      assert.equal(after(lines, compose(lines.count, first, second)), after(between, second));
    }),
    { numRuns },
  ));
