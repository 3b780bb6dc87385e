// Figures and receipts of real turns over real HTTP, and what the local estimate learns of them.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { readUsage, totalInput, totalsOf } from "../../../src/conversation/usage-totals.ts";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import {
  Bookkeeper,
  noteReply,
  outsideConversations,
  receiptLedger,
  usageLedger,
} from "../../../src/usage/ledger.ts";
import { featuresOfRequest, LocalEstimate } from "../../../src/usage/local-estimate.ts";
import { featureOf, scanText } from "../../../src/usage/text-features.ts";
import { silentLog } from "../../../src/util/log.ts";
import { refusing } from "../../sim/profiles.ts";
import { call, text } from "../../sim/script.ts";
import { sampleTexts } from "../../support/sample-texts.ts";
import { simulatedClient } from "../../support/simulated-client.ts";
import { startTalk, type Talk } from "../../support/talk.ts";
import { temporaryFolder } from "../store/store-support.ts";

function keepBooks(folder: string, talk: Talk) {
  const usage = usageLedger(nodeFileSystem, folder);
  const receipts = receiptLedger(nodeFileSystem, folder);
  const books = new Bookkeeper({ usage, receipts, log: silentLog, now: () => 1 });
  talk.onEvent((event) => books.take("c", event));
  return { usage, receipts, books };
}

test("the bookkeeper writes a row for each request of a turn, and their sum equals the reported usage", async (t) => {
  const talk = await startTalk();
  const { usage, books } = keepBooks(temporaryFolder(t), talk);
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(call("read_file", { path: "a.ts" }));
  talk.sim.reply(call("list_files", {}));
  talk.sim.reply(text("Done."));
  await talk.ask("Look around.");
  talk.sim.reply(text("Yes."));
  await talk.ask("Sure?");
  await books.flush();
  const rows = await usage.since(0);
  assert.deepEqual(
    talk.conversation.state.turns.map(({ id }) =>
      rows.filter(({ turn }) => turn === id).map(({ request }) => request),
    ),
    [[1, 2, 3], [1]],
  );
  assert.ok(rows.every((row) => readUsage(row).kind === "reported"));
  const shown = talk.conversation.state.turns.flatMap((turn) => turn.usage);
  assert.equal(totalInput(totalsOf(rows)), totalInput(totalsOf(shown)));
  assert.ok(!JSON.stringify(rows).includes("Look around"));
});

test("the bookkeeper numbers the requests of concurrent turns separately", async (t) => {
  const folder = temporaryFolder(t);
  const usage = usageLedger(nodeFileSystem, folder);
  const books = new Bookkeeper({
    usage,
    receipts: receiptLedger(nodeFileSystem, folder),
    log: silentLog,
    now: () => 5,
  });
  const event = (turn: string): ConversationEvent => ({ type: "usage", turn, usage: { input: 1 } });
  for (const turn of ["a", "b", "a"]) books.take("c", event(turn));
  books.take("c", { type: "ended", turn: "a", at: 1, ending: "done" });
  await books.flush();
  assert.deepEqual(
    (await usage.since(0)).map(({ turn, request, at }) => [turn, request, at]),
    [
      ["a", 1, 5],
      ["b", 1, 5],
      ["a", 2, 5],
    ],
  );
});

test("the bookkeeper saves a receipt with its conversation, turn and request", async (t) => {
  const folder = temporaryFolder(t);
  const receipts = receiptLedger(nodeFileSystem, folder);
  const books = new Bookkeeper({
    usage: usageLedger(nodeFileSystem, folder),
    receipts,
    log: silentLog,
    now: () => 1,
  });
  const receipt = {
    ...{ operation: "responses", nonce: "n", timestamp: "1", signature: "s", at: 3 },
    ...{ requestSha256: "a", responseSha256: "b", responseWhole: true },
  };
  let written = 0;
  books.onWritten(() => written++);
  const told = { type: "receipt", turn: "t", receipt } as const;
  books.take("c", told);
  books.take("c", { type: "usage", turn: "t", usage: {} });
  books.take("c", told);
  books.takeReceipt({ ...receipt, at: 4 });
  await books.flush();
  assert.deepEqual(await receipts.since(0), [
    { ...receipt, conversation: "c", turn: "t", request: 1 },
    { ...receipt, conversation: "c", turn: "t", request: 2 },
    { ...receipt, at: 4 },
  ]);
  assert.equal(written, 2, "once for each ledger: rows that wait are written together");
});

test("the bookkeeper logs a full disk without failing the conversation", async () => {
  const errors: string[] = [];
  const open = () => Promise.reject(Object.assign(new Error(), { code: "ENOSPC" }));
  const fs = { ...nodeFileSystem, open, makeFolder: async () => {} };
  const log = {
    ...silentLog,
    error: (message: string, cause: unknown) => void errors.push(`${message} ${cause}`),
  };
  const books = new Bookkeeper({
    usage: usageLedger(fs, "/x"),
    receipts: receiptLedger(fs, "/x"),
    log,
    now: () => 1,
  });
  books.take("c", { type: "usage", turn: "t", usage: {} });
  await books.flush();
  assert.match(errors.join(), /could not be saved.*the disk is full/);
});

test("a local estimate learns from the usage of turns without extra requests", async () => {
  const talk = await startTalk();
  const local = new LocalEstimate();
  const misses: number[] = [];
  for (const question of sampleTexts("prose", 14)) {
    talk.sim.reply(text("A short answer."));
    const turn = await talk.ask(question);
    const body = talk.bodies().at(-1)?.body ?? {};
    const raw = (value: unknown) => (Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : []);
    const features = featuresOfRequest({
      instructions: String(body["instructions"] ?? ""),
      tools: raw(body["tools"]),
      input: raw(body["input"]),
    });
    const reported = turn.usage[0]?.input ?? 0;
    misses.push(Math.abs(local.count("svc-k3", features).tokens - reported) / reported);
    local.learn("svc-k3", features, reported);
  }
  const late = misses.slice(-5).toSorted((a, b) => a - b)[2] ?? 1;
  assert.ok(late < 0.02, misses.map((miss) => miss.toFixed(3)).join(" "));
});

test("featuresOfRequest covers all text of a request and counts images", () => {
  const features = featuresOfRequest({
    instructions: "one",
    tools: ['{"name":"two"}'],
    input: [
      '{"type":"message","role":"user","content":"three"}',
      '{"type":"message","content":[{"type":"input_text","text":"four"},{"type":"input_image","image_url":"data:x"}]}',
      '{"type":"function_call","name":"five","arguments":"{}","encrypted_content":"never"}',
      '{"type":"function_call_output","output":"six"}',
      '{"type":"reasoning","summary":[{"type":"summary_text","text":"seven"}]}',
      "no JSON",
    ],
  });
  assert.equal(
    featureOf(features, "words"),
    featureOf(scanText("one name two three four five six seven no JSON"), "words"),
  );
  assert.equal(featureOf(features, "images"), 1);
  assert.equal(featureOf(features, "messages"), 7);
});

test("the bookkeeper saves receipts and rows of a key test and a connection check under their own name", async (t) => {
  const folder = temporaryFolder(t);
  const usage = usageLedger(nodeFileSystem, folder);
  const receipts = receiptLedger(nodeFileSystem, folder);
  const books = new Bookkeeper({ usage, receipts, log: silentLog, now: () => 1 });
  const nonceHeader = "x-nonce";
  const notes = {
    take: (event: ConversationEvent) => books.take(outsideConversations.check, event),
    now: () => 1,
    newId: randomUUID,
  };
  const { sim, client } = await simulatedClient(
    t,
    { nonceHeader, profile: refusing("prompt_cache_key"), assistant: () => [text("ok")] },
    {
      settings: () => ({ nonceHeader }),
      notes: {
        receipt: (receipt) => books.takeReceipt(receipt),
        reply: (events) => noteReply(events, notes, "check"),
      },
    },
  );
  const { signal } = new AbortController();
  await client.checkKey(signal);
  await client.checkConnection(async () => true, signal);
  await books.flush();
  const kept = await receipts.since(0);
  assert.equal(sim.requests.length, 5, "one of them was refused and sent again");
  assert.deepEqual(
    kept.map(({ operation }) => operation).sort(),
    sim.requests.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  assert.equal(new Set(kept.map(({ nonce }) => nonce)).size, 5);
  const rows = await usage.since(0);
  assert.deepEqual(
    rows.map(({ conversation, model, request }) => [conversation, model, request]),
    [
      ["connection-check", "svc-k2.6", 1],
      ["connection-check", "svc-k3", 1],
    ],
  );
  for (const row of rows) assert.ok(kept.some(({ turn }) => turn === row.turn));
});
