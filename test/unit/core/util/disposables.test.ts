import assert from "node:assert/strict";
import { test } from "node:test";
import { Disposables } from "../../../../src/core/util/disposables.ts";

const thing = (name: string, log: string[]) => ({ dispose: () => void log.push(name) });

test("what was added last ends first, and only once", () => {
  const log: string[] = [];
  const owned = new Disposables();
  owned.add(thing("a", log));
  owned.add(thing("b", log));
  owned.dispose();
  owned.dispose();
  assert.deepEqual(log, ["b", "a"]);
});

test("a thing that comes late is ended at once", () => {
  const log: string[] = [];
  const owned = new Disposables();
  owned.dispose();
  owned.add(thing("late", log));
  assert.deepEqual(log, ["late"]);
});
