import assert from "node:assert/strict";
import { formatDuration } from "./src/index.mjs";

assert.equal(formatDuration(5400), "1h 30m");
assert.equal(formatDuration(86_401), "1d 1s");
assert.equal(formatDuration(0), "0s");
assert.equal(formatDuration(-5400), "-1h 30m");
