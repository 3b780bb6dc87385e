import assert from "node:assert/strict";
import { test } from "node:test";
import { withRollback } from "../../../src/util/disposables.ts";

const closes = (name: string, log: string[]) => ({ dispose: async () => void log.push(name) });

test("withRollback closes what was opened before a failing step, the last first, and rethrows the error", async () => {
  const log: string[] = [];
  const opening = withRollback(async (own) => {
    own(closes("a", log));
    own({ dispose: () => Promise.reject(new Error("It cannot be closed.")) });
    own(closes("b", log));
    await Promise.reject(new Error("It cannot be opened."));
    own(closes("c", log));
  });
  await assert.rejects(opening, /cannot be opened/);
  assert.deepEqual(log, ["b", "a"]);
});

test("withRollback keeps everything open on success until it is closed, once", async () => {
  const log: string[] = [];
  const close = await withRollback(async (own, close) => {
    own(closes("a", log));
    own(closes("b", log));
    return close;
  });
  assert.deepEqual(log, []);
  await Promise.all([close(), close()]);
  assert.deepEqual(log, ["b", "a"]);
});
