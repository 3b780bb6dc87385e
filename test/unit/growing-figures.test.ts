// What counts as growing in a long day, and what does not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { growing } from "../support/growing-figures.ts";

const room = { timers: 6 };
const looks = (...timers: number[]) => timers.map((count) => ({ timers: count }));

test("what grows from third to third is told", () => {
  assert.deepEqual(growing(looks(0, 0, 0, 0, 7, 7), room), ["timers grows from 0 to 7"]);
  assert.deepEqual(growing(looks(0, 0, 0, 1, 2, 1, 8, 9, 8), room), ["timers grows from 1 to 8"]);
});

test("what is there at one look and gone at the next does not grow", () => {
  assert.deepEqual(growing(looks(0, 0, 0, 0, 0, 7), room), []);
  assert.deepEqual(growing(looks(0, 0, 0, 0, 9, 0), room), []);
  assert.deepEqual(growing(looks(0, 0, 0, 0, 0, 0, 0, 9, 0), room), []);
});

test("what has filled up before the middle third does not grow, and neither does what is within its room", () => {
  assert.deepEqual(growing(looks(0, 50, 50, 50, 50, 50), room), []);
  assert.deepEqual(growing(looks(0, 0, 0, 0, 6, 6), room), []);
});

test("two looks say nothing", () => {
  assert.deepEqual(growing(looks(0, 90), room), []);
});
