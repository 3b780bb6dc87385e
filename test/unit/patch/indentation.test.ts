// Files and hunks drawn at random whose indentation does not agree: another step, tabs for spaces, a base that is lost
// or wrong. What is written is nested as the patch nests it and stands where the file's own steps put it; or nothing is.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { patched } from "./patched.ts";
import { patchOf } from "./random-edits.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;

const units = ["  ", "   ", "    ", "        ", "\t"];

/** A line by its depth; every name is in the text once. */
interface Line {
  readonly depth: number;
  readonly name: string;
}

interface Loose {
  /** How the file writes each depth; some write lower ones with tabs and others with spaces. */
  readonly unit: string;
  readonly lines: readonly Line[];
  readonly first: number;
  readonly removed: number;
  readonly added: readonly Line[];
  readonly context: number;
  /** How the patch writes them. */
  readonly own: string;
  /** So many steps more, or fewer, than there should be; what is lost beyond the margin makes the draw void. */
  readonly shift: number;
}

/** Each step is at most one deeper than the line before, as code is. */
function nest(steps: readonly number[], from: number, prefix: string): Line[] {
  let depth = from;
  return steps.map((step, at) => {
    depth = Math.max(0, depth + step);
    return { depth, name: `${prefix}${at}` };
  });
}

const steps = (most: number) =>
  fc.array(fc.constantFrom(1, 1, 0, 0, 0, -1, -1, -2), { minLength: 1, maxLength: most });

const drawn: fc.Arbitrary<Loose> = fc
  .record({
    unit: fc.constantFrom(...units),
    own: fc.constantFrom(...units),
    steps: steps(40),
    added: steps(6),
    at: fc.nat({ max: 40 }),
    removed: fc.nat({ max: 2 }),
    context: fc.nat({ max: 3 }),
    shift: fc.constantFrom(0, 0, -1, -2, -9, 1, 2),
  })
  .map(({ steps, added, at, ...rest }) => {
    const lines = nest([0, ...steps], 0, "old");
    const first = Math.min(at, lines.length);
    const above = lines[first - 1]?.depth ?? 0;
    return { ...rest, lines, first, added: nest(added, above, "new") };
  });

interface Said {
  readonly text: string;
  readonly patch: string;
  readonly meant: string;
  readonly isLoose: boolean;
  /** Every line is just as it is in the file where the column of the signs is taken for a part of some that stand around. */
  readonly fitsWithoutSigns: boolean;
}

function say({ unit, own, lines, first, removed, added, context, shift }: Loose): Said | undefined {
  const last = Math.min(lines.length, first + removed);
  const [above, gone, below] = [
    lines.slice(Math.max(0, first - context), first),
    lines.slice(first, last),
    lines.slice(last, last + context),
  ];
  if (above.length + gone.length + below.length === 0) return undefined;
  const all = [...above, ...gone, ...added, ...below];
  const least = Math.min(...all.map(({ depth }) => depth));
  const moved = Math.max(shift, -least);
  const inFile = ({ depth, name }: Line) => unit.repeat(depth) + name;
  const inPatch = ({ depth, name }: Line) => own.repeat(depth + moved) + name;
  const hunk = [
    ...above.map((line) => ` ${inPatch(line)}`),
    ...gone.map((line) => `-${inPatch(line)}`),
    ...added.map((line) => `+${inPatch(line)}`),
    ...below.map((line) => ` ${inPatch(line)}`),
  ];
  const text = (list: readonly Line[]) => list.map((line) => `${inFile(line)}\n`).join("");
  return {
    text: text(lines),
    patch: patchOf("a.txt", [hunk]),
    meant: text([...lines.slice(0, first), ...added, ...lines.slice(last)]),
    isLoose: [...above, ...gone, ...below].some((line) => inPatch(line) !== inFile(line)),
    fitsWithoutSigns:
      [...above, ...below].every((line) => [` ${inPatch(line)}`, inPatch(line)].includes(inFile(line))) &&
      gone.every((line) => inPatch(line) === inFile(line)),
  };
}

/** 1 for a line that is deeper than the one before it, -1 for one that is less deep, 0 for the same. */
function nesting(lines: readonly string[]): (number | undefined)[] {
  const indents = lines.map((line) => line.slice(0, line.length - line.trimStart().length));
  return indents.slice(1).map((indent, at) => {
    const before = indents[at] ?? "";
    if (indent === before) return 0;
    return indent.startsWith(before) ? 1 : before.startsWith(indent) ? -1 : undefined;
  });
}

const isNew = (line: string) => line.trimStart().startsWith("new");

/** What nobody could tell from the patch and the file alone. */
function isOpen(loose: Loose, { patch, fitsWithoutSigns }: Said): boolean {
  // A line without any indentation is replaced by one that has it: it may be indented as the file is, or a step too deep.
  const { context, added } = loose;
  const old = patch.split("\n").find((line) => /^[ -]\s*old/.test(line));
  const isBare = context === 0 && old?.startsWith("-old") === true && added.every(({ depth }) => depth > 0);
  return isBare || fitsWithoutSigns || readsInOtherSteps(loose, patch) || showsNoStep(loose);
}

/**
 * Wherever its lines go deeper they go several steps at once, as none of code do, or none is just one step deeper than
 * another: how wide a step is tells no line.
 */
function showsNoStep({ lines, first, removed, added, context }: Loose): boolean {
  const last = Math.min(lines.length, first + removed);
  const above = lines.slice(Math.max(0, first - context), first);
  const below = lines.slice(last, last + context);
  const downs = [added, lines.slice(first, last)].flatMap((middle) => {
    const depths = [...above, ...middle, ...below].map(({ depth }) => depth);
    return depths
      .slice(1)
      .flatMap((depth, at) => (depth > (depths[at] ?? 0) ? [depth - (depths[at] ?? 0)] : []));
  });
  const depths = new Set(
    [...above, ...lines.slice(first, last), ...added, ...below].map(({ depth }) => depth),
  );
  const isFar = depths.size > 1 && ![...depths].some((depth) => depths.has(depth + 1));
  return isFar || (downs.length > 0 && Math.min(...downs) > 1);
}

/** Every line of a shifted hunk stands where one in other steps, that is not shifted, would have put it. */
function readsInOtherSteps({ own, lines }: Loose, patch: string): boolean {
  const rows = patch.split("\n").flatMap((line) => {
    const [, sign, indent = "", name] = /^([ +-])( *)(\w+)$/.exec(line) ?? [];
    const depth = lines.find((each) => each.name === name)?.depth;
    return sign === undefined ? [] : [{ width: indent.length, depth }];
  });
  const steps = new Set(rows.flatMap(({ width, depth = 0 }) => (depth > 0 ? [width / depth] : [])));
  const [step = 0] = steps;
  const isOne = steps.size === 1 && step > 0 && step !== own.length;
  return isOne && rows.every(({ width, depth }) => width % step === 0 && (depth !== 0 || width === 0));
}

const runs = (numRuns: number) => ({ numRuns: long ? 100 * numRuns : numRuns });

test("a hunk in other indentation is written as meant or refused", async (t) => {
  const counts = { loose: 0, written: 0 };
  await fc.assert(
    fc.asyncProperty(drawn, async (loose) => {
      const said = say(loose);
      if (said === undefined || !said.isLoose || isOpen(loose, said)) return;
      counts.loose += 1;
      const result = await patched(said.text, said.patch);
      if (result === undefined) return;
      counts.written += 1;
      assert.equal(result, said.meant);
    }),
    runs(1000),
  );
  t.diagnostic(`${counts.loose} hunks in other indentation, ${counts.written} written`);
  assert.ok(counts.written > 0.7 * counts.loose, `only ${counts.written} of ${counts.loose} were written`);
});

/** Depths as they come, and lines of one file in tabs and in spaces. */
const wild: fc.Arbitrary<Loose & { readonly other: string }> = fc
  .tuple(drawn, fc.constantFrom(...units), fc.array(fc.nat({ max: 4 }), { minLength: 46, maxLength: 46 }))
  .map(([loose, other, depths]) => {
    const at = (lines: readonly Line[], from: number) =>
      lines.map(({ name }, step) => ({ name, depth: depths[(from + step) % depths.length] ?? 0 }));
    return { ...loose, other, lines: at(loose.lines, 0), added: at(loose.added, 40) };
  });

test("new lines are nested as in the patch for any indentation of file and hunk", () =>
  fc.assert(
    fc.asyncProperty(wild, fc.nat({ max: 40 }), async ({ other, ...loose }, from) => {
      const said = say(loose);
      if (said === undefined || !said.isLoose) return;
      const rows = said.text.split("\n");
      const mixed = loose.lines.map(({ depth, name }, at) =>
        at < from ? rows[at] : other.repeat(depth) + name,
      );
      const text = `${mixed.join("\n")}\n`;
      const result = await patched(text, said.patch);
      if (result === undefined) return;
      const added = result.split("\n").filter(isNew);
      const patch = said.patch.split("\n").flatMap((line) => (/^\+/.test(line) ? [line.slice(1)] : []));
      assert.deepEqual(nesting(added), nesting(patch));
      assert.deepEqual(
        result.split("\n").filter((line) => !isNew(line) && line !== ""),
        mixed.filter((line) => !isGone(said.patch, line ?? "")),
      );
    }),
    runs(400),
  ));

function isGone(patch: string, line: string): boolean {
  return patch.split("\n").some((own) => own.startsWith("-") && own.slice(1).trim() === line.trim());
}
