// Two thousand small texts, and long ones with little in common, where the shortest way is too far: git decides the same.
// It is asked once for each of them, which takes most of the time: PATCHBAY_LONG=1 makes it ten thousand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { merge3 } from "../../../src/patch/diff-and-merge.ts";
import { gitMerges, randomTriple, type Triple } from "../../support/git-merges.ts";
import { random } from "../../support/random-text.ts";

/** Resolves with how many of them have conflicts. */
async function compare(triples: readonly Triple[]): Promise<number> {
  const merged = await gitMerges(triples);
  let conflicts = 0;
  for (const [at, triple] of triples.entries()) {
    // Each for itself: what is watched is how long one of them takes.
    await new Promise(setImmediate);
    const own = merge3(triple.base, triple.mine, triple.theirs);
    const git = merged[at] ?? assert.fail();
    const said = () => `triple ${at}: ${JSON.stringify(triple).slice(0, 1000)}`;
    if (own.conflicts.length > 0) conflicts += 1;
    assert.equal(own.conflicts.length > 0, git.conflicts > 0, said());
    if (own.conflicts.length === 0) assert.equal(own.text, git.text, said());
  }
  return conflicts;
}

const small = process.env["PATCHBAY_LONG"] === undefined ? 2_000 : 10_000;

test("merging small texts agrees with git", async () => {
  const pick = random(11);
  const conflicts = await compare(Array.from({ length: small }, () => randomTriple(pick)));
  // Neither is rare, or this would show little.
  assert.ok(conflicts > 0.1 * small && conflicts < 0.9 * small, String(conflicts));
});

for (const [what, words, length, edits] of [
  ["of few different lines", 12, 4000, 3],
  ["of many different lines", 3000, 4000, 30],
  ["that were written anew in great part", 60, 3000, 400],
] as const)
  test(`merging long texts ${what} agrees with git`, async () => {
    const pick = random(words);
    const triple = (): Triple => {
      const line = () => `${pick(words)}\n`;
      const lines = Array.from({ length: length + pick(length) }, line);
      const changed = () => {
        const now = [...lines];
        for (let left = edits; left > 0; left--)
          now.splice(pick(now.length + 1), pick(30), ...Array.from({ length: pick(30) }, line));
        return now.join("");
      };
      return {
        base: lines.join(""),
        mine: changed(),
        theirs: pick(3) === 0 ? lines.slice(pick(50)).join("") : changed(),
      };
    };
    await compare(Array.from({ length: 30 }, triple));
  });
