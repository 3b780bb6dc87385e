// What is saved of a draft, and when: a moment after it has changed, and what was said last where an earlier saving is
// still under way.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  nothingUnsent,
  SessionDraft,
  type SessionDraftDeps,
  type Unsent,
} from "../../../src/session/internal/session-draft.ts";
import { silentLog } from "../../../src/util/log.ts";

function draftWith(writeUnsent: (said: Partial<Unsent>) => Promise<void>, text = "", changed = () => {}) {
  const deps: SessionDraftDeps = {
    look: () => Promise.reject(new Error("Nothing is attached.")),
    log: silentLog,
    newId: () => "id",
    countTokens: () => undefined,
    changed,
    journal: () => ({ readOnly: undefined, writeUnsent }),
  };
  return new SessionDraft(deps, { text, attached: [], saved: nothingUnsent }, false);
}

test("a draft that is sent while it is being saved stays empty on disk", async () => {
  const disk: Partial<Unsent> = { text: "" };
  const writing: (() => void)[] = [];
  const draft = draftWith(async (said) => {
    await new Promise<void>((resolve) => writing.push(resolve));
    Object.assign(disk, said);
  });
  draft.write("Comment the code, step");
  const early = draft.save();
  await new Promise(setImmediate);
  draft.write("");
  const late = draft.save();
  await new Promise(setImmediate);
  // The disk takes them one by one.
  let isSaved = false;
  const all = Promise.all([early, late]).then(() => {
    isSaved = true;
  });
  while (!isSaved) {
    for (const go of writing.splice(0)) go();
    await new Promise(setImmediate);
  }
  await all;
  assert.equal(disk.text, "");
});

test("SessionDraft puts unsent words before the draft, reports them at once and saves after half a second", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const saved: Partial<Unsent>[] = [];
  let told = 0;
  const draft = draftWith(
    async (said) => void saved.push(said),
    "typed",
    () => (told += 1),
  );
  draft.putBefore("asked", []);
  assert.deepEqual([draft.text, told], ["asked\n\ntyped", 1]);
  t.mock.timers.tick(499);
  await new Promise(setImmediate);
  assert.deepEqual(saved, []);
  t.mock.timers.tick(1);
  await new Promise(setImmediate);
  assert.deepEqual(saved, [{ text: "asked\n\ntyped" }]);
  draft.close();
  draft.write("more");
  t.mock.timers.tick(500);
  await new Promise(setImmediate);
  assert.equal(saved.length, 1, "from its end on it is saved only when it is asked for");
});
