// A change set of many files holds the thread for a small part of what it takes: each file is a step of its own.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ChangeFile, memoryChangeStore, Texts } from "../../../src/changes/change-store.ts";
import { reversalsOf } from "../../../src/changes/internal/written-changes.ts";
import { overlayOn } from "../../../src/changes/proposed-workspace.ts";
import type { FileChange } from "../../../src/patch/model.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { silentLog } from "../../../src/util/log.ts";
import { sessionChanges } from "../../support/change-set.ts";
import { MemoryWorkspace, worldOf } from "../../support/memory-workspace.ts";
import { stretchesOf } from "../../support/stretches.ts";

const paths = Array.from({ length: 100 }, (_, at) => `file-${at}.ts`);
const lineOf = (at: number) => `line ${at} of some code, as long as lines are\n`;
const text = Array.from({ length: 100 }, (_, at) => lineOf(at)).join("");
const hunk = (at: number) => `@@\n ${lineOf(at - 1)}-${lineOf(at)}+changed ${at}\n ${lineOf(at + 1)}`;
const hunksOfFile = 10;
const hunks = Array.from({ length: hunksOfFile }, (_, at) => hunk(10 * at + 2)).join("");
/** Without a worker a patch is planned in one piece, so these change twenty files each. */
const patches = Array.from({ length: paths.length / 20 }, (_, at) => {
  const sections = paths.slice(20 * at, 20 * at + 20).map((path) => `*** Update File: ${path}\n${hunks}`);
  return `*** Begin Patch\n${sections.join("")}*** End Patch\n`;
});

function openedTwice() {
  const memory = new MemoryWorkspace(Object.fromEntries(paths.map((path) => [path, text])));
  const seen = worldOf(memory);
  const store = memoryChangeStore();
  let ids = 0;
  const open = () =>
    sessionChanges(memory, {
      world: () => seen,
      apply: seen.apply,
      store,
      newId: () => `p${++ids}`,
    });
  return { seen, store, open };
}

/** A set in which all the files are pending. */
async function proposed() {
  const { seen, store, open } = openedTwice();
  const changes = open();
  const { workspace } = await overlayOn(seen, changes);
  const named: { change: FileChange; ids: string[] }[] = [];
  for (const patch of patches) {
    for (const change of (await planPatch(patch, workspace)).changes)
      named.push({
        change,
        ids: Array.from({ length: hunksOfFile }, (_, at) => `${change.file.path}#${at}`),
      });
    await setImmediate();
  }
  assert.equal(await changes.propose(named, { call: "call", turn: "turn" }), "kept");
  return { store, open };
}

/** In how many turns of the event loop work is done by a clock on which every step takes long. */
async function turnsOf(context: TestContext, work: () => Promise<unknown>): Promise<number> {
  let [clock, turns, isDone] = [0, 0, false];
  const slow = context.mock.method(performance, "now", () => {
    clock += 1000;
    return clock;
  });
  const look = () => {
    turns += 1;
    if (!isDone) void setImmediate().then(look);
  };
  void setImmediate().then(look);
  await work();
  isDone = true;
  slow.mock.restore();
  return turns;
}

test("a stored set of many files is read and listed in a step for each file", async (context) => {
  const { store, open } = await proposed();
  const read = await turnsOf(context, () => new ChangeFile(store, new Texts(store), silentLog).read());
  const set = open();
  await set.refresh();
  const listed = await turnsOf(context, () => set.refresh());
  for (const turns of [read, listed]) assert.ok(turns >= paths.length, `${turns} turns`);
});

test("a set of many files is accepted without holding the thread", async () => {
  const set = (await proposed()).open();
  await set.refresh();
  assert.equal(set.pending.length, paths.length);
  const ids = set.pending.flatMap((file) => file.hunks.map(({ id }) => id));
  const { longest, total } = await stretchesOf(() => set.accept(ids));
  assert.deepEqual(set.pending, []);
  assert.ok(longest < total / 3, `${longest.toFixed(0)} of ${total.toFixed(0)} ms at a stretch`);
});

test("what was accepted in many files is undone file by file, from reading what was written to noting it", async (context) => {
  const set = (await proposed()).open();
  await set.refresh();
  await set.accept(set.pending.flatMap((file) => file.hunks.map(({ id }) => id)));
  const turns = await turnsOf(context, () => set.undo(["call"]));
  assert.deepEqual(
    [...set.statusesOf("call").values()].filter((status) => status !== "undone"),
    [],
  );
  assert.ok(turns >= 4 * paths.length, `${turns} turns`);
});

test("what is about to be written to many files is noted file by file, as what it comes to is worked out", async (context) => {
  const set = (await proposed()).open();
  await set.refresh();
  const ids = set.pending.flatMap((file) => file.hunks.map(({ id }) => id));
  const turns = await turnsOf(context, () => set.accept(ids));
  assert.deepEqual(set.pending, []);
  assert.ok(turns >= 8 * paths.length, `${turns} turns`);
});

test("what a step has changed is spelled once, however often the set is saved", async (context) => {
  const set = (await proposed()).open();
  await set.refresh();
  await set.accept(set.pending.flatMap((file) => file.hunks.map(({ id }) => id)));
  const spelled = context.mock.method(JSON, "stringify").mock;
  await set.withdraw([]);
  const { calls } = spelled;
  const isStep = (value: unknown) =>
    typeof value === "object" && value !== null && ("isDone" in value || "steps" in value);
  assert.notEqual(calls.length, 0);
  assert.equal(calls.filter(({ arguments: [value] }) => isStep(value)).length, 0);
});

test("what undoes the change of a file is worked out with that file", async (context) => {
  const { store, open } = await proposed();
  const set = open();
  await set.refresh();
  await set.accept(set.pending.flatMap((file) => file.hunks.map(({ id }) => id)));
  const texts = new Texts(store);
  const { proposals } = await new ChangeFile(store, texts, silentLog).read();
  await texts.load(proposals.flatMap(({ writes }) => writes.flatMap(({ before, after }) => [before, after])));
  const found = reversalsOf(texts, ["call"], "undone");
  for (const each of proposals) found.add(each);
  const hashed = context.mock.method(texts, "nameOf").mock;
  assert.equal(found.all().reversals.length, paths.length);
  assert.equal(hashed.callCount(), 0);
});
