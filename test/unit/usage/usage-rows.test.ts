import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Usage } from "../../../src/conversation/state.ts";
import {
  hitRate,
  noTotals,
  readUsage,
  totalInput,
  totalsOf,
} from "../../../src/conversation/usage-totals.ts";
import { groupRows, rowsOfTurn, today, type UsageRow } from "../../../src/usage/usage-rows.ts";

const count = fc.nat(10_000_000);
/** What a service that keeps the rule reports. */
const honest = fc
  .record({
    uncached: count,
    cached: count,
    cacheWrite: count,
    output: count,
    thought: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ uncached, cached, cacheWrite, output, thought }) => {
    const input = uncached + cached + cacheWrite;
    return {
      input,
      cached,
      cacheWrite,
      output,
      reasoning: Math.floor(output * thought),
      total: input + output,
    };
  });
/** What any service may say. */
const said: fc.Arbitrary<Usage> = fc.record(
  {
    input: fc.oneof(count, fc.integer(), fc.double()),
    cached: count,
    cacheWrite: fc.oneof(count, fc.integer()),
    output: count,
    reasoning: count,
    total: count,
  },
  { requiredKeys: [] },
);

test("readUsage splits the input into three disjoint buckets that sum to it", () => {
  fc.assert(
    fc.property(honest, (usage) => {
      const read = readUsage(usage);
      assert.ok(read.kind === "reported");
      assert.equal(read.uncached + read.cached + read.written, usage.input);
      assert.equal(read.output, usage.output);
    }),
  );
});

test("totalsOf adds each bucket of each request once, in any order and grouping", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(honest, said)), fc.nat(5), (usages, groups) => {
      const all = totalsOf(usages);
      assert.deepEqual(totalsOf(usages.toReversed()), all);
      const parts = [...groupRows(usages.entries(), ([at]) => at % (groups + 1)).values()];
      const input = parts.map((rows) => totalInput(totalsOf(rows.map(([, usage]) => usage))));
      assert.equal(
        input.reduce<number>((sum, each) => sum + (each ?? 0), 0),
        totalInput(all) ?? 0,
      );
      assert.equal(all.reported + all.partial + all.inconsistent + all.absent, all.requests);
      assert.equal(all.requests, usages.length);
    }),
  );
});

test("totalInput is the sum of the inputs of consistent requests, and reasoning is part of the output", () => {
  fc.assert(
    fc.property(fc.array(honest), (usages) => {
      const totals = totalsOf(usages);
      const sum = (name: "input" | "output") => usages.reduce((all, usage) => all + usage[name], 0);
      assert.equal(totalInput(totals), usages.length === 0 ? undefined : sum("input"));
      assert.equal(totals.output, usages.length === 0 ? undefined : sum("output"));
      assert.ok((totals.reasoning ?? 0) <= (totals.output ?? 0));
      assert.equal(totals.unsplit, undefined);
    }),
  );
});

test("inconsistent figures are counted in no total", () => {
  for (const usage of [
    { input: 10, cached: 8, cacheWrite: 5, output: 1 },
    { input: 10, cached: 11 },
    { input: -1, cached: 0, cacheWrite: 0, output: 1 },
    { input: 1.5, cached: 0, cacheWrite: 0, output: 1 },
    { input: 10, cached: 0, cacheWrite: 0, output: 5, reasoning: 6 },
    { input: Number.NaN },
  ]) {
    assert.deepEqual(readUsage(usage), { kind: "inconsistent" }, JSON.stringify(usage));
    assert.deepEqual(totalsOf([usage]), { ...noTotals, requests: 1, inconsistent: 1 });
  }
});

test("unreported figures are not counted as 0", () => {
  assert.deepEqual(readUsage({}), { kind: "absent" });
  assert.deepEqual(readUsage({ input: 5 }), { kind: "partial", input: 5 });
  assert.deepEqual(readUsage({ output: 5, total: 9 }), { kind: "partial", output: 5 });
  const totals = totalsOf([{}, { input: 5, output: 2 }]);
  assert.equal(totals.unsplit, 5);
  assert.equal(totalInput(totals), 5);
  assert.equal(hitRate(totals), undefined);
  assert.equal(totalInput(totalsOf([{ output: 5 }])), undefined);
  assert.equal(totalsOf([{ input: 5, cached: 4 }]).output, undefined);
  assert.equal(totalsOf([{ input: 5, output: 4 }]).reasoning, undefined);
});

test("hitRate is the cached share of the input with a known split", () => {
  assert.equal(hitRate(noTotals), undefined);
  const half = { input: 100, cached: 50, cacheWrite: 25, output: 1 };
  assert.equal(hitRate(totalsOf([half, { input: 1_000_000 }, {}, { input: 1, cached: 2 }])), 0.5);
  fc.assert(
    fc.property(fc.array(said), (usages) => {
      const rate = hitRate(totalsOf(usages)) ?? 0;
      assert.ok(rate >= 0 && rate <= 1);
    }),
  );
});

test("rowsOfTurn returns a row for each of three requests", () => {
  const usage = [1, 2, 3].map((input) => ({ input, ...(input > 1 && { at: 500 + input }) }));
  const turn = {
    ...{ id: "t", at: 100, model: "svc-k3", route: "responses" as const, prompt: "", attachments: [] },
    ...{ continues: false, parts: [], status: "done" as const, usage, receipts: [], endedAt: 900 },
  };
  assert.deepEqual(
    rowsOfTurn("c", turn).map(({ at, request, input, turn: id }) => [at, request, input, id]),
    [
      [900, 1, 1, "t"],
      [502, 2, 2, "t"],
      [503, 3, 3, "t"],
    ],
  );
});

test("today begins at local midnight, also on a day when the clock changes", () => {
  const noon = new Date(2024, 2, 31, 12).getTime();
  const row = (at: Date): UsageRow => ({ at: at.getTime(), conversation: "c", turn: "t", request: 1 });
  const rows = [
    row(new Date(2024, 2, 30, 23, 59, 59, 999)),
    row(new Date(2024, 2, 31)),
    row(new Date(2024, 2, 31, 11)),
    row(new Date(2024, 3, 1)),
  ];
  assert.deepEqual(today(rows, noon), rows.slice(1, 3));
});

test("totalsOf counts a single row once in each bucket", () => {
  const usage = { input: 10, cached: 4, cacheWrite: 3, output: 2, reasoning: 1, milliseconds: 7 };
  const once = totalsOf([usage]);
  assert.deepEqual(once, {
    ...noTotals,
    ...{
      requests: 1,
      reported: 1,
      uncached: 3,
      cached: 4,
      written: 3,
      output: 2,
      reasoning: 1,
      milliseconds: 7,
    },
  });
});
