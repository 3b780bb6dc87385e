// Work that pauses: however much of it begins together, the thread is never held for longer than one piece may.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  inSlices,
  inSteps,
  type Steps,
  yieldToEventLoop,
} from "../../../../src/core/util/yield-to-event-loop.ts";
import { longestStretch } from "../../../support/stretches.ts";
import { threadTime } from "../../../support/thread-time.ts";

function compute(milliseconds: number): void {
  const from = threadTime();
  while (threadTime() - from < milliseconds);
}

const many = <T>(make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 60 }, () => make()));

test("of what begins together one piece works in each turn of the event loop", async () => {
  const breaths = async () => {
    const breath = inSteps(new AbortController().signal);
    for (let step = 0; step < 3; step++) {
      await breath();
      compute(2);
    }
  };
  function* steps(): Steps<void> {
    for (let step = 0; step < 3; step++) {
      yield;
      compute(2);
    }
  }
  for (const work of [() => many(breaths), () => many(() => inSlices()(steps()))]) {
    const longest = await longestStretch(work, 60);
    assert.ok(longest < 100, `${longest} ms of 360`);
  }
});

test("whoever waits goes on in the order of coming, each in a turn of the event loop of its own", async () => {
  const seen: string[] = [];
  let turn = 0;
  let isDone = false;
  const count = () => {
    turn++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const turns = await Promise.all(
    ["first", "second", "third"].map(async (name) => {
      await yieldToEventLoop();
      seen.push(name);
      return turn;
    }),
  );
  isDone = true;
  assert.deepEqual(seen, ["first", "second", "third"]);
  assert.equal(new Set(turns).size, 3);
});

test("a stop is heard in a breath", async () => {
  const [first, second] = [inSteps(new AbortController().signal), inSteps(AbortSignal.abort())];
  await first();
  await assert.rejects(second(), { name: "AbortError" });
});
