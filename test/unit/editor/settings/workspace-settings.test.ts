// A workspace can only lower: each rule that a setting may have is tried with values that would raise it and
// with such as lower it, whatever the user has set.
import assert from "node:assert/strict";
import { test } from "node:test";
import { effective, type Rule, type SettingValues } from "../../../../src/editor/settings/read-settings.ts";

const allowed = (id: string) => ["svc-k3", "svc-k2.6", "mine"].includes(id);

/** What the user has, what a workspace says, what comes of it. */
type Row = readonly [user: unknown, theirs: unknown, result: unknown];

const limits: readonly Row[] = [
  [1000, 2000, 1000],
  [1000, 999, 999],
  [1000, 0, 1000],
  [1000, -1, 1000],
  [1000, 1.5, 1000],
  [1000, "1", 1000],
  [1000, null, 1000],
  [1000, Number.POSITIVE_INFINITY, 1000],
  [null, 1_048_576, null],
  [null, 131_072, null],
  [null, 5000, 5000],
  [1.5, 1, 1.5],
];
const onlyOff: readonly Row[] = [
  [true, false, false],
  [true, true, true],
  [false, true, false],
  [false, false, false],
  [true, "yes", true],
];
const more: readonly Row[] = [
  [["a"], ["b"], ["a", "b"]],
  [["a"], [], ["a"]],
  [["a"], null, ["a"]],
  [["a"], "b", ["a"]],
];
const models: readonly Row[] = [
  ["svc-k3", "svc-k2.6", "svc-k2.6"],
  ["svc-k3", "evil", "svc-k3"],
  ["svc-k3", { id: "mine" }, "svc-k3"],
  ["svc-k3", "mine", "mine"],
];

const rows: Readonly<Record<Rule, readonly Row[]>> = {
  model: models,
  tier: [
    ["default", "1h", "default"],
    ["5m", "1h", "5m"],
    ["1h", "5m", "5m"],
    ["1h", "default", "default"],
    ["1h", "1h", "1h"],
    ["5m", "forever", "5m"],
  ],
  limit: limits,
  more,
  off: onlyOff,
  fewer: [
    [["tree", "editor"], ["editor", "system"], ["editor"]],
    [["tree"], [], []],
    [[], ["tree"], []],
    [["estimate", "cost"], ["cost", "usage"], ["cost"]],
    [["cost"], "none", ["cost"]],
  ],
  // How a thing is shown, not whether.
  look: [["multiDiff", "inline", "inline"]],
};

for (const rule of Object.keys(rows) as Rule[])
  test(`a workspace setting of the rule ${rule} only lowers the user's value or chooses an allowed one`, () => {
    const of = (said: SettingValues) => effective(rule, said, allowed);
    for (const [user, theirs, result] of rows[rule]) {
      const what = JSON.stringify([user, theirs]);
      assert.deepEqual(of({ user, others: [theirs] }), result, what);
      // Another that says nothing worse takes nothing of it back.
      assert.deepEqual(of({ user, others: [theirs, theirs] }), result, what);
    }
  });

test("effective takes the lowest of several limits and keeps what any of them switches off", () => {
  assert.equal(effective("limit", { user: 1000, others: [500, 800] }, allowed), 500);
  assert.equal(effective("off", { user: true, others: [false, true] }, allowed), false);
});
