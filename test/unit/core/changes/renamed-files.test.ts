// Files that change names one after the other, in a few patches on top of each other: the session's tools read what was
// planned, accepting makes exactly that of the disk, and taking all of it back leaves what there was.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChangeSet } from "../../../../src/core/changes/change-set.ts";
import { memoryChangeStore } from "../../../../src/core/changes/kept-changes.ts";
import { overlayOn } from "../../../../src/core/changes/overlay.ts";
import { noWorkspace, type Workspace } from "../../../../src/core/changes/workspace.ts";
import type { FileChange } from "../../../../src/core/patch/model.ts";
import { PatchError } from "../../../../src/core/patch/patch-error.ts";
import { planPatch } from "../../../../src/core/patch/plan.ts";
import { silentLog } from "../../../../src/core/util/log.ts";
import { MemoryWorkspace } from "../../../support/memory-workspace.ts";

const names = ["a.txt", "b.txt", "c.txt", "d.txt"];
const start = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" };

const name = fc.constantFrom(...names);
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("move" as const), path: name, to: name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("update" as const), path: name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("add" as const), path: name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), path: name }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
const patches = fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 5 });

function begin() {
  const disk = new MemoryWorkspace(start);
  const world: Workspace = {
    ...noWorkspace,
    ...{ trusted: true, folders: disk.folders },
    look: (file) => disk.look(file),
    read: (file) => disk.read(file),
    sha256: (text) => disk.sha256(text),
    list: async () => [...disk.files.keys()].map((each) => ({ name: each, kind: "file" })),
  };
  let ids = 0;
  const set = new ChangeSet({
    world: () => disk,
    async apply(changes) {
      disk.apply(changes);
      return { outcome: "applied" };
    },
    store: memoryChangeStore(),
    log: silentLog,
    newId: () => `p${++ids}`,
    decided: async () => {},
    nameOf: ({ path }) => path,
    quotable: async (text) => text,
    secretsIn: () => 0,
    isFull: () => false,
  });
  const overlay = async () => (await overlayOn(world, set)).workspace;
  return { disk, set, overlay };
}

const idsOf = (change: FileChange): string[] =>
  "hunks" in change && change.hunks.length > 0
    ? change.hunks.map((_, hunk) => `${change.file.path}#${hunk + 1}`)
    : [change.file.path];

const allOf = (set: ChangeSet) => set.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id));

/** What is read there, by name. */
async function readIn(workspace: Workspace): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  for (const path of names) {
    const file = { folder: "work", path };
    const { kind } = await workspace.look(file);
    const reading = kind === "file" ? await workspace.read(file) : undefined;
    if (reading?.kind === "text") read.set(path, reading.text);
  }
  const listed = (await workspace.list({ folder: "work", path: "" })).map((each) => each.name);
  assert.deepEqual(listed.toSorted(), [...read.keys()]);
  return read;
}

const sorted = (files: ReadonlyMap<string, string>) => new Map([...files].toSorted());

function section({ kind, ...of }: Operation, text: string | undefined, said: string): string[] {
  const rewritten = [
    "@@",
    ...(text ?? "")
      .split("\n")
      .slice(0, -1)
      .map((line) => `-${line}`),
    `+${said}`,
  ];
  if (kind === "add") return [`*** Add File: ${of.path}`, `+${said}`];
  if (kind === "delete") return [`*** Delete File: ${of.path}`];
  if (kind === "update") return [`*** Update File: ${of.path}`, ...rewritten];
  return [`*** Update File: ${of.path}`, `*** Move to: ${"to" in of ? of.to : ""}`];
}

async function run(all: readonly (readonly Operation[])[]): Promise<void> {
  const { disk, set, overlay } = begin();
  const planned = new MemoryWorkspace(start);
  const calls: string[] = [];
  for (const [number, operations] of all.entries()) {
    const sections = operations.flatMap((each, at) =>
      section(each, planned.files.get(each.path), `said ${number}.${at}`),
    );
    const patch = ["*** Begin Patch", ...sections, "*** End Patch", ""].join("\n");
    const call = `call-${number}`;
    try {
      const plan = await planPatch(patch, await overlay(), { complete: true });
      const proposed = plan.changes.map((change) => ({ change, ids: idsOf(change) }));
      assert.equal(await set.propose(proposed, { call, turn: "turn" }), "kept");
      planned.apply(plan.changes);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      continue;
    }
    calls.push(call);
    assert.deepEqual(await readIn(await overlay()), sorted(planned.files));
  }
  assert.deepEqual(sorted(disk.files), sorted(new Map(Object.entries(start))));
  const fates = () => new Set(calls.flatMap((call) => [...set.fatesOf(call).values()]));
  const hunks = allOf(set);
  if (hunks.length > 0) assert.deepEqual(await set.accept(hunks), { outcome: "done" });
  assert.equal(fates().has("pending"), false, "nothing waits that nobody can decide");
  assert.deepEqual(sorted(disk.files), sorted(planned.files));
  assert.equal(await set.undo(calls), true);
  assert.equal(fates().has("applied"), false);
  assert.deepEqual(sorted(disk.files), sorted(new Map(Object.entries(start))));
}

const runs = { numRuns: process.env["PATCHBAY_LONG"] === undefined ? 200 : 10_000 };

test("a name that a later proposal frees for an earlier one is read as what takes it", () =>
  run([
    [
      { kind: "update", path: "a.txt" },
      { kind: "update", path: "b.txt" },
    ],
    [{ kind: "move", path: "b.txt", to: "d.txt" }],
    [{ kind: "move", path: "a.txt", to: "b.txt" }],
  ]));

test("two that would change places in the end are refused, with the patch that closes the ring", async () => {
  const { set, overlay } = begin();
  const propose = async (call: string, ...sections: string[]) => {
    const patch = ["*** Begin Patch", ...sections, "*** End Patch", ""].join("\n");
    const plan = await planPatch(patch, await overlay(), { complete: true });
    const proposed = plan.changes.map((change) => ({ change, ids: idsOf(change) }));
    return set.propose(proposed, { call, turn: "turn" });
  };
  await propose("one", "*** Update File: b.txt", "*** Move to: d.txt");
  await propose("two", "*** Update File: a.txt", "*** Move to: b.txt");
  const before = allOf(set);
  await assert.rejects(propose("three", "*** Update File: d.txt", "*** Move to: a.txt"), /in a circle/);
  assert.deepEqual(allOf(set), before);
  assert.deepEqual([...set.fatesOf("three")], []);
});

test("whatever changes names in whatever order", () =>
  fc.assert(fc.asyncProperty(patches, run), { ...runs, includeErrorInReport: true }));
