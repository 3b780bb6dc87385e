// Edits drawn at random, said as a patch, planned and applied: what comes out is what was meant, or nothing is.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { patched } from "./patched.ts";
import { anExample, editedText, hunksFor, patchOf, textOf } from "./random-edits.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;
const runs = (numRuns: number) => ({
  numRuns: long ? numRuns * 400 : numRuns,
  includeErrorInReport: true,
});

const word = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,4})?$/);
const indented = fc.tuple(fc.nat({ max: 3 }), word).map(([depth, text]) => "  ".repeat(depth) + text);
/** Not among the lines above. */
const fresh = indented.map((text) => `${text} 1`);
const few = fc.constantFrom("a", "b", "c", "", "}");

test("patches of texts with distinct lines apply exactly, with LF and CRLF", () =>
  fc.assert(
    fc.asyncProperty(
      anExample({ line: indented, added: fresh, distinct: true, most: 30 }),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom("\n", "\r\n"),
      async (example, context, end) => {
        const patch = patchOf("a.txt", hunksFor(example, context), end);
        const meant = editedText(example);
        if (meant === textOf(example)) return;
        assert.equal(await patched(textOf(example), patch), meant);
      },
    ),
    runs(200),
  ));

test("patches of texts full of equal lines apply exactly or are refused", () =>
  fc.assert(
    fc.asyncProperty(
      anExample({ line: few, added: few, distinct: false, most: 12 }),
      fc.nat({ max: 3 }),
      async (example, context) => {
        const patch = patchOf("a.txt", hunksFor(example, context));
        const result = await patched(textOf(example), patch);
        if (result !== undefined) assert.equal(result, editedText(example));
      },
    ),
    runs(500),
  ));

const typographic = word.map((text) => `– “${text}” don’t wait…`);
const accented = word.map((text) => `café ${text} naïve`);
const deep = fc.tuple(fc.integer({ min: 1, max: 3 }), word);
const withTabs = deep.map(([depth, text]) => "\t".repeat(depth) + text);
const withSpaces = deep.map(([depth, text]) => "  ".repeat(depth) + text);
const number = (lines: fc.Arbitrary<string>) => lines.map((text) => `${text} 1`);

interface Drift {
  readonly name: string;
  readonly line: fc.Arbitrary<string>;
  readonly added: fc.Arbitrary<string>;
  /** What becomes of the old lines in the patch, and of the added ones where it does the same to them. */
  readonly old: (line: string) => string;
  readonly fresh?: (line: string) => string;
}

const toSpaces = (line: string) => line.replaceAll("\t", "    ");
const toTabs = (line: string) => line.replaceAll("  ", "\t");
const shifted = (line: string) => line.slice(2);
const drifts: readonly Drift[] = [
  { name: "space at the ends of lines", line: indented, added: fresh, old: (line) => `${line} \t` },
  {
    name: "plain dashes, quotes and dots",
    line: typographic,
    added: number(typographic),
    old: (line) => line.replace("–", "-").replace(/[“”]/g, '"').replace("’", "'").replace("…", "..."),
  },
  {
    name: "another Unicode form",
    line: accented,
    added: number(accented),
    old: (line) => line.normalize("NFD"),
  },
  { name: "spaces for tabs", line: withTabs, added: number(withTabs), old: toSpaces, fresh: toSpaces },
  { name: "tabs for spaces", line: withSpaces, added: number(withSpaces), old: toTabs, fresh: toTabs },
  {
    name: "a step less of indentation",
    line: word.map((text) => `    ${text}`),
    added: number(word.map((text) => `    ${text}`)),
    old: shifted,
    fresh: shifted,
  },
];

for (const drift of drifts) {
  test(`a patch with ${drift.name} writes the file's own spelling`, () =>
    fc.assert(
      fc.asyncProperty(
        anExample({ line: drift.line, added: drift.added, distinct: true, most: 20 }),
        fc.integer({ min: 1, max: 3 }),
        async (example, context) => {
          const hunks = hunksFor(example, context, drift.old, drift.fresh);
          assert.equal(await patched(textOf(example), patchOf("a.txt", hunks)), editedText(example));
        },
      ),
      runs(40),
    ));
}
