import assert from "node:assert/strict";
import { test } from "node:test";
import { openAllOrNothing } from "../../../../src/core/util/open-all-or-nothing.ts";

const closes = (name: string, log: string[]) => ({ dispose: async () => void log.push(name) });

test("what was opened before a step that fails is closed, the last first, and the failure is told", async () => {
  const log: string[] = [];
  const opening = openAllOrNothing(async (own) => {
    own(closes("a", log));
    own({ dispose: () => Promise.reject(new Error("It cannot be closed.")) });
    own(closes("b", log));
    await Promise.reject(new Error("It cannot be opened."));
    own(closes("c", log));
  });
  await assert.rejects(opening, /cannot be opened/);
  assert.deepEqual(log, ["b", "a"]);
});

test("what could be opened stays open until it is closed, which happens once", async () => {
  const log: string[] = [];
  const close = await openAllOrNothing(async (own, close) => {
    own(closes("a", log));
    own(closes("b", log));
    return close;
  });
  assert.deepEqual(log, []);
  await Promise.all([close(), close()]);
  assert.deepEqual(log, ["b", "a"]);
});
