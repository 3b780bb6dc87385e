// The measure of growth itself: it has to find the square, and to leave what is in proportion alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { growthOf, toldGrowth } from "../../support/growth.ts";

/** Additions that no compiler leaves out, since their sum is returned; so many that a millisecond more or less is little. */
function add(times: number): number {
  let sum = 0;
  for (let at = 0; at < times * 40; at++) sum = (sum * 31 + at) | 0;
  return sum;
}

/** In milliseconds: a square needs no larger size to be one. */
const aMoment = 10;

test("growthOf accepts linear work and rejects quadratic work", () => {
  const inProportion = growthOf((size) => () => add(size * 100), 200, 0.05);
  assert.ok(inProportion.isLinear, toldGrowth(inProportion));
  const square = growthOf((size) => () => add(size * size), 200, 0.05, aMoment);
  assert.ok(!square.isLinear, toldGrowth(square));
});

test("growthOf detects a quadratic part that shows only at the larger size", () => {
  const beginning = growthOf((size) => () => add(size * 100 + (size * size) / 5), 200, 0.05, aMoment);
  assert.ok(!beginning.isLinear, toldGrowth(beginning));
});
