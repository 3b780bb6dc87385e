// Notebooks in a change set: a rename and a change of one are never the same step, neither when they are proposed nor
// when they are undone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { overlayOn } from "../../../src/changes/proposed-workspace.ts";
import { message } from "../../../src/conversation/messages.ts";
import { noWorkspace, type Workspace } from "../../../src/files/workspace.ts";
import { textAfter } from "../../../src/patch/edits.ts";
import type { FileChange } from "../../../src/patch/model.ts";
import { firstLine } from "../../../src/patch/notebook.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { sessionChanges } from "../../support/change-set.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const text = (code: string) => `${firstLine}\n# %% code python\n${code}\n`;
const move = (from: string, to: string) => [`*** Update File: ${from}`, `*** Move to: ${to}`];
const change = (path: string, from: string, to: string) => [
  `*** Update File: ${path}`,
  "@@",
  `-${from}`,
  `+${to}`,
];

function begin() {
  const disk = new MemoryWorkspace({ "a.ipynb": text("1") });
  const world: Workspace = {
    ...noWorkspace,
    ...{ trusted: true, folders: disk.folders },
    look: (file) => disk.look(file),
    read: (file) => disk.read(file),
    sha256: (each) => disk.sha256(each),
  };
  const written: (readonly FileChange[])[] = [];
  const set = sessionChanges(disk, {
    async apply(changes) {
      written.push(changes);
      disk.apply(changes);
      return { outcome: "applied" };
    },
  });
  async function propose(call: string, lines: readonly string[]) {
    const { workspace } = await overlayOn(world, set);
    const patch = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
    const { changes } = await planPatch(patch, workspace);
    const proposed = changes.map((each) => ({ change: each, ids: idsOf(each) }));
    return set.propose(proposed, { call, turn: "turn" });
  }
  async function accept(call: string, lines: readonly string[]) {
    assert.equal(await propose(call, lines), "kept");
    const all = set.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id));
    assert.deepEqual(await set.accept(all), { outcome: "done" });
  }
  return { disk, set, propose, accept, written };
}

const idsOf = (each: FileChange): string[] =>
  "hunks" in each && each.hunks.length > 0
    ? each.hunks.map((_, hunk) => `${each.file.path}#${hunk + 1}`)
    : [each.file.path];

const isRefused = (error: unknown) =>
  error instanceof PatchError && /not renamed and changed at once/.test(error.message);

test("a change of a notebook that waits to be renamed is refused, and so is a rename of a changed one", async () => {
  const renamed = begin();
  assert.equal(await renamed.propose("one", move("a.ipynb", "b.ipynb")), "kept");
  await assert.rejects(renamed.propose("two", change("b.ipynb", "1", "2")), isRefused);
  assert.deepEqual(
    renamed.set.pending.map(({ change: { kind }, problem }) => [kind, problem]),
    [["move", undefined]],
  );
  const changed = begin();
  assert.equal(await changed.propose("one", change("a.ipynb", "1", "2")), "kept");
  await assert.rejects(changed.propose("two", move("a.ipynb", "b.ipynb")), isRefused);
  assert.deepEqual(
    changed.set.pending.map(({ change: { kind } }) => kind),
    ["update"],
  );
});

test("what a person types into a notebook that waits to be renamed is refused, and into another one is taken", async () => {
  const { set, propose } = begin();
  assert.equal(await propose("one", move("a.ipynb", "b.ipynb")), "kept");
  const [waiting] = set.pending;
  const refused = await set.edit(waiting?.id ?? "", text("2"), text("1"));
  assert.deepEqual(refused, message("editsNotebookRename", { name: "a.ipynb" }));
  assert.deepEqual(
    set.pending.map(({ change: { kind }, hunks }) => [kind, hunks.length]),
    [["move", 1]],
  );
  const changed = begin();
  assert.equal(await changed.propose("one", change("a.ipynb", "1", "2")), "kept");
  const [other] = changed.set.pending;
  assert.equal(await changed.set.edit(other?.id ?? "", text("3"), text("2")), undefined);
  const [now] = changed.set.pending;
  assert.equal(now && textAfter(now.change), text("3"));
});

test("a renamed and then changed notebook is undone in two steps, and the first says so", async () => {
  const { set, accept, written, disk } = begin();
  await accept("one", move("a.ipynb", "b.ipynb"));
  await accept("two", change("b.ipynb", "1", "2"));
  written.length = 0;
  const first = await set.undo(["one", "two"]);
  assert(first.outcome === "done");
  assert.deepEqual(
    first.left.map(({ why }) => why.code),
    ["editsNotebookTwice"],
  );
  const second = await set.undo(["one", "two"]);
  assert(second.outcome === "done");
  assert.deepEqual(second.left, []);
  assert.deepEqual(
    written.map((changes) => changes.map(({ kind }) => kind)),
    [["update"], ["move"]],
  );
  assert.deepEqual([...disk.files], [["a.ipynb", text("1")]]);
});
