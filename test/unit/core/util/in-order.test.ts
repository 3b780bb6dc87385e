import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder } from "../../../../src/core/util/in-order.ts";

test("what is asked side by side runs one after the other, and a failure stops nothing but itself", async () => {
  const run = inOrder();
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
