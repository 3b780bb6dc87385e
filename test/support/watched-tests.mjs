// Preloaded where own stretches of the tests are watched: beats at the borders of tests, of drawn cases and of measured
// runs, which are calls of their own, and writes what was found to the file that PATCHBAY_STRETCHES names.
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { afterEach, beforeEach } from "node:test";
import fc from "fast-check";
import { startWatchdog } from "./watchdog.mjs";

const watchdog = startWatchdog();
if (watchdog === undefined) console.log("Own stretches are watched on Linux only.");
else {
  /** @type {string[]} */
  const running = [];
  const enter = () => watchdog.enter(running.join(" > "));
  subscribe("patchbay.measured", () => watchdog.beat());
  fc.configureGlobal({ ...fc.readConfigureGlobal(), beforeEach: () => watchdog.beat() });
  beforeEach((test) => {
    running.push(/** @type {{ name: string }} */ (test).name);
    enter();
  });
  afterEach(() => {
    running.pop();
    enter();
  });
  process.on("exit", () => {
    const file = process.env.PATCHBAY_STRETCHES;
    if (file !== undefined) writeFileSync(file, JSON.stringify(watchdog.stop()));
  });
}
