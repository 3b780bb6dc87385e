import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import {
  addConversation,
  addTurn,
  ended,
  libraryOn,
  logOf,
  started,
  temporaryFolder,
  text,
} from "./store-support.ts";

const plain = ({ seq: _, ...record }: { seq: number }) => record;

test("a journal returns all appended records when it is opened again", async (t) => {
  const folder = temporaryFolder(t);
  const journal = await libraryOn(folder).create("c");
  await addTurn(journal, "1", "€ 😀");
  await journal.close();
  const again = await libraryOn(folder).open("c");
  assert.deepEqual(again.records.map(plain), [started("1"), text("1", "€ 😀"), ended("1")]);
  assert.equal(again.readOnly, undefined);
  assert.equal(again.repair, undefined);
});

test("a journal returns only the requested record types, and read returns others later", async (t) => {
  const folder = temporaryFolder(t);
  await addConversation(libraryOn(folder), "c", "1");
  const again = await libraryOn(folder).open("c", (type) => type === "ended");
  assert.deepEqual(
    again.records.map(({ type }) => type),
    ["ended"],
  );
  assert.deepEqual(
    (await again.read((type) => type === "text")).map(({ type }) => type),
    ["text"],
  );
});

test("a new conversation creates no files before its first record", async (t) => {
  const folder = temporaryFolder(t);
  const journal = await libraryOn(folder).create("c");
  await journal.close();
  assert.deepEqual(readdirSync(folder), []);
});

test("the store creates files that only their owner can access", {
  skip: process.platform === "win32",
}, async (t) => {
  const folder = temporaryFolder(t);
  const journal = await libraryOn(folder).create("c");
  await addTurn(journal, "1");
  await journal.changes.put("x");
  await journal.writeDraft("d");
  for (const name of readdirSync(folder, { recursive: true })) {
    const found = statSync(join(folder, String(name)));
    assert.equal(found.mode & 0o077, 0, String(name));
  }
});

test("a torn last line is skipped and loses no record before or after it", async (t) => {
  const folder = temporaryFolder(t);
  await addConversation(libraryOn(folder), "c", "1");
  appendFileSync(logOf(folder, "c"), '{"seq":4,"type":"started","turn":"2","pro');
  const second = await libraryOn(folder).open("c");
  assert.equal(second.repair, undefined);
  assert.equal(second.records.length, 3);
  await addTurn(second, "2");
  await second.close();
  const third = await libraryOn(folder).open("c");
  assert.equal(third.records.length, 6);
  assert.equal(third.repair, undefined);
});

test("a last record without a line break is read and kept, also after another append", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const first = await library.create("a");
  await addTurn(first, "1");
  await library.close();
  const bytes = readFileSync(logOf(folder, "a"));
  writeFileSync(logOf(folder, "a"), bytes.subarray(0, -1));
  const other = libraryOn(folder);
  assert.equal((await other.list())[0]?.turns, 1);
  const journal = await other.open("a");
  const types = (records: readonly { type: string }[]) => records.map(({ type }) => type);
  assert.deepEqual(types(journal.records), ["started", "text", "ended"]);
  await journal.append(started("2"), { durable: true });
  await journal.close();
  assert.equal((await other.list())[0]?.turns, 2);
  const again = await libraryOn(folder).open("a");
  assert.deepEqual(types(again.records), ["started", "text", "ended", "started"]);
  assert.deepEqual(readFileSync(logOf(folder, "a")).subarray(0, bytes.length), bytes);
  assert.equal(again.repair, undefined);
});

test("a damaged journal keeps the records around the damage and a copy of the file", async (t) => {
  const folder = temporaryFolder(t);
  await addConversation(libraryOn(folder), "c", "1", "2", "3");
  const path = logOf(folder, "c");
  const damaged = readFileSync(path);
  damaged.fill(0, Math.floor(damaged.length / 2), Math.floor(damaged.length / 2) + 200);
  writeFileSync(path, damaged);
  const second = await libraryOn(folder).open("c");
  assert.ok(second.repair !== undefined && second.repair.lostLines > 0);
  assert.match(second.repair.original, /\.corrupt-[^/\\]+\.jsonl$/);
  assert.deepEqual(readFileSync(second.repair.original), damaged);
  assert.ok(second.records.length >= 3);
  const kept = second.records.length;
  await addTurn(second, "4");
  await second.close();
  const third = await libraryOn(folder).open("c");
  assert.equal(third.repair, undefined);
  assert.equal(third.records.length, kept + 3);
});

test("a journal keeps records of unknown types and with unknown fields", async (t) => {
  const folder = temporaryFolder(t);
  const first = await libraryOn(folder).create("c");
  await first.append({ type: "telepathy", turn: "1", deep: { strength: [1, null] } }, { durable: false });
  await first.close();
  const second = await libraryOn(folder).open("c");
  assert.deepEqual(second.records.map(plain), [
    { type: "telepathy", turn: "1", deep: { strength: [1, null] } },
  ]);
});

test("a folder deleted under a running conversation is written again in full", async (t) => {
  const folder = temporaryFolder(t);
  const journal = await libraryOn(folder).create("c");
  await addTurn(journal, "1");
  rmSync(dirname(logOf(folder, "c")), { recursive: true });
  await addTurn(journal, "2");
  await journal.close();
  assert.equal((await libraryOn(folder).open("c")).records.length, 6);
});
