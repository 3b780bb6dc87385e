import assert from "node:assert/strict";
import { Stopwatch } from "./src/index.mjs";

let now = 0;
const watch = new Stopwatch(() => now);
watch.start();
now = 2000;
assert.equal(watch.lap(), 2);
now = 5000;
assert.equal(watch.lap(), 3);
assert.equal(watch.total, 5);
