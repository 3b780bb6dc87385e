// What waits to be sent, on a disk that has spoilt it; and a conversation whose file is gone.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { english } from "../../support/english.ts";
import { ask, openTestApp } from "./person-support.ts";
import { libraryOn, logOf, temporaryFolder } from "./store-support.ts";

const words = 'What "is" this?\nAnd \\ that?';

async function withDraft(folder: string) {
  const journal = await libraryOn(folder).create("c");
  await journal.writeDraft(words);
  await journal.writeAttached('[{"kind":"file","path":"a.ts"}]');
  await journal.close();
  return (name: string) => join(folder, "conversations", "c", name);
}

test("a truncated draft keeps the words before the cut", async (t) => {
  const folder = temporaryFolder(t);
  const pathOf = await withDraft(folder);
  const whole = readFileSync(pathOf("draft.json"), "utf8");
  writeFileSync(pathOf("draft.json"), whole.slice(0, whole.indexOf("that")));
  const journal = await libraryOn(folder).open("c");
  assert.equal(await journal.readDraft(), 'What "is" this?\nAnd \\ ');
  await journal.close();
});

test("a damaged attachments file attaches nothing and is reported", async (t) => {
  const folder = temporaryFolder(t);
  const pathOf = await withDraft(folder);
  const path = pathOf("attached.json");
  writeFileSync(path, readFileSync(path, "utf8").replace("a.ts", "b.ts"));
  const app = await openTestApp(t, { folder });
  await app.session.flush();
  assert.deepEqual(app.session.draft.wishes, []);
  assert.match(english(app.session.repaired), /Add them again\. A copy of the file was kept\.$/);
  assert.equal(app.session.draft.text, words);
});

test("a conversation whose file is missing stays in the list and reports it when opened", async (t) => {
  const folder = temporaryFolder(t);
  const app = await openTestApp(t, { folder });
  await ask(app, "One?", "Answer.");
  const { id } = app.session;
  await app.close();
  const library = libraryOn(folder);
  assert.equal((await library.list())[0]?.id, id);
  rmSync(logOf(folder, id));
  for (const each of [library, libraryOn(folder)]) {
    const [summary] = await each.list();
    assert.deepEqual([summary?.id, summary?.damaged], [id, true]);
  }
  const later = await openTestApp(t, { folder, sim: app.sim });
  assert.equal(later.session.id, id);
  assert.match(english(later.session.repaired), /^The file of this conversation is missing\./);
  await ask(later, "Two?", "Other answer.");
  await later.close();
  const last = await openTestApp(t, { folder, sim: app.sim });
  assert.deepEqual(last.session.repaired, []);
  assert.equal(last.session.state.turns.at(-1)?.prompt, "Two?");
  await libraryOn(folder).list();
  await last.close();
  const deleting = libraryOn(folder);
  await deleting.remove(id);
  assert.deepEqual(await deleting.list(), []);
});
