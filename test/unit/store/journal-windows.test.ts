// One journal in two processes: who writes, who reads along, and what happens between them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { StoreError } from "../../../src/store/documents.ts";
import { nodeFileSystem, WriterLock } from "../../../src/store/file-system.ts";
import {
  addConversation,
  addTurn,
  changeOf,
  ended,
  libraryOn,
  started,
  temporaryFolder,
} from "./store-support.ts";

test("a second window reads a conversation along and may write once the first window closes it", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = temporaryFolder(t);
  const here = libraryOn(folder);
  const there = libraryOn(folder);
  const writer = await here.create("c");
  await addTurn(writer, "1");
  const reader = await there.open("c");
  assert.equal(reader.readOnly?.kind, "elsewhere");
  await assert.rejects(reader.append(started("x"), { durable: true }), /another window/);

  await addTurn(writer, "2");
  const seen: string[] = [];
  reader.onDidChange((change) => {
    if (change.type === "appended") seen.push(...change.records.map(({ type }) => type));
  });
  const heard = changeOf(reader, "appended");
  t.mock.timers.tick(1000);
  await heard;
  assert.deepEqual(seen, ["started", "text", "ended"]);

  await writer.close();
  const promoted = changeOf(reader, "state");
  t.mock.timers.tick(1000);
  await promoted;
  assert.equal(reader.readOnly, undefined);
  await addTurn(reader, "3");
  await reader.close();
  assert.equal((await here.open("c")).records.length, 9);
});

test("the lock of a killed process is taken over at once", async (t) => {
  const folder = temporaryFolder(t);
  await addConversation(libraryOn(folder), "c", "1");
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(
    join(folder, "conversations", "c", "lock"),
    JSON.stringify({ token: "gone", pid, host: hostname() }),
  );
  const second = await libraryOn(folder).open("c");
  assert.equal(second.readOnly, undefined);
  await addTurn(second, "2");
});

test("an empty or incomplete lock file does not prevent writing", async (t) => {
  const folder = temporaryFolder(t);
  const begun = join(folder, "conversations", "c");
  mkdirSync(begun, { recursive: true });
  writeFileSync(join(begun, "lock"), "");
  const first = await libraryOn(folder).open("c");
  await addTurn(first, "1");
  assert.equal(first.readOnly, undefined);
  await first.close();
  writeFileSync(join(begun, "lock"), '{"token":"half');
  const second = await libraryOn(folder).open("c");
  assert.equal(second.readOnly, undefined);
  assert.equal(second.records.length, 3);
});

test("WriterLock respects a lock that is named shortly after it was created", async (t) => {
  const path = join(temporaryFolder(t), "lock");
  writeFileSync(path, "");
  let looks = 0;
  const fs = {
    ...nodeFileSystem,
    read(file: string) {
      looks += 1;
      if (looks === 2)
        writeFileSync(path, JSON.stringify({ token: "x", pid: process.pid, host: hostname() }));
      return nodeFileSystem.read(file);
    },
  };
  assert.equal(await new WriterLock(fs, path).acquire(), false);
  assert.equal(JSON.parse(readFileSync(path, "utf8")).token, "x");
});

/** A writer that was silent for five seconds: somebody took over, wrote and is gone again. */
async function overtaken(t: TestContext) {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const sleeper = await library.create("c");
  await addTurn(sleeper, "1");
  rmSync(join(folder, "conversations", "c", "lock"));
  const other = await libraryOn(folder).open("c");
  await addTurn(other, "2");
  await other.close();
  return { folder, library, sleeper };
}

test("a writer that lost its lock while asleep overwrites nothing and becomes read-only", async (t) => {
  const { sleeper } = await overtaken(t);
  await assert.rejects(sleeper.append(started("3"), { durable: true }), StoreError);
  assert.equal(sleeper.readOnly?.kind, "elsewhere");
});

test("a record refused after a lost lock is written once the lock is held again", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { folder, sleeper } = await overtaken(t);
  const reloaded = changeOf(sleeper, "reloaded");
  await assert.rejects(sleeper.append(started("3"), { durable: true }));
  await reloaded;
  const promoted = changeOf(sleeper, "state");
  t.mock.timers.tick(1000);
  await promoted;
  await sleeper.append(ended("3"), { durable: true });
  await sleeper.close();
  const turns = (await libraryOn(folder).open("c")).records.map((record) => record["turn"]);
  assert.deepEqual(turns, ["1", "1", "1", "2", "2", "2", "3", "3"]);
});

test("a record refused after a lost lock is written even if the journal is closed at once", async (t) => {
  const { folder, library, sleeper } = await overtaken(t);
  await assert.rejects(sleeper.append(started("3"), { durable: true }));
  await sleeper.close();
  await library.close();
  const turns = (await libraryOn(folder).open("c")).records.map((record) => record["turn"]);
  assert.deepEqual(turns, ["1", "1", "1", "2", "2", "2", "3"]);
});
