import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { unitOf } from "./src/index.mjs";
import { unitOf as moved } from "./src/units/units.mjs";

// The tests that the project has by now.
import "./test/durations.mjs";

assert.equal(unitOf, moved);
assert.equal(existsSync("src/units.mjs"), false);
