// What the table finds is what comparing every anchor at every place finds, in whatever pieces a text is searched.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AnchorSearch } from "../../../src/files/internal/secret-finders.ts";

const anchors = ["ab", "abc", "abcd", "bc:", "://", "Q~", "longer one", "aaa"];
/** Letters that the table takes for those of an anchor are among them. */
const piece = fc.constantFrom(
  ...anchors,
  ..."abcdQ:~/",
  "\u0161",
  "\u{1f600}",
  "\0",
  "\u01e2\u01e3",
  "longer",
  "\n",
);

type Found = readonly (readonly [number, string])[];

function compared(text: string): Found {
  const found: [number, string][] = [];
  for (let at = 0; at < text.length; ) {
    const here = anchors.filter((anchor) => text.startsWith(anchor, at));
    const [longest] = here.toSorted((one, other) => other.length - one.length);
    if (longest !== undefined) found.push([at, longest]);
    at += longest?.length ?? 1;
  }
  return found;
}

function searched(text: string, most: number): Found {
  const search = new AnchorSearch(anchors, most);
  const found: [number, string][] = [];
  let end = 0;
  for (let from = 0; from < text.length; from += most)
    search.each(text, Math.max(from, end), from + most, (at, anchor) => {
      found.push([at, anchor]);
      end = at + anchor.length;
      return end;
    });
  return found;
}

test("AnchorSearch finds the longest anchor at each place and continues behind it", () =>
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 50 }), (pieces, most) => {
      const text = pieces.join("");
      assert.deepEqual(searched(text, most), compared(text));
    }),
    { numRuns: 2000 },
  ));
