// Every pattern of the source against texts that are made from the pattern itself to make it slow: none may take more
// than in proportion to the text. A new pattern is found and attacked without being named here.
import assert from "node:assert/strict";
import { test } from "node:test";
import { growthOf, toldGrowth } from "../../support/growth.ts";
import { type Attack, attacksOn } from "../../support/pattern-attacks.ts";
import { patternsIn, type SourcePattern, sourceFiles } from "../../support/source-patterns.ts";
import { clockTime, leastTime } from "../../support/thread-time.ts";
import { cappedPatterns, madePatterns } from "./reviewed.ts";

/** What is linear takes a few hundredths of a millisecond for so many characters; what is quadratic some milliseconds. */
const screened = process.env["PATCHBAY_LONG"] === "1" ? 20_000 : 1000;
const suspicious = (screened / 1000) * 0.2;

/** In milliseconds: what takes longer for a few thousand characters need not be tried with more. */
const aMoment = 50;

/** In small steps, whatever the machine can do: what doubles with every few letters would not come back from many more. */
const lengths = [20, 24, 28, 36, 48, 64, 86, 114, 152, 200];

/** One that sticks is asked at one place; who asks it at each is measured as a parser. */
const everywhere = ({ source, flags, sticky }: RegExp): RegExp =>
  new RegExp(source, `${flags.replace(/[gy]/g, "")}${sticky ? "y" : "g"}`);

/** More than so many milliseconds, each time: a single run may have met what the machine does beside it. */
const takes = (milliseconds: number, work: () => unknown, first = clockTime(work)): boolean =>
  first > milliseconds && leastTime(2, work) > milliseconds;

function slowest(literal: RegExp, most = screened): { attack: Attack; told: string } | undefined {
  const pattern = everywhere(literal);
  const run = (attack: Attack) => (size: number) => {
    const text = attack(size).slice(0, most < screened ? most : undefined);
    return () => text.replace(pattern, "");
  };
  for (const attack of attacksOn(literal)) {
    const letters = lengths.find((length) => takes(10, run(attack)(length)));
    if (letters !== undefined) return { attack, told: `${letters} characters take 10 ms` };
    const work = run(attack)(screened);
    const first = clockTime(work);
    if (takes(500, work, first)) return { attack, told: `${screened} characters take half a second` };
    if (first < suspicious || leastTime(3, work) < suspicious) continue;
    const growth = growthOf(run(attack), screened, 1, aMoment);
    if (!growth.isLinear)
      return { attack, told: `${JSON.stringify(attack(40).slice(0, 60))}: ${toldGrowth(growth)}` };
  }
  return undefined;
}

const nameOf = ({ file, written }: SourcePattern) => `${file}: ${written}`;
const all = sourceFiles().flatMap(patternsIn);

test("patternsIn finds the known patterns and nothing else", () => {
  assert.ok(all.length > 300, `${all.length}`);
  const found = patternsIn("src/util/text.ts").map(({ written }) => written);
  assert.ok(found.includes("/\\r\\n?/g"), found.join(" "));
  assert.ok(found.every((written) => /^\/.+\/[a-z]*$/s.test(written)));
});

test("the screening detects patterns known to be slow", () => {
  for (const slow of [
    ...[/\/+$/, /\beyJ[\w-]{8,}\.[\w-]+/, /^\s*a?\s*$/, /(?:a+)+b/],
    /^(?:[ \t]*(?:<a>[^<]*<\/a>|<b(?: \w+="[^"]*"){1,4} ?\/>)?[ \t]*\n)*\n/i,
    /^(?:and |then )?(?:(?:i|i've|we|have|then|also|just|re-?)[ -]?)*(?:ran|run) ([\w -]{1,40}?)$/,
  ])
    assert.ok(slowest(slow) !== undefined, slow.source);
});

test("every pattern takes linear time", () => {
  const slow = all.flatMap((pattern) => {
    const found =
      pattern.literal === undefined ? undefined : slowest(pattern.literal, cappedPatterns[nameOf(pattern)]);
    return found === undefined ? [] : [`${nameOf(pattern)} at ${found.told}`];
  });
  assert.deepEqual(slow, []);
});

test("every pattern built at run time is listed with a way to test it", () => {
  const made = all.filter(({ literal }) => literal === undefined).map(({ file }) => file);
  assert.deepEqual([...new Set(made)].sort(), Object.keys(madePatterns).sort());
  for (const [file, entry] of Object.entries(madePatterns)) {
    if (typeof entry === "string") continue;
    for (const pattern of entry)
      assert.equal(slowest(pattern)?.told, undefined, `${file}: ${pattern.source}`);
  }
});
