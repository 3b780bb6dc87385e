import assert from "node:assert/strict";
import { parseDuration } from "./src/index.mjs";

// The tests that the project has by now, those of the player among them.
import "./test/durations.mjs";

assert.equal(parseDuration("-1h 30m"), -5400);
assert.equal(parseDuration(" -2m 5s "), -125);
assert.equal(parseDuration("1h 30m"), 5400);
assert.throws(() => parseDuration("-"), SyntaxError);
assert.throws(() => parseDuration("an hour"), SyntaxError);
