// What is seen of a proposal on the file as it is: the short way, where somebody typed in one place, is the long one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { deriveView } from "../../../src/changes/proposal.ts";
import { merge3 } from "../../../src/patch/diff-and-merge.ts";
import { randomTriple } from "../../support/git-merges.ts";
import { random } from "../../support/random-text.ts";

const rounds = process.env["PATCHBAY_LONG"] === undefined ? 3_000 : 20_000;

test("deriveView merges random texts the same as merge3", async () => {
  const pick = random(5);
  const file = { folder: "work", path: "a.txt" };
  for (let round = 0; round < rounds; round++) {
    // Thousands of short texts are no long stretch of one.
    if (round % 200 === 0) await setImmediate();
    const { base, mine, theirs } = randomTriple(pick);
    const proposal = { base: { file, text: base }, proposed: { file, text: theirs } };
    const live = { kind: "text", text: mine } as const;
    const seen = deriveView({ id: "", revision: 0, shares: [], writes: [], ...proposal }, live, live);
    const { text, conflicts } = merge3(base, mine, theirs);
    const said = JSON.stringify({ base, mine, theirs });
    assert.equal(seen.kind === "text" ? seen.shown : mine, text, said);
    assert.equal(seen.kind === "text" ? seen.conflicts.length : 0, conflicts.length, said);
  }
});
