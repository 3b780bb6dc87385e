// A disk that takes nothing for a while: what is proposed goes on in memory, what was decided can still be taken back, and
// once the disk takes it again all of it is kept. A disk that cannot be read for a moment loses nothing either.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChangeStore, memoryChangeStore } from "../../../src/changes/change-store.ts";
import { message } from "../../../src/conversation/messages.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { sessionChanges } from "../../support/change-set.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const replace = (path: string, old: string, now: string) =>
  ["*** Begin Patch", `*** Update File: ${path}`, "@@", `-${old}`, `+${now}`, "*** End Patch", ""].join("\n");

/** A set on this store, and what a window does with it. */
function opened(store: ChangeStore, disk = new MemoryWorkspace({ "a.txt": "a\n", "b.txt": "b\n" })) {
  const is = { led: 0, decided: new Set<string>() };
  const set = sessionChanges(disk, {
    async apply(changes) {
      disk.apply(changes.slice(is.led));
      return is.led === 0
        ? { outcome: "applied" }
        : { outcome: "refused", why: message("editsRefused"), halfDone: true };
    },
    store,
    async decided(calls) {
      is.decided = new Set(calls);
    },
  });
  const all = () => set.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id));
  const propose = async (call: string, patch: string) => {
    const { changes } = await planPatch(patch, disk);
    const proposed = changes.map((change) => ({ change, ids: [`${change.file.path}#1`] }));
    return set.propose(proposed, { call, turn: "turn" });
  };
  return { disk, set, all, propose, is };
}

/** Refuses as long as it is told to. */
function refusing() {
  const store = memoryChangeStore();
  const is = { refusing: false, unreadable: false };
  const unless = (on: boolean) => {
    if (on) throw Object.assign(new Error("no"), { code: "EIO" });
  };
  const kept: ChangeStore = {
    ...store,
    async read() {
      unless(is.unreadable);
      return store.read();
    },
    async write(state, waits) {
      unless(is.refusing);
      return store.write(state, waits);
    },
    async put(text) {
      unless(is.refusing);
      return store.put(text);
    },
  };
  return { kept, is };
}

test("an accepted change can be undone although the disk refused a later save", async () => {
  const { kept, is } = refusing();
  const { disk, set, all, propose } = opened(kept);
  await propose("one", replace("a.txt", "a", "A"));
  await set.accept(all());
  is.refusing = true;
  assert.equal(await propose("two", replace("b.txt", "b", "B")), "kept");
  assert.deepEqual([...set.statusesOf("one").values()], ["applied"]);
  await set.undo(["one"]);
  assert.equal(disk.files.get("a.txt"), "a\n");
  assert.equal(all().length, 1);
});

test("closing a change set saves what the disk refused earlier", async () => {
  const { kept, is } = refusing();
  const { disk, set, propose } = opened(kept);
  is.refusing = true;
  assert.equal(await propose("one", replace("a.txt", "a", "A")), "kept");
  is.refusing = false;
  await set.close();
  const later = opened(kept, disk);
  await later.set.refresh();
  assert.equal(later.all().length, 1);
});

test("an unreadable change set refuses proposals and overwrites nothing until it can be read again", async () => {
  const { kept, is } = refusing();
  const { disk, set, propose } = opened(kept);
  await propose("one", replace("a.txt", "a", "A"));
  await set.close();
  const later = opened(kept, disk);
  is.unreadable = true;
  await assert.rejects(later.propose("two", replace("b.txt", "b", "B")));
  is.unreadable = false;
  assert.equal(await later.propose("two", replace("b.txt", "b", "B")), "kept");
  assert.equal(later.all().length, 2);
});

test("an acceptance that could write only one of two files accepts that one and keeps the other pending", async () => {
  const { disk, set, all, propose, is } = opened(memoryChangeStore());
  await propose("one", replace("a.txt", "a", "A"));
  await propose("two", replace("b.txt", "b", "B"));
  is.led = 1;
  assert.equal((await set.accept(all())).outcome, "refused");
  assert.deepEqual([disk.files.get("a.txt"), disk.files.get("b.txt")], ["a\n", "B\n"]);
  assert.deepEqual(
    [...set.statusesOf("one").values(), ...set.statusesOf("two").values()],
    ["pending", "applied"],
  );
  assert.deepEqual(is.decided, new Set(["one", "two"]));
  is.led = 0;
  assert.deepEqual(await set.finish(), { outcome: "done" });
  await set.undo(["one", "two"]);
  assert.deepEqual([disk.files.get("a.txt"), disk.files.get("b.txt")], ["a\n", "b\n"]);
});
