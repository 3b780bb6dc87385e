// One journal for however many look at a conversation, and what becomes of it where the disk does not do its part.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { JournalChange } from "../../../../src/core/store/journal-terms.ts";
import type { OpenJournal } from "../../../../src/core/store/open-journal.ts";
import { SharedJournals } from "../../../../src/core/store/shared-journals.ts";
import { Emitter } from "../../../../src/core/util/emitter.ts";

test("a journal that waits to be saved, and could not be read by who came back to it, is closed once it is saved", async () => {
  const changes = new Emitter<JournalChange>();
  let isSaved = false;
  let ended = 0;
  const shared = new SharedJournals(async (_id, _wants, release) => {
    const journal: Partial<OpenJournal> = {
      reload: () => Promise.reject(new Error("EIO")),
      onDidChange: changes.on,
      close: () => release({ save: async () => isSaved, end: async () => void ended++ }),
    };
    return journal as OpenJournal;
  });
  await (await shared.use("c", undefined)).close();
  await assert.rejects(shared.use("c", undefined), /EIO/);
  assert.equal(ended, 0);
  isSaved = true;
  changes.fire({ type: "state" });
  await setImmediate();
  assert.equal(ended, 1);
});
