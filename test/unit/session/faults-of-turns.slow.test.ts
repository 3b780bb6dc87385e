// What every turn promises, kept under the rows of the fault matrix that need no editor: the first event is
// `started`, exactly one `ended` comes, last; nothing is thrown; no text is lost or doubled; no tool runs from what did
// not arrive whole; and afterwards the conversation can be sent again, with one output for every call.
import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { compressed, cutCompressed } from "../../sim/compression.ts";
import {
  blackHole,
  closeBeforeHeaders,
  cutAfter,
  cutAfterEvents,
  endlessLine,
  heartbeats,
  inOnePiece,
  insertBefore,
  keepOpen,
  missingTerminator,
  resetAfterHeaders,
  resetBeforeHeaders,
  splitEvery,
  staleAfterwards,
  trailing,
  unevenly,
  wrongLength,
} from "../../sim/delivery-faults.ts";
import { empty, htmlPage, json, raw, redirect, status } from "../../sim/http-answers.ts";
import {
  call,
  errorEvent,
  failed,
  form,
  incomplete,
  type Part,
  patchCall,
  reasoning,
  text,
} from "../../sim/script.ts";
import { doubled, endedTwice, lost, swapped, withStrangers } from "../../sim/stream-faults.ts";
import { asking } from "../../support/asking.ts";
import { reading, startTalk, type Talk } from "../../support/talk.ts";
import { startTlsService } from "../../support/tls-service.ts";

const words = "The first sentence. The second sentence. The third.";
const patch = ["*** Begin Patch", "*** Update File: a.ts", "@@", "-one", "+ONE", "*** End Patch"].join("\n");

/** Everything a reply can hold, so that a fault can hit any of it. */
const rich = (): Part[] => [
  reasoning("thinking"),
  text(words),
  call("read_file", { path: "a.ts" }, { callId: "call_read" }),
  patchCall(patch, { callId: "call_patch" }),
];

/** How close together the places are where a reply is cut. */
const step = process.env["PATCHBAY_LONG"] === undefined ? 4 : 1;

interface Row {
  readonly row: string;
  readonly fault: readonly Part[];
  readonly reply?: readonly Part[];
  /** Only silence is met with a short timer: a busy machine is slow, not silent. */
  readonly silent?: true;
}

const rows: readonly Row[] = [
  { row: "6: reset before headers", fault: [resetBeforeHeaders()] },
  { row: "6: closed before headers", fault: [closeBeforeHeaders()] },
  { row: "7: a stale socket", fault: [staleAfterwards()] },
  { row: "8: headers never come", fault: [blackHole()], silent: true },
  ...[400, 401, 403, 404, 413, 422].map((code) => ({ row: `9–14: ${code}`, fault: [status(code)] })),
  ...[408, 409, 429, 500, 502, 503, 504, 529].map((code) => ({
    row: `13–20: ${code}`,
    fault: [status(code)],
  })),
  { row: "10: 400, the word", fault: [status(400, { message: "prompt_cache_breakpoint is not allowed." })] },
  { row: "17: 429, the quota", fault: [status(429, { code: "insufficient_quota" })] },
  { row: "19: 429, come back yesterday", fault: [status(429, { retryAfter: new Date(0).toUTCString() })] },
  { row: "19: 429, come back never", fault: [status(429, { retryAfter: "NaN" })] },
  { row: "16: 429, come back in two minutes", fault: [status(429, { retryAfter: 120 })] },
  { row: "21: 5xx with a page", fault: [htmlPage(502)] },
  { row: "23: a redirect", fault: [redirect("http://127.0.0.1:9/")] },
  { row: "24: 200 with a page", fault: [htmlPage(200)] },
  {
    row: "25: one document instead of a stream",
    fault: [json({ object: "response", id: "r", status: "completed", output: [] })],
  },
  { row: "26: 200 with an error", fault: [json({ error: { message: "Not today." } })] },
  { row: "27: 200 and nothing", fault: [empty(200)] },
  { row: "27: 204", fault: [empty(204)] },
  { row: "29: byte by byte", fault: [splitEvery(1)], reply: rich() },
  { row: "29: all at once", fault: [inOnePiece()], reply: rich() },
  ...Array.from({ length: 40 / step }, (_, index) => ({
    row: `31–35: closed after ${index * step} events`,
    fault: [cutAfterEvents(index * step)],
    reply: rich(),
  })),
  ...[50, 400, 900, 1500, 2200, 3000, 4000, 5000].flatMap((bytes) => [
    { row: `33: reset after ${bytes} bytes`, fault: [cutAfter(bytes, "reset")], reply: rich() },
    { row: `32: a clean end after ${bytes} bytes`, fault: [cutAfter(bytes, "clean")], reply: rich() },
  ]),
  { row: "33: reset after the headers", fault: [resetAfterHeaders()] },
  { row: "36: no end of the HTTP message", fault: [missingTerminator()], reply: rich() },
  { row: "28: compressed", fault: [compressed()], reply: rich() },
  { row: "28: compressed, and cut", fault: [cutCompressed(200)], reply: rich() },
  { row: "28: a wrong length", fault: [wrongLength(100)], reply: rich() },
  { row: "28: bytes behind the end", fault: [trailing()], reply: rich() },
  {
    row: "37: [DONE] alone",
    fault: [
      raw('data: {"type":"response.output_text.delta","item_id":"m","delta":"Hel"}\n\ndata: [DONE]\n\n'),
    ],
  },
  { row: "40: a false sentinel", fault: [insertBefore(4, "data: [DONE]x\n\n")], reply: rich() },
  { row: "41: a record that is not JSON", fault: [insertBefore(4, "data: {broken\n\n")], reply: rich() },
  {
    row: "41: bytes that are not UTF-8",
    fault: [insertBefore(4, Buffer.from([0x64, 0x3a, 0xff, 0xfe, 0x0a, 0x0a]))],
    reply: rich(),
  },
  {
    row: "46: an unknown event",
    fault: [insertBefore(4, 'data: {"type":"response.new.thing","x":[1]}\n\n')],
    reply: rich(),
  },
  {
    row: "30: every line end there is",
    fault: [form({ newline: "mixed", bom: true, comments: true })],
    reply: rich(),
  },
  { row: "36: no blank line at the end", fault: [form({ lastBlankLine: false })], reply: rich() },
  { row: "38: a chat without [DONE]", fault: [form({ done: false })] },
  { row: "38: a chat without a reason to end", fault: [form({ finishReason: null })] },
  { row: "39: a chat with neither", fault: [form({ finishReason: null, done: false })] },
  { row: "45: deltas lost", fault: [lost("response.output_text.delta")], reply: rich() },
  { row: "45: deltas twice", fault: [doubled("response.output_text.delta")], reply: rich() },
  { row: "45: deltas in the wrong order", fault: [swapped("response.output_text.delta")], reply: rich() },
  { row: "46: strangers everywhere", fault: [withStrangers()], reply: rich() },
  { row: "49: in drops", fault: [unevenly(300, 1)], reply: rich() },
  { row: "53: two ends", fault: [endedTwice()], reply: rich() },
  { row: "42: an error record", fault: [], reply: [text(words), errorEvent("It broke.")] },
  {
    row: "42: an error record and a failure",
    fault: [],
    reply: [text(words), errorEvent("It broke.", "x", "nested", true)],
  },
  { row: "43: response.failed", fault: [], reply: [...rich(), failed()] },
  { row: "44: response.incomplete", fault: [], reply: [...rich(), incomplete()] },
  { row: "44: incomplete for another reason", fault: [], reply: [...rich(), incomplete("content_filter")] },
  { row: "47: silence after text", fault: [cutAfterEvents(8, "hang")], reply: rich(), silent: true },
  { row: "48: heartbeats", fault: [heartbeats(5)], reply: rich() },
  { row: "51: a line without end", fault: [endlessLine(40)] },
  { row: "53: the socket stays open", fault: [keepOpen()], reply: rich() },
];

function assertPromises(events: readonly ConversationEvent[], from: number): void {
  const turn = events.slice(from);
  assert.equal(turn[0]?.type, "started");
  assert.equal(turn.filter(({ type }) => type === "ended").length, 1);
  const end = turn.findIndex(({ type }) => type === "ended");
  // What a person decides afterwards is told of the patch's row, and nothing else is told.
  for (const event of turn.slice(end + 1))
    assert.ok(event.type === "patch-state" && ["applied", "rejected"].includes(event.status), event.type);
}

/** What is shown is a beginning of what was said, once. */
function assertText(talk: Talk): void {
  for (const turn of talk.conversation.state.turns) {
    const said = turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    assert.ok(
      [`${words}Afterwards.`, "Hel", "Afterwards."].some((whole) => whole.startsWith(said)),
      JSON.stringify(said),
    );
  }
}

const isForChat = (part: Part): boolean => part.part !== "piece" || part.piece.kind === "message";

/** Nobody answers at all: where it is sent instead. */
const nowhere: readonly (readonly [row: string, address: (t: TestContext) => Promise<string>])[] = [
  ["1: a host that does not exist", async () => "https://patchbay.invalid"],
  ["2: nobody listens", async () => "http://127.0.0.1:1"],
  ["3: a handshake that never ends", async (t) => `https://127.0.0.1:${await silentPort(t)}`],
  ["4: a certificate of an unknown authority", async (t) => `https://localhost:${await strangersPort(t)}`],
];

async function silentPort(t: TestContext): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function strangersPort(t: TestContext): Promise<number> {
  const service = await startTlsService();
  t.after(() => service[Symbol.asyncDispose]());
  return service.port;
}

for (const [row, address] of nowhere)
  for (const model of ["svc-k3", "svc-k2.6"])
    test(`row ${row} (${model})`, async (t) => {
      const talk = await startTalk({ service: { connectSeconds: 0.1 } });
      talk.address = await address(t);
      const turn = await talk.ask("Do it.", model);
      assertPromises(talk.events, 0);
      assert.equal(turn.status, "failed");
      assert.ok(turn.problem?.message);
      assert.deepEqual(talk.sim.requests, []);
      assert.deepEqual(talk.reopen().conversation.state, talk.conversation.state);
      talk.address = talk.sim.url;
      talk.sim.reply(text("Here."));
      await talk.conversation.retry("retry", asking(model));
      assert.deepEqual([talk.last().prompt, ...reading(talk.last())], ["Do it.", "text Here."]);
      assert.deepEqual(talk.errors, []);
      talk.sim.done();
    });

for (const { row, fault, reply = [text(words)], silent } of rows) {
  for (const model of ["svc-k3", "svc-k2.6"]) {
    test(`row ${row} (${model})`, async () => {
      const parts = reply.filter((part) => model === "svc-k3" || isForChat(part));
      const talk = await startTalk({
        service: silent ? { firstByteSeconds: 0.15, idleSeconds: 0.15 } : {},
        assistant: ({ raw: body }) =>
          /And now\?|call_read|repeated/.test(body.toString("utf8"))
            ? [text("Afterwards.")]
            : [...parts, ...fault],
      });
      talk.workspace.write("work/a.ts", "one\n");
      talk.decide = () => ({ kind: "reject" });
      const turn = await talk.ask("Do it.", model);
      assertPromises(talk.events, 0);
      if (turn.status !== "done") assert.ok(turn.problem?.message, JSON.stringify(reading(turn)));
      assertText(talk);
      assert.deepEqual(talk.reopen().conversation.state, talk.conversation.state);

      talk.service = {};
      const before = talk.events.length;
      const next = await talk.ask("And now?", model);
      assert.deepEqual(
        [next.status, reading(next)],
        ["done", ["text Afterwards."]],
        JSON.stringify(next.problem),
      );
      assertPromises(talk.events, before);
      assert.equal(talk.workspace.applied, 0);
      assert.deepEqual(talk.errors, []);
      talk.sim.done();
    });
  }
}
