import assert from "node:assert/strict";
import { test } from "node:test";
import { Disposables } from "../../../src/util/disposables.ts";

const thing = (name: string, log: string[]) => ({ dispose: () => void log.push(name) });

test("Disposables disposes its members once, in reverse order", () => {
  const log: string[] = [];
  const owned = new Disposables();
  owned.add(thing("a", log));
  owned.add(thing("b", log));
  owned.dispose();
  owned.dispose();
  assert.deepEqual(log, ["b", "a"]);
});

test("Disposables disposes a member at once when it is added after dispose", () => {
  const log: string[] = [];
  const owned = new Disposables();
  owned.dispose();
  owned.add(thing("late", log));
  assert.deepEqual(log, ["late"]);
});

test("Disposables disposes every member even if one fails, and throws the first error", () => {
  const log: string[] = [];
  const owned = new Disposables();
  const failing = (name: string) => ({
    dispose() {
      throw new Error(name);
    },
  });
  owned.add(thing("a", log));
  owned.add(failing("b"));
  owned.add(failing("c"));
  owned.add(thing("d", log));
  assert.throws(() => owned.dispose(), /^Error: c$/);
  assert.deepEqual(log, ["d", "a"]);
});
