// Merging as git does: cases by hand, laws over chance, and git itself on the same texts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffLines, linesOf } from "../../../src/patch/diff-and-merge.ts";
import { merge3 } from "../../support/corpus.ts";
import { gitMerges, randomTriple } from "../../support/git-merges.ts";
import { random } from "../../support/random-text.ts";

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");
const base = text("one", "two", "three", "four", "five");

test("merge3 takes a change that only one side has made", () => {
  const mine = text("one", "TWO", "three", "four", "five");
  const theirs = text("one", "two", "three", "four", "FIVE", "six");
  const both = { text: text("one", "TWO", "three", "four", "FIVE", "six"), conflicts: 0 };
  assert.deepEqual(merge3(base, mine, theirs), both);
  assert.deepEqual(merge3(base, theirs, mine), both);
});

test("merge3 joins equal changes, and keeps mine where touching changes conflict", () => {
  const mine = text("one", "TWO", "three", "four", "five");
  assert.deepEqual(merge3(base, mine, mine), { text: mine, conflicts: 0 });
  assert.deepEqual(merge3(base, mine, text("one", "2", "three", "four", "five")), {
    text: mine,
    conflicts: 1,
  });
  assert.deepEqual(merge3(base, mine, text("one", "two", "3", "four", "five")), { text: mine, conflicts: 1 });
  assert.equal(
    merge3(base, text("1", "two", "three", "four", "5"), text("I", "two", "three", "four", "V")).conflicts,
    2,
  );
});

test("merge3 treats line ends as part of lines, and accepts a last line without one", () => {
  assert.deepEqual(merge3("a\r\nb\r\n", "A\r\nb\r\n", "a\r\nb\r\nc"), { text: "A\r\nb\r\nc", conflicts: 0 });
  assert.deepEqual(merge3("a", "", "a"), { text: "", conflicts: 0 });
  assert.equal(merge3("a\n", "a", "a\nb\n").conflicts, 1);
});

for (const seed of [1, 2, 3])
  test(`diffLines and merge3 keep their laws over random texts (${seed})`, () => {
    const pick = random(seed);
    for (let round = 0; round < 700; round++) {
      const { base, mine, theirs } = randomTriple(pick);
      const [old, now] = [linesOf(base), linesOf(mine)];
      let [made, at, free] = ["", 0, 0];
      for (const { from, to, newFrom, newTo } of diffLines(old, now)) {
        assert.ok(from >= free && (to > from || newTo > newFrom), "runs stand apart, and each is something");
        made += old.slice(at, from).join("") + now.slice(newFrom, newTo).join("");
        [at, free] = [to, to + 1];
      }
      assert.equal(made + old.slice(at).join(""), mine);
      assert.deepEqual(merge3(base, mine, base), { text: mine, conflicts: 0 });
      assert.deepEqual(merge3(base, base, theirs), { text: theirs, conflicts: 0 });
      const [one, other] = [merge3(base, mine, theirs), merge3(base, theirs, mine)];
      assert.equal(one.conflicts, other.conflicts);
      if (one.conflicts === 0) assert.equal(one.text, other.text);
    }
  });

test("merge3 agrees with git on conflicts and on merged texts", async () => {
  const pick = random(4);
  // Git is started for each; merge-as-git.slow.test.ts has more of them.
  const triples = Array.from({ length: 100 }, () => randomTriple(pick));
  const merged = await gitMerges(triples);
  for (const [at, triple] of triples.entries()) {
    const { base, mine, theirs } = triple;
    const own = merge3(base, mine, theirs);
    const theirs_ = merged[at];
    assert.equal(own.conflicts > 0, (theirs_?.conflicts ?? 0) > 0, JSON.stringify(triple));
    if (own.conflicts === 0) assert.equal(own.text, theirs_?.text, JSON.stringify(triple));
  }
});
