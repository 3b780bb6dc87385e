import { strict as assert } from "node:assert";
import { test } from "node:test";
import { inBatches } from "../../../src/util/concurrency.ts";

test("inBatches returns results in the order of the items and runs at most 25 at a time", async () => {
  let underWay = 0;
  let most = 0;
  const results = await inBatches(
    Array.from({ length: 60 }, (_, at) => at),
    async (item, index) => {
      underWay += 1;
      most = Math.max(most, underWay);
      // Later ones end first.
      for (let turn = 0; turn < 60 - item; turn += 1) await undefined;
      underWay -= 1;
      return `${item} ${index}`;
    },
  );
  assert.deepEqual(
    results,
    Array.from({ length: 60 }, (_, at) => `${at} ${at}`),
  );
  assert.equal(most, 25);
});

test("inBatches stops before the next batch when an item fails", async () => {
  const begun: number[] = [];
  const failing = inBatches(
    Array.from({ length: 60 }, (_, at) => at),
    async (item) => {
      begun.push(item);
      if (item === 3) throw new Error("three");
    },
  );
  await assert.rejects(failing, /three/);
  assert.equal(begun.length, 25);
});
