import assert from "node:assert/strict";
import { test } from "node:test";
import { placing } from "../../../../src/changes/line-origins.ts";
import { placeOrigins } from "../../../../src/editor/review/internal/line-origin-hover.ts";
import { longText, useThread } from "../../../../src/util/background.ts";

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

test("placeOrigins compares a long text in the thread for long work", async (t) => {
  const asked: string[] = [];
  const used = useThread({
    async run<Result>(name: string, input: unknown): Promise<Result> {
      asked.push(name);
      return placing.run(input as Parameters<typeof placing.run>[0]) as Result;
    },
  });
  t.after(() => used.dispose());
  const text = `first\n${"row\n".repeat(longText / 4)}`;
  const written = { call: "c", turn: "t", text, lines: [{ first: 0, last: 1 }] };
  const placed = await placeOrigins([{ written }], `new\n${text}`);
  assert.deepEqual(placed[0]?.lines, [{ first: 1, last: 2 }]);
  assert.deepEqual(asked, ["place"]);
});
