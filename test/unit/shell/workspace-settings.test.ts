// A workspace can only lower: for every setting that it may set the rule is tried with values that would raise it and
// with such as lower it, whatever the user has set. A setting that is new and has no row here fails.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { workspaceSettings } from "../../../src/shell/manifest.ts";
import { effective, type SettingValues, workspaceRules } from "../../../src/shell/workspace-settings.ts";

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

const rows: Readonly<Record<string, readonly Row[]>> = {
  "model.default": models,
  "model.edit": models,
  "cache.ttl": [
    ["default", "1h", "default"],
    ["5m", "1h", "5m"],
    ["1h", "5m", "5m"],
    ["1h", "default", "default"],
    ["1h", "1h", "1h"],
    ["5m", "forever", "5m"],
  ],
  "output.maxTokens": limits,
  "output.maxTokensForActions": limits,
  "context.maxFileKiB": limits,
  "agent.disabledTools": more,
  "context.alsoIgnore": more,
  "patch.alsoProtected": more,
  "instructions.workspaceFile": onlyOff,
  "patch.saveAfterApply": onlyOff,
  "codeActions.enabled": onlyOff,
  "status.show": [
    [["estimate", "cost"], ["cost", "usage"], ["cost"]],
    [["cost"], "none", ["cost"]],
    [[], ["cost"], []],
  ],
  // Where a change is shown, not whether: all three show it, and none applies it.
  "patch.style": [["multiDiff", "inline", "inline"]],
};

const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const manifest: Readonly<Record<string, { readonly scope: string }>> = Object.assign(
  {},
  ...contributes.configuration.map(({ properties }: { properties: object }) => properties),
);

test("every setting of the manifest is either the user's alone or has a rule and rows that try it", () => {
  const open = Object.entries(manifest)
    .filter(([, { scope }]) => scope !== "application")
    .map(([name]) => name.replace("patchbay.", ""))
    .sort();
  assert.deepEqual(open, [...workspaceSettings].sort());
  assert.deepEqual(Object.keys(workspaceRules).sort(), open);
  assert.deepEqual(Object.keys(rows).sort(), open);
});

for (const key of workspaceSettings)
  test(`${key}: a workspace lowers it or chooses among what is allowed, and raises nothing`, () => {
    const of = (said: SettingValues) => effective(key, said, allowed);
    for (const [user, theirs, result] of rows[key] ?? []) {
      const what = JSON.stringify([user, theirs]);
      assert.deepEqual(of({ user, others: [theirs] }), result, what);
      // Another that says nothing worse takes nothing of it back.
      assert.deepEqual(of({ user, others: [theirs, theirs] }), result, what);
    }
  });

test("of several that lower a limit the lowest counts, and what one switches off no other switches on", () => {
  assert.equal(effective("output.maxTokens", { user: 1000, others: [500, 800] }, allowed), 500);
  assert.equal(effective("patch.saveAfterApply", { user: true, others: [false, true] }, allowed), false);
});
