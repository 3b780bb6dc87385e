// What is drawn again leaves people where they are: who is on a control stays on it, and what is selected stays so, while
// something beside it comes, changes or goes.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { ConversationEvent } from "../../../src/conversation/events.ts";
import { message } from "../../../src/conversation/messages.ts";
import type { PatchFile, PatchHunk } from "../../../src/conversation/state.ts";
import { verbatim } from "../../support/english.ts";
import { waiting } from "./support/open-patch.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

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

test("a new notice leaves the question above the composer unchanged, with its focus and selection", async () => {
  const host = smallHost({
    viewState: {
      question: {
        id: "1",
        kind: "limit",
        message: verbatim("Much."),
        actions: ["send-anyway", "keep-draft"],
      },
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

test("a queued question keeps the focus while one before it leaves the queue", async () => {
  const queue = ["one", "two", "three"].map((prompt) => ({ id: prompt, prompt, delivery: "turn" as const }));
  const host = smallHost({
    conversation: { id: "c", turns: [turn("r", { status: "running" })] },
    viewState: { queue },
  });
  const { page, settled, close } = await openPanel(host);
  await page.getByRole("button", { name: "Remove from queue: three" }).focus();
  host.setViewState({ queue: queue.slice(1) });
  await settled();
  assert.equal(await focused(page), "Remove from queue: three");
  host.setViewState({ queue: queue.slice(2) });
  await settled();
  assert.match(await page.locator(".queue li").innerText(), /^After this response/i);
  assert.equal(await focused(page), "Remove from queue: three");
  await close();
});

test("an attachment chip of a turn keeps the focus while another turn begins", async () => {
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

test("a patch accepted elsewhere moves the focus from its file or button to its own line", async () => {
  for (const [name, then] of [
    [/a\.ts/, /^Accepted/],
    [/^Review$/, /^Accepted/],
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

const types = { id: "1", name: "types", found: [] };

test("a check keeps the focus while it is started, runs and finishes", async () => {
  const state = (name: "waiting" | "running" | "passed") => ({
    checks: [
      {
        ...types,
        state: name,
        said: {
          waiting: message("checkWaiting", { name: "types" }),
          running: message("checkRunning", { name: "types" }),
          passed: message("checkPassedIn", { name: "types", seconds: 3 }),
        }[name],
      },
    ],
  });
  // Above the composer it can be started; the card shows what comes of it.
  for (const [place, first] of [
    [".changes", "waiting"],
    [".patch", "running"],
  ] as const) {
    const viewState = { changes: waiting, ...state(first) };
    const host = smallHost({ conversation: { id: "c", turns: [proposed] }, viewState });
    const { page, settled, close } = await openPanel(host);
    await page.locator(place).getByRole("button", { name: "types" }).focus();
    for (const next of ["running", "passed"] as const) {
      host.setViewState(state(next));
      await settled();
      assert.match((await focused(page)) ?? "", next === "passed" ? /^types ✓/ : /^types/);
    }
    await close();
  }
});

test("the card of a failed turn stays unfolded and focused while something elsewhere changes", async () => {
  const host = smallHost({ conversation: { id: "c", turns: [samples.failed] } });
  const { page, settled, close } = await openPanel(host);
  await page.locator(".ending summary").click();
  await page.getByRole("button", { name: "Try Again", exact: true }).focus();
  host.setViewState({
    checks: [{ ...types, state: "running", said: message("checkRunning", { name: "types" }) }],
  });
  await settled();
  assert.equal(await page.locator(".ending details").getAttribute("open"), "");
  assert.equal(await focused(page), "Try Again");
  await close();
});

test("a source keeps the focus while more sources are added", async () => {
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
