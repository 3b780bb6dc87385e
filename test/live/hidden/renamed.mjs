import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as all from "./src/index.mjs";

// The tests that the project has by now, those of the player among them.
import "./test/durations.mjs";

assert.equal(all.findUnit("d").seconds, 86_400);
assert.equal("unitOf" in all, false);
const files = readdirSync(".", { recursive: true }).filter(
  (name) => /\.(mjs|md)$/.test(name) && name !== "hidden.mjs",
);
for (const file of files) assert.doesNotMatch(readFileSync(file, "utf8"), /\bunitOf\b/, file);
assert.match(readFileSync("README.md", "utf8"), /`findUnit\(letter\)`/);
