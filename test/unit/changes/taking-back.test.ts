// Taking a patch back: it asks nothing that applying it has asked, and keeps what was typed since.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type PathState, planReverse, type Reversal, type Reversed } from "../../../src/changes/plan-undo.ts";
import { hashOf } from "../../../src/changes/proposal.ts";
import { message } from "../../../src/conversation/messages.ts";
import { merge3 } from "../../../src/patch/diff-and-merge.ts";
import { applyEdits, lineEdits, reverseChanges } from "../../../src/patch/edits.ts";
import { defaultPathInfo, type FileChange } from "../../../src/patch/model.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";

const patchOf = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const seven = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

/** On the files as they are now. */
async function undoOf(changes: readonly FileChange[], workspace: FolderWorkspace) {
  const stands = new Map<string, PathState>();
  for (const file of changes.flatMap((change) =>
    change.kind === "move" ? [change.file, change.to] : [change.file],
  )) {
    const standing = await workspace.look(file);
    const reading = standing.kind === "file" ? await workspace.read(file) : undefined;
    const live =
      reading?.kind === "text"
        ? reading
        : ({ kind: standing.kind === "nothing" ? "nothing" : "other" } as const);
    stands.set(file.path, { live, info: standing });
  }
  return planReverse(
    turnsOf(changes),
    ({ path }) => stands.get(path) ?? assert.fail(path),
    ({ path }) => path,
  );
}

/** What one call has done, with a hunk for each of its edits. */
const turnsOf = (changes: readonly FileChange[]): Reversal[] =>
  reverseChanges(changes, hashOf).map((way) => {
    const own = "edits" in way ? way.edits.map((_, edit) => [edit]) : [[]];
    const hunks = own.map((edits, at) => ({ id: `${way.file.path}#${at}`, edits }));
    return { call: "call", proposal: way.file.path, write: 0, change: way, hunks };
  });

async function applied(...lines: readonly string[]) {
  const workspace = createFolderWorkspace();
  workspace.write("work/Makefile", seven);
  const { changes } = await planPatch(patchOf(...lines), workspace);
  assert.equal(changes[0]?.permission.verdict, "confirm");
  await workspace.apply(changes, "test");
  return { workspace, changes };
}

test("undo does not ask again about what applying has asked about, even after typing", async () => {
  const { workspace, changes } = await applied(
    "*** Update File: Makefile",
    " one",
    "-two",
    "+zwei",
    " three",
  );
  const [back] = (await undoOf(changes, workspace)).changes;
  assert.deepEqual([back?.permission.verdict, back?.permission.reasons], ["allow", []]);
  workspace.write("work/Makefile", `zero\n${workspace.text("work/Makefile")}`);
  const [later] = (await undoOf(changes, workspace)).changes;
  assert.deepEqual([later?.permission.verdict, later?.permission.reasons], ["allow", []]);
});

test("undo asks about what only the reversal would do", async () => {
  const { workspace, changes } = await applied(
    "*** Update File: Makefile",
    " one",
    "-two",
    "+zwei",
    " three",
  );
  const asked = changes.map((change) => ({
    ...change,
    permission: { ...change.permission, reasons: [message("cautionControl")] },
  }));
  workspace.write("work/Makefile", `zero\n${workspace.text("work/Makefile")}`);
  const [back] = (await undoOf(asked, workspace)).changes;
  assert.deepEqual(back?.permission.reasons, [message("cautionBuild")]);
});

describe("planReverse", () => {
  const both = [
    "*** Update File: Makefile",
    ...[" one", "-two", "+zwei", " three", " four", " five", "-six", "+sechs", " seven"],
  ];

  test("keeps text typed nearby where a reversed patch would not find its context", async () => {
    const { workspace, changes } = await applied(...both);
    const typed = (text: string) => text.replace("four", "vier").replace("seven\n", "seven\neight\n");
    workspace.write("work/Makefile", typed(workspace.text("work/Makefile") ?? ""));
    const plan = await undoOf(changes, workspace);
    await workspace.apply(plan.changes, "test");
    assert.equal(workspace.text("work/Makefile"), typed(seven));
    assert.deepEqual(plan.left, []);
  });

  test("reverts one hunk and names the other, which was edited since", async () => {
    const { workspace, changes } = await applied(...both);
    workspace.write("work/Makefile", seven.replace("two", "zwo").replace("six", "sechs"));
    const { changes: back, reversed, left } = await undoOf(changes, workspace);
    await workspace.apply(back, "test");
    assert.equal(workspace.text("work/Makefile"), seven.replace("two", "zwo"));
    assert.deepEqual(
      reversed.flatMap(({ hunks }) => hunks.map(({ id }) => id)),
      ["Makefile#1"],
    );
    assert.deepEqual(
      left.map(({ reversal, why }) => [reversal.hunks.map(({ id }) => id), why]),
      [[["Makefile#0"], message("editsTouched", { name: "Makefile" })]],
    );
    const [rest] = left;
    assert(rest?.reversal.change.kind === "update");
    assert.equal(
      applyEdits(rest.reversal.change.base.text, rest.reversal.change.edits),
      seven.replace("six", "sechs"),
    );
  });

  test("counts a hunk as undone that a person has reverted by hand", async () => {
    const { workspace, changes } = await applied(...both);
    workspace.write("work/Makefile", seven.replace("six", "sechs!"));
    const { changes: back, reversed, left } = await undoOf(changes, workspace);
    assert.deepEqual(back, []);
    assert.deepEqual(
      [reversed, left.map(({ reversal }) => reversal)].map((turns) =>
        turns.flatMap(({ hunks }) => hunks.map(({ id }) => id)),
      ),
      [["Makefile#0"], ["Makefile#1"]],
    );
  });

  test("names each file that changed since and reverts the others", async () => {
    const workspace = createFolderWorkspace();
    for (const name of ["plain", "gone", "grown-over", "moved"]) workspace.write(`work/${name}`, seven);
    workspace.write("work/deleted", "deleted\n");
    const edit = (path: string) => [`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", " three"];
    const { changes } = await planPatch(
      patchOf(
        ...[...edit("plain"), ...edit("gone"), "*** Delete File: deleted"],
        ...["*** Add File: added", "+added", "*** Delete File: grown-over"],
        ...["*** Update File: moved", "*** Move to: there"],
      ),
      workspace,
    );
    await workspace.apply(changes, "test");
    rmSync(join(workspace.root, "work/gone"));
    workspace.write("work/added", "added\nand more\n");
    workspace.write("work/grown-over", "somebody else's\n");
    workspace.write("work/moved", "another\n");
    const plan = await undoOf(changes, workspace);
    await workspace.apply(plan.changes, "test");
    assert.equal(workspace.text("work/plain"), seven);
    assert.equal(workspace.text("work/deleted"), "deleted\n");
    assert.equal(workspace.text("work/added"), "added\nand more\n");
    assert.equal(workspace.text("work/grown-over"), "somebody else's\n");
    assert.equal(workspace.text("work/there"), seven);
    assert.deepEqual(
      Object.fromEntries(plan.left.map(({ reversal, why }) => [reversal.change.file.path, why.code])),
      {
        gone: "editsMissing",
        added: "editsGrown",
        "grown-over": "editsTaken",
        there: "editsTaken",
      },
    );
  });

  /** So many lines each, none of which is another's. */
  const original = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);
  const places = fc.uniqueArray(fc.nat(14), { maxLength: 8 });
  const written = (lines: readonly string[], at: readonly number[], by: string) =>
    lines.map((line, number) => (at.includes(number) ? `${by} ${number}\n` : line));

  test("agrees with merge3 for any edits, hunk by hunk, and loses nothing typed", () =>
    fc.assert(
      fc.property(places, fc.uniqueArray(fc.nat(29), { maxLength: 6 }), (own, typing) => {
        // With a line between any two of them, each is a hunk.
        const edited = own.map((at) => at * 2);
        const base = original.join("");
        const made = written(original, edited, "model");
        const live = written(made, typing, "typed").join("");
        const way = {
          ...({ kind: "update", file: { folder: "work", path: "a" }, hunks: [] } as const),
          permission: { verdict: "allow", reasons: [], real: "a" } as const,
          base: { text: made.join(""), sha256: "", version: undefined },
          edits: lineEdits(made.join(""), base),
        };
        const hunks = way.edits.map(({ lines }, edit) => ({ id: String(lines.first), edits: [edit] }));
        const standing = { ...defaultPathInfo, kind: "file", real: "a" } as const;
        const { changes, reversed, left } = planReverse(
          [{ call: "call", proposal: "p", write: 0, change: way, hunks }],
          () => ({ live: { kind: "text", text: live }, info: standing }),
          ({ path }) => path,
        );
        const [change] = changes;
        const after = change?.kind === "update" ? applyEdits(live, change.edits) : live;
        assert.equal(after, merge3(made.join(""), live, base).text);
        const isTouched = (at: number) => typing.some((each) => Math.abs(each - at) <= 1);
        const names = (turns: readonly Reversed[]) =>
          turns.flatMap((turn) => turn.hunks.map(({ id }) => Number(id))).toSorted((a, b) => a - b);
        const sorted = edited.toSorted((a, b) => a - b);
        assert.deepEqual(names(left.map(({ reversal }) => reversal)), sorted.filter(isTouched));
        assert.deepEqual(
          names(reversed),
          sorted.filter((at) => !isTouched(at)),
        );
        for (const at of typing) assert.ok(after.includes(`typed ${at}\n`), `line ${at} is lost`);
      }),
      { numRuns: 500, includeErrorInReport: true },
    ));
});
