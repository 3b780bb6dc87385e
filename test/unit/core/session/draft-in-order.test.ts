// What is saved of a draft while an earlier saving is under way: the disk ends with what was said last.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionDraft } from "../../../../src/core/session/session-draft.ts";
import type { Unsent } from "../../../../src/core/session/unsent.ts";
import { silentLog } from "../../../../src/core/util/log.ts";

test("words that are sent while their draft is being written do not come back", async () => {
  const disk: Partial<Unsent> = { text: "" };
  const writing: (() => void)[] = [];
  const draft = new SessionDraft(
    {
      look: () => Promise.reject(new Error("Nothing is attached.")),
      log: silentLog,
      newId: () => "id",
      countTokens: () => undefined,
      changed() {},
      journal: () => ({
        readOnly: undefined,
        async writeUnsent(said) {
          await new Promise<void>((resolve) => writing.push(resolve));
          Object.assign(disk, said);
        },
      }),
    },
    { text: "", attached: [], saved: { text: "", attached: [], sent: [] } },
    false,
  );
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
