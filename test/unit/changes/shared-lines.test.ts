// Lines that two texts share: each text can be spelled again, the order holds, and no line is lost or there twice.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { keepLines, openLines } from "../../../src/changes/internal/kept-lines.ts";
import {
  type Line,
  mergeTyped,
  proposedRuns,
  rewrite,
  type SharedLines,
  shareLines,
  spell,
  withRuns,
} from "../../../src/changes/internal/shared-lines.ts";
import { applyEdits, lineEdits } from "../../../src/patch/edits.ts";

const runs = {
  numRuns: process.env["PATCHBAY_LONG"] === undefined ? 500 : 20_000,
  includeErrorInReport: true,
};

/** Few different lines, so that many are equal; some texts lack the last line end, some have two characters for it. */
const line = fc.constantFrom("a\n", "b\n", "}\n", "}\r\n", "\n");
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("", "end"))
  .map(([lines, end]) => lines.join("") + end);

const texts = (lines: SharedLines) => [spell(lines.all, lines.base), spell(lines.all, lines.proposed)];

function assertWhole({ all, base, proposed }: SharedLines): void {
  const known = new Set(all);
  assert.equal(known.size, all.length, "a line is there twice");
  for (const each of [...base, ...proposed]) assert.ok(known.has(each), "a line has no place");
}

describe("shareLines", () => {
  test("spells both texts after any sequence of rewritings", () =>
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (base, all) => {
        let lines = shareLines(base);
        for (const next of all) {
          const [, before = ""] = texts(lines);
          const edits = lineEdits(before, next);
          const { lines: now, done } = rewrite(lines, edits, next);
          lines = now;
          assert.deepEqual(texts(lines), [base, next]);
          assert.deepEqual([...new Set(done.map(({ edit }) => edit))], [...edits.keys()]);
          assertWhole(lines);
        }
      }),
      runs,
    ));

  test("keeps a byte order mark, and lines that end in carriage returns alone", () => {
    const marked = "\uFEFFone\r\ntwo\r\n";
    for (const next of [
      "\uFEFFtwo\r\n",
      "\uFEFFnew\r\none\r\ntwo\r\n",
      "\uFEFF1\r\ntwo\r\n",
      "\uFEFF",
      "one\r\n",
    ]) {
      const { lines } = rewrite(shareLines(marked), lineEdits(marked, next), next);
      assert.deepEqual(texts(lines), [marked, next]);
    }
    const [before, after] = ["one\rtwo\rthree\r", "one\r2\rthree\r"];
    const { lines } = rewrite(shareLines(before), lineEdits(before, after), after);
    assert.deepEqual(texts(lines), [before, after]);
  });

  test("describes what differs as edits that lead from one text to the other", () =>
    fc.assert(
      fc.property(text, text, (base, proposed) => {
        const { edits, runs: places } = proposedRuns(shareLines(base, proposed));
        assert.equal(applyEdits(base, edits), proposed);
        assert.equal(places.length, edits.length);
        for (const [at, { took, made }] of places.entries()) {
          const spelled = (lines: readonly Line[]) => lines.map((each) => each.text).join("");
          assert.deepEqual([spelled(took), spelled(made)], [edits[at]?.removed, edits[at]?.text]);
        }
      }),
      runs,
    ));
});

describe("mergeTyped", () => {
  test("leads from the file as it is to what is shown, and taken over again it is the same", () =>
    fc.assert(
      fc.property(text, text, text, (base, proposed, live) => {
        const merged = mergeTyped(shareLines(base, proposed), lineEdits(base, live));
        const [own, shown = ""] = texts(merged.lines);
        assert.equal(own, live);
        assert.equal(applyEdits(live, merged.edits), shown);
        assertWhole(merged.lines);
        const again = proposedRuns(merged.lines);
        assert.deepEqual(again.edits, merged.edits);
        assert.deepEqual(again.conflicts, []);
      }),
      runs,
    ));

  test("gives each text back when all of its places are taken from the other", () =>
    fc.assert(
      fc.property(text, text, (base, proposed) => {
        const lines = shareLines(base, proposed);
        const { runs: places } = proposedRuns(lines);
        assert.equal(spell(lines.all, withRuns(lines.base, places, "made")), proposed);
        assert.equal(spell(lines.all, withRuns(lines.proposed, places, "took")), base);
      }),
      runs,
    ));
});

test("stored lines are the same when they are read again", () =>
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 4 }), (base, all) => {
      let lines = shareLines(base);
      const gone = new Set<Line>();
      for (const [share, next] of all.entries()) {
        const { lines: now, done } = rewrite(lines, lineEdits(texts(lines)[1] ?? "", next), next);
        for (const each of done) for (const took of each.took) gone.add(took);
        const status = (["pending", "replaced", "conflict"] as const)[share % 3] ?? "pending";
        const made = new Set(done.flatMap((each) => each.made));
        lines = {
          ...now,
          parts: [...now.parts, { share, id: `#${share}`, status, made, took: new Set(gone) }],
        };
      }
      const [one = "", other = ""] = texts(lines);
      const read = openLines(JSON.parse(JSON.stringify(keepLines(lines))), one, other);
      assert.deepEqual(read.all, lines.all);
      const places = (of: SharedLines) => {
        const at = (set: ReadonlySet<Line>) =>
          of.all.flatMap((each, place) => (set.has(each) ? [place] : []));
        return [
          at(of.base),
          at(of.proposed),
          ...of.parts.flatMap(({ status, made, took }) => [status, at(made), at(took)]),
        ];
      };
      assert.deepEqual(places(read), places(lines));
    }),
    runs,
  ));
