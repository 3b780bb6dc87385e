import assert from "node:assert/strict";
import { describe, formatDuration, parseDuration, units } from "./src/index.mjs";

assert.equal(parseDuration("2w 1d"), 15 * 86_400);
assert.equal(units[0].letter, "w");
assert.equal(describe(2, "w"), "2 weeks");
assert.match(formatDuration(7 * 86_400), /^1w\b/);
