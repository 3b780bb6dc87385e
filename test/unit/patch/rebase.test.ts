import assert from "node:assert/strict";
import { test } from "node:test";
import { rebase, shiftEdits } from "../../../src/patch/diff-and-merge.ts";
import { applyEdits, lineEdits } from "../../../src/patch/edits.ts";
import type { UpdateChange } from "../../../src/patch/model.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { random } from "../../support/random-text.ts";

const base = Array.from({ length: 12 }, (_, row) => `line ${row}\n`).join("");

async function change(): Promise<UpdateChange> {
  const patch =
    "*** Begin Patch\n*** Update File: a\n@@\n line 4\n-line 5\n+LINE 5\n line 6\n*** End Patch\n";
  const [only] = (await planPatch(patch, new MemoryWorkspace({ a: base }))).changes;
  assert(only?.kind === "update");
  return only;
}

test("rebase keeps text typed above and below, and the change lands on its line", async () => {
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

test("rebase returns nothing when text was typed into the change or next to it", async () => {
  const planned = await change();
  for (const row of [4, 5, 6])
    assert.equal(rebase(planned, base.replace(`line ${row}`, `line!${row}`)), undefined, `row ${row}`);
  assert.equal(rebase(planned, base.replace("line 5\n", "")), undefined);
  assert.equal(rebase(planned, base.replace("line 0", "LINE 0").replace("line 11", "LINE 11")), undefined);
});

test("rebase returns the same plan for an unchanged text", async () => {
  const planned = await change();
  assert.equal(rebase(planned, base), planned);
});

test("shiftEdits moves edits along with typed text as rebase does", async () => {
  const { edits } = await change();
  const typed = (first: number, last: number, text: string, removed = 0) =>
    shiftEdits(edits, { lines: { first, last }, removed, text });
  assert.deepEqual(typed(0, 0, "one\ntwo\n")?.[0]?.lines, { first: 7, last: 8 });
  assert.deepEqual(typed(0, 2, "", 14)?.[0]?.lines, { first: 3, last: 4 });
  assert.deepEqual(typed(9, 9, "below"), edits);
  for (const row of [4, 5, 6, 7]) assert.equal(typed(row, row, "x"), undefined, `row ${row}`);
  assert.equal(typed(0, 11, ""), undefined);
});

test("rebase handles texts of 20,000 lines like short ones", async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => `line ${row}\n`);
  const long = rows.join("");
  const patch =
    "*** Begin Patch\n*** Update File: a\n@@\n line 9999\n-line 10000\n+LINE\n line 10001\n*** End Patch\n";
  const [only] = (await planPatch(patch, new MemoryWorkspace({ a: long }))).changes;
  assert(only?.kind === "update");
  for (const row of [0, 1, 5000, 9990, 10_010, 15_000, 19_999]) {
    for (const now of ["", "typed\n", `line ${row}\nline ${row}\n`, `line ${row}!\n`]) {
      const text = rows.with(row, now).join("");
      const found: UpdateChange | undefined = rebase(only, text);
      assert(found !== undefined, `row ${row}`);
      assert.equal(applyEdits(text, found.edits), rows.with(row, now).with(10_000, "LINE\n").join(""));
    }
  }
});

test("rebase and shiftEdits place each edit on exactly the text that it replaces, or return nothing", async () => {
  const pick = random(11);
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  let found = 0;
  for (let round = 0; round < 5000; round++) {
    // Each for itself: what is watched is how long one of them takes.
    if (round % 20 === 0) await new Promise(setImmediate);
    const rows = Array.from({ length: 3 + pick(20) }, () => one(["a", "b", "", "a", `row ${pick(9)}`]));
    const at = pick(rows.length);
    const changed = one([rows.with(at, "NEW"), rows.toSpliced(at, 1), rows.toSpliced(at, 0, "NEW")]);
    const [text, after] = [rows.join("\n"), changed.join("\n")];
    const edits = lineEdits(text, after);
    const start = pick(text.length + 1);
    const end = Math.min(text.length, start + one([0, 0, pick(6)]));
    const typed = one(["z", "z\nz", "", "\n", "a\n"]);
    const now = text.slice(0, start) + typed + text.slice(end);
    const permission = { verdict: "allow", reasons: [], real: "a" } as const;
    const file = { folder: "work", path: "a" };
    const planned = {
      kind: "update",
      file,
      permission,
      base: { text, sha256: "", version: 1 },
      edits,
    } as const;
    const row = (offset: number) => text.slice(0, offset).split("\n").length - 1;
    const lines = { first: row(start), last: row(end) };
    const [whole, moved] = [
      rebase({ ...planned, hunks: [] }, now)?.edits,
      shiftEdits(edits, { lines, removed: end - start, text: typed }),
    ];
    for (const edit of [...(whole ?? []), ...(moved ?? [])]) {
      found += 1;
      assert.equal(now.slice(edit.start, edit.end), edit.removed, JSON.stringify({ text, now, edit }));
      assert.equal(now.slice(0, edit.start).split("\n").length - 1, edit.lines.first);
    }
  }
  assert(found > 1000, `${found} edits`);
});
