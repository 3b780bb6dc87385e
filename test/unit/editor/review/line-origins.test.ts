import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOrigins } from "../../../../src/editor/review/internal/line-origin-hover.ts";

test("placeOrigins finds the lines of each call, and others get their turn between two calls", async () => {
  const rows = Array.from({ length: 4000 }, (_, row) => `row ${row}`);
  const live = rows.join("\n");
  const origins = Array.from({ length: 40 }, (_, at) => {
    const text = rows.map((row, index) => (index % 50 === at ? `${row} as it was` : row)).join("\n");
    return { at, written: { call: `${at}`, turn: "t", text, lines: [{ first: at, last: at + 2 }] } };
  });
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  const placed = await placeOrigins(origins, live);
  clearImmediate(next);
  assert.deepEqual(
    placed.map(({ at, lines }) => [at, lines]),
    origins.map(({ at }) => [at, [{ first: at + 1, last: at + 2 }]]),
  );
  assert.ok(turns > 1, `${turns} turns of the event loop`);
});
