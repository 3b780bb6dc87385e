// What can be taken back of several calls is, as one step; the rest stays and is named: in the answer, in the row's note, and
// whenever it is asked for later.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memoryChangeStore } from "../../../src/changes/change-store.ts";
import type { ReverseOutcome } from "../../../src/changes/proposal.ts";
import { message } from "../../../src/conversation/messages.ts";
import type { ApplyOutcome } from "../../../src/files/workspace.ts";
import { applyEdits } from "../../../src/patch/edits.ts";
import type { FileChange } from "../../../src/patch/model.ts";
import { firstLine } from "../../../src/patch/notebook.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { sessionChanges } from "../../support/change-set.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 20 }, (_, at) => `${changed[at] ?? `line ${at}`}\n`).join("");

const update = (path: string, ...rows: readonly number[]) => [
  `*** Update File: ${path}`,
  ...rows.flatMap((row) => ["@@", ` line ${row - 1}`, `-line ${row}`, `+LINE ${row}`]),
];

/** A set over files in memory, and how many steps the editor was asked for. */
function opened(
  files: Readonly<Record<string, string>>,
  store = memoryChangeStore(),
  disk = new MemoryWorkspace(files),
) {
  const steps: (readonly FileChange[])[] = [];
  /** Nothing: it is done. */
  const is = { refuse: async (_: readonly FileChange[]): Promise<ApplyOutcome | undefined> => undefined };
  const set = sessionChanges(disk, {
    async apply(changes) {
      steps.push(changes);
      const refused = await is.refuse(changes);
      if (refused !== undefined) return refused;
      disk.apply(changes);
      return { outcome: "applied" };
    },
    store,
  });
  return {
    ...{ disk, set, steps, is, store },
    /** Proposed by this call and accepted at once. */
    async accept(call: string, ...patch: readonly string[]) {
      const text = ["*** Begin Patch", ...patch, "*** End Patch", ""].join("\n");
      const { changes } = await planPatch(text, disk);
      const named = changes.map((change) => {
        const hunks = "hunks" in change && change.hunks.length > 0 ? change.hunks : [undefined];
        return { change, ids: hunks.map((_, at) => `${change.file.path}#${at + 1}`) };
      });
      await set.propose(named, { call, turn: "turn" });
      const hunks = set.pending.flatMap((file) => file.hunks.map(({ id }) => id));
      assert.deepEqual(await set.accept(hunks), { outcome: "done" });
      steps.length = 0;
    },
    fates: (call: string) => Object.fromEntries(set.statusesOf(call)),
  };
}

const leftOf = (turned: ReverseOutcome) =>
  turned.outcome === "done" ? turned.left.map(({ path, why }) => [path, why.code]) : turned.outcome;

describe("ChangeSet.undo", () => {
  test("notes in the row that the editor stopped halfway, and continues from there when tried again", async () => {
    const { disk, set, is, accept } = opened({ "a.txt": lines(), "b.txt": lines() });
    await accept("call", ...update("a.txt", 5), ...update("b.txt", 5));
    const why = message("editsHalf", { names: "b.txt" });
    is.refuse = async (changes) => {
      disk.apply(changes.slice(0, 1));
      return { outcome: "refused", why, halfDone: true };
    };
    assert.deepEqual(leftOf(await set.undo(["call"])), [
      ["b.txt", "editsHalf"],
      ["a.txt", "editsHalf"],
    ]);
    assert.deepEqual(set.noteOf("call")?.left, message("undoneNotAll", { why }));
    is.refuse = async () => undefined;
    assert.deepEqual(leftOf(await set.undo(["call"])), []);
    assert.deepEqual([disk.files.get("a.txt"), disk.files.get("b.txt")], [lines(), lines()]);
  });

  test("goes from the last call to the first where cells of a notebook are known only as they were removed", async () => {
    const book = (...cells: string[]) =>
      `${[firstLine, ...cells.map((cell) => `# %% code python\n${cell}`)].join("\n")}\n`;
    const { disk, set, is, accept, fates, steps } = opened({
      "a.ipynb": book("one", "two"),
      "b.txt": lines(),
    });
    await accept("1", "*** Update File: a.ipynb", "@@", "-two", "+TWO", ...update("b.txt", 5));
    await accept("2", "*** Update File: a.ipynb", "@@", "-# %% code python", "-TWO");
    const why = message("editsCellsLost", { name: "a.ipynb" });
    const brings = (change: FileChange, cell: string, without: string) =>
      change.kind === "update" &&
      !new RegExp(`${cell}|${without}`).test(change.base.text) &&
      applyEdits(change.base.text, change.edits).includes(cell);
    const known = { TWO: false };
    is.refuse = async (changes) => {
      const lost = changes.filter(
        (each) => brings(each, "two", "TWO") || (!known.TWO && brings(each, "TWO", "TWO")),
      );
      if (lost.length === 0) return undefined;
      return { outcome: "refused", why, files: lost.map(({ file }) => ({ file, why })) };
    };
    assert.deepEqual(leftOf(await set.undo(["1", "2"])), [
      ["a.ipynb", "editsCellsLost"],
      ["a.ipynb", "editsTouched"],
    ]);
    assert.equal(disk.files.get("a.ipynb"), book("one"));
    assert.equal(disk.files.get("b.txt"), lines());
    known.TWO = true;
    steps.length = 0;
    assert.deepEqual(leftOf(await set.undo(["1", "2"])), []);
    assert.equal(disk.files.get("a.ipynb"), book("one", "two"));
    assert.deepEqual(fates("2"), { "a.ipynb#1": "undone" });
    assert.equal(steps.length, 3, "all at once is refused, then the second call and the first");
  });

  test("notes in the row why nothing could be undone", async () => {
    for (const [said, why] of [
      [{ outcome: "refused", why: message("editsRestricted") }, message("editsRestricted")],
      [{ outcome: "stale" }, message("editsMoving")],
    ] as const) {
      const { disk, set, is, accept } = opened({ "a.txt": lines(), "b.txt": lines() });
      await accept("1", ...update("a.txt", 3), ...update("b.txt", 3));
      is.refuse = async () => said;
      const left = await set.undo(["1"]);
      assert.equal(left.outcome === "done" && left.left.length, 2);
      assert.deepEqual(set.noteOf("1")?.left, message("undoneNotAll", { why }));
      assert.equal(disk.files.get("a.txt"), lines({ 3: "LINE 3" }));
    }
  });

  test("reverts three calls around typed text, and names a deleted file and an edited hunk", async () => {
    const {
      disk,
      set,
      accept,
      fates: statuses,
      steps,
    } = opened({
      "a.txt": lines(),
      "b.txt": lines(),
      "c.txt": lines(),
    });
    await accept("1", ...update("a.txt", 3), ...update("b.txt", 3));
    await accept("2", ...update("a.txt", 9), ...update("b.txt", 9), ...update("c.txt", 5));
    await accept("3", ...update("a.txt", 15), "*** Add File: new.txt", "+new");
    disk.files.set("a.txt", lines({ 3: "LINE 3", 6: "typed", 9: "LINE 9 typed", 15: "LINE 15" }));
    disk.files.delete("b.txt");

    const turned = await set.undo(["1", "2", "3"]);
    assert.deepEqual(Object.fromEntries(disk.files), {
      "a.txt": lines({ 6: "typed", 9: "LINE 9 typed" }),
      "c.txt": lines(),
    });
    assert.equal(steps.length, 1, "one step for all of it");
    assert.deepEqual(leftOf(turned), [
      ["b.txt", "editsMissing"],
      ["a.txt", "editsTouched"],
    ]);
    assert.deepEqual(
      turned.outcome === "done" && turned.said,
      message("undoneInPart", { count: 2, all: 4, names: "b.txt, a.txt" }),
    );
    assert.deepEqual(statuses("1"), { "a.txt#1": "undone", "b.txt#1": "applied" });
    assert.deepEqual(statuses("2"), { "a.txt#1": "applied", "b.txt#1": "applied", "c.txt#1": "undone" });
    assert.deepEqual(statuses("3"), { "a.txt#1": "undone", "new.txt#1": "undone" });
  });

  test("shows everything the calls did to a missing file, but only the edited hunk of another", async () => {
    const { disk, set, accept } = opened({ "a.txt": lines(), "b.txt": lines() });
    await accept("1", ...update("a.txt", 3, 9), ...update("b.txt", 3));
    await accept("2", ...update("b.txt", 9));
    disk.files.set("a.txt", lines({ 3: "LINE 3", 9: "typed" }));
    disk.files.delete("b.txt");
    const turned = await set.undo(["1", "2"]);
    const sides = (turned.outcome === "done" ? turned.left : []).map(({ path, change }) => {
      assert(change?.kind === "update");
      return [path, change.base.text, applyEdits(change.base.text, change.edits)];
    });
    assert.deepEqual(Object.fromEntries(sides.map(([path, ...texts]) => [path, texts])), {
      "a.txt": [lines({ 3: "LINE 3", 9: "LINE 9" }), lines({ 3: "LINE 3" })],
      "b.txt": [lines({ 3: "LINE 3", 9: "LINE 9" }), lines()],
    });
  });

  for (const [how, isNamed] of [
    ["names", true],
    ["refuses without a name", false],
  ] as const)
    test(`skips the one file that the editor ${how}, reverts the others, and keeps the editor's reason`, async () => {
      const paths = Array.from({ length: 9 }, (_, at) => `${at}.txt`);
      const { disk, set, accept, is, steps } = opened(
        Object.fromEntries(paths.map((path) => [path, lines()])),
      );
      await accept("1", ...paths.flatMap((path) => update(path, 3)));
      const why = message("editsReadOnly", { name: "4.txt" });
      is.refuse = async (changes) => {
        const files = changes.flatMap(({ file }) => (file.path === "4.txt" ? [{ file, why }] : []));
        return files.length === 0 ? undefined : { outcome: "refused", why, files: isNamed ? files : [] };
      };
      const before = steps.length;
      const turned = await set.undo(["1"]);
      // Of nine the one is found by halves, and where it is named the others are one more step.
      assert.equal(steps.length - before, isNamed ? 2 : 7);
      assert.deepEqual(leftOf(turned), [["4.txt", "editsReadOnly"]]);
      for (const path of paths) assert.equal(disk.files.get(path) === lines(), path !== "4.txt", path);
      assert.deepEqual(
        (await set.leftOf("1")).map(({ path, why }) => [path, why.code]),
        [["4.txt", "editsReadOnly"]],
      );
      is.refuse = async () => undefined;
      assert.deepEqual(await set.undo(["1"]), { outcome: "done", left: [] });
      assert.equal(set.noteOf("1")?.left, undefined);
      assert.deepEqual(await set.leftOf("1"), []);
    });

  test("reverts one file of a call alone", async () => {
    const { disk, set, accept, fates: statuses } = opened({ "a.txt": lines(), "b.txt": lines() });
    await accept("1", ...update("a.txt", 3, 9), ...update("b.txt", 3));
    assert.deepEqual(await set.undo(["1"], new Set(["a.txt#1", "a.txt#2"])), { outcome: "done", left: [] });
    assert.equal(disk.files.get("a.txt"), lines());
    assert.equal(disk.files.get("b.txt"), lines({ 3: "LINE 3" }));
    assert.deepEqual(statuses("1"), { "a.txt#1": "undone", "a.txt#2": "undone", "b.txt#1": "applied" });
  });

  test("keeps the note about remaining changes until they are undone, also in a later window", async () => {
    const first = opened({ "a.txt": lines() });
    await first.accept("1", ...update("a.txt", 3, 9));
    first.disk.files.set("a.txt", lines({ 3: "LINE 3", 9: "typed" }));
    await first.set.undo(["1"]);
    const why = message("editsTouched", { name: "a.txt" });
    assert.deepEqual(first.set.noteOf("1")?.left, message("undoneNotAll", { why }));
    await first.set.close();
    const { set, disk } = opened({}, first.store, first.disk);
    await set.refresh();
    assert.deepEqual(set.noteOf("1")?.left, message("undoneNotAll", { why }));
    assert.deepEqual(
      (await set.leftOf("1")).map(({ path }) => path),
      ["a.txt"],
    );
    disk.files.set("a.txt", lines({ 9: "LINE 9" }));
    assert.deepEqual(await set.undo(["1"]), { outcome: "done", left: [] });
    assert.equal(disk.files.get("a.txt"), lines());
    assert.equal(set.noteOf("1")?.left, undefined);
  });

  test("continues where a closing window interrupted it", async () => {
    const first = opened({ "a.txt": lines(), "b.txt": lines(), "c.txt": lines() });
    await first.accept("1", ...["a.txt", "b.txt", "c.txt"].flatMap((path) => update(path, 3, 9)));
    const writing = new Promise<void>((resolve) => {
      first.is.refuse = (changes) => {
        first.disk.apply(changes.slice(0, 1));
        resolve();
        // The window that goes hears no outcome.
        return new Promise(() => {});
      };
    });
    void first.set.undo(["1"]);
    await writing;
    const { set, disk } = opened({}, first.store, first.disk);
    await set.refresh();
    assert.deepEqual(await set.undo(["1"]), { outcome: "done", left: [] });
    for (const path of ["a.txt", "b.txt", "c.txt"]) assert.equal(disk.files.get(path), lines(), path);
  });

  test("can be followed by accepting again, which names a file edited meanwhile", async () => {
    const { disk, set, accept, fates: statuses } = opened({ "a.txt": lines(), "b.txt": lines() });
    await accept("1", ...update("a.txt", 3, 9), ...update("b.txt", 3));
    await set.undo(["1"]);
    disk.files.set("a.txt", lines({ 9: "typed" }));
    const turned = await set.acceptAgain(["1"]);
    assert.deepEqual(leftOf(turned), [["a.txt", "editsTouched"]]);
    assert.equal(disk.files.get("a.txt"), lines({ 3: "LINE 3", 9: "typed" }));
    assert.equal(disk.files.get("b.txt"), lines({ 3: "LINE 3" }));
    assert.deepEqual(statuses("1"), { "a.txt#1": "applied", "a.txt#2": "undone", "b.txt#1": "applied" });
    assert.equal(set.noteOf("1")?.left?.code, "againInPart");
  });

  test("restores the original of a file that several calls moved, changed and deleted", async () => {
    const start = { "a.txt": lines(), "gone.txt": "gone\n" };
    const { disk, set, accept, steps } = opened(start);
    await accept("1", "*** Update File: a.txt", "*** Move to: b.txt", ...update("", 3).slice(1));
    await accept("2", ...update("b.txt", 9), "*** Delete File: gone.txt");
    await accept("3", "*** Add File: gone.txt", "+another", "*** Update File: b.txt", "*** Move to: c.txt");
    disk.files.set("c.txt", lines({ 3: "LINE 3", 9: "LINE 9", 15: "typed" }));
    assert.deepEqual(await set.undo(["1", "2", "3"]), { outcome: "done", left: [] });
    assert.deepEqual(Object.fromEntries(disk.files), { ...start, "a.txt": lines({ 15: "typed" }) });
    assert.equal(steps.length, 1);
  });
});
