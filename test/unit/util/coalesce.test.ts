import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Coalesce } from "../../../src/util/emitter.ts";

function numbers() {
  const delivered: number[][] = [];
  const gather = new Coalesce<number>({
    milliseconds: 16,
    // Even numbers may be added up; odd ones stand alone.
    join: (earlier, later) => (earlier % 2 === 0 && later % 2 === 0 ? earlier + later : undefined),
    deliver: (items) => delivered.push([...items]),
  });
  return { delivered, gather };
}

test("Coalesce delivers items of one interval together, joined where possible", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { delivered, gather } = numbers();
  for (const item of [2, 4, 1, 6, 8]) gather.push(item);
  mock.timers.tick(15);
  assert.deepEqual(delivered, []);
  mock.timers.tick(1);
  assert.deepEqual(delivered, [[6, 1, 14]]);
  mock.timers.reset();
});

test("Coalesce flushes items at once and delivers none twice", () => {
  const { delivered, gather } = numbers();
  gather.push(1);
  gather.flush();
  gather.flush();
  gather.dispose();
  assert.deepEqual(delivered, [[1]]);
});
