// Files that change names one after the other, in a few patches on top of each other: the session's tools read what was
// planned, accepting makes exactly that of the disk, and taking all of it back leaves what there was. In between a person
// types and decides: no word of theirs is lost, and whatever waits can be decided.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ChangeSet } from "../../../src/changes/change-set.ts";
import { overlayOn } from "../../../src/changes/proposed-workspace.ts";
import { noWorkspace, type Workspace } from "../../../src/files/workspace.ts";
import { linesOf } from "../../../src/patch/diff-and-merge.ts";
import type { FileChange } from "../../../src/patch/model.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { sessionChanges } from "../../support/change-set.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const names = ["a.txt", "b.txt", "c.txt", "d.txt"];
const eight = (of: string) => Array.from({ length: 8 }, (_, at) => `${of} ${at}\n`).join("");
const start = { "a.txt": eight("a"), "b.txt": eight("b"), "c.txt": eight("c") };

const name = fc.constantFrom(...names);
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("move" as const), path: name, to: name }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("update" as const), path: name, line: fc.nat(9) }),
  },
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
  const set = sessionChanges(disk, {
    async apply(changes) {
      if (changes.some((change) => "base" in change && disk.files.get(change.file.path) !== change.base.text))
        return { outcome: "stale" };
      disk.apply(changes);
      return { outcome: "applied" };
    },
    newId: () => `p${++ids}`,
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
      const plan = await planPatch(patch, await overlay());
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
  const statuses = () => new Set(calls.flatMap((call) => [...set.statusesOf(call).values()]));
  const hunks = allOf(set);
  if (hunks.length > 0) assert.deepEqual(await set.accept(hunks), { outcome: "done" });
  assert.equal(statuses().has("pending"), false, "nothing waits that nobody can decide");
  assert.deepEqual(sorted(disk.files), sorted(planned.files));
  assert.deepEqual(await set.undo(calls), { outcome: "done", left: [] });
  assert.equal(statuses().has("applied"), false);
  assert.deepEqual(sorted(disk.files), sorted(new Map(Object.entries(start))));
}

test("a file moved and changed by two calls is undone and accepted again as a whole", async () => {
  const { disk, set, overlay } = begin();
  const patches = [
    ["*** Update File: b.txt", "*** Move to: d.txt", "@@", "-b 1", "+said one", "@@", "-b 6", "+said two"],
    ["*** Update File: d.txt", "@@", "-said one", "+said three"],
  ];
  for (const [number, sections] of patches.entries()) {
    const patch = ["*** Begin Patch", ...sections, "*** End Patch", ""].join("\n");
    const plan = await planPatch(patch, await overlay());
    const proposed = plan.changes.map((change) => ({ change, ids: idsOf(change) }));
    await set.propose(proposed, { call: `call-${number}`, turn: "turn" });
  }
  assert.deepEqual(await set.accept(allOf(set)), { outcome: "done" });
  const accepted = sorted(disk.files);
  const calls = ["call-0", "call-1"];
  assert.deepEqual(await set.undo(calls), { outcome: "done", left: [] });
  assert.deepEqual(sorted(disk.files), sorted(new Map(Object.entries(start))));
  assert.deepEqual(await set.acceptAgain(calls), { outcome: "done", left: [] });
  assert.deepEqual(sorted(disk.files), accepted);
});

const runs = { numRuns: process.env["PATCHBAY_LONG"] === undefined ? 200 : 10_000 };

test("a file that moves to a name freed by a later proposal is read under that name", () =>
  run([
    [
      { kind: "update", path: "a.txt", line: 0 },
      { kind: "update", path: "b.txt", line: 0 },
    ],
    [{ kind: "move", path: "b.txt", to: "d.txt" }],
    [{ kind: "move", path: "a.txt", to: "b.txt" }],
  ]));

test("a patch that closes a circle of moves is refused, and the earlier proposals stay", async () => {
  const { set, overlay } = begin();
  const propose = async (call: string, ...sections: string[]) => {
    const patch = ["*** Begin Patch", ...sections, "*** End Patch", ""].join("\n");
    const plan = await planPatch(patch, await overlay());
    const proposed = plan.changes.map((change) => ({ change, ids: idsOf(change) }));
    return set.propose(proposed, { call, turn: "turn" });
  };
  await propose("one", "*** Update File: b.txt", "*** Move to: d.txt");
  await propose("two", "*** Update File: a.txt", "*** Move to: b.txt");
  const before = allOf(set);
  await assert.rejects(propose("three", "*** Update File: d.txt", "*** Move to: a.txt"), /in a circle/);
  assert.deepEqual(allOf(set), before);
  assert.deepEqual([...set.statusesOf("three")], []);
});

test("moves are blocked while the deletion of their target conflicts, and fit again afterwards", async () => {
  const { disk, set, overlay } = begin();
  const patch = [
    "*** Begin Patch",
    "*** Delete File: b.txt",
    ...["*** Update File: c.txt", "*** Move to: b.txt"],
    ...["*** Add File: c.txt", "+new"],
    ...["*** End Patch", ""],
  ].join("\n");
  const plan = await planPatch(patch, await overlay());
  const proposed = plan.changes.map((change) => ({ change, ids: idsOf(change) }));
  await set.propose(proposed, { call: "one", turn: "turn" });
  const problems = () => set.pending.map(({ problem }) => problem?.code);
  assert.deepEqual(problems(), [undefined, undefined, undefined]);

  disk.files.set("b.txt", `${start["b.txt"]}typed\n`);
  await set.refresh();
  assert.deepEqual(problems(), ["changeGrown", "changeExists", "changeExists"]);
  assert.deepEqual(
    (await readIn(await overlay())).get("c.txt"),
    start["c.txt"],
    "its tools read what is there",
  );

  disk.files.set("b.txt", start["b.txt"]);
  await set.refresh();
  assert.deepEqual(await set.accept(allOf(set)), { outcome: "done" });
  assert.deepEqual(Object.fromEntries(disk.files), {
    "a.txt": start["a.txt"],
    "b.txt": start["c.txt"],
    "c.txt": "new\n",
  });
});

test("random chains of renames are read, accepted and undone exactly", () =>
  fc.assert(fc.asyncProperty(patches, run), { ...runs, includeErrorInReport: true }));

const which = fc.nat(255);
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("propose" as const),
      operations: fc.array(operation, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant("type" as const), path: name, line: fc.nat(9), isOver: fc.boolean() },
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("accept" as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reject" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rejectCall" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("undo" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("acceptAgain" as const), which }) },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
type ActOf<Kind extends Act["kind"]> = Extract<Act, { kind: Kind }>;

/** A person at work between patches. */
function atWork() {
  const { disk, set, overlay } = begin();
  const calls: string[] = [];
  let count = 0;
  /** What they have typed, and no patch that has seen it takes away. */
  let typed: string[] = [];

  const areTyped = () => {
    const lines = [...disk.files.values()].flatMap(linesOf);
    for (const word of typed) assert.equal(lines.filter((line) => line === word).length, 1, word);
  };
  const isWaiting = (call: string) => [...set.statusesOf(call).values()].includes("pending");

  async function propose({ operations }: ActOf<"propose">): Promise<void> {
    const world = await overlay();
    const now = await readIn(world);
    const sections = operations.flatMap((each) => section(each, now.get(each.path), `said ${++count}`));
    const call = `call-${++count}`;
    const target = new MemoryWorkspace(Object.fromEntries(now));
    try {
      const patch = ["*** Begin Patch", ...sections, "*** End Patch", ""].join("\n");
      const { changes } = await planPatch(patch, world);
      target.apply(changes);
      const proposed = changes.map((change) => ({ change, ids: idsOf(change) }));
      assert.equal(await set.propose(proposed, { call, turn: "turn" }), "kept");
    } catch (error) {
      if (error instanceof PatchError) return;
      throw error;
    }
    calls.push(call);
    const [before, after] = [now, target.files].map((files) => [...files.values()].join(""));
    typed = typed.filter((word) => before?.includes(word) !== true || after?.includes(word));
    assert.deepEqual(await readIn(await overlay()), sorted(target.files), "its tools read what was planned");
  }

  async function type({ path, line, isOver }: ActOf<"type">): Promise<void> {
    const lines = [...linesOf(disk.files.get(path) ?? "")];
    if (lines.length === 0) return;
    const at = line % (lines.length + 1);
    const out = isOver && lines[at]?.startsWith("typed") === false ? 1 : 0;
    const word = `typed ${++count}\n`;
    lines.splice(at, out, word);
    typed.push(word);
    disk.files.set(path, lines.join(""));
    await set.refresh();
  }

  async function decide(each: Exclude<Act, ActOf<"propose" | "type">>): Promise<void> {
    const before = new Map(disk.files);
    const free = set.pending.filter(({ problem }) => problem === undefined);
    const ids = free.flatMap(({ hunks }) => hunks.map(({ id }) => id));
    const some = ids.filter((_, at) => ((each.which >> (at % 8)) & 1) === 1);
    const call = calls[each.which % Math.max(1, calls.length)];
    if (each.kind === "accept") {
      if (some.length > 0) assert.deepEqual(await set.accept(some), { outcome: "done" });
    } else if (each.kind === "reject") {
      if (some.length > 0) assert.equal(await set.reject(some), "done");
      assert.deepEqual(disk.files, before);
    } else if (call !== undefined && each.kind === "rejectCall") {
      await set.rejectCall(call);
      assert.equal(isWaiting(call), false);
      assert.deepEqual(disk.files, before);
    } else if (call !== undefined) {
      const done = await (each.kind === "undo" ? set.undo([call]) : set.acceptAgain([call]));
      assert.equal(done.outcome, "done");
    }
    areTyped();
    await readIn(await overlay());
  }

  async function end(): Promise<void> {
    await set.refresh();
    for (const call of calls.filter(isWaiting)) {
      const own = set.pending.filter((file) => file.calls.includes(call));
      // What somebody has typed may be what was proposed.
      if (typed.length === 0) assert.ok(own.length > 0, `${call} waits, and is nowhere`);
      const isStuck = own.some(({ problem, conflicts }) => problem !== undefined || conflicts.length > 0);
      if (own.length > 0 && !isStuck) assert.ok((await set.hunksOf([call])).length > 0, call);
    }
  }

  return {
    do: (each: Act) =>
      each.kind === "propose" ? propose(each) : each.kind === "type" ? type(each) : decide(each),
    end,
  };
}

test("random chains of renames keep what is typed between them and stay decidable", () =>
  fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 9 }), async (acts) => {
      const work = atWork();
      for (const each of acts) await work.do(each);
      await work.end();
    }),
    { ...runs, includeErrorInReport: true },
  ));

test("a file that one call rewrites and moves and the next call rewrites is undone as a whole", () =>
  run([
    [
      { kind: "update", path: "b.txt", line: 0 },
      { kind: "move", path: "b.txt", to: "d.txt" },
    ],
    [{ kind: "update", path: "d.txt", line: 0 }],
  ]));

test("undo restores both files when a freed name is taken by a move and then rewritten", () =>
  run([
    [{ kind: "delete", path: "c.txt" }],
    [
      { kind: "update", path: "b.txt", line: 0 },
      { kind: "move", path: "b.txt", to: "c.txt" },
    ],
    [{ kind: "update", path: "c.txt", line: 0 }],
  ]));

test("undo restores the first file when one call frees and takes its name and the next call rewrites it", async () => {
  const takesIt: readonly Operation[] = [
    { kind: "update", path: "c.txt", line: 0 },
    { kind: "move", path: "c.txt", to: "a.txt" },
  ];
  const rewrites: readonly Operation[] = [{ kind: "update", path: "a.txt", line: 0 }];
  await run([[{ kind: "move", path: "a.txt", to: "d.txt" }, ...takesIt], rewrites]);
  await run([[{ kind: "delete", path: "a.txt" }, ...takesIt], rewrites]);
});
