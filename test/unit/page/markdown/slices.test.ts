import assert from "node:assert/strict";
import { test } from "node:test";
import { slices } from "../../../../src/page/markdown/slices.ts";

/** The sizes of so many slices that cost this. */
function sizes(count: number, cost: (size: number) => number): number[] {
  const one = slices();
  return Array.from({ length: count }, () => {
    const { size } = one;
    one.spent(cost(size));
    return size / 4_096;
  });
}

test("slices stay small for fast blocks", () => {
  assert.deepEqual(
    sizes(4, (size) => size / 4_096),
    [1, 1, 1, 1],
  );
});

test("slices stay small on a slow computer, where a longer slice costs in proportion", () => {
  assert.deepEqual(
    sizes(5, (size) => (size / 4_096) * 20),
    [1, 2, 1, 2, 1],
  );
});

test("slices grow for a block that is redrawn with every slice", () => {
  assert.deepEqual(
    sizes(5, () => 50),
    [1, 2, 4, 8, 16],
  );
});

test("slices are small again after a slow block", () => {
  let count = 0;
  const cost = () => {
    count += 1;
    return count < 4 ? 50 : 1;
  };
  assert.deepEqual(sizes(6, cost), [1, 2, 4, 8, 1, 1]);
});
