import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cutText } from "../../../src/tools/attached-text.ts";

test("cutText returns the longest beginning or end in whole characters that fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(80), (text, maxBytes) => {
      const [head, tail] = [cutText(text, maxBytes, "beginning"), cutText(text, maxBytes, "end")];
      assert.ok(text.startsWith(head) && text.endsWith(tail));
      for (const kept of [head, tail]) {
        assert.ok(Buffer.byteLength(kept) <= maxBytes || kept === text);
        // The next character would not have had room: it has four bytes at most.
        assert.ok(kept === text || Buffer.byteLength(kept) > maxBytes - 4);
        assert.ok(kept.isWellFormed());
      }
    }),
  );
});
