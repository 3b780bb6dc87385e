// The smallest set that breaks: right, or honestly incomplete; and nothing is offered that did not run.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import {
  type BreakingSets,
  type CheckExtent,
  findBreakingSets,
  runsAtMost,
  type SearchRun,
} from "../../../src/evidence/internal/smallest-breaking-set.ts";
import { type BreakingProposal, breakingProposals, playProposal } from "../../support/breaking-proposals.ts";
import { random } from "../../support/random-text.ts";

const spell = (set: readonly (string | number)[]) =>
  [...set]
    .map(Number)
    .sort((a, b) => a - b)
    .join("+");

const isReliable = ({ failsBy, passesBy }: BreakingProposal) =>
  failsBy === undefined && passesBy === undefined;

/** `right`, `honest` (at least these, or not steady), or what is wrong with it. */
function judge(proposal: BreakingProposal, { ending, sets }: BreakingSets): string {
  const known = proposal.breaks.map(spell);
  const named = sets.map(spell);
  if (ending === "unsteady") return isReliable(proposal) ? "called unsteady" : "honest";
  if (ending === "found") {
    const isRight = known.length === named.length && known.every((each) => named.includes(each));
    // One of two sets that share a change: without that change, both are gone.
    const isEnough = proposal.breaks.every((set) =>
      set.some((each) => sets.some((own) => own.includes(String(each)))),
    );
    return (isRight || isEnough) && named.every((each) => known.includes(each))
      ? "right"
      : `wrongly ${named.join(", ")}`;
  }
  const isPart = sets.every((set) =>
    proposal.breaks.some((each) => set.every((own) => each.includes(Number(own)))),
  );
  return isPart ? "honest" : `wrongly at least ${named.join(", ")}`;
}

/** Fails if something is offered that was not seen to pass, or if it ran too often. */
function checkPromises(
  { search, ran }: ReturnType<typeof playProposal>,
  { passing, runs, repeats }: BreakingSets,
): void {
  const isOfferedSeen = ran.some(
    ({ units, extent, passed }) =>
      passed &&
      extent === "all" &&
      units.size === passing?.size &&
      [...units].every((each) => passing.has(each)),
  );
  assert.ok(passing === undefined || isOfferedSeen, "what is offered has passed all checks");
  for (const { units } of ran)
    for (const { id, requires } of search.units)
      if (units.has(id))
        assert.ok(
          requires.every((each) => units.has(each)),
          "what a change requires is there",
        );
  assert.ok(runs <= runsAtMost(search.units.length), `${runs} runs`);
  assert.equal(ran.length, runs + repeats);
  assert.ok(repeats <= 3 * runs);
}

/** A number below 1, the same ones on each run. */
function createRandom(seed: number): () => number {
  const pick = random(seed);
  return () => pick(2 ** 32) / 2 ** 32;
}

describe("the smallest set that breaks", () => {
  test("is right, or honestly incomplete, for nearly all of a corpus of proposals", async () => {
    assert.ok(breakingProposals.length >= 40);
    for (const proposal of breakingProposals) {
      const wrong: string[] = [];
      const draws = isReliable(proposal) ? 1 : 100;
      for (let seed = 0; seed < draws; seed++) {
        await setImmediate();
        const played = playProposal(proposal, createRandom(seed));
        const found = await findBreakingSets(played.search);
        checkPromises(played, found);
        const verdict = judge(proposal, found);
        if (verdict !== "right" && verdict !== "honest") wrong.push(verdict);
      }
      // Where a check fails by half of its runs, any two of them may agree.
      const allowed = proposal.failsBy === 0.5 ? 0.2 : 0.05;
      assert.ok(wrong.length <= draws * allowed, `${proposal.name}: ${wrong.join("; ")}`);
    }
  });

  test("is found without repetition for one culprit, and for two on their own, whatever requires what", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 60 }).chain((changes) => {
          const change = fc.nat(changes - 1);
          return fc.record({
            changes: fc.constant(changes),
            culprits: fc.uniqueArray(change, { minLength: 1, maxLength: 2 }),
            pairs: fc.array(fc.tuple(change, change), { maxLength: changes }),
          });
        }),
        async ({ changes, culprits, pairs }) => {
          const requires = pairs.filter(([one, other]) => one > other);
          const played = playProposal(
            { name: "random", changes, breaks: culprits.map((each) => [each]), requires },
            () => 0,
          );
          const found = await findBreakingSets(played.search);
          checkPromises(played, found);
          const left = (gone: readonly number[]) => leftWithout(gone, changes, requires);
          // One that requires another culprit goes with it.
          const expected = culprits.filter((one) =>
            culprits.every((other) => one === other || left([other]).includes(one)),
          );
          assert.equal(found.ending, "found");
          assert.deepEqual(found.sets.map(spell).sort(), expected.map(String).sort());
          assert.equal(spell([...(found.passing ?? [])]), spell(left(culprits)));
          assert.equal(found.repeats, 0);
        },
      ),
    ));

  test("names no set as complete that is not, however many break together", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 24 }).chain((changes) => {
          const set = fc.uniqueArray(fc.nat(changes - 1), { minLength: 1, maxLength: 4 });
          return fc.record({
            changes: fc.constant(changes),
            breaks: fc.array(set, { minLength: 1, maxLength: 4 }),
          });
        }),
        async ({ changes, breaks }) => {
          const played = playProposal({ name: "random", changes, breaks }, () => 0);
          const found = await findBreakingSets(played.search);
          checkPromises(played, found);
          const isPart = (set: readonly string[]) =>
            breaks.some((each) => set.every((own) => each.includes(Number(own))));
          const isWhole = (set: readonly string[]) =>
            breaks.some((each) => each.every((own) => set.includes(String(own))));
          assert.ok(found.ending !== "unsteady" && found.sets.length > 0 && found.sets.every(isPart));
          if (found.ending === "found") assert.ok(found.sets.every(isWhole));
        },
      ),
    ));

  test("tells of each run before it runs, and ends with what ends a run", async () => {
    const played = playProposal({ name: "one", changes: 9, breaks: [[4]] }, () => 0);
    const told: SearchRun[] = [];
    const stopped = new Error("stopped");
    const search = {
      ...played.search,
      onRun: (run: SearchRun) => void told.push(run),
      run: async (units: ReadonlySet<string>, extent: CheckExtent) => {
        if (told.length === 3) throw stopped;
        return played.search.run(units, extent);
      },
    };
    await assert.rejects(findBreakingSets(search), stopped);
    assert.deepEqual(
      told.map(({ run, atMost, changes, isRepeat }) => [run, atMost, changes, isRepeat]),
      [
        [1, 12, 4, false],
        [2, 12, 6, false],
        [3, 12, 5, false],
      ],
    );
  });

  test("has nothing to offer if every change breaks", async () => {
    const { search } = playProposal({ name: "both", changes: 2, breaks: [[0], [1]] }, () => 0);
    const { ending, sets, passing } = await findBreakingSets(search);
    assert.deepEqual([ending, sets, passing], ["found", [["0"], ["1"]], undefined]);
  });
});

/** What is left without these and all that requires them. */
function leftWithout(
  gone: readonly number[],
  changes: number,
  requires: readonly (readonly [number, number])[],
): readonly number[] {
  const out = new Set(gone);
  for (let size = -1; size !== out.size; ) {
    size = out.size;
    for (const [one, other] of requires) if (out.has(other)) out.add(one);
  }
  return Array.from({ length: changes }, (_, at) => at).filter((at) => !out.has(at));
}
