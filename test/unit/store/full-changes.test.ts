// The proposed texts of a conversation have used up their room: what was decided long ago is forgotten, on the disk as
// well, so that what is proposed now is kept. At no moment does the disk hold a state whose texts are missing, and nothing
// that waits for a decision is ever lost.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ChangeStore } from "../../../src/changes/change-store.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { BlobsFull } from "../../../src/store/documents.ts";
import { type FileSystem, nodeFileSystem } from "../../../src/store/file-system.ts";
import { Blobs, hashesIn } from "../../../src/store/internal/blobs.ts";
import { Draft } from "../../../src/store/internal/draft-file.ts";
import { sessionChanges } from "../../support/change-set.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { failingFileSystem } from "./failing-file-system.ts";
import { temporaryFolder } from "./store-support.ts";

const textOf = (name: string) => `${name}\n${"filling\n".repeat(20)}`;
const size = textOf("f1").length;
const decided = ["d1", "d2", "d3", "d4"];
const waiting = ["w1", "w2"];
const files = Object.fromEntries([...decided, ...waiting, "f1"].map((name) => [name, textOf(name)]));
/** What is proposed for a file is as long as the file. */
const proposedIn = (name: string) => textOf(name.toUpperCase());
/** Two texts for each proposal, before and after; the last one finds room for none. */
const limit = 2 * (decided.length + waiting.length) * size;

/** The changes of a conversation in this folder, as the store keeps them. */
function storeIn(fs: FileSystem, folder: string): ChangeStore {
  const texts = new Blobs({ fs, folder: join(folder, "changes"), limit });
  const state = new Draft({ fs, folder, name: "state.json", place: "" });
  return {
    read: () => state.readWhole(),
    write: (next) => state.write(next),
    async put(text) {
      await texts.put(Buffer.from(text));
    },
    async get(name) {
      const bytes = await texts.get(name);
      return bytes && Buffer.from(bytes).toString("utf8");
    },
    async keepOnly(names) {
      for (const name of await texts.list()) if (!names.has(name)) await texts.remove(name);
    },
  };
}

function opened(fs: FileSystem, folder: string, disk: MemoryWorkspace) {
  const store = storeIn(fs, folder);
  const set = sessionChanges(disk, {
    store,
    isFull: (error) => error instanceof BlobsFull,
  });
  const planned = async (name: string) => {
    const patch = [
      ...["*** Begin Patch", `*** Update File: ${name}`, "@@", `-${name}`, `+${name.toUpperCase()}`],
      ...["*** End Patch", ""],
    ];
    const { changes } = await planPatch(patch.join("\n"), disk);
    return changes.map((change) => ({ change, ids: [`${name}#1`] }));
  };
  return {
    set,
    store,
    planned,
    propose: async (name: string) => set.propose(await planned(name), { call: name, turn: "turn" }),
  };
}

/** Everything that was said in its room; the store is full with it. */
async function fill(folder: string, disk: MemoryWorkspace): Promise<void> {
  const { set, propose } = opened(nodeFileSystem, folder, disk);
  for (const name of decided) {
    await propose(name);
    const hunks = await set.hunksOf([name]);
    assert.deepEqual(await set.accept(hunks), { outcome: "done" });
  }
  for (const name of waiting) await propose(name);
  await set.close();
  assert.equal(readdirSync(join(folder, "changes")).length * size, limit);
}

/** The state on the disk names no text that is missing, and whatever waits in it can be accepted. */
async function checkStored(folder: string, disk: MemoryWorkspace): Promise<ReadonlyMap<string, string>> {
  const later = opened(nodeFileSystem, folder, disk);
  const state = JSON.parse(await later.store.read());
  for (const name of hashesIn(JSON.stringify(state.proposals)))
    assert.notEqual(await later.store.get(name), undefined, "a text that the state names is not stored");
  await later.set.refresh();
  const statuses = new Map(
    [...decided, ...waiting, "f1"].flatMap((call) =>
      [...later.set.statusesOf(call).values()].map((status) => [call, status]),
    ),
  );
  const pending = [...statuses].filter(([, status]) => status === "pending").map(([call]) => call);
  const then = new Map(disk.files);
  const hunks = await later.set.hunksOf(pending);
  assert.deepEqual(await later.set.accept(hunks), { outcome: "done" });
  for (const call of pending) assert.equal(disk.files.get(call), proposedIn(call));
  await later.set.close();
  for (const [path, content] of then) disk.files.set(path, content);
  return statuses;
}

test("a full store keeps what is proposed now and forgets what was decided long ago, after a reload as well", async (t) => {
  const folder = temporaryFolder(t);
  const disk = new MemoryWorkspace(files);
  await fill(folder, disk);
  const { set, propose } = opened(nodeFileSystem, folder, disk);
  assert.equal(await propose("f1"), "kept");
  await set.close();
  const statuses = await checkStored(folder, disk);
  for (const name of [...waiting, "f1"]) assert.equal(statuses.get(name), "pending");
  assert.equal(statuses.has("d1"), false);
  assert.equal(statuses.get("d4"), "applied", "only as much is forgotten as is needed");
});

test("a full store deletes texts that nothing refers to before it forgets anything", async (t) => {
  const folder = temporaryFolder(t);
  const disk = new MemoryWorkspace(files);
  await fill(folder, disk);
  const { set, store, propose } = opened(nodeFileSystem, folder, disk);
  await set.withdraw(waiting);
  // A window that closed between a text and the state that refers to it.
  rmSync(join(folder, "changes"), { recursive: true });
  mkdirSync(join(folder, "changes"));
  for (const name of decided) for (const text of [textOf(name), proposedIn(name)]) await store.put(text);
  for (let at = 0; at < 2 * waiting.length; at += 1) await store.put("x".repeat(size - 1) + at);
  assert.equal(await propose("f1"), "kept");
  for (const name of decided) assert.deepEqual([...set.statusesOf(name).values()], ["applied"]);
});

test("what waits for a decision is kept when a step that withdraws it finds no room", async (t) => {
  const folder = temporaryFolder(t);
  const disk = new MemoryWorkspace({ ...files, long: `long\n${"x".repeat(limit)}` });
  await fill(folder, disk);
  const { set, planned } = opened(nodeFileSystem, folder, disk);
  const proposed = await planned("long");
  await assert.rejects(
    set.atOnce(async (steps) => {
      steps.withdraw(waiting);
      await steps.propose(proposed, { call: "long", turn: "turn" });
    }),
    BlobsFull,
  );
  const statuses = await checkStored(folder, disk);
  for (const name of waiting) {
    assert.deepEqual([...set.statusesOf(name).values()], ["pending"]);
    assert.equal(statuses.get(name), "pending");
  }
  // It says of what was forgotten what the disk says of it.
  for (const name of decided) assert.equal(set.statusesOf(name).size, statuses.has(name) ? 1 : 0);
});

test("a window that closes while a full store makes room leaves a readable state", async (t) => {
  const parent = temporaryFolder(t);
  const filled = join(parent, "filled");
  const disk = new MemoryWorkspace(files);
  await fill(filled, disk);
  const folder = join(parent, "run");
  const run = async (at: number) => {
    cpSync(filled, folder, { recursive: true });
    const fs = failingFileSystem({ at, code: "EIO", forGood: true, half: at % 2 === 0 });
    const { set, propose } = opened(fs, folder, disk);
    const outcome = await propose("f1").catch(() => "failed");
    const statuses = await checkStored(folder, disk);
    for (const name of waiting) assert.equal(statuses.get(name), "pending", `call ${at}`);
    assert.ok(["pending", undefined].includes(statuses.get("f1")), `call ${at}`);
    if (outcome === "failed") assert.equal(set.statusesOf("f1").size, 0, `call ${at}`);
    rmSync(folder, { recursive: true });
    return fs.failed.length > 0;
  };
  // In the short run at every third call, of which every other one is left half done.
  const step = process.env["PATCHBAY_LONG"] === undefined ? 3 : 1;
  let at = 1;
  while (await run(at)) at += step;
  assert.ok(at > 20, "there was room to be made");
});
