import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits } from "../../../../src/core/patch/edits.ts";
import type { UpdateChange } from "../../../../src/core/patch/model.ts";
import { planPatch } from "../../../../src/core/patch/plan.ts";
import { rebase } from "../../../../src/shell/workspace/rebase.ts";
import { MemoryWorkspace } from "../../../support/memory-workspace.ts";

const base = Array.from({ length: 12 }, (_, row) => `line ${row}\n`).join("");

async function change(): Promise<UpdateChange> {
  const patch =
    "*** Begin Patch\n*** Update File: a\n@@\n line 4\n-line 5\n+LINE 5\n line 6\n*** End Patch\n";
  const [only] = (await planPatch(patch, new MemoryWorkspace({ a: base }))).changes;
  assert(only?.kind === "update");
  return only;
}

test("what was typed above and below is kept, and the change lands on its line", async () => {
  const planned = await change();
  const after = base.replace("line 5", "LINE 5");
  for (const typed of ["typed\n", "t", "two\nlines\n"]) {
    for (const row of [0, 1, 2, 3, 8, 9, 10, 11]) {
      const type = (text: string) => text.replace(`line ${row}\n`, `line ${typed}${row}\n`);
      const now = rebase(planned, type(base));
      assert(now !== undefined, `row ${row}`);
      assert.equal(applyEdits(type(base), now.edits), type(after));
      const [edit] = now.edits;
      assert.equal(type(base).split("\n")[edit?.lines.first ?? -1], "line 5");
    }
  }
});

test("what was typed into the lines of the change, or next to them, leaves no answer", async () => {
  const planned = await change();
  for (const row of [4, 5, 6])
    assert.equal(rebase(planned, base.replace(`line ${row}`, `line!${row}`)), undefined, `row ${row}`);
  assert.equal(rebase(planned, base.replace("line 5\n", "")), undefined);
  assert.equal(rebase(planned, base.replace("line 0", "LINE 0").replace("line 11", "LINE 11")), undefined);
});

test("a text that is the same needs nothing", async () => {
  const planned = await change();
  assert.equal(rebase(planned, base), planned);
});
