import assert from "node:assert/strict";
import { test } from "node:test";
import { tryAllSteps } from "../../../../src/core/util/try-all-steps.ts";

test("every step is tried in its turn, and the first problem is told at the end", async () => {
  const done: number[] = [];
  const step = (number: number, problem?: string) => async () => {
    await Promise.resolve();
    done.push(number);
    if (problem !== undefined) throw new Error(problem);
  };
  await assert.rejects(
    tryAllSteps([step(1), step(2, "the first"), step(3, "the second"), step(4)]),
    /the first/,
  );
  await tryAllSteps([step(5)]);
  assert.deepEqual(done, [1, 2, 3, 4, 5]);
});
