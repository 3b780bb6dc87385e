// Edits drawn at random, said as a patch, planned and applied: what comes out is what was meant, or nothing is.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyEdits } from "../../../../src/core/patch/edits.ts";
import { PatchError } from "../../../../src/core/patch/patch-error.ts";
import { planPatch } from "../../../../src/core/patch/plan.ts";
import { MemoryWorkspace } from "../../../support/memory-workspace.ts";
import { anExample, editedText, hunksFor, patchOf, textOf } from "./random-edits.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;
const runs = (numRuns: number) => ({ numRuns: long ? numRuns * 50 : numRuns });

/** The text the patch gives, or undefined when it is refused. */
async function patched(text: string, patch: string): Promise<string | undefined> {
  const workspace = new MemoryWorkspace({ "a.txt": text });
  try {
    const { changes } = await planPatch(patch, workspace);
    const [change] = changes;
    return change?.kind === "update" ? applyEdits(change.base.text, change.edits) : text;
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

const word = fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,4})?$/);
const indented = fc.tuple(fc.nat({ max: 3 }), word).map(([depth, text]) => "  ".repeat(depth) + text);
/** Not among the lines above. */
const fresh = indented.map((text) => `${text} 1`);
const few = fc.constantFrom("a", "b", "c", "", "}");

test("edits of a text whose lines are all different are found, whatever the line ends", () =>
  fc.assert(
    fc.asyncProperty(
      anExample({ line: indented, added: fresh, distinct: true, most: 30 }),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom("\n", "\r\n"),
      async (example, context, end) => {
        const patch = patchOf("a.txt", hunksFor(example, context), end);
        const meant = editedText(example);
        if (meant === textOf(example)) return;
        assert.equal(await patched(textOf(example), patch), meant);
      },
    ),
    runs(2000),
  ));

test("edits of a text full of equal lines come out as they were meant, or not at all", () =>
  fc.assert(
    fc.asyncProperty(
      anExample({ line: few, added: few, distinct: false, most: 12 }),
      fc.nat({ max: 3 }),
      async (example, context) => {
        const patch = patchOf("a.txt", hunksFor(example, context));
        const result = await patched(textOf(example), patch);
        if (result !== undefined) assert.equal(result, editedText(example));
      },
    ),
    runs(5000),
  ));
