// From one text to another in small edits, whatever the two are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits, lineEdits, splitLines } from "../../../src/patch/edits.ts";
import { yieldToEventLoop } from "../../../src/util/concurrency.ts";
import { random, randomText } from "../../support/random-text.ts";

test("lineEdits turns any text into any other, and each edit names exactly what it removes", async () => {
  const pick = random(7);
  for (let round = 0; round < 2000; round++) {
    if (round % 100 === 0) await yieldToEventLoop();
    const [before, after] = [randomText(pick), randomText(pick)];
    const edits = lineEdits(before, after);
    assert.equal(applyEdits(before, edits), after);
    let row = 0;
    for (const { start, end, removed, text, lines, written } of edits) {
      assert.equal(before.slice(start, end), removed);
      assert.notEqual(removed, text);
      assert.ok(lines.first >= row);
      row = lines.last;
      assert.equal(splitLines(before.slice(0, start)).count, lines.first);
      assert.equal(splitLines(text).count, written);
    }
  }
});

test("lineEdits keeps distant changes as separate edits", () => {
  const rows = Array.from({ length: 1000 }, (_, row) => `row ${row}\n`);
  const after = rows.with(10, "ten\n").with(500, "").with(900, "900\n900\n");
  const edits = lineEdits(rows.join(""), after.join(""));
  assert.deepEqual(
    edits.map(({ lines, written }) => [lines.first, lines.last, written]),
    [
      [10, 11, 1],
      [500, 501, 0],
      [900, 901, 2],
    ],
  );
});

test("lineEdits gives no edits for equal texts", () => {
  for (const text of ["", "\n", "one", "one\r\ntwo\r\n"]) assert.deepEqual(lineEdits(text, text), []);
});
