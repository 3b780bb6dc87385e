import { strict as assert } from "node:assert";
import { test } from "node:test";
import { runJobs } from "../support/jobs.mjs";

test("runJobs runs deferred work after every job has ended, and adds its result to its job", async () => {
  const order: string[] = [];
  const result = { passed: 1, failed: 0, output: "" };
  const late = { passed: 0, failed: 1, output: "" };
  const work = async (step: string, answer: object = result) => {
    order.push(`${step} begins`);
    await new Promise(setImmediate);
    order.push(`${step} ends`);
    return { ...result, ...answer };
  };
  const ready = Promise.resolve();
  const jobs = [
    {
      name: "one",
      opensWindow: false,
      ready,
      work: () => work("first", { again: () => work("later", late) }),
    },
    ...["two", "three", "four", "five"].map((name) => ({
      name,
      opensWindow: true,
      ready,
      work: () => work(name),
    })),
  ];
  const heard: string[] = [];
  await runJobs(jobs, ({ name }, { failed }) => heard.push(`${name} ${failed}`));
  assert.deepEqual(order.slice(-2), ["later begins", "later ends"]);
  assert.equal(order.length, 12);
  assert.deepEqual(heard.at(-1), "one 1");
});
