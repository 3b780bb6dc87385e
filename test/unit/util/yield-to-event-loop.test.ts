// Work that pauses: however much of it begins together, the thread is never held for longer than one piece may.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createYieldPoint, yieldToEventLoop } from "../../../src/util/concurrency.ts";

const many = <T>(make: (worker: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 60 }, (_, worker) => make(worker)));

test("concurrent yield points run one piece in each turn of the event loop", async () => {
  const workers: Set<number>[] = [new Set()];
  let isDone = false;
  const count = () => {
    workers.push(new Set());
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  let steps = 0;
  await many(async (worker) => {
    const pause = createYieldPoint(new AbortController().signal);
    for (let step = 0; step < 3; step++) {
      await pause();
      steps++;
      workers.at(-1)?.add(worker);
    }
  });
  isDone = true;
  assert.equal(steps, 180);
  assert.deepEqual(
    workers.filter(({ size }) => size > 1),
    [],
  );
});

test("yieldToEventLoop resumes callers in order, each in its own turn of the event loop", async () => {
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

test("a yield point rejects when its signal is aborted", async () => {
  const [first, second] = [
    createYieldPoint(new AbortController().signal),
    createYieldPoint(AbortSignal.abort()),
  ];
  await first();
  await assert.rejects(second(), { name: "AbortError" });
});
