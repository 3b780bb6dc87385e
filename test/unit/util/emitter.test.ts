import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../src/util/emitter.ts";

test("an emitter calls every listener when one of them throws, and rethrows the error", () => {
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
