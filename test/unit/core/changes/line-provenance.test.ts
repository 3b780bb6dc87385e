// Lines that a call has written, found again in a text that others have changed since.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { standingOf } from "../../../../src/core/changes/line-provenance.ts";

const written = { call: "c", turn: "t", text: "a\nb\nc\nd\ne\n", lines: [{ first: 1, last: 4 }] };

test("what was typed above moves them, what was typed within is nobody's", () => {
  assert.deepEqual(standingOf(written, "x\na\nb\nc\nd\ne\n"), [{ first: 2, last: 5 }]);
  assert.deepEqual(standingOf(written, "a\nb\nmine\nd\ne\n"), [
    { first: 1, last: 2 },
    { first: 3, last: 4 },
  ]);
  assert.deepEqual(standingOf(written, "a\nb\nnew\nc\nd\ne\n"), [
    { first: 1, last: 2 },
    { first: 3, last: 5 },
  ]);
  assert.deepEqual(standingOf(written, "a\ne\n"), []);
});

test("every line that is said to be theirs reads as they have written it", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, fc.nat(12), fc.nat(12), (then, now, one, other) => {
      const [first, last] = [Math.min(one, other, then.length), Math.min(Math.max(one, other), then.length)];
      const text = then.map((line) => `${line}\n`).join("");
      const live = now.map((line) => `${line}\n`).join("");
      const own = new Set(then.slice(first, last));
      const found = standingOf({ ...written, text, lines: [{ first, last }] }, live);
      const said = found.flatMap((range) => now.slice(range.first, range.last));
      assert.ok(said.length <= last - first);
      assert.ok(said.every((line) => own.has(line)));
    }),
  );
});
