// Hunks drawn at random against a text of few letters, so that nearly everything fits several places. Every reading
// is tried one by one here, without the engine: what it applies must be the only one, or it must refuse.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { patched } from "./patched.ts";
import { patchOf } from "./random-edits.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;

type HunkLine = readonly [sign: " " | "-" | "+", text: string];
type Hunk = readonly HunkLine[];

const letters = fc.constantFrom("a", "b", "c");
const hunk: fc.Arbitrary<Hunk> = fc
  .array(fc.tuple(fc.constantFrom(" " as const, "-" as const, "+" as const), letters), {
    minLength: 1,
    maxLength: 4,
  })
  .filter((lines) => lines.some(([sign]) => sign !== "+") && lines.some(([sign]) => sign !== " "));

const oldOf = (lines: Hunk) => lines.filter(([sign]) => sign !== "+").map(([, text]) => text);

function placesOf(text: readonly string[], lines: Hunk): number[] {
  const old = oldOf(lines);
  return text.flatMap((_, at) => (old.every((line, step) => text[at + step] === line) ? [at] : []));
}

/** From its first changed line to behind its last, in old lines. */
function changeOf(lines: Hunk): { first: number; last: number } {
  const signs = lines.map(([sign]) => sign);
  const first = signs.findIndex((sign) => sign !== " ");
  const last = signs.findLastIndex((sign) => sign !== " ");
  const oldBefore = (end: number) => signs.slice(0, end).filter((sign) => sign !== "+").length;
  return { first: oldBefore(first), last: oldBefore(last + 1) };
}

/** Every way to put all hunks on the text at once, each below the one before it. */
function inOrder(text: readonly string[], hunks: readonly Hunk[]): number[][] {
  const ways = (at: number, floor: number, above: number[]): number[][] => {
    const lines = hunks[at];
    if (lines === undefined) return [above];
    const { first, last } = changeOf(lines);
    return placesOf(text, lines).flatMap((place) => {
      const before = hunks[at - 1];
      const isAgain = place === above.at(-1) && before !== undefined && isTwice(lines, before);
      return place + first < floor || isAgain ? [] : ways(at + 1, place + last, [...above, place]);
    });
  };
  return ways(0, 0, []);
}

/** Whether a hunk is another one written twice, at one place. Lines that differ may be added there, in the order of the patch. */
function isTwice(one: Hunk, other: Hunk): boolean {
  const [own, before] = [changeOf(one), changeOf(other)];
  const isSameSpan = own.first === before.first && own.last === before.last;
  if (!isSameSpan || oldOf(one).length !== oldOf(other).length) return false;
  return own.first < own.last || addedOf(one) === addedOf(other);
}

const addedOf = (lines: Hunk) => lines.flatMap(([sign, text]) => (sign === "+" ? [text] : [])).join("");

function applied(text: readonly string[], hunks: readonly Hunk[], places: readonly number[]): string {
  const gone = new Set<number>();
  const added = new Map<number, string[]>();
  const placed = hunks.map((lines, at) => ({ lines, at: places[at] ?? 0, first: changeOf(lines).first }));
  placed.sort((one, other) => one.at + one.first - other.at - other.first);
  for (const { lines, at } of placed) {
    let row = at;
    for (const [sign, line] of lines) {
      if (sign === "+") added.set(row, [...(added.get(row) ?? []), line]);
      if (sign === "-") gone.add(row);
      if (sign !== "+") row += 1;
    }
  }
  const rows = [...text, undefined].flatMap((line, row) => [
    ...(added.get(row) ?? []),
    ...(line === undefined || gone.has(row) ? [] : [line]),
  ]);
  return joined(rows);
}

/** From top to bottom if that can be; else each in its only place. */
function atOnce(text: readonly string[], hunks: readonly Hunk[]): string[] {
  const ordered = inOrder(text, hunks);
  const places = hunks.map((lines) => placesOf(text, lines));
  const single = places.every((own) => own.length === 1) ? [places.flat()] : [];
  return (ordered.length > 0 ? ordered : single).map((own) => applied(text, hunks, own));
}

/** Every text that comes of applying the hunks in groups, each at once to what the ones before it made. */
function inGroups(text: readonly string[], hunks: readonly Hunk[]): Set<string> {
  if (hunks.length === 0) return new Set([joined(text)]);
  const results = hunks.flatMap((_, at) => {
    return atOnce(text, hunks.slice(0, at + 1)).flatMap((next) => {
      return [...inGroups(next.split("\n").slice(0, -1), hunks.slice(at + 1))];
    });
  });
  return new Set(results);
}

const joined = (rows: readonly string[]) => rows.map((line) => `${line}\n`).join("");

const byEngine = (text: readonly string[], hunks: readonly Hunk[]): Promise<string | undefined> =>
  patched(
    joined(text),
    patchOf(
      "a.txt",
      hunks.map((lines) => lines.map(([sign, line]) => sign + line)),
    ),
  );

/** What two hunks add below one line; the third one leaves no other place for the second. */
const below: readonly Hunk[] = [
  [
    [" ", "a"],
    ["+", "c"],
  ],
  [
    [" ", "a"],
    ["+", "a"],
  ],
  [
    ["+", "a"],
    [" ", "a"],
  ],
];

test("lines that two hunks add in one place follow each other in the order of the patch", async () => {
  assert.equal(await byEngine(["a", "b", "a"], below), joined(["a", "c", "a", "b", "a", "a"]));
});

test("a patch with two readings is refused, and one with a single reading is applied as it reads", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(letters, { minLength: 1, maxLength: 8 }),
      fc.array(hunk, { minLength: 1, maxLength: 4 }),
      async (text, hunks) => {
        const result = await byEngine(text, hunks);
        if (result === undefined) return;
        const readings = new Set(inOrder(text, hunks).map((places) => applied(text, hunks, places)));
        assert.ok(readings.size < 2, `applied one of ${readings.size} readings`);
        if (readings.size === 1) assert.deepEqual([result], [...readings]);
        else assert.ok(inGroups(text, hunks).has(result), "no order of the hunks gives this text");
      },
    ),
    { numRuns: long ? 1_000_000 : 1_200, examples: [[["a", "b", "a"], [...below]]] },
  ));
