// The page's end of the bridge: whatever arrives, it throws nothing, asks for nothing that changes anything, and still
// shows the next true message.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToPage } from "../../../src/bridge/protocol.ts";
import { draws } from "../../support/draws.ts";
import { fuzzMessages } from "../../support/fuzz-messages.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { ordinary, smallHost } from "./support/small-host.ts";

const count = process.env["PATCHBAY_LONG"] === undefined ? 600 * draws : 100_000;
const batch = 100;

const conversation = { id: "c", turns: [samples.whole, samples.asking].map((one) => structuredClone(one)) };

/** What the page may say unasked: questions, and where it is. */
const harmless = new Set(["ready", "earlier", "focus", "draft", "complete", "cost"]);

const trueOnes = [
  {
    type: "snapshot",
    seq: 0,
    conversation: conversation as never,
    above: 2,
    draft: "Hel",
    viewState: ordinary,
  },
  { type: "earlier", conversation: "c", first: 0, turns: [turn("e1"), turn("e2")] as never },
  { type: "events", seq: 0, events: [{ type: "text", turn: "asking", part: "t", delta: "A **word**" }] },
  { type: "events", seq: 0, events: [{ type: "ended", turn: "asking", at: 1, ending: "done" }] },
  {
    type: "events",
    seq: 0,
    events: [
      { type: "started", turn: "n", at: 1, model: "svc-k3", route: "responses", prompt: "Well?" },
      { type: "reasoning", turn: "n", part: "r", delta: "**So**" },
      { type: "tool", turn: "n", id: "a", call: "x", name: "read_file", status: "asked", summary: "a.ts" },
      { type: "patch", turn: "n", id: "p", call: "y", status: "proposed", files: [] },
      { type: "cut", turn: "n", at: 2 },
    ],
  },
  { type: "view-state", viewState: ordinary },
  {
    type: "completions",
    query: "a",
    items: [{ label: "a", attachment: { kind: "file", path: "a" } }],
    indexing: false,
  },
  { type: "cost", turn: "whole", edit: 46_110, branch: 0 },
  { type: "do", what: "next-turn" },
] satisfies readonly ToPage[];

test(`the page survives ${count} malformed messages without an error and without a request to the host`, async () => {
  const host = smallHost({ conversation });
  const panel = await openPanel(host, { theme: "dark" });
  const { page } = panel;
  const fuzz = fuzzMessages(trueOnes, Number(process.env["PATCHBAY_SEED"] ?? 7), 200_000);
  const before = panel.posted.length;
  for (let sent = 0; sent < count; sent += batch) {
    const messages = Array.from({ length: batch }, () => fuzz.next() ?? null);
    // As text: what has strange names inside survives the way to the browser.
    await page.evaluate(async (text) => {
      for (const message of JSON.parse(text)) window.postMessage(message, "*");
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }, JSON.stringify(messages));
  }
  await panel.settled();
  const asked = panel.posted
    .slice(before)
    .map((message) => (message as { type: string }).type)
    .filter((type) => !harmless.has(type));
  assert.deepEqual(asked, []);
  host.open({ id: "fresh", turns: [turn("after", { prompt: "Still here?" })] });
  await panel.settled();
  assert.match(await page.locator("article").innerText(), /Still here\?[\s\S]*Answer after/);
  await panel.close();
});

test("the page ignores a message from another origin", async () => {
  const host = smallHost({ conversation });
  const panel = await openPanel(host);
  await panel.page.evaluate((message) => {
    const event = new MessageEvent("message", { data: message, origin: "https://evil.test" });
    window.dispatchEvent(event);
  }, trueOnes[0] as unknown);
  await panel.settled();
  assert.equal(await panel.page.locator(".composer textarea").inputValue(), "");
  await panel.close();
});
