// A store without room: room is made by forgetting what was decided long ago, and nothing that is still referred to is
// lost by that. A change that found no room is not tried again with the next one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChangeStore, memoryChangeStore } from "../../../src/changes/change-store.ts";
import { hashOf } from "../../../src/changes/proposal.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { sessionChanges } from "../../support/change-set.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const full = new Error("full");
const text = Array.from({ length: 9 }, (_, at) => `line ${at}\n`).join("");

const replace = (path: string, old: string, now: string) =>
  ["*** Begin Patch", `*** Update File: ${path}`, "@@", `-${old}`, `+${now}`, "*** End Patch", ""].join("\n");

/** A store with room for so many new texts until one is deleted, each no longer than `longest`. */
function filling() {
  const store = memoryChangeStore();
  const stored = new Set<string>();
  const is = { room: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY };
  const kept: ChangeStore = {
    ...store,
    async put(added) {
      if (is.room === 0 || added.length > is.longest) throw full;
      is.room -= 1;
      stored.add(hashOf(added));
      return store.put(added);
    },
    async keepOnly(names) {
      for (const name of stored)
        if (!names.has(name) && stored.delete(name)) is.room = Number.POSITIVE_INFINITY;
      return store.keepOnly(names);
    },
  };
  return { kept, is };
}

function opened(store: ChangeStore, disk: MemoryWorkspace) {
  const is = { declining: false };
  const set = sessionChanges(disk, {
    async apply(changes) {
      if (is.declining) return { outcome: "declined" };
      disk.apply(changes);
      return { outcome: "applied" };
    },
    store,
    isFull: (error) => error === full,
  });
  /** `seen`: the files with what is proposed in them. */
  const propose = async (call: string, patch: string, seen = disk) => {
    const { changes } = await planPatch(patch, seen);
    const named = changes.map((change) => ({ change, ids: [`${call}#1`] }));
    return set.propose(named, { call, turn: "turn" });
  };
  const acceptAll = () => set.accept(set.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id)));
  return { set, propose, acceptAll, is };
}

for (const room of [0, 1, 2, 3])
  test(`what two calls wrote to a file can be undone after a reload, although the store had room for ${room} more texts`, async () => {
    const { kept, is } = filling();
    const disk = new MemoryWorkspace({ "a.txt": text, "old.txt": "old\n" });
    const { set, propose, acceptAll } = opened(kept, disk);
    await propose("old", replace("old.txt", "old", "decided"));
    await acceptAll();
    await propose("one", replace("a.txt", "line 1", "one"));
    const seen = new MemoryWorkspace({ "a.txt": text.replace("line 1", "one") });
    await propose("two", replace("a.txt", "line 5", "two"), seen);
    // Every text that is written now is a new one.
    const typed = `${text}typed\n`;
    disk.files.set("a.txt", typed);
    is.room = room;
    assert.deepEqual(await acceptAll(), { outcome: "done" });
    assert.equal(disk.files.get("a.txt"), typed.replace("line 1", "one").replace("line 5", "two"));
    await set.close();
    const later = opened(kept, disk);
    assert.deepEqual(await later.set.undo(["two", "one"]), { outcome: "done", left: [] });
    assert.equal(disk.files.get("a.txt"), typed);
  });

test("a declined acceptance stores no text between its calls", async () => {
  const { kept } = filling();
  const disk = new MemoryWorkspace({ "a.txt": text });
  const { propose, acceptAll, is } = opened(kept, disk);
  await propose("one", replace("a.txt", "line 1", "one"));
  const seen = new MemoryWorkspace({ "a.txt": text.replace("line 1", "one") });
  await propose("two", replace("a.txt", "line 5", "two"), seen);
  const typed = `${text}typed\n`;
  disk.files.set("a.txt", typed);
  const between = hashOf(typed.replace("line 1", "one"));
  is.declining = true;
  assert.deepEqual(await acceptAll(), { outcome: "declined" });
  assert.equal(await kept.get(between), undefined);
  is.declining = false;
  assert.deepEqual(await acceptAll(), { outcome: "done" });
  assert.notEqual(await kept.get(between), undefined);
});

test("a text that was deleted to make room is stored again when a new change refers to it", async () => {
  const { kept, is } = filling();
  const disk = new MemoryWorkspace({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  const { set, propose } = opened(kept, disk);
  for (const name of ["a", "b", "c"]) {
    if (name !== "a") is.room = 0;
    await propose(name, replace(`${name}.txt`, name, name.toUpperCase()));
    await set.rejectCall(name);
  }
  assert.equal(set.statusesOf("a").size, 0);
  await propose("again", replace("a.txt", "a", "A"));
  await set.close();
  const later = opened(kept, disk);
  await later.set.refresh();
  assert.deepEqual([...later.set.statusesOf("again").values()], ["pending"]);
  await later.acceptAll();
  assert.equal(disk.files.get("a.txt"), "A\n");
});

test("the texts of an accepted change that was forgotten to make room are deleted with the next ones", async () => {
  const { kept, is } = filling();
  const disk = new MemoryWorkspace({ "old.txt": "old\n", "a.txt": "a\n", "b.txt": "b\n" });
  const { set, propose, acceptAll } = opened(kept, disk);
  await propose("old", replace("old.txt", "old", "decided"));
  await acceptAll();
  for (const name of ["a", "b"]) {
    is.room = 0;
    await propose(name, replace(`${name}.txt`, name, name.toUpperCase()));
    await set.rejectCall(name);
  }
  assert.equal(set.statusesOf("old").size, 0);
  for (const each of ["old\n", "decided\n"]) assert.equal(await kept.get(hashOf(each)), undefined);
  assert.equal(await kept.get(hashOf("b\n")), "b\n");
});

test("a change that found no room does not keep later ones from being proposed", async () => {
  const { kept, is } = filling();
  const { propose, set } = opened(kept, new MemoryWorkspace({ "a.txt": "a\n", "b.txt": "b\n" }));
  is.longest = 100;
  await assert.rejects(propose("long", replace("a.txt", "a", "long".repeat(100))), full);
  assert.equal(await propose("short", replace("b.txt", "b", "B")), "kept");
  assert.equal(set.pending.length, 1);
});

test("an acceptance that found no room keeps no later decision from being saved", async () => {
  const { kept, is } = filling();
  const disk = new MemoryWorkspace({ "a.txt": text });
  const { set, propose } = opened(kept, disk);
  const seen = new MemoryWorkspace({ "a.txt": text.replace("line 1", "one") });
  await propose("one", replace("a.txt", "line 1", "one"));
  await propose("two", replace("a.txt", "line 5", "two"), seen);
  const typed = `${text}${"typed\n".repeat(40)}`;
  disk.files.set("a.txt", typed);
  is.longest = 200;
  await assert.rejects(set.accept(await set.hunksOf(["two"])), full);
  await set.rejectCall("two");
  await set.close();
  const later = opened(kept, disk);
  await later.set.refresh();
  assert.deepEqual([...later.set.statusesOf("two").values()], ["rejected"]);
  assert.equal(disk.files.get("a.txt"), typed);
});
