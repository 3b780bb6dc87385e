// A change between equal lines is the same as one between different lines: each step is done to a text with three different
// lines and to one in which all lines differ, in the same places, and both must have the same outcome.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { linesOf } from "../../../src/patch/diff-and-merge.ts";
import { lineEdits } from "../../../src/patch/edits.ts";
import type { LineEdit } from "../../../src/patch/model.ts";
import { changeSet } from "../../support/change-set.ts";

const runs = {
  numRuns: process.env["PATCHBAY_LONG"] === undefined ? 300 : 10_000,
  includeErrorInReport: true,
};
const path = "a.txt";
const alike = Array.from({ length: 24 }, (_, at) => `${"ab}"[at % 3]}\n`).join("");

const place = fc.record({ at: fc.nat(30), out: fc.nat(3), into: fc.nat(3) });
const places = fc.array(place, { minLength: 1, maxLength: 3 });
type Places = typeof places extends fc.Arbitrary<infer T> ? T : never;
const which = fc.nat(2 ** 16);
const writing = ["propose", "propose", "edit"] as const;
const deciding = ["accept", "reject", "acceptCall", "rejectCall"] as const;
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom(...writing), how: places, inHunk: fc.constantFrom(1, 2) }),
  fc.record({ kind: fc.constantFrom(...deciding), which }),
);

/** What no other line of the text has is behind this. */
const mark = "·";
const plain = (text: string) => text.replaceAll(/·\d+/g, "");

test("a change set decides the same between equal lines as between different ones", () =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let marks = 0;
      const marked = (text: string) => text.replaceAll(/$(?=\n)/gm, () => `${mark}${++marks}`);
      const equal = changeSet({ [path]: alike });
      const other = changeSet({ [path]: marked(alike) });
      let calls = 0;

      /** What comes is equal to other lines of the same step, and to none that was there before. */
      const rewritten = (text: string, how: Places, word: string) =>
        how.reduce((before, { at, out, into }) => {
          const lines = linesOf(before);
          const from = at % (lines.length + 1);
          return [...lines.slice(0, from), word.repeat(into), ...lines.slice(from + out)].join("");
        }, text);
      const inSamePlaces = (text: string, edits: readonly LineEdit[]) => {
        const lines = [...linesOf(text)];
        for (const edit of edits.toReversed())
          lines.splice(edit.lines.first, edit.lines.last - edit.lines.first, marked(edit.text));
        return lines.join("");
      };
      const standing = (set: typeof equal) => {
        const hunks = set.hunks();
        const all = Array.from({ length: calls }, (_, at) => at + 1);
        return {
          texts: [set.live(path) ?? "", set.proposed(path) ?? ""].map(plain),
          waiting: hunks.map(({ removed, added }) => [removed, added].map((lines) => lines.map(plain))),
          statuses: all.map((call) => [...set.statuses(call).values()]),
          hunks: all.map((call) => {
            const own = new Set(set.hunksOf(call));
            return hunks.map(({ id }) => own.has(id));
          }),
        };
      };

      for (const [at, each] of steps.entries()) {
        if ("how" in each) {
          const before = equal.proposed(path) ?? "";
          const word = `new ${at}\n`;
          const after = rewritten(before, each.how, word);
          const edits = lineEdits(before, after);
          // Where comparing equal lines puts one of them out and in again, the other text has no such line.
          if (edits.some(({ text }) => linesOf(text).some((line) => line !== word))) continue;
          if (edits.length === 0 || (each.kind === "edit" && equal.hunks().length === 0)) continue;
          const write = each.kind === "propose" ? "proposeText" : "edit";
          equal[write](path, after, each.inHunk);
          other[write](path, inSamePlaces(other.proposed(path) ?? "", edits), each.inHunk);
          if (each.kind === "propose") calls += 1;
        } else if (each.kind === "accept" || each.kind === "reject")
          for (const set of [equal, other]) {
            const chosen = set.hunks().filter((_, hunk) => ((each.which >> (hunk % 16)) & 1) === 1);
            if (chosen.length > 0) set[each.kind](chosen.map(({ id }) => id));
          }
        else if (calls > 0)
          for (const set of [equal, other]) {
            const call = 1 + (each.which % calls);
            if (each.kind === "rejectCall") set.rejectCall(call);
            else if (set.hunksOf(call).length > 0) set.accept(set.hunksOf(call));
          }
        assert.deepEqual(standing(equal), standing(other));
      }
    }),
    runs,
  ));
