import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  costOf,
  costOfAll,
  decideSpending,
  type PlannedRequest,
  type Pricing,
  readPricing,
} from "../../../src/usage/price.ts";
import type { UsageRow } from "../../../src/usage/usage-rows.ts";
import { formatAmount } from "../../../src/util/numbers-and-times.ts";
import { english } from "../../support/english.ts";

const rates = { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 };
const pricing: Pricing = { currency: "EUR", perMillion: { "svc-k3": rates } };

const row = (figures: Partial<UsageRow>): UsageRow => ({
  ...{ at: 0, conversation: "c", turn: "t", request: 1, model: "svc-k3" },
  ...figures,
});
const figures = { input: 1_000_000, cached: 500_000, cacheWrite: 300_000, output: 100_000 };
const priced = { ...figures, ttl: "5m" };

test("costOf applies the read rate to hits, the rate of the applied lifetime to writes, and the input rate", () => {
  const short = 0.2 * 3 + 0.5 * 0.3 + 0.3 * 3.75 + 0.1 * 15;
  assert.equal(costOf(row({ ...figures, ttl: "5m" }), pricing), short);
  assert.equal(costOf(row({ ...figures, ttl: "1h" }), pricing), short + 0.3 * (6 - 3.75));
});

test("costOf prices a cache write only when its lifetime is known", () => {
  for (const ttl of [undefined, "30m", ""])
    assert.equal(costOf(row({ ...figures, ...(ttl !== undefined && { ttl }) }), pricing), undefined);
  assert.equal(costOf(row({ ...figures, cacheWrite: 0 }), pricing), 0.5 * 3 + 0.5 * 0.3 + 0.1 * 15);
});

test("costOf adds nothing for reasoning, which is part of the output", () => {
  assert.equal(costOf(row({ ...priced, reasoning: 90_000 }), pricing), costOf(row(priced), pricing));
});

test("costOf returns undefined for missing or contradictory figures and for a model without rates", () => {
  for (const bad of [{}, { input: 5 }, { ...figures, cached: 2_000_000 }, { ...figures, model: "svc-k2.6" }])
    assert.equal(costOf(row(bad), pricing), undefined);
  for (const model of ["toString", "__proto__"])
    assert.equal(costOf(row({ ...figures, model }), pricing), undefined);
  assert.equal(costOf(row(figures), undefined), undefined);
  assert.equal(costOfAll([row({})], pricing), undefined);
});

test("costOfAll sums the costs and counts the rows without a price", () => {
  const part = fc.nat(1_000_000);
  const rows = fc.array(
    fc.record({
      uncached: part,
      cached: part,
      cacheWrite: part,
      output: part,
      ttl: fc.constantFrom("5m", "1h"),
    }),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(rows, fc.nat(3), (parts, unknown) => {
      const known = parts.map(({ uncached, ...rest }) =>
        row({ ...rest, input: uncached + rest.cached + rest.cacheWrite }),
      );
      const cost = costOfAll([...known, ...Array.from({ length: unknown }, () => row({}))], pricing);
      const byHand = parts.reduce(
        (sum, { uncached, cached, cacheWrite, output, ttl }) =>
          sum + uncached * 3 + cached * 0.3 + cacheWrite * (ttl === "1h" ? 6 : 3.75) + output * 15,
        0,
      );
      assert.ok(Math.abs((cost?.amount ?? 0) - byHand / 1e6) < 1e-9);
      assert.equal(cost?.unpriced, unknown);
    }),
  );
});

test("readPricing refuses a price table with a missing or invalid rate", () => {
  assert.deepEqual(readPricing(null), { pricing: undefined });
  assert.deepEqual(readPricing(pricing), { pricing });
  const { write1h: _, ...four } = rates;
  for (const bad of [
    7,
    { currency: "EUR" },
    { currency: "", perMillion: {} },
    { currency: "EUR", perMillion: { "svc-k3": four } },
    { currency: "EUR", perMillion: { "svc-k3": { ...rates, output: -1 } } },
    { currency: "EUR", perMillion: { "svc-k3": { ...rates, output: "15" } } },
  ]) {
    const read = readPricing(bad);
    assert.ok("message" in read && /^The price table .*\.$/.test(english(read.message)), JSON.stringify(bad));
  }
});

test("formatAmount writes amounts with significant digits", () => {
  assert.equal(formatAmount(12.345, "EUR", "en"), "€12.35");
  assert.equal(formatAmount(0.0042, "EUR", "en"), "€0.0042");
  assert.equal(formatAmount(0, "EUR", "en"), "€0.00");
  assert.equal(formatAmount(1.5, "credits", "en"), "1.50 credits");
});

const sending = (change: Partial<PlannedRequest> = {}): PlannedRequest => ({
  ...{ tokens: 300_000, margin: 0, warmth: { state: "unknown" }, limit: 200_000, parts: [] },
  ...change,
});

test("decideSpending sends a request below the limit, or without one", () => {
  assert.deepEqual(decideSpending(sending({ tokens: 200_000 })), { kind: "send" });
  assert.deepEqual(decideSpending(sending({ limit: null })), { kind: "send" });
});

test("decideSpending does not count cached tokens", () => {
  const warm = { state: "warm" as const, until: 1, tokens: 250_000 };
  assert.deepEqual(decideSpending(sending({ warmth: warm })), { kind: "send" });
  assert.equal(decideSpending(sending({ warmth: { state: "cold", since: 0 } })).kind, "ask");
  assert.deepEqual(decideSpending(sending({ tokens: 100_000, warmth: warm, limit: 1 })), { kind: "send" });
});

test("decideSpending adds the margin to an estimate", () => {
  assert.equal(decideSpending(sending({ tokens: 190_000, margin: 0.02 })).kind, "send");
  assert.equal(decideSpending(sending({ tokens: 190_000, margin: 0.1 })).kind, "ask");
});

test("decideSpending asks with the tokens, the cost and the attachments to leave out", () => {
  const parts = [
    { label: "small", tokens: 10_000 },
    { label: "huge", tokens: 90_000 },
    { label: "large", tokens: 40_000 },
  ];
  assert.deepEqual(decideSpending(sending({ parts, rates })), {
    ...{ kind: "ask", limit: 200_000, uncached: 300_000, most: 300_000, total: 300_000, cost: 0.9 },
    trim: ["huge", "large"],
  });
  const kept = decideSpending(sending({ rates, tier: "1h" }));
  assert.equal(kept.kind === "ask" && kept.cost, 1.8, "what is new will be written, too");
  const none = decideSpending(sending({ tokens: 200_001, parts }));
  assert.deepEqual(none.kind === "ask" && none.trim, ["huge"]);
});
