import assert from "node:assert/strict";
import { test } from "node:test";
import { slices } from "../../../../src/webview/markdown/slices.ts";

/** The sizes of so many slices that cost this. */
function sizes(count: number, cost: (size: number) => number): number[] {
  const one = slices();
  return Array.from({ length: count }, () => {
    const { size } = one;
    one.spent(cost(size));
    return size / 4_096;
  });
}

test("what is drawn quickly comes in small slices", () => {
  assert.deepEqual(
    sizes(4, (size) => size / 4_096),
    [1, 1, 1, 1],
  );
});

test("on a slow machine slices stay small, too: a longer one costs as much more", () => {
  assert.deepEqual(
    sizes(5, (size) => (size / 4_096) * 20),
    [1, 2, 1, 2, 1],
  );
});

test("what is drawn again with every slice is drawn fewer times", () => {
  assert.deepEqual(
    sizes(5, () => 50),
    [1, 2, 4, 8, 16],
  );
});

test("after a block that was slow slices are small again", () => {
  let count = 0;
  const cost = () => {
    count += 1;
    return count < 4 ? 50 : 1;
  };
  assert.deepEqual(sizes(6, cost), [1, 2, 4, 8, 1, 1]);
});
