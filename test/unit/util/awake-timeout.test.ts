import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { awakeTimeout } from "../../../src/util/timeouts.ts";

describe("awakeTimeout", () => {
  test("aborts after its time, and not before", (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const signal = awakeTimeout(900);
    for (let passed = 0; passed < 899; passed += 1) context.mock.timers.tick(1);
    assert.equal(signal.aborted, false);
    context.mock.timers.tick(1);
    assert.equal(signal.aborted, true);
    assert.equal(signal.reason.name, "TimeoutError");
  });

  test("does not count the time in which the computer slept", (context) => {
    const waiting: { readonly run: () => void; readonly after: number }[] = [];
    context.mock.method(globalThis, "setTimeout", (run: () => void, after: number) => {
      waiting.push({ run, after });
      return { unref: () => {} };
    });
    const signal = awakeTimeout(8000);
    let counted = 0;
    // A tick comes once, however late: after each of these the machine may have slept for a night.
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      assert.equal(signal.aborted, false, `over after ${counted} ms`);
      assert.ok(next.after <= 250, `one tick counts ${next.after} ms, which a sleep would use up at once`);
      counted += next.after;
      next.run();
    }
    assert.equal(counted, 8000);
    assert.equal(signal.aborted, true);
  });
});
