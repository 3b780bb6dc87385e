import assert from "node:assert/strict";
import { test } from "node:test";
import { runAll } from "../../../src/util/disposables.ts";

test("runAll runs every step in order and throws the first error at the end", async () => {
  const done: number[] = [];
  const step = (number: number, problem?: string) => async () => {
    await Promise.resolve();
    done.push(number);
    if (problem !== undefined) throw new Error(problem);
  };
  await assert.rejects(runAll([step(1), step(2, "the first"), step(3, "the second"), step(4)]), /the first/);
  await runAll([step(5)]);
  assert.deepEqual(done, [1, 2, 3, 4, 5]);
});
