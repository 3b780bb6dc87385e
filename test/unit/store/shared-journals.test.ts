// One journal for however many look at a conversation, and what becomes of it where the disk does not do its part.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { SharedJournals } from "../../../src/store/internal/open-conversation.ts";
import type { JournalChange, OpenJournal } from "../../../src/store/journal-records.ts";
import { Emitter } from "../../../src/util/emitter.ts";

test("SharedJournals closes an unsaved journal whose reload failed once it is saved", async () => {
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

test("SharedJournals keeps a conversation open that was opened again after it was closed for all", async () => {
  const ended: number[] = [];
  let opened = 0;
  const shared = new SharedJournals(async (_id, _wants, release) => {
    const number = ++opened;
    const end = async () => void ended.push(number);
    const close = () => release({ save: async () => true, end });
    return { close } as Partial<OpenJournal> as OpenJournal;
  });
  const first = await shared.use("c", undefined);
  await shared.close("c");
  const second = await shared.use("c", undefined);
  await first.close();
  assert.equal(ended.includes(2), false);
  assert.equal(await shared.use("c", undefined).then(({ close }) => close === second.close), true);
});
