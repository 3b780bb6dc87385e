import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Edit, type LineSpan, locateFindings, shiftLines } from "../../../src/findings/follow-lines.ts";

const locateFinding = (code: string, stated: LineSpan, lines: readonly string[]): LineSpan | undefined =>
  locateFindings([{ ...stated, code }], lines)[0];

const text = ["a", "  b", "c", "b", "", "end"];

test("locateFindings finds the matching line nearest to the stated one", () => {
  assert.deepEqual(locateFinding("b", { first: 1, last: 1 }, text), { first: 1, last: 1 });
  assert.deepEqual(locateFinding("  b ", { first: 4, last: 4 }, text), { first: 3, last: 3 });
  assert.deepEqual(locateFinding("end", { first: 0, last: 9 }, text), { first: 5, last: 5 });
  assert.deepEqual(locateFinding("a", { first: 2_000_000_000, last: 2_000_000_000 }, text), {
    first: 0,
    last: 0,
  });
  assert.equal(locateFinding("nowhere", { first: 0, last: 0 }, text), undefined);
});

test("locateFindings trusts the stated lines when they cannot be compared and exist", () => {
  assert.deepEqual(locateFinding('key = "[secret removed]"', { first: 2, last: 2 }, text), {
    first: 2,
    last: 2,
  });
  assert.deepEqual(locateFinding("", { first: 2, last: 3 }, text), { first: 2, last: 3 });
  assert.equal(locateFinding("", { first: 20, last: 20 }, text), undefined);
});

const at = (from: readonly [number, number], to: readonly [number, number], words: string): Edit => ({
  start: { line: from[0], character: from[1] },
  end: { line: to[0], character: to[1] },
  text: words,
});
const lines: LineSpan = { first: 4, last: 6 };

for (const [name, edit, expected] of [
  ["typing in it", at([5, 2], [5, 2], "x"), lines],
  ["typing above", at([1, 0], [1, 0], "x\ny\n"), { first: 6, last: 8 }],
  ["Enter at its beginning", at([4, 0], [4, 0], "\n"), { first: 5, last: 7 }],
  ["Enter at the end of the line above", at([3, 9], [3, 9], "\n  "), { first: 5, last: 7 }],
  ["Enter inside of it", at([5, 2], [5, 2], "\n"), { first: 4, last: 7 }],
  ["typing below", at([7, 0], [7, 0], "x\n"), lines],
  ["lines above it going", at([1, 0], [3, 0], ""), { first: 2, last: 4 }],
  ["its first line going", at([4, 0], [5, 0], ""), { first: 4, last: 5 }],
  ["its last line going", at([6, 0], [7, 0], ""), { first: 4, last: 5 }],
  ["all of it going", at([4, 0], [7, 0], ""), undefined],
  ["all of it going with what is around", at([3, 2], [8, 1], ""), undefined],
  ["new lines instead of a line of it", at([5, 0], [5, 8], "x\ny"), { first: 4, last: 7 }],
] as const)
  test(`shiftLines follows ${name}`, () => assert.deepEqual(shiftLines(lines, edit), expected));

/** One letter each: what is left of two of them is never a third. */
const marked = (line: number) => `<${String.fromCharCode(97 + line)}>`;

/** A text of marked lines, and an edit somewhere in it. */
const edits = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.array(fc.nat(), { minLength: 5, maxLength: 5 }))
  .chain(([count, numbers]) =>
    fc.constantFrom("", "x", "\n", "x\n", "\nx", "x\ny\nz", "\r\n\r\n").map((words) => {
      const before = Array.from({ length: count }, (_, line) => marked(line));
      const [one = 0, other = 0, ...more] = numbers;
      const places = [one, other].map((each, at) => {
        const line = each % count;
        return { line, character: (more[at] ?? 0) % ((before[line] ?? "").length + 1) };
      });
      const [start, end] = places.toSorted((a, b) => a.line - b.line || a.character - b.character);
      return { before, edit: { start, end, text: words } as Edit, of: (more[2] ?? 0) % count };
    }),
  );

function applied(before: readonly string[], { start, end, text: words }: Edit): string[] {
  const head = [...before.slice(0, start.line), before[start.line]?.slice(0, start.character)].join("\n");
  const tail = [before[end.line]?.slice(end.character), ...before.slice(end.line + 1)].join("\n");
  return `${head}${words}${tail}`.split(/\r\n|\n/);
}

test("shiftLines finds an unchanged line after any edit", () => {
  fc.assert(
    fc.property(edits, ({ before, edit, of }) => {
      const now = applied(before, edit).indexOf(marked(of));
      if (now < 0) return;
      assert.deepEqual(shiftLines({ first: of, last: of }, edit), { first: now, last: now });
    }),
    { numRuns: 5000 },
  );
});

test("shiftLines returns an ordered span within the text after any edit", () => {
  fc.assert(
    fc.property(edits, fc.nat(), ({ before, edit, of }, more) => {
      const last = of + (more % (before.length - of));
      const now = shiftLines({ first: of, last }, edit);
      if (now === undefined) return;
      assert.ok(now.first >= 0 && now.first <= now.last && now.last < applied(before, edit).length);
    }),
    { numRuns: 5000 },
  );
});

describe("a finding", () => {
  test("is found between whitespace of any kind", () => {
    const lines = ["\u00a0 a", "\tb\u3000", "\u2028c", " \ufeffd ", "e f", "\u00e9 a"];
    for (const [at, code] of ["a", "b", "c", "d", "e f", "\u00e9 a"].entries())
      assert.deepEqual(locateFinding(code, { first: 0, last: 0 }, lines), { first: at, last: at }, code);
    assert.equal(locateFinding("e", { first: 0, last: 0 }, lines), undefined);
  });
});
