// Lines that a call has written, found again in a text that others have changed since.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { placing } from "../../../src/changes/line-origins.ts";

const written = { call: "c", turn: "t", text: "a\nb\nc\nd\ne\n", lines: [{ first: 1, last: 4 }] };

test("placing follows lines typed above and leaves out lines typed within", () => {
  assert.deepEqual(placing.run({ ...written, live: "x\na\nb\nc\nd\ne\n" }), [{ first: 2, last: 5 }]);
  assert.deepEqual(placing.run({ ...written, live: "a\nb\nmine\nd\ne\n" }), [
    { first: 1, last: 2 },
    { first: 3, last: 4 },
  ]);
  assert.deepEqual(placing.run({ ...written, live: "a\nb\nnew\nc\nd\ne\n" }), [
    { first: 1, last: 2 },
    { first: 3, last: 5 },
  ]);
  assert.deepEqual(placing.run({ ...written, live: "a\ne\n" }), []);
});

test("placing reports only lines that read as the call wrote them", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, fc.nat(12), fc.nat(12), (then, now, one, other) => {
      const [first, last] = [Math.min(one, other, then.length), Math.min(Math.max(one, other), then.length)];
      const text = then.map((line) => `${line}\n`).join("");
      const live = now.map((line) => `${line}\n`).join("");
      const own = new Set(then.slice(first, last));
      const found = placing.run({ text, lines: [{ first, last }], live });
      const said = found.flatMap((range) => now.slice(range.first, range.last));
      assert.ok(said.length <= last - first);
      assert.ok(said.every((line) => own.has(line)));
    }),
  );
});
