import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Blobs, BlobsFull } from "../../../../src/core/store/blobs.ts";
import { Checkpoints, type Taking } from "../../../../src/core/store/checkpoints.ts";
import { nodeFileSystem } from "../../../../src/core/store/file-system.ts";
import type { JournalRecord, NewRecord } from "../../../../src/core/store/record-line.ts";
import { libraryOn, temporaryFolder } from "./store-support.ts";

const taking = (name: string, files: Record<string, string | undefined>): Taking => ({
  ...{ turn: `turn of ${name}`, name, details: Buffer.from(`what ${name} does`) },
  files: Object.entries(files).map(([file, text]) => ({
    file,
    bytes: text === undefined ? ("absent" as const) : Buffer.from(text),
  })),
});

async function takeAll(checkpoints: Checkpoints, ...all: readonly Taking[]): Promise<string[]> {
  const ids: string[] = [];
  for (const each of all) {
    const kept = await checkpoints.take(each);
    assert.ok(kept.kept);
    ids.push(kept.checkpoint);
  }
  return ids;
}

/** What is kept under a name, as far as it is there. */
async function kept(checkpoints: Checkpoints, name: string) {
  const found = checkpoints.find(name);
  const text = async (blob: string) => {
    const bytes = await checkpoints.bytes(blob);
    return bytes === undefined || bytes === "absent" ? bytes : Buffer.from(bytes).toString();
  };
  const files = [...(found?.files ?? [])].map(async ([file, blob]) => [file, await text(blob)] as const);
  return found && { files: Object.fromEntries(await Promise.all(files)), details: await text(found.details) };
}

test("what files were is there after reopening, with what was done to them and what became of it", async (t) => {
  const folder = temporaryFolder(t);
  const first = await libraryOn(folder).create("c");
  const [id = ""] = await takeAll(first.checkpoints, taking("a", { x: "1", y: undefined }));
  assert.equal(first.checkpoints.find("a")?.outcome, undefined);
  await first.checkpoints.settle(id, "done");
  await first.close();
  const { checkpoints, records } = await libraryOn(folder).open("c");
  assert.deepEqual(records, []);
  assert.deepEqual(await kept(checkpoints, "a"), {
    files: { x: "1", y: "absent" },
    details: "what a does",
  });
  assert.equal(checkpoints.find("a")?.turn, "turn of a");
  assert.equal(checkpoints.find("a")?.outcome, "done");
  await checkpoints.settle(id, "taken-back");
  assert.equal(checkpoints.find("a")?.outcome, "taken-back");
  assert.equal(checkpoints.find("b"), undefined);
});

test("of several under one name the latest counts, and in another workspace none does", async (t) => {
  const folder = temporaryFolder(t);
  const here = await libraryOn(folder, nodeFileSystem, "here").create("c");
  await takeAll(here.checkpoints, taking("a", { x: "1" }), taking("a", { x: "2" }));
  assert.deepEqual((await kept(here.checkpoints, "a"))?.files, { x: "2" });
  await here.close();
  const elsewhere = await libraryOn(folder, nodeFileSystem, "elsewhere").open("c");
  assert.equal(elsewhere.checkpoints.find("a"), undefined);
});

function inMemory(folder: string, limit: number) {
  const own: JournalRecord[] = [];
  const append = async (record: NewRecord) => void own.push({ ...record, seq: own.length });
  const snapshots = new Blobs({ fs: nodeFileSystem, folder, limit });
  const checkpoints = new Checkpoints({ own, append }, snapshots, "", () => `id${own.length}`);
  return { snapshots, checkpoints };
}

test("what is larger than all there is room for is not kept, and nothing is forgotten for it", async (t) => {
  const { checkpoints } = inMemory(join(temporaryFolder(t), "s"), 40);
  await takeAll(checkpoints, taking("a", { x: "1" }));
  const large = await checkpoints.take(taking("b", { x: "x".repeat(41) }));
  assert.ok(!large.kept && large.reason instanceof BlobsFull);
  assert.deepEqual((await kept(checkpoints, "a"))?.files, { x: "1" });
  assert.equal(checkpoints.find("b"), undefined);
});

test("where there is no room the oldest make some, and spare what newer ones need", async (t) => {
  const { checkpoints, snapshots } = inMemory(join(temporaryFolder(t), "s"), 350);
  const [one, other] = ["a".repeat(100), "b".repeat(100)];
  await takeAll(checkpoints, taking("1", { x: one }), taking("2", { x: other }), taking("3", { x: one }));
  await takeAll(checkpoints, taking("4", { x: "c".repeat(200) }));
  assert.ok((await snapshots.size()) <= 350);
  assert.deepEqual((await kept(checkpoints, "2"))?.files, { x: undefined });
  assert.deepEqual((await kept(checkpoints, "3"))?.files, { x: one });
  assert.deepEqual((await kept(checkpoints, "4"))?.files, { x: "c".repeat(200) });
});

test("bytes are kept once, under the name of their content", async (t) => {
  const folder = join(temporaryFolder(t), "blobs");
  const blobs = new Blobs({ fs: nodeFileSystem, folder, limit: 1000 });
  const names = await Promise.all([1, 2, 3].map(() => blobs.put(Buffer.from("same"))));
  assert.equal(new Set(names).size, 1);
  assert.deepEqual(readdirSync(folder), [names[0]]);
  assert.equal(await blobs.size(), 4);
});

test("bytes that are not what their name says are not handed out, and can be kept anew", async (t) => {
  const folder = join(temporaryFolder(t), "blobs");
  const hash = await new Blobs({ fs: nodeFileSystem, folder, limit: 1000 }).put(Buffer.from("good"));
  writeFileSync(join(folder, hash), "evil");
  const blobs = new Blobs({ fs: nodeFileSystem, folder, limit: 1000 });
  assert.equal(await blobs.get(hash), undefined);
  assert.equal(await blobs.put(Buffer.from("good")), hash);
  assert.equal(Buffer.from((await blobs.get(hash)) ?? []).toString(), "good");
  assert.equal(await blobs.get("../../etc/passwd"), undefined);
});
