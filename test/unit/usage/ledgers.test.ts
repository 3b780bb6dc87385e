import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Receipt } from "../../../src/conversation/state.ts";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { usageCsv, usageJsonl } from "../../../src/usage/internal/export-usage.ts";
import { receiptLedger, receiptsJsonl, recompute, usageLedger } from "../../../src/usage/ledger.ts";
import type { UsageRow } from "../../../src/usage/usage-rows.ts";
import { full } from "../store/person-support.ts";
import { temporaryFolder } from "../store/store-support.ts";

const row = (at: number, more: Partial<UsageRow> = {}): UsageRow => ({
  ...{ at, conversation: "c", turn: "t", request: 1, model: "svc-k3", ttl: "5m" },
  ...{ input: 100, cached: 60, cacheWrite: 30, output: 5, reasoning: 2, total: 105, milliseconds: 1200 },
  ...more,
});
const march = Date.UTC(2024, 2, 31, 23, 59);
const april = Date.UTC(2024, 3, 1);

test("the usage ledger returns rows in order of time from a given moment", async (t) => {
  const ledger = usageLedger(nodeFileSystem, temporaryFolder(t));
  assert.deepEqual(await ledger.since(0), []);
  const rows = [row(april), row(march), row(april + 5)];
  await Promise.all(rows.map((each) => ledger.add(each)));
  assert.deepEqual(await ledger.since(0), [rows[1], rows[0], rows[2]]);
  assert.deepEqual(await ledger.since(april + 1), [rows[2]]);
});

test("the usage ledger accepts rows from two windows and skips only a torn line", async (t) => {
  const folder = temporaryFolder(t);
  const [here, there] = [usageLedger(nodeFileSystem, folder), usageLedger(nodeFileSystem, folder)];
  const rows = Array.from({ length: 40 }, (_, index) => row(april + index));
  await Promise.all(rows.map((each, index) => (index % 2 === 0 ? here : there).add(each)));
  appendFileSync(join(folder, "usage", "2024-04.jsonl"), '{"at":17119');
  await here.add(row(april + 99));
  appendFileSync(join(folder, "usage", "2024-04.jsonl"), '7\n{"at":"never"}\nnull\n');
  assert.deepEqual(await there.since(0), [...rows, row(april + 99)]);
});

test("the usage ledger reads only what was added since the last read", async (t) => {
  const folder = temporaryFolder(t);
  const writer = usageLedger(nodeFileSystem, folder);
  let bytes = 0;
  const open: typeof nodeFileSystem.open = async (path, mode) => {
    const file = await nodeFileSystem.open(path, mode);
    const read: typeof file.read = async (into, position) => {
      const came = await file.read(into, position);
      bytes += came;
      return came;
    };
    return { ...file, read };
  };
  const reader = usageLedger({ ...nodeFileSystem, open }, folder);
  for (let index = 0; index < 50; index += 1) await writer.add(row(april + index));
  assert.equal((await reader.since(april + 40)).length, 10);
  const whole = bytes;
  bytes = 0;
  assert.equal((await reader.since(0)).length, 50);
  assert.equal(bytes, 0);
  await writer.add(row(april + 50));
  assert.equal((await reader.since(0)).length, 51);
  assert.ok(bytes > 0 && bytes < whole / 20, `${bytes} of ${whole}`);
  // A month that was removed and begun again by another window is a new one.
  await rm(join(folder, "usage"), { recursive: true });
  assert.deepEqual(await reader.since(0), []);
  await writer.add(row(april + 1));
  assert.deepEqual(await reader.since(0), [row(april + 1)]);
});

test("the usage ledger deletes old months as whole files", async (t) => {
  const folder = temporaryFolder(t);
  const ledger = usageLedger(nodeFileSystem, folder);
  await ledger.add(row(march));
  await ledger.add(row(april));
  await ledger.forgetBefore(april + 1);
  assert.deepEqual(readdirSync(join(folder, "usage")), ["2024-04.jsonl"]);
  assert.equal((await ledger.since(0)).length, 1);
});

test("the usage ledger reports a full disk in a sentence", async (t) => {
  const open = () => Promise.reject(Object.assign(new Error(), { code: "ENOSPC" }));
  const ledger = usageLedger({ ...nodeFileSystem, open }, temporaryFolder(t));
  await assert.rejects(ledger.add(row(1)), /the disk is full/);
});

test("the usage ledger limits the rows that wait for a full disk and reports the limit", async (t) => {
  const open = () => Promise.reject(full);
  const ledger = usageLedger({ ...nodeFileSystem, open }, temporaryFolder(t));
  const large = (number: number) => row(april + number, { turn: "x".repeat(1024 * 1024) });
  for (let number = 0; number < 3; number += 1)
    await assert.rejects(ledger.add(large(number)), /the disk is full/);
  await assert.rejects(ledger.add(large(3)), /the disk is too slow/);
  assert.equal((await ledger.since(0)).length, 3);
});

test("the usage ledger deletes the copies of damaged months with them", async (t) => {
  const folder = temporaryFolder(t);
  const ledger = usageLedger(nodeFileSystem, folder);
  await ledger.add(row(april));
  appendFileSync(join(folder, "usage", "2024-04.jsonl"), "{}\n");
  await ledger.since(0);
  assert.equal(readdirSync(join(folder, "usage")).length, 2);
  await ledger.forgetBefore(Date.UTC(2024, 4, 1));
  assert.deepEqual(readdirSync(join(folder, "usage")), []);
});

test("usageCsv writes a line for each request, leaves unreported figures empty, and prevents formulas", () => {
  const rates = { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 };
  const pricing = { currency: "EUR", perMillion: { "svc-k3": rates } };
  const [head, first, second, third, rest] = usageCsv(
    [
      row(march, { cause: "answer", missed: { tokens: 20, why: "expired" } }),
      row(april, { model: '=2+5,"x"', input: undefined, askedTtl: "1h" }),
      row(april, { cached: 500 }),
    ],
    pricing,
  ).split("\r\n");
  assert.equal(
    head,
    "time,conversation,turn,request,model,cache_lifetime,asked_cache_lifetime,cause,missed_tokens,missed_why," +
      "figures,input_tokens,uncached_tokens,cached_tokens,cache_write_tokens,output_tokens,reasoning_tokens,total_tokens,milliseconds,cost,currency",
  );
  const cost = (10 * 3 + 60 * 0.3 + 30 * 3.75 + 5 * 15) / 1e6;
  assert.equal(
    first,
    `2024-03-31T23:59:00.000Z,c,t,1,svc-k3,5m,,answer,20,expired,reported,100,10,60,30,5,2,105,1200,${cost},EUR`,
  );
  assert.equal(
    second,
    '2024-04-01T00:00:00.000Z,c,t,1,"\'=2+5,""x""",5m,1h,,,,partial,,,60,30,5,2,105,1200,,',
  );
  assert.match(third ?? "", /,inconsistent,100,,500,30,/);
  assert.equal(rest, "");
});

test("usageJsonl writes the same cells without the unreported ones", () => {
  const [line = ""] = usageJsonl([row(march, { input: undefined })]).split("\n");
  const cells = JSON.parse(line);
  assert.equal(cells.figures, "partial");
  assert.equal("input_tokens" in cells, false);
  assert.equal("cost" in cells, false);
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const receipt: Receipt = {
  ...{ operation: "responses", nonce: "n", timestamp: "1", signature: "s", at: april, model: "svc-k3" },
  ...{ requestSha256: sha256("sent"), responseSha256: sha256("received"), responseWhole: true },
};

test("the receipt ledger keeps receipts unchanged, and the export marks them as not verified", async (t) => {
  const ledger = receiptLedger(nodeFileSystem, temporaryFolder(t));
  const rows = [
    { ...receipt, conversation: "c", turn: "t" },
    { ...receipt, operation: "delete", at: april + 1 },
  ];
  for (const each of rows) await ledger.add(each);
  const kept = await ledger.since(0);
  assert.deepEqual(kept, rows);
  for (const [at, line] of receiptsJsonl(kept).trimEnd().split("\n").entries()) {
    const { status, ...rest } = JSON.parse(line);
    assert.match(status, /^recorded, not verified/);
    assert.doesNotMatch(status.replace("not verified", ""), /valid|verified\b/);
    assert.deepEqual(rest, rows[at]);
  }
});

test("recompute compares the digests of a receipt with given bytes", () => {
  const bytes = (text: string) => Buffer.from(text);
  assert.deepEqual(recompute(receipt, { request: bytes("sent"), response: bytes("received") }), {
    request: "same",
    response: "same",
  });
  assert.deepEqual(recompute(receipt, { request: bytes("Sent"), response: bytes("receive") }), {
    request: "different",
    response: "different",
  });
  assert.deepEqual(
    recompute({ ...receipt, responseWhole: false }, { response: bytes("received and more") }),
    {
      request: "not given",
      response: "cut",
    },
  );
});
