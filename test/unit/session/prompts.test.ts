// What a model is told about itself: how long it is, and that it speaks of nothing that is not offered.
import assert from "node:assert/strict";
import { test } from "node:test";
import { instructionsOf } from "../../../src/session/internal/instructions.ts";
import { frozenFor } from "../../../src/session/internal/opening.ts";
import { ownTools } from "../../../src/tools/tool-table.ts";
import { featuresOf, LocalEstimate } from "../../../src/usage/local-estimate.ts";

const nothing = { user: "", workspace: [], skills: [] };
const names = ownTools.map(({ name }) => name);
const told = (tools: readonly string[]) => instructionsOf(tools, nothing);

const tokens = (...texts: string[]) => new LocalEstimate().count("svc-k3", featuresOf({ texts })).tokens;

// Of them, update_plan and ask_user take 210, and run_command 170.
test("the instructions have at most 900 tokens, and at most 3,060 together with all own tools", () => {
  assert.ok(tokens(told(names)) <= 900, `${tokens(told(names))}`);
  const whole = tokens(told(names), ...ownTools.map(({ definition }) => definition));
  assert.ok(whole <= 3060, `${whole}`);
});

test("the instructions name a tool only where it is offered", () => {
  for (const { name, ability, instruction } of ownTools) {
    const without = told(names.filter((other) => other !== name));
    assert.ok(!without.includes(name), name);
    // Tools of one kind, such as those that follow names, are told of once.
    const trace = ability ?? instruction;
    if (trace !== undefined) assert.ok(told(names).includes(trace) && !without.includes(trace), name);
    assert.doesNotMatch(without, /undefined|: ,|, ,/);
  }
});

test("the instructions omit proposals for read-only models and tools where none is offered", () => {
  assert.doesNotMatch(told(["read_file", "search_text"]), /propos|\bpatch(?:es)?\b|apply_patch/i);
  assert.doesNotMatch(told([]), /\btools: |apply_patch|How to work/);
});

test("a chat model has the same instructions, and with its form of all own tools at most 3,060 tokens", () => {
  const tools = ownTools.map(({ definition }) => definition);
  const opened = { type: "opened", at: 0, instructions: told(names), tools, cacheId: "c" } as const;
  const { instructions } = frozenFor("chat", opened);
  assert.ok(instructions.startsWith(told(names)));
  assert.ok(tokens(instructions) <= 3060, `${tokens(instructions)}`);
  assert.equal(frozenFor("chat", { ...opened, tools: [] }).instructions, told(names));
});

test("the description of apply_patch contains the whole patch format", () => {
  const { description } = JSON.parse(
    ownTools.find(({ name }) => name === "apply_patch")?.definition ?? "",
  ) as {
    description: string;
  };
  for (const header of [
    "Begin Patch",
    "Update File: ",
    "Add File: ",
    "Delete File: ",
    "Move to: ",
    "End Patch",
  ])
    assert.ok(description.includes(`*** ${header}`), header);
  for (const sign of ["\n-", "\n+", "\n ", "\n@@ "]) assert.ok(description.includes(sign), sign);
});
