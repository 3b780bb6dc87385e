import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { adviseTier, type Rates } from "../../../src/usage/price.ts";
import {
  type CachedRequest,
  cacheLostBefore,
  explainMiss,
  lifetimes,
  type Tier,
  tierOf,
  warmth,
} from "../../../src/usage/prompt-cache.ts";
import type { UsageRow } from "../../../src/usage/usage-rows.ts";
import { present } from "../../../src/util/present.ts";
import { CacheModel } from "../../sim/cache-model.ts";

const minute = 60_000;

const row = (at: number, figures: Partial<UsageRow> = {}): UsageRow => ({
  ...{ at, conversation: "c", turn: "t", request: 1, model: "svc-k3", milliseconds: 0 },
  ...{ input: 100, cached: 60, cacheWrite: 30, output: 5, ttl: "5m" },
  ...figures,
});

test("warmth lasts for the applied cache lifetime from the end of the last reply", () => {
  for (const [ttl, life] of [
    ["5m", 5 * minute],
    ["1h", 60 * minute],
  ] as const) {
    const rows = [row(0), row(1000, { ttl })];
    assert.deepEqual(warmth(rows, 1000), { state: "warm", until: 1000 + life, tokens: 90 });
    assert.equal(warmth(rows, 999 + life).state, "warm");
    assert.deepEqual(warmth(rows, 1000 + life), { state: "cold", since: 1000 + life });
  }
});

test("warmth restarts with a hit and is cold after the clock was set back", () => {
  const rows = [row(0), row(4 * minute, { cached: 90, cacheWrite: 0 })];
  assert.deepEqual(warmth(rows, 8 * minute), { state: "warm", until: 9 * minute, tokens: 90 });
  assert.equal(warmth(rows, 3 * minute).state, "cold");
});

test("warmth is unknown without cache figures", () => {
  assert.equal(warmth([], 0).state, "unknown");
  assert.equal(warmth([{ at: 0, conversation: "c", turn: "t", request: 1 }], 0).state, "unknown");
  assert.equal(warmth([row(0, { cached: 0, cacheWrite: 0 })], 0).state, "unknown");
  assert.equal(warmth([row(0, { cached: 99, cacheWrite: 99 })], 0).state, "unknown");
});

test("tierOf prefers the applied tier, then the requested one, then the default", () => {
  assert.equal(tierOf({ ttl: "1h" }, "5m"), "1h");
  assert.equal(tierOf({ ttl: "forever" }, "1h"), "1h");
  assert.equal(tierOf({}), "5m");
});

test("cacheLostBefore returns the cached tokens that an edit of a turn loses", () => {
  const rows = [
    row(0, { turn: "1", input: 1000, cached: 0, cacheWrite: 1000, output: 100 }),
    row(10, { turn: "2", input: 1500, cached: 1000, cacheWrite: 500, output: 100 }),
    row(20, { turn: "3", input: 4000, cached: 1500, cacheWrite: 2500, output: 100 }),
  ];
  assert.equal(cacheLostBefore("3", rows, 30), 4000 - 1600);
  assert.equal(cacheLostBefore("2", rows, 30), 4000 - 1100);
  assert.equal(cacheLostBefore("1", rows, 30), 4000);
  assert.equal(cacheLostBefore("never", rows, 30), 0);
  assert.equal(cacheLostBefore("1", rows, 20 + 5 * minute), 0);
});

const rates: Rates = { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 };

/** What the simulator's cache, which knows nothing of rows, makes of the same requests at the same times. */
function bruteForce(requests: readonly { at: number; blocks: number }[], tier: Tier) {
  const cache = new CacheModel();
  const uses = requests.map(({ at, blocks }) => {
    const tokens = Array.from({ length: blocks * 16 }, (_, index) => String(index));
    return cache.use("key", tier, tokens, at);
  });
  return {
    uses,
    read: uses.reduce((sum, { cached }) => sum + cached, 0),
    written: uses.reduce((sum, { written }) => sum + written, 0),
  };
}

const pauses = fc.array(fc.record({ pause: fc.integer({ min: 1, max: 90 }), more: fc.nat(8) }), {
  minLength: 2,
  maxLength: 40,
});

test("adviseTier equals a replay of every request through a cache with a clock", () => {
  fc.assert(
    fc.property(pauses, fc.constantFrom<Tier>("5m", "1h"), fc.nat(7), (steps, lived, uncached) => {
      let at = 0;
      let blocks = 1;
      const requests = steps.map(({ pause, more }) => {
        at += pause * minute;
        blocks += more;
        return { at, blocks };
      });
      const { uses } = bruteForce(requests, lived);
      const rows = requests.map(({ at: ended, blocks: size }, index) =>
        row(ended, {
          ttl: lived,
          input: size * 16 + uncached,
          cached: uses[index]?.cached ?? 0,
          cacheWrite: uses[index]?.written ?? 0,
        }),
      );
      const advice = adviseTier(rows, rates);
      assert.ok(advice);
      const costs = (["5m", "1h"] as const).map((tier) => {
        const { read, written } = bruteForce(requests, tier);
        assert.deepEqual([advice.byTier[tier].read, advice.byTier[tier].written], [read, written], tier);
        return (read * rates.cached + written * (tier === "5m" ? rates.write5m : rates.write1h)) / 1e6;
      });
      const [short = 0, long = 0] = costs;
      assert.equal(advice.cheaper, short === long ? "same" : short < long ? "5m" : "1h");
      assert.ok(Math.abs(advice.saved - Math.abs(short - long)) < 1e-12);
      assert.equal(advice.pauses, steps.length - 1);
      const deciding = steps.slice(1).filter(({ pause }) => pause >= 5 && pause < 60).length;
      assert.equal(advice.deciding, deciding);
    }),
  );
});

test("adviseTier keeps the caches of conversations separate", () => {
  const figures = { input: 1600, cached: 0, cacheWrite: 1600 };
  const rows = [
    row(0, figures),
    row(1, { ...figures, conversation: "d" }),
    row(2, { ...figures, conversation: "d" }),
  ];
  const advice = adviseTier(rows, rates);
  assert.equal(advice?.pauses, 1);
  assert.equal(advice?.byTier["1h"].written, 4800);
});

test("adviseTier gives no advice for a single request", () => {
  assert.equal(adviseTier([row(0)], rates), undefined);
  assert.equal(adviseTier([row(0), row(1, { cached: 999 })], rates), undefined);
});

type Change = Partial<CachedRequest["request"] & CachedRequest["reply"] & CachedRequest>;

const sent = ({ model = "svc-k3", began = 1000, ended = 2000, usage, cache, ...change }: Change = {}) => ({
  ...{ model, began, ended, reply: present({ usage, cache }) },
  request: {
    ...{ cacheId: "x", instructions: "Help.", tools: ['{"a":1}', '{"b":1}'], input: ['"one"', '"two"'] },
    ...change,
  },
});

test("explainMiss reports the first block that differs", () => {
  const before = sent();
  const cases: readonly (readonly [Change, object])[] = [
    [{ model: "svc-k2.6" }, { reason: "model", before: "svc-k3", after: "svc-k2.6" }],
    [{ cache: { ttl: "1h" } }, { reason: "tier", before: "5m", after: "1h" }],
    [
      { tools: ['{"a":1}', '{"b":2}'], input: ["changed"] },
      { reason: "differs", block: { part: "tools", position: 2 }, change: { kind: "changed", at: 5 } },
    ],
    [
      { tools: ['{"a":1}'] },
      { reason: "differs", block: { part: "tools", position: 2 }, change: { kind: "removed" } },
    ],
    [
      { tools: ['{"a":1}', '{"b":1}', '{"c":1}'] },
      { reason: "differs", block: { part: "tools", position: 3 }, change: { kind: "added" } },
    ],
    [
      { instructions: "Help!" },
      { reason: "differs", block: { part: "instructions", position: 1 }, change: { kind: "changed", at: 4 } },
    ],
    [
      { input: ['"one"'] },
      { reason: "differs", block: { part: "input", position: 2 }, change: { kind: "removed" } },
    ],
    [{ cacheId: "y" }, { reason: "cache-id" }],
    [
      { began: 2000 + lifetimes["5m"] },
      { reason: "expired", pause: lifetimes["5m"], lifetime: lifetimes["5m"] },
    ],
    [{ input: ['"one"', '"two"', '"three"'], began: 3000 }, { reason: "elsewhere" }],
  ];
  for (const [change, reason] of cases) assert.deepEqual(explainMiss(before, sent(change)), reason);
  assert.deepEqual(explainMiss(undefined, before), { reason: "first" });
});

test("explainMiss reports no miss when a request reads everything the earlier one had cached", () => {
  const before = sent({ usage: { cached: 300, cacheWrite: 700 } });
  const after = (cached: number) => sent({ usage: { cached }, cacheId: "y" });
  assert.equal(explainMiss(before, after(1000)), undefined);
  assert.deepEqual(explainMiss(before, after(999)), { reason: "cache-id" });
  assert.deepEqual(explainMiss(sent(), after(1000)), { reason: "cache-id" }, "nobody knows what it had");
});
