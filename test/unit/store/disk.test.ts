// The rows of the fault matrix that are about storage, each under its number.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { sealed } from "../../../src/store/documents.ts";
import { type FileSystem, nodeFileSystem, replaceText, WriterLock } from "../../../src/store/file-system.ts";
import { encodeRecord } from "../../../src/store/journal-records.ts";
import type { Library } from "../../../src/store/library.ts";
import { text } from "../../sim/script.ts";
import { addTurn, libraryOn, logOf, started, temporaryFolder } from "./store-support.ts";
import { openWindow, words } from "./window-support.ts";

const refusing = (code: string): FileSystem => {
  const refuse = () => Promise.reject(Object.assign(new Error(code), { code }));
  return {
    ...nodeFileSystem,
    makeFolder: refuse,
    rename: refuse,
    open: (path, mode) => (mode === "read" ? nodeFileSystem.open(path, mode) : refuse()),
  };
};

for (const [row, code, sentence] of [
  [76, "ENOSPC", /History is not being saved: the disk is full/],
  [77, "EROFS", /History is not being saved: its folder refuses access/],
  [77, "EACCES", /History is not being saved: its folder refuses access/],
] as const)
  test(`row ${row}: a conversation continues after ${code} and reports why it is not saved`, async (t) => {
    const folder = temporaryFolder(t);
    const first = await openWindow(t, { folder });
    first.sim.reply(text("Saved."));
    await first.shown.session.send({ prompt: "Before" });
    const id = first.shown.session.state.id;
    await first.shown.close();
    const kept = readFileSync(logOf(folder, id));
    const { sim, shown, errors } = await openWindow(t, { folder, sim: first.sim, fs: refusing(code) });
    sim.reply(text("Only here."));
    await shown.session.send({ prompt: "After" });
    assert.deepEqual(words(shown), [
      ["Before", "done", "Saved."],
      ["After", "done", "Only here."],
    ]);
    assert.match(errors.join("\n"), sentence);
    assert.deepEqual(readFileSync(logOf(folder, id)), kept);
  });

/** With how many of its nine records are left, and a note of what is missing where there are any. */
for (const [what, spoil, left] of [
  ["truncated in the middle of a line", (bytes: Buffer) => bytes.subarray(0, bytes.length - 40), 9],
  ["emptied", () => Buffer.alloc(0), 0],
  ["filled with zeros", (bytes: Buffer) => Buffer.alloc(bytes.length), 0],
  ["filled with bad UTF-8", (bytes: Buffer) => Buffer.alloc(bytes.length, 0xc3), 0],
  ["replaced by lines of bad UTF-8", () => Buffer.from([0xff, 0xfe, 0x0a, 0x80, 0x0a]), 0],
  ["replaced by a text of another program", () => Buffer.from("Dear diary\n"), 0],
  [
    "zeroed in its second half",
    (bytes: Buffer) => Buffer.concat([bytes.subarray(0, bytes.length >> 1), Buffer.alloc(bytes.length >> 1)]),
    4,
  ],
] as const)
  test(`row 78: a journal that was ${what} is repaired, with its bytes copied aside and other journals untouched`, async (t) => {
    const folder = temporaryFolder(t);
    const library = libraryOn(folder);
    for (const id of ["mine", "other"]) {
      const journal = await library.create(id);
      for (const turn of ["1", "2", "3"]) await addTurn(journal, turn);
      await journal.close();
    }
    await library.close();
    const other = readFileSync(logOf(folder, "other"));
    const spoilt = spoil(readFileSync(logOf(folder, "mine")));
    writeFileSync(logOf(folder, "mine"), spoilt);
    const again = libraryOn(folder);
    assert.equal((await again.list()).length, 2);
    const journal = await again.open("mine");
    assert.equal(journal.readOnly, undefined);
    assert.equal(journal.records.length, left);
    const { original = "" } = journal.repair ?? {};
    assert.deepEqual(readFileSync(original), spoilt);
    assert.equal(dirname(original), dirname(logOf(folder, "mine")));
    await addTurn(journal, "4");
    await journal.close();
    const finally_ = await again.open("mine");
    assert.equal(finally_.records.length, left + 3);
    assert.equal(finally_.repair, undefined);
    assert.deepEqual(readFileSync(logOf(folder, "other")), other);
  });

test("row 79: the list matches the journals when its index is missing, old or wrong", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  for (const id of ["a", "b"]) await addTurn(await library.create(id), "1");
  await library.close();
  const path = join(folder, "index.json");
  const old = readFileSync(path);
  const grown = libraryOn(folder);
  await addTurn(await grown.open("a"), "2");
  await addTurn(await grown.create("c"), "1");
  await grown.close();
  const list = () => libraryOn(folder).list();
  unlinkSync(path);
  const right = await list();
  assert.deepEqual(right.map(({ id, turns }) => `${id}${turns}`).sort(), ["a2", "b1", "c1"]);
  const wrong = [
    { version: 1 },
    { version: 1, entries: { a: 7 } },
    { version: 2, entries: { x: {}, a: {} } },
  ];
  for (const index of [old, "", "null", "{}", ...wrong.map(sealed)]) {
    writeFileSync(path, index);
    assert.deepEqual(await list(), right);
  }
});

test("row 80: two windows that write one conversation in turns lose no turn", async (t) => {
  const folder = temporaryFolder(t);
  const turns = 12;
  const write = async (library: Library, name: string) => {
    for (let turn = 0; turn < turns; ) {
      const journal = await library.create("c");
      if (journal.readOnly === undefined)
        await addTurn(journal, `${name}${turn}`).then(
          () => {
            turn += 1;
          },
          () => undefined,
        );
      await journal.close();
      await setImmediate();
    }
  };
  await Promise.all([write(libraryOn(folder), "a"), write(libraryOn(folder), "b")]);
  const journal = await libraryOn(folder).open("c");
  const ends = (await journal.read((type) => type === "ended")).map((record) => String(record["turn"]));
  const all = ["a", "b"].flatMap((name) => Array.from({ length: turns }, (_, turn) => `${name}${turn}`));
  assert.deepEqual([...new Set(ends)].sort(), all.sort());
  assert.equal(journal.repair, undefined);
});

test("row 81: WriterLock takes over the lock of a dead process at once and a silent one after five seconds", async (t) => {
  const path = join(temporaryFolder(t), "lock");
  let elapsed = 0;
  const claim = (pid: number, host: string) => writeFileSync(path, JSON.stringify({ token: "x", pid, host }));
  const { pid: dead } = spawnSync(process.execPath, ["-e", ""]);
  claim(dead, hostname());
  const first = new WriterLock(nodeFileSystem, path, () => elapsed);
  assert.equal(await first.acquire(), true);
  await first.release();
  for (const [pid, host] of [
    [process.pid, hostname()],
    [dead, "another-machine"],
  ] as const) {
    claim(pid, host);
    const lock = new WriterLock(nodeFileSystem, path, () => elapsed);
    assert.equal(await lock.acquire(), false);
    elapsed += 4999;
    assert.equal(await lock.acquire(), false);
    elapsed += 1;
    assert.equal(await lock.acquire(), true);
    await lock.release();
  }
});

test("row 82: replaceText retries a refused rename and keeps the old file if it keeps failing", async (t) => {
  for (const code of ["EPERM", "EBUSY", "EACCES"]) {
    const path = join(temporaryFolder(t), "file");
    writeFileSync(path, "old");
    let refusals = 5;
    const fs: FileSystem = {
      ...nodeFileSystem,
      rename: (from, to) =>
        refusals-- > 0
          ? Promise.reject(Object.assign(new Error(code), { code }))
          : nodeFileSystem.rename(from, to),
    };
    await replaceText(fs, path, "new");
    assert.equal(readFileSync(path, "utf8"), "new");
    refusals = Number.POSITIVE_INFINITY;
    await assert.rejects(replaceText(fs, path, "newer"), { code });
    assert.equal(readFileSync(path, "utf8"), "new");
    assert.deepEqual(readdirSync(dirname(path)), ["file"]);
  }
});

test("row 83: a conversation of a newer version can be listed and read but not changed", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  await addTurn(await library.create("c"), "1");
  await library.close();
  const path = logOf(folder, "c");
  const old = readFileSync(path);
  const head = encodeRecord(0, { type: "store-head", version: 2, id: "c", at: 1, cloud: true });
  const newer = Buffer.concat([
    head,
    old.subarray(old.indexOf(10) + 1),
    encodeRecord(4, { type: "hologram", depth: 9 }),
    Buffer.from('{"seq":5,"ty'),
  ]);
  writeFileSync(path, newer);
  const again = libraryOn(folder);
  const journal = await again.open("c");
  assert.equal(journal.readOnly?.kind, "newer");
  assert.equal(journal.records.length, 4);
  for (const change of [
    () => journal.append(started("2"), { durable: true }),
    () => journal.cut("1"),
    () => again.rename("c", "Mine"),
    () => again.archive("c", true),
  ])
    await assert.rejects(change(), /newer version/);
  await journal.close();
  assert.equal((await again.list())[0]?.turns, 1);
  await again.close();
  assert.deepEqual(readFileSync(path), newer);
});

test("row 84: the list opens no journal that its index describes correctly", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  for (let count = 0; count < 40; count += 1) await addTurn(await library.create(`c${count}`), "1");
  await library.close();
  const opened: string[] = [];
  const counting: FileSystem = {
    ...nodeFileSystem,
    open: (path, mode) => {
      opened.push(path);
      return nodeFileSystem.open(path, mode);
    },
  };
  const again = libraryOn(folder, counting);
  assert.equal((await again.list()).length, 40);
  assert.equal(opened.length, 0);
  await addTurn(await libraryOn(folder).open("c7"), "2");
  await again.list();
  assert.deepEqual(
    opened.filter((path) => path.endsWith("log.jsonl")),
    [logOf(folder, "c7")],
  );
});

test("row 85: a storage folder deleted while a window is open is written again in full", async (t) => {
  const folder = temporaryFolder(t);
  const { sim, shown, errors } = await openWindow(t, { folder });
  sim.reply(text("One."));
  await shown.session.send({ prompt: "First" });
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  sim.reply(text("Two."));
  await shown.session.send({ prompt: "Second" });
  await shown.close();
  assert.deepEqual(errors, []);
  const again = await openWindow(t, { folder, sim });
  assert.deepEqual(words(again.shown), [
    ["First", "done", "One."],
    ["Second", "done", "Two."],
  ]);
});
