// Saving a change set on a disk that refuses: tried again by itself, in its turn; room is made where there is none; and
// nothing is tried any more once the window goes.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { KeptChanges } from "../../../src/changes/change-store.ts";
import { ChangeSaver } from "../../../src/changes/internal/change-saver.ts";
import { createMutex } from "../../../src/util/concurrency.ts";
import { silentLog } from "../../../src/util/log.ts";

const full = new Error("full");

/** A saver of numbered states, the disk under it, which has room again once it was tidied so often, and what was told. */
function saver(context: TestContext, decided = 0, enough = 3) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const disk = {
    ...{ refusal: undefined as Error | undefined, tidying: undefined as Error | undefined },
    ...{ tries: 0, saved: [] as string[], tidied: 0 },
  };
  const told: unknown[] = [];
  const state = {
    id: "first",
    decided,
    get kept(): KeptChanges {
      return { proposals: [], steps: [], notes: [{ call: this.id }] };
    },
    forgetDecided: () => state.decided-- > 0,
  };
  const file = {
    async write({ notes }: KeptChanges) {
      disk.tries += 1;
      if (disk.refusal !== undefined) throw disk.refusal;
      disk.saved.push(notes[0]?.call ?? "");
    },
    async tidy() {
      if (disk.tidying !== undefined) throw disk.tidying;
      disk.tidied += 1;
      if (disk.tidied === enough) disk.refusal = undefined;
    },
  };
  const oneByOne = createMutex();
  const log = { ...silentLog, error: (_: string, cause?: unknown) => void told.push(cause) };
  const saves = new ChangeSaver(file, state, oneByOne, { log, isFull: (error) => error === full });
  const later = async () => {
    context.mock.timers.tick(60_000);
    await setImmediate();
  };
  return { saves, disk, told, state, oneByOne, later };
}

test("a change saver retries a failed write with the latest state, and logs the failure once", async (context) => {
  const { saves, disk, told, state, later } = saver(context);
  disk.refusal = new Error("no");
  await saves.save();
  await later();
  await later();
  assert.deepEqual([disk.tries, told.length], [3, 1]);
  state.id = "second";
  disk.refusal = undefined;
  await later();
  await later();
  assert.deepEqual([disk.saved, disk.tries], [["second"], 4], "and never again once it is saved");
});

test("a retry of a failed save waits for the running operation on the change set", async (context) => {
  const { saves, disk, oneByOne, later } = saver(context);
  disk.refusal = new Error("no");
  await saves.save();
  let isDone = () => {};
  const work = oneByOne(
    () =>
      new Promise<void>((resolve) => {
        isDone = resolve;
      }),
  );
  await later();
  assert.equal(disk.tries, 1);
  isDone();
  await work;
  await setImmediate();
  assert.equal(disk.tries, 2);
});

test("a change saver forgets decided changes on a full disk until the state can be saved", async (context) => {
  const { saves, disk, told } = saver(context, 2);
  disk.refusal = full;
  await saves.save();
  assert.deepEqual([disk.saved, disk.tidied, told], [["first"], 3, []]);
});

test("a change saver forgets nothing on a full disk that has room once it is tidied", async (context) => {
  const { saves, disk, state } = saver(context, 2, 1);
  disk.refusal = full;
  await saves.save();
  assert.deepEqual([disk.saved, state.decided], [["first"], 2]);
});

test("a change saver retries later if the disk refuses while room is made", async (context) => {
  const { saves, disk, told, later } = saver(context, 1);
  const refused = new Error("no");
  disk.refusal = full;
  disk.tidying = refused;
  await saves.save();
  assert.deepEqual(told, [refused]);
  disk.tidying = undefined;
  disk.refusal = undefined;
  await later();
  assert.deepEqual(disk.saved, ["first"]);
});

test("a change saver throws on a full disk when no decided changes are left to forget", async (context) => {
  const { saves, disk, later } = saver(context, 1);
  disk.refusal = full;
  await assert.rejects(saves.save(), full);
  await later();
  assert.equal(disk.tries, 3);
});

test("closing a change saver tries a failed write once more and then stops retrying", async (context) => {
  const { saves, disk, later } = saver(context);
  disk.refusal = new Error("no");
  await saves.save();
  await saves.close();
  assert.equal(disk.tries, 2);
  disk.refusal = undefined;
  await later();
  assert.equal(disk.tries, 2);
});

test("closing a change saver writes nothing when everything is saved", async (context) => {
  const { saves, disk } = saver(context);
  await saves.save();
  await saves.close();
  assert.equal(disk.tries, 1);
});
