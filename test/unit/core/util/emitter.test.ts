import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../../src/core/util/emitter.ts";

test("a listener that fails keeps the news from nobody, and its failure is told to whoever brought them", () => {
  const emitter = new Emitter<number>();
  const heard: string[] = [];
  emitter.on((value) => heard.push(`first ${value}`));
  const failing = emitter.on(() => {
    throw new Error("I always fail.");
  });
  emitter.on((value) => heard.push(`last ${value}`));
  assert.throws(() => emitter.fire(1), /I always fail/);
  failing.dispose();
  emitter.fire(2);
  assert.deepEqual(heard, ["first 1", "last 1", "first 2", "last 2"]);
});
