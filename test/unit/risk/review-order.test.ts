import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { byRisk, inReviewOrder } from "../../../src/risk/flags.ts";

describe("the order of a review", () => {
  test("sorts numbers in names by value among changes of equal weight", () => {
    const paths = ["m10.ts", "m2.ts", "m1.ts"];
    const inOrder = inReviewOrder(
      paths,
      (path) => path,
      () => [[]],
    );
    assert.deepEqual(inOrder, ["m1.ts", "m2.ts", "m10.ts"]);
    const placed = paths.map((path) => ({ path, flags: [] }));
    assert.deepEqual(
      placed.sort(byRisk).map(({ path }) => path),
      inOrder,
    );
  });
});
