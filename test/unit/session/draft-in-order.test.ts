// What is saved of a draft, and when: a moment after it has changed, and what was said last where an earlier saving is
// still under way. A question that was sent is in one of the files at every moment.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { conversationStore } from "../../../src/session/conversation-store.ts";
import type { ConversationJournal } from "../../../src/session/internal/recorder.ts";
import {
  nothingUnsent,
  readDraftState,
  type SentQuestion,
  SessionDraft,
  type SessionDraftDeps,
  type Unsent,
} from "../../../src/session/internal/session-draft.ts";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import { silentLog } from "../../../src/util/log.ts";
import { type KeptOnDisk, readKept } from "../../support/kept-on-disk.ts";
import { libraryOn, temporaryFolder } from "../store/store-support.ts";

const depsWith = (writeUnsent: (said: Partial<Unsent>) => Promise<void>): SessionDraftDeps => ({
  look: () => Promise.reject(new Error("Nothing is attached.")),
  log: silentLog,
  newId: () => "id",
  countTokens: () => undefined,
  changed() {},
  journal: () => ({ readOnly: undefined, writeUnsent }),
});

function draftWith(writeUnsent: (said: Partial<Unsent>) => Promise<void>, text = "", changed = () => {}) {
  const deps = { ...depsWith(writeUnsent), changed };
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

/** The files of a conversation, and what they hold each time that one of them has been replaced or removed. */
async function watchedJournal(t: TestContext) {
  const folder = temporaryFolder(t);
  const moments: KeptOnDisk[] = [];
  const fs: FileSystem = {
    ...nodeFileSystem,
    async rename(from, to) {
      await nodeFileSystem.rename(from, to);
      moments.push(await readKept(folder));
    },
    async remove(path) {
      await nodeFileSystem.remove(path);
      moments.push(await readKept(folder));
    },
  };
  const journal = await conversationStore(libraryOn(folder, fs)).create("c", () => false);
  t.after(() => journal.close());
  return { journal, moments };
}

const question = (turn: string, words: string): SentQuestion => ({ turn, words, attached: [] });

const isLost = (words: string, { drafts, sent }: KeptOnDisk): boolean =>
  [...drafts, ...sent].every((each) => !each.includes(words));

async function draftOver(journal: ConversationJournal): Promise<SessionDraft> {
  const deps = { ...depsWith(() => Promise.resolve()), journal: () => journal };
  return new SessionDraft(deps, await readDraftState(journal), false);
}

test("SessionDraft stores the lines that a question quotes, but no diff of files", () => {
  const draft = draftWith(() => Promise.resolve());
  const quotes = { kind: "diff", name: "2 remarks", text: "Remark 1 is about a:\n-two\n+TWO" } as const;
  const files = {
    kind: "diff",
    name: "Changes",
    text: "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n+KEY=1",
  } as const;
  // Comments of SQL and counted variables look like the head of a file, where only one of its two lines is looked at.
  const odd = { kind: "diff", name: "1 remark", text: "Remark 1:\n--- old comment\n-\n+++count;" } as const;
  assert.deepEqual(draft.takeAttachments([quotes, files, odd]).small, [quotes, odd]);
});

test("SessionDraft keeps the lines that a withdrawn question quotes before anybody has read them", async () => {
  const disk: Partial<Unsent> = {};
  const deps: SessionDraftDeps = {
    ...depsWith(async (said) => void Object.assign(disk, said)),
    look: () => new Promise(() => {}),
  };
  const draft = new SessionDraft(deps, { text: "", attached: [], saved: nothingUnsent }, false);
  const quotes = { kind: "diff", name: "2 remarks", text: "Remark 1:\n-two\n+TWO" } as const;
  draft.putBehind([{ id: "turn", asked: { prompt: "Change these.", attachments: [quotes] } }]);
  await draft.keep();
  assert.deepEqual(disk.attached, [quotes]);
});

test("SessionDraft keeps a question of a window that has died on the disk while the next one is being sent", async (t) => {
  const { journal, moments } = await watchedJournal(t);
  await journal.writeUnsent({ sent: [question("first", "First?")] });
  moments.length = 0;
  const draft = await draftOver(journal);
  assert.equal(draft.text, "First?");
  await draft.hold(question("second", "Second?"));
  assert.ok(moments.length > 2);
  assert.deepEqual(
    moments.filter((each) => isLost("First?", each)),
    [],
  );
  assert.deepEqual(moments.at(-1)?.drafts, ["First?"]);
  assert.deepEqual(moments.at(-1)?.sent, ["Second?"]);
  draft.close();
});

test("SessionDraft keeps a question that comes back into the box on the disk while the next one is being sent", async (t) => {
  const { journal, moments } = await watchedJournal(t);
  const draft = await draftOver(journal);
  await draft.hold(question("first", "First?"));
  moments.length = 0;
  draft.putBefore("First?", []);
  draft.release("first");
  await draft.hold(question("second", "Second?"));
  assert.deepEqual(
    moments.filter((each) => isLost("First?", each)),
    [],
  );
  assert.deepEqual(moments.at(-1)?.drafts, ["First?"]);
  assert.deepEqual(moments.at(-1)?.sent, ["Second?"]);
  draft.close();
});
