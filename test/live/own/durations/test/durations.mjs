import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, parseDuration, Stopwatch, unitOf } from "../src/index.mjs";

test("parts are added up", () => {
  assert.equal(parseDuration("1h 30m"), 5400);
  assert.equal(parseDuration("1.5d"), 129_600);
});

test("other words are no duration", () => {
  assert.throws(() => parseDuration("an hour"), SyntaxError);
  assert.throws(() => parseDuration("3y"), RangeError);
});

test("units are found by their letter", () => {
  assert.equal(unitOf("h").name, "hour");
  assert.equal(describe(2, "m"), "2 minutes");
});

test("a stopwatch tells the total", () => {
  let now = 0;
  const watch = new Stopwatch(() => now);
  watch.start();
  now = 2500;
  assert.equal(watch.total, 2.5);
});
