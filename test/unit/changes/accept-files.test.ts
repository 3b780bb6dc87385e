// Accept All on files that change below the proposals, and on files that cannot be written.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { memoryChangeStore } from "../../../src/changes/change-store.ts";
import { countPending, waitingIn } from "../../../src/changes/pending-changes.ts";
import { partOf } from "../../../src/changes/proposed-workspace.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import { message } from "../../../src/conversation/messages.ts";
import type { ApplyOutcome } from "../../../src/files/workspace.ts";
import type { FileChange } from "../../../src/patch/model.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { sessionChanges } from "../../support/change-set.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const names = ["a", "b", "c", "d", "e"] as const;
const readOnly = message("editsReadOnly", { name: "b.txt" });

/** `writes`: what the editor says before it writes. */
function opened(
  writes: (changes: readonly FileChange[]) => ApplyOutcome | undefined = () => undefined,
  store = memoryChangeStore(),
  isTrusted = () => true,
) {
  const disk = new MemoryWorkspace(Object.fromEntries(names.map((name) => [`${name}.txt`, `${name}\n`])));
  const tried: string[][] = [];
  const set = sessionChanges(disk, {
    isTrusted,
    async apply(changes) {
      tried.push(changes.map(({ file }) => file.path));
      const refused = writes(changes);
      if (refused === undefined) disk.apply(changes);
      return refused ?? { outcome: "applied" };
    },
    store,
  });
  async function propose(...lines: readonly string[]): Promise<void> {
    const patch = ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
    const { changes } = await planPatch(patch, disk);
    const proposed = changes.map((change) => ({ change, ids: [`${change.file.path}#1`] }));
    assert.equal(await set.propose(proposed, { call: randomUUID(), turn: "turn" }), "kept");
  }
  const update = (name: string) => [
    `*** Update File: ${name}.txt`,
    "@@",
    `-${name}`,
    `+${name.toUpperCase()}`,
  ];
  return {
    ...{ disk, set, tried, propose, update },
    proposeAll: () => propose(...names.flatMap(update)),
    shown: () => new Map(set.pending.map(({ id, revision }) => [id, revision])),
    left: () => set.pending.map(({ change, refused }) => [change.file.path, refused && inEnglish(refused)]),
  };
}

const refusedFile = (path: string): ApplyOutcome => ({
  outcome: "refused",
  why: readOnly,
  files: [{ file: { folder: "work", path }, why: readOnly }],
});

describe("acceptFiles", () => {
  test("accepts the changes that fit the files and leaves the others pending", async () => {
    const { disk, set, proposeAll, shown, left } = opened();
    await proposeAll();
    const before = shown();
    disk.files.set("a.txt", "other\n");
    disk.files.delete("b.txt");
    assert.deepEqual(await set.acceptFiles(before), { outcome: "done" });
    assert.deepEqual(
      left().map(([path]) => path),
      ["a.txt", "b.txt"],
    );
    assert.deepEqual([...disk.files.values()], ["other\n", "C\n", "D\n", "E\n"]);
  });

  test("accepts every change once the files have their original text again", async () => {
    const { disk, set, proposeAll, shown } = opened();
    await proposeAll();
    const [before, revision] = [shown(), set.revision];
    for (const name of names) disk.files.set(`${name}.txt`, "other\n");
    await set.refresh();
    assert.deepEqual(countPending(set.pending).conflicts, 5);
    for (const name of names) disk.files.set(`${name}.txt`, `${name}\n`);
    assert.equal(set.revision, revision, "nobody has revised anything");
    assert.deepEqual(await set.acceptFiles(before), { outcome: "done" });
    assert.deepEqual(
      [...disk.files.values()],
      names.map((name) => `${name.toUpperCase()}\n`),
    );
  });

  test("reports unfit rather than revised when no change fits its file", async () => {
    const { disk, set, proposeAll, shown } = opened();
    await proposeAll();
    for (const name of names) disk.files.set(`${name}.txt`, "other\n");
    assert.deepEqual(await set.acceptFiles(shown()), { outcome: "unfit" });
  });

  test("skips changes that are new or were revised since they were shown", async () => {
    const { disk, set, propose, proposeAll, shown, left } = opened();
    await proposeAll();
    const before = shown();
    await propose("*** Add File: f.txt", "+f");
    assert.deepEqual(await set.acceptFiles(before), { outcome: "done" });
    assert.deepEqual(left(), [["f.txt", undefined]]);
    await propose("*** Add File: g.txt", "+g");
    const seen = shown();
    const [file] = set.pending;
    await set.edit(file?.id ?? "", "typed\n", "f\n");
    assert.deepEqual(await set.acceptFiles(seen), { outcome: "done" });
    assert.equal(disk.files.get("g.txt"), "g\n");
    assert.deepEqual(left(), [["f.txt", revised]]);
    assert.deepEqual(await set.acceptFiles(seen), { outcome: "revised" });
    assert.equal(disk.files.get("f.txt"), undefined);
    const waiting = waitingIn(set, ({ path }) => path);
    assert.deepEqual(waiting?.risks, [], "writing it was not tried");
    assert.deepEqual(
      waiting?.flagged.flatMap(({ flags }) => flags.map(inEnglish)),
      [revised],
    );
  });

  test("writes the other files when one is refused, and keeps its reason until the next attempt", async () => {
    let isLocked = true;
    const { disk, set, tried, proposeAll, shown, left } = opened((changes) =>
      isLocked && changes.some(({ file }) => file.path === "b.txt") ? refusedFile("b.txt") : undefined,
    );
    await proposeAll();
    assert.deepEqual(await set.acceptFiles(shown()), { outcome: "done" });
    assert.deepEqual(left(), [["b.txt", "b.txt is read-only."]]);
    assert.equal(tried.length, 2);
    assert.deepEqual([...disk.files.values()], ["A\n", "b\n", "C\n", "D\n", "E\n"]);
    await set.refresh();
    assert.deepEqual(left(), [["b.txt", "b.txt is read-only."]]);
    const waiting = waitingIn(set, ({ path }) => path);
    assert.deepEqual(waiting?.risks.map(inEnglish), ["1 file couldn't be written"]);
    assert.deepEqual(
      waiting?.flagged.flatMap(({ flags }) => flags.map(inEnglish)),
      ["Couldn't be written: b.txt is read-only."],
    );
    isLocked = false;
    assert.deepEqual(await set.acceptFiles(shown()), { outcome: "done" });
    assert.deepEqual(left(), []);
  });

  test("finds the unwritable file by splitting the batch when the editor does not name it", async () => {
    const why = message("editsRefused");
    const { disk, set, tried, proposeAll, shown, left } = opened((changes) =>
      changes.some(({ file }) => file.path === "d.txt") ? { outcome: "refused", why, files: [] } : undefined,
    );
    await proposeAll();
    assert.deepEqual(await set.acceptFiles(shown()), { outcome: "done" });
    assert.deepEqual(left(), [["d.txt", inEnglish(why)]]);
    assert.deepEqual([...disk.files.values()], ["A\n", "B\n", "C\n", "d\n", "E\n"]);
    assert.ok(tried.length <= 6, `tried ${tried.length} times`);
  });

  test("holds back a file that moves to the name of an unwritable file, and says which file must go first", async () => {
    const { disk, set, propose, shown, left } = opened((changes) =>
      changes.some(({ file }) => file.path === "b.txt") ? refusedFile("b.txt") : undefined,
    );
    await propose(
      ...["*** Update File: b.txt", "*** Move to: elsewhere.txt", "@@", "-b", "+B"],
      ...["*** Update File: a.txt", "*** Move to: b.txt", "@@", "-a", "+A"],
      ...["*** Update File: c.txt", "@@", "-c", "+C"],
    );
    assert.deepEqual(await set.acceptFiles(shown()), { outcome: "done" });
    assert.deepEqual(
      new Map(left().map(([path, why]) => [path, why])),
      new Map([
        ["b.txt", "b.txt is read-only."],
        ["a.txt", "b.txt has to be changed first."],
      ]),
    );
    assert.equal(disk.files.get("c.txt"), "C\n");
    assert.equal(disk.files.get("a.txt"), "a\n");
  });

  test("neither asks again after a decline nor splits a refusal that concerns no single file", async () => {
    for (const said of [
      { outcome: "declined" },
      { outcome: "refused", why: message("editsRestricted") },
    ] as const satisfies readonly ApplyOutcome[]) {
      const { set, tried, proposeAll, shown, left } = opened(
        () => said,
        undefined,
        () => false,
      );
      await proposeAll();
      const isRefused = said.outcome === "refused";
      assert.deepEqual(await set.acceptFiles(shown()), { ...said, ...(isRefused && { isInRows: true }) });
      assert.equal(tried.length, 1);
      assert.ok(left().every(([, why]) => (why !== undefined) === isRefused));
    }
  });

  test("gives up after 20 attempts when the files keep changing", async () => {
    const { set, tried, proposeAll, shown } = opened(() => ({ outcome: "stale" }));
    await proposeAll();
    assert.deepEqual(await set.acceptFiles(shown()), { outcome: "refused", why: message("changeMoving") });
    assert.equal(tried.length, 20);
  });
});

const revised = "This change was revised. Review it again.";

describe("the refusal reason of a file", () => {
  const locked = (path: string) => (changes: readonly FileChange[]) =>
    changes.some(({ file }) => file.path === path) ? refusedFile(path) : undefined;
  const hunksOf = ({ set }: Pick<ReturnType<typeof opened>, "set">, ...paths: readonly string[]) =>
    set.pending
      .filter(({ change }) => paths.includes(change.file.path))
      .flatMap(({ hunks }) => hunks.map(({ id }) => id));

  test("stays in the file's row, also in a later window, until the file changes", async () => {
    const store = memoryChangeStore();
    const first = opened(locked("b.txt"), store);
    await first.proposeAll();
    const refused = { outcome: "refused", why: readOnly, isInRows: true };
    assert.deepEqual(await first.set.accept(hunksOf(first, "b.txt")), refused);
    const said = [["b.txt", "b.txt is read-only."]];
    const told = ({ left }: typeof first) => left().filter(([, why]) => why !== undefined);
    assert.deepEqual(told(first), said);
    const later = opened(undefined, store);
    await later.set.refresh();
    assert.deepEqual(told(later), said);
    later.disk.files.set("b.txt", "b\ntyped\n");
    await later.set.refresh();
    assert.deepEqual(told(later), []);
    assert.equal(later.set.pending.length, 5);
    const last = opened(undefined, store);
    await last.set.refresh();
    assert.deepEqual(told(last), said, "the file is again what it was");
    assert.deepEqual(await last.set.accept(hunksOf(last, "b.txt")), { outcome: "done" });
    assert.deepEqual(
      last.left().map(([path]) => path),
      ["a.txt", "c.txt", "d.txt", "e.txt"],
    );
  });

  test("appears in the rows of all files of the step when the editor names none", async () => {
    const why = message("editsRefused");
    const review = opened(() => ({ outcome: "refused", why, files: [] }));
    await review.proposeAll();
    assert.equal((await review.set.accept(hunksOf(review, "a.txt", "c.txt"))).outcome, "refused");
    assert.deepEqual(
      review.left().map(([, said]) => said),
      [inEnglish(why), undefined, inEnglish(why), undefined, undefined],
    );
  });

  test("appears only in the rows of files left unwritten when the editor stops halfway", async () => {
    const half = (all: boolean) => {
      const review = opened((changes) => {
        review.disk.apply(changes.slice(0, 1));
        return { outcome: "refused", why: readOnly, halfDone: true };
      });
      const accept = () =>
        all ? review.set.acceptFiles(review.shown()) : review.set.accept(hunksOf(review, "a.txt", "b.txt"));
      return { review, accept };
    };
    for (const all of [true, false]) {
      const { review, accept } = half(all);
      await review.propose(...["a", "b"].flatMap(review.update));
      assert.deepEqual(await accept(), { outcome: "refused", why: readOnly, isInRows: true });
      assert.deepEqual(review.left(), [["b.txt", inEnglish(readOnly)]]);
      assert.deepEqual([review.set.halfWritten?.written, review.set.halfWritten?.all], [1, 2]);
    }
  });

  test("appears in each row of an untrusted folder until the folder is trusted", async () => {
    let isTrusted = false;
    const why = message("editsRestricted");
    const review = opened(
      () => (isTrusted ? undefined : { outcome: "refused", why }),
      memoryChangeStore(),
      () => isTrusted,
    );
    const { set, left } = review;
    await review.proposeAll();
    assert.deepEqual(await set.acceptFiles(review.shown()), { outcome: "refused", why, isInRows: true });
    assert.deepEqual(
      left(),
      names.map((name) => [`${name}.txt`, inEnglish(why)]),
    );
    isTrusted = true;
    await set.refresh();
    assert.ok(left().every(([, said]) => said === undefined));
    assert.deepEqual(await set.acceptFiles(review.shown()), { outcome: "done" });
  });

  test("appears in the rows of changes proposed or revised since the bar was shown, and in no other", async () => {
    const { set, propose, update, disk, left } = opened();
    await propose(...update("a"), ...update("b"));
    const shown = set.revision;
    assert.equal(await set.refuseRevised(shown), false);
    await set.edit(set.pending[1]?.id ?? "", "Bb\n", "B\n");
    await propose(...update("c"));
    assert.equal(await set.refuseRevised(shown), true);
    assert.deepEqual(left(), [
      ["a.txt", undefined],
      ["b.txt", revised],
      ["c.txt", revised],
    ]);
    // What only waits no more was seen, and nothing else is accepted.
    const later = set.revision;
    assert.deepEqual(await set.accept(hunksOf({ set }, "a.txt")), { outcome: "done" });
    assert.notEqual(set.revision, later);
    assert.equal(await set.refuseRevised(later), false);
    assert.equal(disk.files.get("b.txt"), "b\n");
  });

  test("tells a revised change from one that no longer fits its file", async () => {
    for (const decide of ["accept", "reject"] as const) {
      const review = opened();
      const { set, disk, left } = review;
      disk.files.set("a.txt", "1\n2\n3\n4\n5\n6\n7\n");
      await review.propose(
        ...["*** Update File: a.txt", "@@", " 1", "-2", "+two", " 3", "@@", " 5", "-6", "+six", " 7"],
      );
      const hunks = hunksOf(review, "a.txt");
      const [file] = set.pending;
      const outcome = async () => {
        const done = await set[decide](hunks);
        return typeof done === "string" ? done : done.outcome;
      };
      const edit = set.edit(file?.id ?? "", "1\ntwo\n3\n4\n5\nsixth\n7\n", "1\ntwo\n3\n4\n5\nsix\n7\n");
      const done = outcome();
      await edit;
      assert.equal(await done, "revised");
      assert.deepEqual(left(), [["a.txt", revised]]);
      disk.files.set("a.txt", "1\n2\n3\n4\n5\ntyped\n7\n");
      await set.refresh();
      assert.deepEqual(left(), [["a.txt", undefined]]);
      assert.equal(await outcome(), "unfit");
      assert.deepEqual(left(), [["a.txt", "These changes no longer fit the files."]]);
    }
  });

  test("is cleared once the file that blocked the name is written", async () => {
    let isLocked = true;
    const review = opened((changes) => (isLocked ? locked("b.txt")(changes) : undefined));
    const { set, propose, shown, left } = review;
    await propose(
      ...["*** Update File: b.txt", "*** Move to: elsewhere.txt", "@@", "-b", "+B"],
      ...["*** Update File: a.txt", "*** Move to: b.txt", "@@", "-a", "+A"],
    );
    await set.acceptFiles(shown());
    assert.ok(left().every(([, why]) => why !== undefined));
    isLocked = false;
    assert.deepEqual(await set.accept(hunksOf(review, "b.txt")), { outcome: "done" });
    assert.deepEqual(left(), [["a.txt", undefined]]);
  });
});

describe("countPending", () => {
  test("counts conflicts among the changes, and a file with a problem as one conflict", async () => {
    const { disk, set, propose } = opened();
    disk.files.set("long.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    await propose(
      ...["*** Update File: long.txt", "@@", "-2", "+two", " 3", "@@", " 7", "-8", "+eight"],
      ...["*** Update File: a.txt", "@@", "-a", "+A"],
      ...["*** Add File: f.txt", "+f", "+g"],
    );
    assert.deepEqual(countPending(set.pending), { files: 3, changes: 4, conflicts: 0, added: 5, removed: 3 });
    disk.files.set("long.txt", "1\n2\n3\n4\n5\n6\n7\ntyped\n9\n");
    disk.files.delete("a.txt");
    await set.refresh();
    assert.deepEqual(countPending(set.pending), { files: 3, changes: 4, conflicts: 2, added: 3, removed: 1 });
    const waiting = waitingIn(set, ({ path }) => path);
    assert.deepEqual([waiting?.changes, waiting?.hunks, waiting?.conflicts], [4, 2, 2]);
    assert.deepEqual(
      waiting?.flagged.map(({ path, flags }) => [path, ...flags.map(inEnglish)]),
      [["a.txt", "The file no longer exists."]],
    );
  });
});

test("a part of a proposal is what accepting exactly its hunks writes, with all that they require", async () => {
  const open = async () => {
    const all = opened();
    await all.propose(
      ...["*** Update File: b.txt", "*** Move to: elsewhere.txt", "@@", "-b", "+B"],
      ...["*** Update File: a.txt", "*** Move to: b.txt", "@@", "-a", "+A"],
      ...["*** Add File: new.txt", "+new"],
      ...["*** Delete File: d.txt"],
      ...all.update("c"),
    );
    const hunks = all.set.pending.flatMap((file) => file.hunks.map(({ id }) => id));
    return { ...all, hunks };
  };
  const { hunks: some } = await open();
  assert.equal(some.length, 7);
  for (let first = 0; first < some.length; first++)
    for (let last = first; last < some.length; last++) {
      const { disk, set, hunks } = await open();
      const chosen = hunks.slice(first, last + 1);
      const part = partOf(set.pending, chosen);
      const expected = new Map(disk.files);
      for (const [{ path }, state] of part?.overlaid ?? [])
        if (state === undefined) expected.delete(path);
        else expected.set(path, state.text);
      assert.equal((await set.accept(chosen)).outcome, "done");
      assert.deepEqual(new Map([...disk.files].sort()), new Map([...expected].sort()));
    }
  const { set } = await open();
  assert.equal(partOf(set.pending, ["gone"]), undefined);
});
