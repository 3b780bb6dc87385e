// The journal's file in the hands of its writer: what the disk refuses is told as the disk tells it, and whoever has ended
// writes nothing any more.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type FileSystem, nodeFileSystem, WriterLock } from "../../../src/store/file-system.ts";
import { OwnedFile } from "../../../src/store/internal/append-log.ts";
import { JournalWriter } from "../../../src/store/internal/journal-writer.ts";
import { addConversation, libraryOn, started, temporaryFolder } from "./store-support.ts";

function fileIn(t: TestContext, fs: FileSystem) {
  const folder = temporaryFolder(t);
  const path = join(folder, "log.jsonl");
  const lock = new WriterLock(nodeFileSystem, join(folder, "lock"));
  t.after(() => lock.release());
  return { path, file: new OwnedFile(fs, path, lock, 0) };
}

/** What was opened for writing is told, and may fail in a call. */
function watched(fails: () => boolean, told: (call: "sync" | "close") => void): FileSystem {
  return {
    ...nodeFileSystem,
    async open(path, mode) {
      const file = await nodeFileSystem.open(path, mode);
      if (mode !== "append") return file;
      return {
        ...file,
        async stat() {
          if (fails()) throw Object.assign(new Error("EIO: fstat"), { code: "EIO" });
          return file.stat();
        },
        async sync() {
          told("sync");
          await file.sync();
        },
        async close() {
          told("close");
          await file.close();
        },
      };
    },
  };
}

test("OwnedFile closes a file that cannot be checked and reports the disk's own error", async (t) => {
  const told: string[] = [];
  let isFailing = true;
  const { path, file } = fileIn(
    t,
    watched(
      () => isFailing,
      (call) => told.push(call),
    ),
  );
  await assert.rejects(file.append(Buffer.from("one\n"), false), { code: "EIO" });
  assert.deepEqual(told, ["close"]);
  isFailing = false;
  await file.append(Buffer.from("two\n"), false);
  await file.close();
  assert.equal(readFileSync(path, "utf8"), "two\n");
});

test("JournalWriter writes nothing after its end", async (t) => {
  const { path, file } = fileIn(t, nodeFileSystem);
  const writer = new JournalWriter({
    ...{ file, last: -1, head: { type: "store-head", version: 1 } },
    ...{ onSaved() {}, onState() {}, onLost() {} },
  });
  await writer.append(started("1"), true);
  await writer.end();
  const before = readFileSync(path, "utf8");
  void writer.append(started("2"), true);
  await writer.flush();
  assert.equal(readFileSync(path, "utf8"), before);
  assert.deepEqual(
    writer.waiting.map((record) => record["turn"]),
    ["2"],
  );
});

test("library.rename syncs the new title to disk before it resolves", async (t) => {
  const told: string[] = [];
  const library = libraryOn(
    temporaryFolder(t),
    watched(
      () => false,
      (call) => told.push(call),
    ),
  );
  await addConversation(library, "a", "1");
  told.length = 0;
  await library.rename("a", "Other");
  assert.equal(told[0], "sync");
});

test("OwnedFile.replace replaces all bytes behind an offset, even behind the first byte", async (t) => {
  const { path, file } = fileIn(t, nodeFileSystem);
  await file.append(Buffer.from("\nold\n"), true);
  await file.replace(1, (opened) => opened.write(Buffer.from("new\n")));
  await file.append(Buffer.from("more\n"), true);
  assert.equal(readFileSync(path, "utf8"), "\nnew\nmore\n");
  await file.close();
});
