import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as durations from "./src/index.mjs";

// The tests that the project has by now.
import "./test/durations.mjs";

const { describe, formatDuration, parseDuration, roundTo, Stopwatch, unitOf } = durations;

assert.equal(parseDuration("-1h 30m"), -5400);
assert.equal(parseDuration("1h 30m"), 5400);
assert.throws(() => parseDuration("1h -30m"), SyntaxError);
assert.equal(formatDuration(5400), "1h 30m");
assert.equal(formatDuration(0), "0s");
assert.equal(formatDuration(-5400), "-1h 30m");
for (const seconds of [1, 59, 60, 86_399, 7 * 86_400, -86_401])
  assert.equal(parseDuration(formatDuration(seconds)), seconds);

let now = 0;
const watch = new Stopwatch(() => now);
watch.start();
now = 1000;
assert.equal(watch.lap(), 1);
now = 3000;
assert.equal(watch.lap(), 2);
assert.equal(watch.total, 3);

assert.equal(roundTo(5400, "h"), 7200);
assert.equal(roundTo(-5400, "h"), -7200);
assert.equal(roundTo(5399, "h"), 3600);
assert.equal(roundTo(29, "m"), 0);
assert.equal("roundDuration" in durations, false);

assert.throws(() => unitOf("w"), RangeError);
assert.equal(formatDuration(7 * 86_400), "7d");
assert.equal(describe(-1, "h"), "-1 hour");
assert.equal(describe(-2, "h"), "-2 hours");
assert.equal(describe(2, "m"), "2 minutes");

const texts = [...readdirSync("src").map((name) => `src/${name}`), "README.md", "test/durations.mjs"];
for (const path of texts) assert.doesNotMatch(readFileSync(path, "utf8"), /roundDuration/i, path);
assert.match(readFileSync("README.md", "utf8"), /roundTo/);
assert.match(readFileSync("test/durations.mjs", "utf8"), /roundTo/);
