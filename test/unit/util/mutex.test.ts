import assert from "node:assert/strict";
import { test } from "node:test";
import { createMutex } from "../../../src/util/concurrency.ts";

test("a mutex runs concurrent work one at a time and continues after a failure", async () => {
  const run = createMutex();
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise(setImmediate);
    seen.push(`${name} ends`);
    if (name === "b") throw new Error("b fails");
    return name;
  };
  const results = await Promise.allSettled(["a", "b", "c"].map((name) => run(work(name))));
  assert.deepEqual(
    results.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason))),
    ["a", "Error: b fails", "c"],
  );
  assert.deepEqual(
    seen,
    ["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test("a mutex gives up aborted work that waits, and none that has begun", async () => {
  const run = createMutex();
  const stop = new AbortController();
  let end = () => {};
  const first = run(
    () =>
      new Promise<string>((resolve) => {
        end = () => resolve("first");
      }),
    stop.signal,
  );
  const waiting = run(async () => assert.fail("begun"), stop.signal);
  const next = run(async () => "next");
  await new Promise(setImmediate);
  stop.abort(new Error("stopped"));
  await assert.rejects(waiting, /^Error: stopped$/);
  await assert.rejects(
    run(async () => "", stop.signal),
    /^Error: stopped$/,
  );
  end();
  assert.deepEqual(await Promise.all([first, next]), ["first", "next"]);
});
