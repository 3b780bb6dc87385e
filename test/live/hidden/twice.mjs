import assert from "node:assert/strict";
import { parseDuration } from "./src/index.mjs";

// The tests that the project has by now.
import "./test/durations.mjs";

assert.throws(() => parseDuration("1h 1h"), SyntaxError);
assert.equal(parseDuration("1h 30m"), 5400);
