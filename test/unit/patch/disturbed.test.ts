// Small patches of the kind that was found to do harm, or to be refused for nothing, on commits of real projects.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { applyEdits } from "../../../src/patch/edits.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { describeRemarks } from "../../../src/tools/apply-patch.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

async function planned(before: readonly string[], ...hunk: readonly string[]) {
  const patch = ["*** Begin Patch", "*** Update File: a.txt", ...hunk, "*** End Patch"].join("\n");
  try {
    const { changes, notes } = await planPatch(patch, new MemoryWorkspace({ "a.txt": textOf(before) }));
    const [change] = changes;
    assert.equal(change?.kind, "update");
    const text = change.kind === "update" ? applyEdits(change.base.text, change.edits) : "";
    return { lines: text.split("\n").slice(0, -1), notes };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return { refused: error.refusals.map(({ kind }) => kind) };
  }
}

const codes = (result: Awaited<ReturnType<typeof planned>>) => result.notes?.map(({ code }) => code);

describe("context without its leading space", () => {
  const python = ["def run(app):", "    app.update()", "", "    app.start()", "    return app"];

  test("keeps the indentation of new lines, nested ones included", async () => {
    const added = ["    if app.hook:", "        app.hook()", ""];
    const result = await planned(
      python,
      "@@",
      "    app.update()",
      "",
      ...added.map((line) => `+${line}`),
      "    app.start()",
      "    return app",
    );
    assert.deepEqual(result.lines, python.toSpliced(3, 0, ...added));
    assert.deepEqual(codes(result), ["no-blanks"]);
  });

  test("is recognized in each hunk separately", async () => {
    const before = [...python, "", "def stop(app):", "    app.stop()"];
    const result = await planned(
      before,
      "@@",
      "     app.update()",
      " ",
      "+    if app.hook:",
      "+        app.hook()",
      "     app.start()",
      "@@",
      "+    if app:",
      "+        app.flush()",
      "    app.stop()",
    );
    const after = before.toSpliced(7, 0, "    if app:", "        app.flush()");
    assert.deepEqual(result.lines, after.toSpliced(3, 0, "    if app.hook:", "        app.hook()"));
  });

  test("is read as other indentation in a file indented by single spaces", async () => {
    const before = ["a", " b", "  c", "   d", " e", "  f"];
    const result = await planned(before, "@@", "  c", "+   x", "   d");
    assert.deepEqual(result.lines, before.toSpliced(3, 0, "    x"));
    assert.deepEqual(codes(result), []);
  });
});

describe("an insertion that the file already has", () => {
  const block = ["", "test('b', () => {", "  run();", "});"];
  const before = ["test('a', () => {", "  run();", "});", ...block, "", "test('c', () => {", "});"];

  test("is refused when its edges look like the context lines around it", async () => {
    const hunk = ["@@", "   run();", " });", ...block.map((line) => `+${line}`), " ", " test('c', () => {"];
    assert.deepEqual((await planned(before, ...hunk)).refused, ["already"]);
  });

  test("is inserted again when the hunk has it as context", async () => {
    const rows = ["list:", "- same", "end"];
    const result = await planned(rows, "@@", " - same", "+- same", " end");
    assert.deepEqual(result.lines, ["list:", "- same", "- same", "end"]);
  });
});

describe("new lines of a hunk that shows no indentation", () => {
  test("get the file's tabs", async () => {
    const before = ["package a", "", "func a() {", "\tb()", "\tif c {", "\t\td()", "\t}", "}", "// end"];
    const added = ["func e() {", "    if f {", "        g()", "    }", "}"];
    const result = await planned(before, "@@", "+".concat(added.join("\n+")), " // end");
    const written = ["func e() {", "\tif f {", "\t\tg()", "\t}", "}"];
    assert.deepEqual(result.lines, before.toSpliced(8, 0, ...written));
  });

  test("get the indentation steps shown by other hunks of the patch", async () => {
    const before = ["def a():", "    if b:", "        c()", "", "x = 1", "y = 2"];
    const result = await planned(
      before,
      "@@",
      "   if b:",
      "-    c()",
      "+    d()",
      "@@",
      " x = 1",
      "+def e():",
      "+  if f:",
      "+    g()",
      " y = 2",
    );
    const after = before.with(2, "        d()").toSpliced(5, 0, "def e():", "    if f:", "        g()");
    assert.deepEqual(result.lines, after);
  });

  test("keep their indentation inside a multi-line string", async () => {
    const before = ["package a", "", "func a() {", "\tb()", "\tc()", "}", "", "const d = `", "kind: e", "`"];
    const added = ["list:", "    f: 1"];
    const result = await planned(before, "@@", " kind: e", ...added.map((line) => `+${line}`), " `");
    assert.deepEqual(result.lines, before.toSpliced(9, 0, ...added));
  });
});

describe("an anchor that is missing from the file", () => {
  const before = ["class A:", "  a = 1", "  b = 2", "  c = 3", "class B:", "  a = 1", "  b = 2", "  d = 4"];

  test("is skipped when the context fits once, and the model is warned", async () => {
    const once = ["@@ class Gone:", " class B:", "   a = 1", "   b = 2", "-  d = 4", "+  d = 5"];
    const landed = await planned(before, ...once);
    assert.deepEqual(landed.lines, before.with(7, "  d = 5"));
    assert.deepEqual(codes(landed), ["lost-anchor"]);
    assert.match(
      describeRemarks(landed.notes ?? [], ({ path }) => path),
      /^Note: an '@@' line of the patch is not in a\.txt; .+\.\n$/,
    );
  });

  test("refuses the hunk when its context is short, ambiguous or loose, or the change is already there", async () => {
    const others = [
      ["   b = 2", "-  d = 4", "+  d = 5"],
      ["   a = 1", "   b = 2", "+  x = 9"],
      [" class B:", " a = 1", " b = 2", "-d = 4", "+d = 5"],
      [" class B:", "   a = 1", "   b = 2", "+  d = 4"],
    ];
    for (const lines of others) {
      const { refused } = await planned(before, "@@ class Gone:", ...lines);
      assert.deepEqual(refused, ["no-anchor"], lines.join("\n"));
    }
  });

  test("is reported differently from an anchor in another place", async () => {
    const hunk = [" class A:", "   a = 1", "   b = 2", "-  c = 3", "+  c = 4"];
    assert.deepEqual((await planned(before, "@@ class B:", ...hunk)).refused, ["outside-anchor"]);
  });
});
