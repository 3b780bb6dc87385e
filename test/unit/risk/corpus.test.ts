// The flags of labelled changes: those the rules were made with, and those that were kept aside until the rules stood.
import assert from "node:assert/strict";
import { test } from "node:test";
import { byRisk, type RiskFlag, rankOf, riskFlags } from "../../../src/risk/flags.ts";
import { flagsOf } from "../../support/risk.ts";
import { type LabelledChange, riskCases } from "../../support/risk-corpus.ts";

interface Found {
  readonly change: LabelledChange;
  readonly flags: readonly RiskFlag[];
}

const all = (["known", "aside"] as const).flatMap((half) => riskCases(half));
const found = all.map((change): Found => {
  const own = new Set(flagsOf(change).flatMap(({ flags }) => flags));
  return { change, flags: riskFlags.filter((flag) => own.has(flag)) };
});

test("the corpus has at least 400 labelled changes, and at least thirty for each flag", () => {
  assert.ok(all.length >= 400);
  const unknown = all.flatMap(({ flags }) =>
    flags.filter((flag) => !riskFlags.some((each) => each === flag)),
  );
  assert.deepEqual(unknown, []);
  for (const flag of riskFlags) assert.ok(all.filter(({ flags }) => flags.includes(flag)).length >= 30, flag);
});

for (const flag of riskFlags)
  test(`the flag ${flag} has a recall of at least 0.9 and a precision of at least 0.95`, (t) => {
    const isMeant = ({ change }: Found) => change.flags.includes(flag);
    const isGiven = ({ flags }: Found) => flags.includes(flag);
    const [meant, given] = [found.filter(isMeant), found.filter(isGiven)];
    const right = given.filter(isMeant).length;
    const missed = meant.filter((each) => !isGiven(each)).map(({ change }) => change.path);
    const wrong = given.filter((each) => !isMeant(each)).map(({ change }) => change.path);
    const [recall, precision] = [right / meant.length, right / given.length];
    t.diagnostic(`${meant.length} cases, recall ${recall.toFixed(2)}, precision ${precision.toFixed(2)}`);
    assert.ok(precision >= 0.95, `wrong: ${wrong.join(", ")}`);
    assert.ok(recall >= 0.9, `missed: ${missed.join(", ")}`);
  });

test("the review order puts a planted defect in the first third in nine of ten reviews", () => {
  const defects: readonly RiskFlag[] = [
    ...(["hidden-characters", "secret", "test-weakened", "check-silenced", "errors-swallowed"] as const),
  ];
  const isDefect = (change: LabelledChange) => defects.some((flag) => change.flags.includes(flag));
  // What a day's review is made of: ordinary changes, some of form, some of packages and signatures.
  const ordinary = found.filter(
    ({ change }) => !isDefect(change) && !change.flags.includes("large-deletion"),
  );
  const planted = found.filter(({ change }) => isDefect(change));
  let [sets, early] = [0, 0];
  for (const [at, defect] of planted.entries())
    for (const size of [5, 8, 11, 17]) {
      const others = Array.from(
        { length: size },
        (_, number) => ordinary[(at * 31 + number * 7 + size) % ordinary.length],
      );
      const set = [defect, ...others].flatMap((each) => (each === undefined ? [] : [each]));
      const order = set.toSorted((one, other) =>
        byRisk({ path: one.change.path, flags: one.flags }, { path: other.change.path, flags: other.flags }),
      );
      sets += 1;
      if (order.indexOf(defect) < set.length / 3) early += 1;
    }
  assert.ok(early / sets >= 0.9, `${early} of ${sets}`);
});

test("rankOf puts format-only changes behind others", () => {
  assert.ok(rankOf(["format-only"]) > rankOf([]));
  assert.ok(rankOf(["out-of-scope", "format-only"]) > rankOf(["out-of-scope"]));
  assert.ok(rankOf([]) > rankOf(["out-of-scope"]));
});
