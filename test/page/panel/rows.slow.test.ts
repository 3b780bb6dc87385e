// What is drawn again leaves people where they are: who is on a control stays on it, and what is selected stays so, while
// something beside it comes, changes or goes.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { ConversationEvent } from "../../../src/core/conversation/events.ts";
import type { PatchFile, PatchHunk } from "../../../src/core/conversation/tool-use.ts";
import { verbatim } from "../../support/english.ts";
import { closeBrowserAfterwards, openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

closeBrowserAfterwards();

/** The name of what has the focus, else where it is. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    return at?.matches("button, summary") ? (at.ariaLabel ?? at.textContent) : at?.tagName;
  });

const hunk: PatchHunk = { id: "a#1", status: "pending", line: 3, added: 1, removed: 1, diff: "-old\n+new\n" };
const file: PatchFile = { path: "src/a.ts", change: "update", added: 1, removed: 1, hunks: [hunk] };
const proposed = turn("1", {
  parts: [{ type: "patch", id: "p", call: "call", status: "proposed", files: [file] }],
});
const applied: ConversationEvent = {
  ...{ type: "patch-state", turn: "1", id: "p", call: "call", status: "applied" },
  hunks: [{ id: "a#1", status: "applied" }],
};

test("a notice that comes leaves a question above the box as it is, with the focus and what is selected in it", async () => {
  const host = smallHost({
    viewState: {
      question: { kind: "limit", message: verbatim("Much."), actions: ["send-anyway", "keep-draft"] },
    },
  });
  const { page, settled, close } = await openPanel(host);
  await page.evaluate(() =>
    document
      .getSelection()
      ?.selectAllChildren(document.querySelector(".notice .card-text p") ?? document.body),
  );
  await page.getByRole("button", { name: "Keep as Draft" }).focus();
  host.setViewState({ notices: [verbatim("A log is kept.")] });
  await settled();
  assert.equal(await page.locator(".notice > *").first().innerText(), "A log is kept.");
  assert.equal(await focused(page), "Keep as Draft");
  assert.equal(await page.evaluate(() => String(document.getSelection())), "Much.");
  await close();
});

test("who is on a question that waits stays there while one before it goes", async () => {
  const queue = ["one", "two", "three"].map((prompt) => ({ id: prompt, prompt }));
  const host = smallHost({
    conversation: { id: "c", turns: [turn("r", { status: "running" })] },
    viewState: { queue },
  });
  const { page, settled, close } = await openPanel(host);
  await page.getByRole("button", { name: "Remove from queue: three" }).focus();
  host.setViewState({ queue: queue.slice(1) });
  await settled();
  assert.equal(await focused(page), "Remove from queue: three");
  // It is the next one now, and says so.
  host.setViewState({ queue: queue.slice(2) });
  await settled();
  assert.match(await page.locator(".queue li").innerText(), /^Next/i);
  assert.equal(await focused(page), "Remove from queue: three");
  await close();
});

test("who is on what went along with a question stays there while another turn begins", async () => {
  const chip = { kind: "file", label: "src/a.ts", path: "src/a.ts", bytes: 10 };
  const host = smallHost({ conversation: { id: "c", turns: [turn("1", { attachments: [chip] })] } });
  const { page, settled, close } = await openPanel(host);
  await page.locator("button.chip").focus();
  host.happen({
    ...{ type: "started", turn: "2", at: 1, model: "svc-k3", route: "responses" },
    ...{ prompt: "More", continues: false },
  });
  await settled();
  assert.match((await focused(page)) ?? "", /src\/a\.ts/);
  await close();
});

test("a patch that is accepted elsewhere keeps whoever is on its file or a button that stays, and hands no key to another button", async () => {
  for (const [name, then] of [
    [/a\.ts/, /a\.ts/],
    [/^Review$/, /^Review$/],
    [/^Accept$/, /^ARTICLE$/],
  ] as const) {
    const host = smallHost({ conversation: { id: "c", turns: [proposed] } });
    const { page, settled, close } = await openPanel(host);
    await page.locator(".patch").locator("summary, button:not(.link)").filter({ hasText: name }).focus();
    host.happen(applied);
    await settled();
    assert.match((await focused(page)) ?? "", then);
    await close();
  }
});

test("who is on a check stays there while it runs and is done", async () => {
  const host = smallHost({
    conversation: { id: "c", turns: [proposed] },
    viewState: { checks: [{ id: "1", name: "types", state: "waiting", found: 0 }] },
  });
  const { page, settled, close } = await openPanel(host);
  await page.locator(".patch").getByRole("button", { name: "types" }).focus();
  host.setViewState({ checks: [{ id: "1", name: "types", state: "passed", seconds: 3, found: 0 }] });
  await settled();
  assert.match((await focused(page)) ?? "", /^types ✓/);
  await close();
});

test("the card of a failed turn stays as it is, opened and with the focus, while something elsewhere changes", async () => {
  const host = smallHost({ conversation: { id: "c", turns: [samples.failed] } });
  const { page, settled, close } = await openPanel(host);
  await page.locator(".ending summary").click();
  await page.getByRole("button", { name: "Try Again", exact: true }).focus();
  host.setViewState({ checks: [{ id: "1", name: "types", state: "running", found: 0 }] });
  await settled();
  assert.equal(await page.locator(".ending details").getAttribute("open"), "");
  assert.equal(await focused(page), "Try Again");
  await close();
});

test("who is on a source stays there while more are named", async () => {
  const text = { type: "text", id: "t", text: "It rose." } as const;
  const running = turn("1", { status: "running", parts: [text] });
  const host = smallHost({ conversation: { id: "c", turns: [running] } });
  const { page, settled, close } = await openPanel(host);
  const [a, b] = ["https://a.test/", "https://b.test/"].map((url) => ({ url, title: url }));
  const cited = (...citations: readonly ({ url: string } | undefined)[]): ConversationEvent => ({
    ...{ type: "cited", turn: "1", part: "t" },
    citations: citations.flatMap((each) => each ?? []),
  });
  host.happen(cited(a));
  await settled();
  await page.getByRole("list", { name: "Sources" }).getByRole("link").focus();
  host.happen(cited(a, b));
  await settled();
  assert.equal(await page.getByRole("list", { name: "Sources" }).getByRole("link").count(), 2);
  assert.equal(await focused(page), "https://a.test/");
  await close();
});
