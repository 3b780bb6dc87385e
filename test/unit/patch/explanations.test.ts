// Hunks drawn at random that do not fit: whatever line is named as the one that differs, it does, and a reader sees how.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PatchError, type Refusal } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { patchOf } from "./random-edits.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;

const indents = fc.constantFrom("", "  ", "    ", "\t", "\t\t", " \t");
const words = fc.constantFrom(
  "a()",
  "it's",
  "it’s",
  '"q" - x',
  "“q” – x",
  "café",
  "cafe\u0301",
  "",
  "}",
  "a\u00A0b",
  "a b",
);
const ends = fc.constantFrom("", "", "", " ", "\t", "\u00A0");
const far = fc.constantFrom("", "", "", "\u0301\t".repeat(30), "long ".repeat(40));
const line = fc.tuple(indents, far, words, ends).map((parts) => parts.join(""));
const hunkLine = fc.tuple(fc.constantFrom(" ", "-", "+"), line).map((parts) => parts.join(""));

const told = /at line (\d+) the patch has (".*?") and the file has (".*?")(?: \((.*)\))?\. Send the hunk/u;

function assertDiffers(refusal: Refusal, lines: readonly string[]): void {
  if (refusal.kind !== "not-found" || refusal.nearest === undefined) return;
  const { line, patch, file } = refusal.nearest;
  assert.notEqual(patch, file);
  assert.ok(line >= 0 && line <= lines.length, `line ${line}`);
  if (file !== undefined) assert.equal(file, lines[line]);
}

test("the line that a refusal quotes as different does differ, visibly", async (t) => {
  let quoted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.array(hunkLine, { minLength: 1, maxLength: 5 }),
      async (lines, hunk) => {
        const workspace = new MemoryWorkspace({ "a.txt": `${lines.join("\n")}\n` });
        const error = await planPatch(patchOf("a.txt", [hunk]), workspace).catch((thrown: unknown) => thrown);
        if (!(error instanceof PatchError)) return;
        for (const refusal of error.refusals) assertDiffers(refusal, lines);
        const [, , patch, file, how] = told.exec(error.forModel) ?? [];
        if (patch === undefined) return;
        quoted += 1;
        assert.notEqual(patch, file);
        const seen = (text = "") => text.normalize("NFC").replace(/\s+/gu, " ");
        if (seen(patch) === seen(file)) assert.match(how ?? "", /differs: .+ in the patch, .+ in the file$/);
        assert.doesNotMatch(`${patch}${file}`, /\t|\u00A0|\u0301/u);
      },
    ),
    { numRuns: long ? 100_000 : 1000 },
  );
  t.diagnostic(`${quoted} pairs of lines were quoted`);
  assert.ok(quoted > 100);
});
