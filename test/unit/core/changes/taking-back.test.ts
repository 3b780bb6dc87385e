// Taking a patch back: it asks nothing that applying it has asked, and keeps what was typed since.

import assert from "node:assert/strict";
import { test } from "node:test";
import { planUndo, type Stand } from "../../../../src/core/changes/plan-undo.ts";
import { message } from "../../../../src/core/messages/message.ts";
import type { FileChange } from "../../../../src/core/patch/model.ts";
import { planPatch } from "../../../../src/core/patch/plan.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../../support/folder-workspace.ts";

const patchOf = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const seven = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

/** On the files as they are now. */
async function undoOf(changes: readonly FileChange[], workspace: FolderWorkspace) {
  const stands = new Map<string, Stand>();
  for (const file of changes.flatMap((change) =>
    change.kind === "move" ? [change.file, change.to] : [change.file],
  )) {
    const standing = await workspace.look(file);
    const reading = standing.kind === "file" ? await workspace.read(file) : undefined;
    const live =
      reading?.kind === "text"
        ? reading
        : ({ kind: standing.kind === "nothing" ? "nothing" : "other" } as const);
    stands.set(file.path, { live, standing });
  }
  return planUndo(
    changes,
    ({ path }) => stands.get(path) ?? assert.fail(path),
    ({ path }) => path,
  );
}

async function applied(...lines: readonly string[]) {
  const workspace = createFolderWorkspace();
  workspace.write("work/Makefile", seven);
  const { changes } = await planPatch(patchOf(...lines), workspace);
  assert.equal(changes[0]?.permission.verdict, "confirm");
  await workspace.apply(changes, "test");
  return { workspace, changes };
}

test("what applying has asked about is not asked about again, also where somebody has typed since", async () => {
  const { workspace, changes } = await applied(
    "*** Update File: Makefile",
    " one",
    "-two",
    "+zwei",
    " three",
  );
  const [back] = await undoOf(changes, workspace);
  assert.deepEqual([back?.permission.verdict, back?.permission.reasons], ["allow", []]);
  workspace.write("work/Makefile", `zero\n${workspace.text("work/Makefile")}`);
  const [later] = await undoOf(changes, workspace);
  assert.deepEqual([later?.permission.verdict, later?.permission.reasons], ["allow", []]);
});

test("what only the way back would do is asked about", async () => {
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
  const [back] = await undoOf(asked, workspace);
  assert.deepEqual(back?.permission.reasons, [message("cautionBuild")]);
});

test("what was typed near stays, and what was typed into the same lines takes nothing back", async () => {
  const { workspace, changes } = await applied(
    "*** Update File: Makefile",
    ...[" one", "-two", "+zwei", " three", " four", " five", "-six", "+sechs", " seven"],
  );
  // Two lines from both changes: a patch backwards would not find its context.
  const typed = (text: string) => text.replace("four", "vier").replace("seven\n", "seven\neight\n");
  workspace.write("work/Makefile", typed(workspace.text("work/Makefile") ?? ""));
  const back = await undoOf(changes, workspace);
  await workspace.apply(back, "test");
  assert.equal(workspace.text("work/Makefile"), typed(seven));

  const again = await applied("*** Update File: Makefile", " one", "-two", "+zwei", " three");
  again.workspace.write("work/Makefile", seven.replace("two", "zwo"));
  await assert.rejects(undoOf(again.changes, again.workspace), /same lines of .* have changed/);
});
