// The list of what was used: every number in it is a sum of requests, each counted once, wherever one looks.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Totals, totalsOf } from "../../../src/conversation/usage-totals.ts";
import { actionName } from "../../../src/usage/editor/usage.ts";
import { missSentence, tierReport } from "../../../src/usage/internal/cache-reports.ts";
import { type UsageNode, UsageNodes, type UsageSource } from "../../../src/usage/internal/usage-nodes.ts";
import { figuresInWords, figuresLine, figuresTable } from "../../../src/usage/labels.ts";
import { lifetimesOf, type UsageRow } from "../../../src/usage/usage-rows.ts";
import { yieldToEventLoop } from "../../../src/util/concurrency.ts";
import { words } from "../../support/english.ts";

const names = {
  ...{ today: "Today", conversation: "Here", earlier: "Earlier", causes: "Causes", unbound: "Unbound" },
  cause: (cause: string) => cause,
  miss: ({ why, pause }: { readonly why: string; readonly pause?: readonly number[] }) =>
    [why, ...(pause ?? [])].join(" "),
  unlisted: (time: string) => `Unlisted, ${time}`,
  outside: { "connection-check": "Checks" },
  request: (number: number) => `Request ${number}`,
  day: (at: number) => new Date(at).toISOString().slice(0, 10),
  time: (at: number) => String(at),
};
const now = new Date(2025, 5, 15, 12).getTime();
const hour = 60 * 60_000;

const source = (rows: readonly UsageRow[], more: Partial<UsageSource> = {}): UsageSource => ({
  usageSince: async (at) => rows.filter((row) => row.at >= at),
  receiptsSince: async () => [],
  hasAny: async () => rows.length > 0,
  conversation: () => ({ id: "open", turns: [] }),
  titles: async () => new Map([["a", "About a"]]),
  actionName: (id) => (id === "task" ? "Edit cart.ts:10–16" : undefined),
  now: () => now,
  ...more,
});

const row = (at: number, more: Partial<UsageRow> = {}): UsageRow => ({
  ...{ at, conversation: "a", turn: "t", request: 1, model: "svc-k3", ttl: "5m" },
  ...{ input: 100, cached: 60, cacheWrite: 30, output: 5, reasoning: 2, milliseconds: 1200 },
  ...more,
});

const inputOf = (nodes: readonly UsageNode[]): Totals =>
  totalsOf(nodes.flatMap((node) => ("rows" in node ? node.rows : [])));

const drawn = fc.array(
  fc.record({
    at: fc.integer({ min: now - 40 * 24 * hour, max: now }),
    conversation: fc.constantFrom("a", "b", "connection-check"),
    turn: fc.constantFrom("t", "u", "v"),
    request: fc.integer({ min: 1, max: 3 }),
    input: fc.nat(1000),
    cached: fc.nat(500),
    cacheWrite: fc.nat(500),
    output: fc.nat(100),
  }),
  { maxLength: 60 },
);

test("usage nodes have children that add up to their parent at every level, and days to the whole usage", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (rows) => {
      const sorted = rows.toSorted((one, other) => one.at - other.at);
      const nodes = new UsageNodes(source(sorted), names);
      const walk = async (node: UsageNode): Promise<void> => {
        const below = await nodes.children(node);
        if ("rows" in node && node.kind !== "request") assert.deepEqual(inputOf(below), totalsOf(node.rows));
        for (const each of below) await walk(each);
      };
      const roots = await nodes.roots();
      for (const root of roots) await walk(root);
      const earlier = roots.find(({ kind }) => kind === "earlier");
      const days = earlier === undefined ? [] : await nodes.children(earlier);
      const since = new Date(now - 30 * 24 * hour).setHours(0, 0, 0, 0);
      const counted = [...roots.filter(({ kind }) => kind === "today"), ...days];
      assert.deepEqual(inputOf(counted), totalsOf(sorted.filter(({ at }) => at >= since)));
    }),
    { numRuns: 50 },
  );
});

test("usage nodes are empty without usage and read only the expanded period", async () => {
  assert.deepEqual(await new UsageNodes(source([]), names).roots(), []);
  const asked: number[] = [];
  const usageSince = async (at: number) => {
    asked.push(at);
    return [row(now - hour)];
  };
  const nodes = new UsageNodes(source([row(now - hour)], { usageSince }), names);
  const [today, earlier] = await nodes.roots();
  assert.deepEqual(asked, [new Date(now).setHours(0, 0, 0, 0)]);
  assert.deepEqual([today?.label, earlier?.label], ["Today", "Earlier"]);
  const [conversation] = await nodes.children(today as UsageNode);
  assert.equal(conversation?.label, "About a");
  assert.equal(asked.length, 1);
});

test("usage nodes name turns of the open conversation by their prompt and others by time, the latest first", async () => {
  const turn = (id: string, prompt: string) => ({
    ...{
      id,
      at: now,
      model: "svc-k3",
      route: "responses" as const,
      prompt,
      attachments: [],
      continues: false,
    },
    ...{ parts: [], status: "done" as const, receipts: [] },
    usage: [{ at: now - hour, input: 1, cached: 0, cacheWrite: 0, output: 1 }],
  });
  const conversation = () => ({ id: "a", turns: [turn("t", "What is\na cart?"), turn("u", "x".repeat(99))] });
  const rows = [
    row(now - hour),
    row(now - hour + 1, { turn: "old" }),
    row(now - hour + 2, { conversation: "gone" }),
    row(now - hour + 3, { conversation: "task" }),
  ];
  const nodes = new UsageNodes(source(rows, { conversation }), names);
  const [today, open] = await nodes.roots();
  const labels = async (node: UsageNode | undefined) =>
    (await nodes.children(node as UsageNode)).map(({ label }) => label);
  assert.deepEqual(await labels(today), ["Edit cart.ts:10–16", `Unlisted, ${now - hour + 2}`, "About a"]);
  assert.deepEqual(await labels(open), [`${"x".repeat(59)}…`, "What is"]);
  const [, , here] = await nodes.children(today as UsageNode);
  assert.deepEqual(await labels(here), [String(now - hour + 1), "What is"]);
});

test("usage nodes list a receipt below its request, and those of counts and deletions separately", async () => {
  const receipt = {
    ...{ operation: "POST /v1/responses", nonce: "n", timestamp: "1", signature: "s", at: now - hour },
    ...{ requestSha256: "a", responseSha256: "b", responseWhole: true },
  };
  const receipts = [
    { ...receipt, conversation: "a", turn: "t", request: 2 },
    { ...receipt, operation: "DELETE /v1/files/x", nonce: "d" },
  ];
  const rows = [row(now - hour), row(now - hour, { request: 2 })];
  const nodes = new UsageNodes(source(rows, { receiptsSince: async () => receipts }), names);
  const roots = await nodes.roots();
  assert.deepEqual(
    roots.map(({ kind }) => kind),
    ["today", "earlier", "causes", "unbound"],
  );
  const below = (node: UsageNode | undefined) => nodes.children(node as UsageNode);
  assert.deepEqual(
    (await below(roots[3])).map(({ label }) => label),
    ["DELETE /v1/files/x"],
  );
  const [conversation] = await below(roots[0]);
  const [turn] = await below(conversation);
  const requests = await below(turn);
  assert.deepEqual(await below(requests[0]), []);
  assert.deepEqual(
    (await below(requests[1])).map(({ id }) => id),
    ["today/a/t/2/n"],
  );
});

test("usage nodes split the last days by cause, each token once, with the reasons of cache misses below", async () => {
  const missed = (tokens: number, why: "expired" | "model", pause?: number) => ({
    cause: "answer" as const,
    missed: { tokens, why, ...(pause !== undefined && { pause }) },
  });
  const rows = [
    row(now - 29 * 24 * hour, { cause: "answer" }),
    row(now - 3 * hour, missed(30, "expired", 6 * 60_000)),
    row(now - 2 * hour, missed(500, "expired", hour)),
    row(now - 2 * hour, missed(20, "model")),
    row(now - hour, { ...missed(10, "model"), cause: "retry" }),
    row(now - hour, { cause: "extension" }),
    row(now - hour),
  ];
  const nodes = new UsageNodes(source(rows), names);
  const causes = (await nodes.roots()).find(({ kind }) => kind === "causes");
  const below = await nodes.children(causes as UsageNode);
  const shown = async (node: UsageNode): Promise<unknown> => {
    if (!("parts" in node)) return assert.fail();
    const { requests, uncached, written, cached, output } = totalsOf(node.parts);
    const rest = await Promise.all((await nodes.children(node)).map(shown));
    return [node.label, requests, [uncached, written, cached, output], ...rest];
  };
  assert.deepEqual(await Promise.all(below.map(shown)), [
    ["text", 4, [30, 40, 240, 20]],
    [
      ...["misses", 3, [10, 80, 0, 0]],
      ["expired 360000 3600000", 2, [10, 60, 0, 0]],
      ["model", 1, [0, 20, 0, 0]],
    ],
    ["retry", 1, [10, 30, 60, 5], ["model", 1, [0, 10, 0, 0]]],
    ["extension", 1, [10, 30, 60, 5]],
    ["unknown", 1, [10, 30, 60, 5]],
  ]);
  const parts = below.flatMap((node) => ("parts" in node ? node.parts : []));
  const [{ uncached, written, cached, output }, all] = [totalsOf(parts), totalsOf(rows)];
  assert.deepEqual(
    [uncached, written, cached, output],
    [all.uncached, all.written, all.cached, all.output],
    "they add up to what was used",
  );
});

test("usage nodes sum and group 20,000 rows of one day", async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) =>
    row(now - 11 * hour + at, {
      conversation: `c${at % 50}`,
      turn: `t${at % 1000}`,
      request: Math.floor(at / 1000) + 1,
    }),
  );
  const nodes = new UsageNodes(source(rows), names);
  await yieldToEventLoop();
  const [today] = await nodes.roots();
  await yieldToEventLoop();
  const conversations = await nodes.children(today as UsageNode);
  assert.equal(conversations.length, 50);
  await yieldToEventLoop();
  let requests = 0;
  for (const each of conversations) {
    await yieldToEventLoop();
    requests += inputOf([each]).requests;
  }
  assert.equal(requests, 20_000);
  assert.equal((await nodes.children(conversations[0] as UsageNode)).length, 20);
});

test("figuresLine starts with cost and tokens and omits unreported figures, and figuresTable has the rest", () => {
  const totals = totalsOf([row(now)]);
  const besides = { lifetimes: [{ applied: "5m" }], price: "€0.07" };
  assert.equal(figuresLine(totals, besides, words), "€0.07 · 100 in · 5 out · 60% cached · 1.2 s");
  const otherwise = {
    lifetimes: lifetimesOf([
      { ttl: "5m", askedTtl: "1h" },
      { ttl: "5m", askedTtl: "5m" },
    ]),
  };
  const told = new Map(figuresTable(totals, otherwise, words));
  assert.equal(told.get("Cache lifetime applied"), "1h asked, 5m applied, 5m");
  const spoken = figuresInWords(totals, besides, words);
  assert.match(
    spoken,
    /^100 tokens in, 5 tokens out\. Of the input 60 were read from the cache, 30 written to it, 10 neither\./,
  );
  const figures = new Map(figuresTable(totals, besides, words));
  assert.deepEqual([...figures.keys()].slice(0, 2), ["Cost", "Input"]);
  assert.equal(figures.get("Read share"), "60 %");
  assert.equal(figuresLine(totalsOf([{}]), {}, words), "not reported");
  assert.equal(figuresLine(totalsOf([{ input: 1, cached: 2 }]), {}, words), "contradictory usage");
  assert.equal(figuresLine(totalsOf([{ input: 7, output: 1 }]), {}, words), "7 in · 1 out");
});

test("missSentence has a distinct sentence for each reason of a cache miss", () => {
  const block = { part: "input", position: 3 } as const;
  const sentences = [
    missSentence({ reason: "first" }, words),
    missSentence({ reason: "model", before: "a", after: "b" }, words),
    missSentence({ reason: "tier", before: "5m", after: "1h" }, words),
    missSentence({ reason: "cache-id" }, words),
    missSentence({ reason: "differs", block, change: { kind: "changed", at: 11 } }, words),
    missSentence({ reason: "differs", block, change: { kind: "added" } }, words),
    missSentence({ reason: "differs", block, change: { kind: "removed" } }, words),
    missSentence({ reason: "expired", pause: 400_000, lifetime: 300_000 }, words),
    missSentence({ reason: "elsewhere" }, words),
  ];
  assert.equal(new Set(sentences).size, sentences.length);
  assert.match(
    sentences[4] ?? "",
    /first differs from the previous request in input item 3, at character 12/,
  );
  assert.match(sentences[7] ?? "", /6 minutes, 40 seconds passed .* about 5 minutes/);
});

test("tierReport names its basis, and no price without prices", () => {
  const replayed = (read: number) => ({ read, written: 1000 - read, cost: read / 1000 });
  const advice = {
    ...{ byTier: { "5m": replayed(100), "1h": replayed(900) }, cheaper: "5m" as const },
    ...{ saved: 0.8, pauses: 7, deciding: 3 },
  };
  const priced = tierReport({ model: "svc-k3", days: 30, advice, amount: (sum) => `€${sum}` }, words);
  assert.match(priced, /5m would have been €0\\\.8 cheaper/);
  assert.match(priced, /7 followed another, and 3 of them/);
  assert.match(priced, /at least 5 minutes/);
  const bare = tierReport({ model: "svc-k3", days: 30, advice }, words);
  assert.match(bare, /To compare costs/);
  assert.doesNotMatch(bare, /€|cheaper,/);
});

test("actionName names an editor action by its kind and place", () => {
  const t = (sentence: string, ...holes: (string | number)[]) =>
    sentence.replace(/\{(\d)\}/g, (_, at) => String(holes[Number(at)]));
  const of = (...attachments: { role: string; path?: string; start?: number; end?: number }[]) =>
    actionName(
      { attachments: attachments.map((each) => ({ kind: "selection", label: "a diff", bytes: 9, ...each })) },
      t,
    );
  assert.equal(of({ role: "to-edit", path: "src/cart.ts", start: 10, end: 16 }), "Edit cart.ts:10–16");
  assert.equal(
    of({ role: "context", path: "a.ts" }, { role: "to-fix", path: "b/c.ts", start: 3, end: 3 }),
    "Fix c.ts:3",
  );
  assert.equal(of({ role: "to-review", path: "src/discount.ts" }), "Review discount.ts");
  const reviewed = ["a.ts", "b.ts"].map((path) => ({ role: "to-review", path }));
  assert.equal(of(...reviewed), "Review 2 files");
  assert.equal(of({ role: "to-describe" }), "Commit message");
  assert.equal(of({ role: "asked-about", path: "a.ts" }), undefined);
});
