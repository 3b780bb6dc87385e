// What somebody hears who does not see the page: what each state is made of, and what is said while a turn runs.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { message } from "../../../src/conversation/messages.ts";
import { verbatim } from "../../support/english.ts";
import { openPanel } from "./support/panel.ts";
import { smallHost } from "./support/small-host.ts";
import { asItStays, states } from "./support/states.ts";

const folder = "test/fixtures/heard";
const looked = [
  "empty",
  "noKey",
  "damaged",
  "whole",
  "choosing",
  "tools",
  "decided",
  "composing",
  "spending",
  "failed",
];

for (const name of [...looked, "suggestions", "modelMenu", "editing", "finding"]) {
  test(`${name}: names, roles and order match the recorded accessibility tree (${folder})`, async () => {
    const { turns = [], draft = "", viewState = {}, act } = states[name] ?? {};
    const host = smallHost({ conversation: { id: "c", turns: [...turns] }, draft, viewState });
    const panel = await openPanel(host);
    await act?.(panel.page);
    await panel.settled();
    await asItStays(panel.page);
    const heard = (await panel.page.locator("body").ariaSnapshot()).replaceAll(/^ *- time: .*\n/gm, "");
    const file = `${folder}/${name}.yml`;
    const isKnown = existsSync(file);
    mkdirSync(folder, { recursive: true });
    // To be looked at, and kept.
    if (!isKnown) writeFileSync(file, `${heard}\n`);
    assert.ok(isKnown, `${file} is new`);
    assert.equal(`${heard}\n`, readFileSync(file, "utf8"));
    await panel.close();
  });
}

const turn = "1";
const patch = {
  ...{ type: "patch", turn, id: "p", call: "p" },
  files: [{ path: "a.ts", change: "update", added: 1, removed: 1, hunks: [] }],
} as const satisfies Partial<ConversationEvent>;
const tool = { type: "tool", turn, id: "t", call: "t", name: "run_task", summary: "npm test" } as const;

/** What happens to a turn, and what is said then; nothing where it is only more of the same. */
const happenings: readonly (readonly [ConversationEvent, string?])[] = [
  [{ type: "started", turn, at: 0, model: "svc-k3", route: "responses", prompt: "Fix it." }, "Responding"],
  [
    { type: "waiting", turn, until: Date.now() + 3_600_000, reason: verbatim("The service is busy.") },
    "The service is busy.",
  ],
  [{ type: "text", turn, part: "x", delta: "I will" }],
  [{ type: "text", turn, part: "x", delta: " run it." }],
  [{ ...tool, status: "asked" }, "Needs approval: npm test"],
  [{ ...tool, status: "running" }],
  [{ ...tool, status: "done", output: "ok" }],
  [{ ...patch, files: [...patch.files], status: "proposed" }],
  [{ type: "ended", turn, at: 1, ending: "done" }, "Done, 1 edit proposed"],
];

test("the status region announces each event of a turn once and never its text", async () => {
  const host = smallHost();
  const panel = await openPanel(host);
  await listen(panel.page);
  for (const [event, sentence] of happenings) {
    const before = (await heard(panel.page)).length;
    host.happen(event);
    await panel.settled();
    const news = (await heard(panel.page)).slice(before);
    assert.deepEqual(news, sentence === undefined ? [] : [sentence], JSON.stringify(event));
  }
  await panel.close();
});

test("the status region announces a tool that asks in the same moment as another one ends", async () => {
  const host = smallHost();
  const panel = await openPanel(host);
  host.happen(...happenings.slice(0, 5).map(([event]) => event));
  await panel.settled();
  await listen(panel.page);
  host.happen({ ...tool, status: "done" }, { ...tool, id: "u", call: "u", status: "asked" });
  await panel.settled();
  assert.deepEqual(await heard(panel.page), ["Needs approval: npm test"]);
  await panel.close();
});

test("the status region announces the limit that stopped a question, with its figures", async () => {
  const host = smallHost();
  const panel = await openPanel(host);
  host.happen(...happenings.slice(0, 1).map(([event]) => event));
  await panel.settled();
  await listen(panel.page);
  host.happen({
    ...{ type: "ended", turn, at: 1, ending: "incomplete", reason: "spent" },
    problem: {
      kind: "limit",
      message: message("problemSpent", { tokens: 60_010, limit: 50_000 }),
      actions: ["continue"],
    },
  });
  await panel.settled();
  const sentence = "This question has used 60,010 tokens, more than your limit of 50,000. Continue?";
  assert.deepEqual(await heard(panel.page), [sentence]);
  const card = panel.page.getByRole("group", { name: sentence });
  await card.getByRole("button", { name: "Continue" }).press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["act-on-turn", turn, "continue"]);
  await panel.close();
});

test("the status region announces what a rule accepts after a turn, and not again when another turn begins", async () => {
  const host = smallHost();
  const panel = await openPanel(host);
  host.happen(
    ...happenings.slice(0, 1).map(([event]) => event),
    { ...patch, files: [...patch.files], status: "proposed" },
    { type: "ended", turn, at: 1, ending: "done" },
  );
  await panel.settled();
  await listen(panel.page);
  const accepted = { type: "patch-state", turn, id: "p", call: "p" } as const;
  const said = message("patchByRule", { rules: "docs/**" });
  host.happen({ ...accepted, hunks: [], status: "applied", message: said });
  await panel.settled();
  assert.deepEqual(await heard(panel.page), ["Accepted by your rule docs/**"]);
  host.happen({ ...accepted, hunks: [], status: "undone" });
  await panel.settled();
  host.happen({ type: "started", turn: "2", at: 2, model: "svc-k3", route: "responses", prompt: "Go on." });
  await panel.settled();
  assert.deepEqual((await heard(panel.page)).slice(1), ["Responding"]);
  await panel.close();
});

test("the status region announces both of two things that happen in the same moment", async () => {
  const host = smallHost();
  const panel = await openPanel(host);
  await listen(panel.page);
  const counts = { files: 1, added: 1, removed: 0, hunks: 1, conflicts: 0, shown: 1 };
  // In one message: nothing else decides what falls into one frame.
  host.setViewState({
    attachments: [{ id: "a", kind: "file", label: "a.ts" }],
    changes: { ...counts, inConflict: [], risks: [], flagged: [] },
  });
  await panel.settled();
  const [said = "", ...more] = await heard(panel.page);
  assert.match(said, /^Attached: a\.ts\nProposed changes, 1 file/);
  assert.deepEqual(more, []);
  await panel.close();
});

test("the status region announces how a turn ended if the next one begins in the same moment", async () => {
  const host = smallHost();
  const panel = await openPanel(host);
  host.happen(...happenings.slice(0, 1).map(([event]) => event));
  await panel.settled();
  await listen(panel.page);
  const next = { at: 1, model: "svc-k3", route: "responses", prompt: "Go on." };
  await panel.page.evaluate(
    (events) => window.postMessage({ type: "events", seq: 1, events }, "*"),
    [
      { type: "ended", turn, at: 1, ending: "stopped" },
      { type: "started", turn: "2", ...next },
    ],
  );
  await panel.settled();
  assert.deepEqual(await heard(panel.page), ["Stopped\nResponding"]);
  await panel.close();
});

test("the status region announces new attachments, but not those of a conversation that is opened", async () => {
  const chip = (id: string, label: string) => ({ id, kind: "file", label });
  const host = smallHost({ viewState: { attachments: [chip("a", "a.ts")] } });
  const panel = await openPanel(host);
  await listen(panel.page);
  host.setViewState({ attachments: [chip("a", "a.ts"), chip("b", "b.ts"), chip("c", "c.ts")] });
  await panel.settled();
  assert.deepEqual(await heard(panel.page), ["Attached: b.ts, c.ts"]);
  await panel.close();
});

const listen = (page: Page) =>
  page.evaluate(() => {
    const said: string[] = [];
    const status = document.querySelector("[role=status]");
    const take = () => said.push((status?.textContent ?? "").trim());
    if (status !== null) new MutationObserver(take).observe(status, { childList: true, characterData: true });
    Object.assign(window, { said });
  });

const heard = (page: Page) => page.evaluate(() => (window as unknown as { said: string[] }).said);
