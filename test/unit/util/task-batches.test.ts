// Work on many texts together: what goes to the thread and what stays here, and that each input gets its own result.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { forEach, longText, TaskBatches, useThread } from "../../../src/util/background.ts";

const measuring = forEach({ name: "measure", run: (text: string) => text.length });

/** A thread that does what it is given later than the next thing here, and the last first. */
function laterThread() {
  const given: number[] = [];
  const thread = {
    async run<Result>(_: string, input: unknown): Promise<Result> {
      const texts = input as readonly string[];
      const number = given.push(texts.length);
      for (let turns = 10 - number; turns > 0; turns--) await setImmediate();
      return measuring.run(texts) as Result;
    },
  };
  return { given, thread };
}

test("TaskBatches sends many short texts together, and gives the results in the order of the texts", async (t) => {
  const { given, thread } = laterThread();
  const used = useThread(thread);
  t.after(() => used.dispose());
  const batches = new TaskBatches(measuring);
  const sizes = Array.from({ length: 100 }, (_, at) => 10_000 + at);
  for (const size of sizes) batches.add("x".repeat(size), size);
  assert.deepEqual(await batches.results(), sizes);
  assert.ok(given.length > 1 && given.length < 10, `sent in ${given.length} pieces`);
});

test("TaskBatches does what is short altogether here", async (t) => {
  const { given, thread } = laterThread();
  const used = useThread(thread);
  t.after(() => used.dispose());
  const batches = new TaskBatches(measuring);
  batches.add("ab", 2);
  batches.add("", longText - 3);
  assert.deepEqual(await batches.results(), [2, 0]);
  assert.deepEqual(given, []);
});

test("TaskBatches rejects with the failure of a piece, also when it failed before anybody asked", async (t) => {
  const thread = { run: () => Promise.reject(new Error("broken")) };
  const used = useThread(thread);
  t.after(() => used.dispose());
  const batches = new TaskBatches(measuring);
  batches.add("x", 10 * longText);
  await setImmediate();
  await assert.rejects(batches.results(), /broken/);
});
