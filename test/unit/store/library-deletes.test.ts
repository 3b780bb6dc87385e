// Conversations that are deleted, closed or left half done: nothing stays, nothing is swept that lives.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { encodeRecord } from "../../../src/store/journal-records.ts";
import {
  addConversation,
  addTurn,
  ended,
  libraryOn,
  logOf,
  onDisk,
  started,
  temporaryFolder,
} from "./store-support.ts";

test("library.remove leaves nothing of a conversation on the disk", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("a");
  await journal.append(started("1", "the canary sings"), { durable: true });
  await journal.changes.put("the canary sleeps");
  await journal.changes.write("the canary dreams", false);
  await journal.writeDraft("the canary flies");
  await journal.writeAttached("the canary waits");
  writeFileSync(logOf(folder, "a"), `${readFileSync(logOf(folder, "a"))}broken canary\n`);
  await journal.close();
  await (await library.open("a")).close();
  await addConversation(library, "b", "1");
  await library.list();
  await library.remove("a");
  assert.equal(onDisk(folder).includes("canary"), false);
  assert.equal(existsSync(dirname(logOf(folder, "a"))), false);
  assert.deepEqual(
    (await libraryOn(folder).list()).map(({ id }) => id),
    ["b"],
  );
  await library.remove("a");
});

test("library.remove deletes a conversation open in this window and refuses one open in another", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("a");
  await addTurn(journal, "1");
  await assert.rejects(libraryOn(folder).remove("a"), /open in another window/);
  await library.remove("a");
  await assert.rejects(journal.append(ended("1"), { durable: true }), /closed/);
  assert.deepEqual(await library.list(), []);
});

test("a conversation that was deleted takes nothing more of what is typed in it", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const journal = await library.create("a");
  await addTurn(journal, "1");
  const onTheWay = [journal.writeDraft("typed"), journal.writeSent("sent")];
  await library.remove("a");
  await Promise.all(onTheWay);
  await assert.rejects(journal.writeDraft("typed later"), /closed/);
  await assert.rejects(journal.writeAttached("attached later"), /closed/);
  await assert.rejects(journal.writeSent("sent later"), /closed/);
  await assert.rejects(journal.changes.write("proposed later", false), /closed/);
  assert.equal(existsSync(dirname(logOf(folder, "a"))), false);
  assert.deepEqual(await library.list(), []);
});

test("a conversation that the disk fails to delete stays unlocked and can be deleted later", async (t) => {
  const folder = temporaryFolder(t);
  await addConversation(libraryOn(folder), "a", "1");
  const held = async () => Promise.reject(Object.assign(new Error("in use"), { code: "EBUSY" }));
  const remove = (path: string) => (path.endsWith("lock") ? nodeFileSystem.remove(path) : held());
  await assert.rejects(libraryOn(folder, { ...nodeFileSystem, rename: held, remove }).remove("a"), /in use/);
  const library = libraryOn(folder);
  await library.remove("a");
  assert.deepEqual(await library.list(), []);
});

test("a half-deleted folder is removed and never listed", async (t) => {
  const folder = temporaryFolder(t);
  await addConversation(libraryOn(folder), "a", "1");
  const gone = join(folder, "conversations", ".gone-1");
  mkdirSync(gone);
  writeFileSync(join(gone, "log.jsonl"), encodeRecord(0, { type: "store-head", version: 1 }));
  assert.equal((await libraryOn(folder).list()).length, 1);
  assert.equal(existsSync(gone), false);
});

test("temporary files of a killed writer are removed unless another window may be writing them", async (t) => {
  const folder = temporaryFolder(t);
  const place = join(folder, "conversations", "a");
  const journal = await libraryOn(folder).create("a");
  await journal.changes.put("kept");
  await addTurn(journal, "1");
  await addTurn(journal, "2", "the canary");
  await journal.close();
  const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
  const left = (name: string, time = new Date()) => {
    writeFileSync(join(folder, name), "the canary");
    utimesSync(join(folder, name), time, time);
  };
  const dead = ["log.jsonl.0123456789ab.tmp", "draft.json.0123456789ab.tmp", "changes/0123.0123456789ab.tmp"];
  for (const name of dead) left(join("conversations/a", name), old);
  left("conversations/a/log.jsonl.0123456789ac.tmp");
  left("conversations/a/attached.json.0123456789ac.tmp");
  left("index.json.0123456789ab.tmp", old);
  // Another window may be writing these two right now.
  left("conversations/a/draft.json.0123456789ad.tmp");
  left("index.json.0123456789ad.tmp");
  const library = libraryOn(folder);
  const again = await library.open("a");
  await again.cut("2");
  assert.equal((await library.list()).length, 1);
  // What it has to note is noted.
  await library.close();
  const names = readdirSync(place, { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    names.filter((name) => name.endsWith(".tmp")),
    ["draft.json.0123456789ad.tmp"],
  );
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".tmp")),
    ["index.json.0123456789ad.tmp"],
  );
  assert.doesNotMatch(readFileSync(logOf(folder, "a"), "utf8"), /canary/);
});

test("two views in one window share a journal, and the last to close it releases the lock", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const first = await library.create("a");
  await addTurn(first, "1");
  const second = await library.open("a");
  await first.close();
  await addTurn(second, "2");
  await second.close();
  const third = await libraryOn(folder).open("a");
  assert.equal(third.readOnly, undefined);
  assert.equal(third.records.length, 6);
});

test("a conversation that is being closed can be opened again at once in the same window", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  let journal = await library.create("c");
  for (let turn = 0; turn < 10; turn += 1) {
    const [, next] = await Promise.all([journal.close(), library.create("c")]);
    assert.equal(next.readOnly, undefined);
    await addTurn(next, String(turn));
    journal = next;
  }
  const [, , renamed] = await Promise.all([journal.close(), library.rename("c", "Name"), library.open("c")]);
  assert.equal(renamed.readOnly, undefined);
  assert.equal((await renamed.read((type) => type === "ended")).length, 10);
});
