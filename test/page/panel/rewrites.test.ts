import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "../../../src/conversation/state.ts";
import { createRewrites } from "../../../src/page/page-state.ts";
import type { Projection } from "../../../src/page/projection.ts";

const showing = (id: string, ...turns: readonly string[]): Projection => ({
  conversation: { id, turns: turns.map((turn) => ({ id: turn }) as Turn) },
  above: 0,
  next: 0,
});

test("rewrites are stored when one changes or another conversation opens, not with every drawing", () => {
  const kept: unknown[] = [];
  const rewrites = createRewrites([], (all) => kept.push(all.map(([, , words]) => words)));
  rewrites.open(showing("a", "1", "2"));
  rewrites.set("2", "In other words?");
  for (let drawing = 0; drawing < 3; drawing += 1) rewrites.open(showing("a", "1", "2"));
  assert.deepEqual(kept, [["In other words?"]]);
  rewrites.open(showing("b", "3"));
  rewrites.open(showing("a", "1", "2"));
  assert.deepEqual(kept.slice(1), [[], ["In other words?"]]);
  assert.deepEqual(rewrites.open(showing("a", "1")), ["In other words?"]);
  assert.deepEqual(kept.at(-1), []);
  assert.equal(rewrites.get("2"), undefined);
});
