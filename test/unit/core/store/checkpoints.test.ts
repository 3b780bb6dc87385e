import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Blobs, BlobsFull } from "../../../../src/core/store/blobs.ts";
import { Checkpoints, type FileBytes, type Return } from "../../../../src/core/store/checkpoints.ts";
import { nodeFileSystem } from "../../../../src/core/store/file-system.ts";
import type { JournalRecord, NewRecord } from "../../../../src/core/store/record-line.ts";
import { libraryOn, temporaryFolder } from "./store-support.ts";

const bytes = (text: string): FileBytes => Buffer.from(text);
const textOf = (found: FileBytes | "unknown"): string =>
  typeof found === "string" ? found : Buffer.from(found).toString();

/** A workspace of texts, and patches that go through a checkpoint. */
function workspace(checkpoints: Checkpoints, start: Record<string, string>) {
  const files = new Map(Object.entries(start));
  const now = (file: string): FileBytes => {
    const text = files.get(file);
    return text === undefined ? "absent" : bytes(text);
  };
  return {
    files,
    async patch(turn: string, change: Record<string, string | undefined>) {
      const touched = () => Object.keys(change).map((file) => ({ file, bytes: now(file) }));
      const kept = await checkpoints.take(turn, touched());
      assert.ok(kept.kept);
      for (const [file, text] of Object.entries(change))
        if (text === undefined) files.delete(file);
        else files.set(file, text);
      await checkpoints.seal(kept.checkpoint, touched());
    },
    plan: (turn: string) => checkpoints.plan(turn, async (file) => now(file)),
    async restore(turn: string) {
      const change: Record<string, string | undefined> = {};
      for (const step of await checkpoints.plan(turn, async (file) => now(file)))
        if (step.state === "returns") change[step.file] = step.to === "absent" ? undefined : textOf(step.to);
      await this.patch(`back to ${turn}`, change);
    },
  };
}

async function checkpointsIn(t: Parameters<typeof temporaryFolder>[0]) {
  const journal = await libraryOn(temporaryFolder(t)).create("c");
  return { journal, checkpoints: journal.checkpoints };
}

const states = (returns: readonly Return[]) =>
  Object.fromEntries(returns.map(({ file, state }) => [file, state]));

test("a file comes back as it was before the turn, and only files that we touched are named", async (t) => {
  const { checkpoints } = await checkpointsIn(t);
  const { files, patch, plan, restore } = workspace(checkpoints, { a: "1", b: "1", mine: "1" });
  await patch("t1", { a: "2", b: undefined, c: "new" });
  await patch("t2", { a: "3" });
  assert.deepEqual(states(await plan("t1")), { a: "returns", b: "returns", c: "returns" });
  await restore.call({ patch }, "t1");
  assert.deepEqual(Object.fromEntries(files), { a: "1", b: "1", mine: "1" });
});

test("going back can itself be undone", async (t) => {
  const { checkpoints } = await checkpointsIn(t);
  const { files, patch, restore } = workspace(checkpoints, { a: "1" });
  await patch("t1", { a: "2", c: "new" });
  await restore.call({ patch }, "t1");
  assert.deepEqual(Object.fromEntries(files), { a: "1" });
  await restore.call({ patch }, "back to t1");
  assert.deepEqual(Object.fromEntries(files), { a: "2", c: "new" });
});

test("a file that somebody has changed since is never overwritten: all three sides are shown", async (t) => {
  const { checkpoints } = await checkpointsIn(t);
  const { files, patch, plan } = workspace(checkpoints, { a: "before", gone: "before" });
  await patch("t1", { a: "left by the patch", gone: "left" });
  files.set("a", "edited by hand");
  files.delete("gone");
  const [a, gone] = await plan("t1");
  assert.ok(a?.state === "edited" && gone?.state === "edited");
  assert.deepEqual([a.to, a.left, a.present].map(textOf), ["before", "left by the patch", "edited by hand"]);
  assert.equal(gone.present, "absent");
});

test("edits between two patches are seen, though the file is what the last patch left", async (t) => {
  const { checkpoints } = await checkpointsIn(t);
  const { files, patch, plan } = workspace(checkpoints, { a: "1" });
  await patch("t1", { a: "2" });
  files.set("a", "2 and a line of mine");
  await patch("t2", { a: "3 and a line of mine" });
  assert.deepEqual(states(await plan("t1")), { a: "edited" });
  assert.deepEqual(states(await plan("t2")), { a: "returns" });
});

test("a patch that was cut off by a crash: what it did not touch is unchanged, the rest is to be asked", async (t) => {
  const { checkpoints } = await checkpointsIn(t);
  await checkpoints.take("t1", [
    { file: "a", bytes: bytes("1") },
    { file: "b", bytes: bytes("1") },
  ]);
  const plan = await checkpoints.plan("t1", async (file) => bytes(file === "a" ? "1" : "half"));
  assert.deepEqual(states(plan), { a: "unchanged", b: "edited" });
});

test("checkpoints are there after reopening", async (t) => {
  const folder = temporaryFolder(t);
  const first = await libraryOn(folder).create("c");
  const { files, patch } = workspace(first.checkpoints, { a: "1" });
  await patch("t1", { a: "2" });
  await first.close();
  const second = await libraryOn(folder).open("c");
  assert.deepEqual(second.records, []);
  assert.deepEqual(second.checkpoints.turns(), ["t1"]);
  const [a] = await second.checkpoints.plan("t1", async () => bytes(files.get("a") ?? ""));
  assert.ok(a?.state === "returns" && textOf(a.to) === "1");
});

function inMemory(folder: string, limit: number) {
  const own: JournalRecord[] = [];
  const append = async (record: NewRecord) => void own.push({ ...record, seq: own.length });
  const snapshots = new Blobs({ fs: nodeFileSystem, folder, limit });
  return { snapshots, checkpoints: new Checkpoints({ own, append }, snapshots, () => `id${own.length}`) };
}

test("a full store keeps nothing and says so", async (t) => {
  const { checkpoints } = inMemory(join(temporaryFolder(t), "s"), 10);
  const kept = await checkpoints.take("t1", [{ file: "a", bytes: bytes("more than ten bytes") }]);
  assert.ok(!kept.kept && kept.reason instanceof BlobsFull);
  assert.deepEqual(checkpoints.turns(), []);
});

test("pruning forgets the oldest first and spares what newer ones need", async (t) => {
  const { checkpoints, snapshots } = inMemory(join(temporaryFolder(t), "s"), 1000);
  const { files, patch, plan } = workspace(checkpoints, { a: "a".repeat(100), b: "b".repeat(100) });
  await patch("t1", { a: "A".repeat(100) });
  await patch("t2", { b: "B".repeat(100) });
  await patch("t3", { a: "3".repeat(100) });
  await checkpoints.prune(150);
  assert.ok((await snapshots.size()) <= 350);
  assert.deepEqual(states(await plan("t1")), { a: "gone", b: "gone" });
  assert.deepEqual(states(await plan("t3")), { a: "returns" });
  assert.equal(files.size, 2);
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
  assert.equal(textOf((await blobs.get(hash)) ?? "unknown"), "good");
  assert.equal(await blobs.get("../../etc/passwd"), undefined);
});
