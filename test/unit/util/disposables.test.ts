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
