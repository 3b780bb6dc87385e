// The focus is never nowhere: when the control that has it goes away, its turn has it, or the box.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { verbatim } from "../../support/english.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

test("the focus moves from a removed card to its turn, and from a removed turn to the composer", async () => {
  const host = smallHost({ conversation: { id: "c", turns: [samples.whole, samples.interrupted] } });
  const panel = await openPanel(host);
  const { page } = panel;
  await page.getByRole("button", { name: "Try Again" }).focus();
  host.happen({
    type: "started",
    turn: "next",
    at: 1,
    model: "svc-k3",
    route: "responses",
    prompt: "",
    continues: true,
  });
  await panel.settled();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-turn")), "interrupted");
  host.happen({ type: "ended", turn: "next", at: 1, ending: "done" });
  host.happen({ type: "cut", turn: "interrupted", at: 1 });
  await panel.settled();
  assert.equal(await focused(page), "TEXTAREA");
  await panel.close();
});

test("the focus moves from Stop to the composer when the response ends", async () => {
  const host = smallHost({ conversation: { id: "c", turns: [turn("r", { status: "running" })] } });
  const panel = await openPanel(host);
  const { page } = panel;
  await page.getByRole("button", { name: "Stop" }).focus();
  host.happen({ type: "ended", turn: "r", at: 1, ending: "done" });
  await panel.settled();
  assert.equal(await focused(page), "TEXTAREA");
  await panel.close();
});

test("the focus moves to the composer when the question card that held it disappears", async () => {
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
  const panel = await openPanel(host);
  const { page } = panel;
  await page.getByRole("button", { name: "Keep as Draft" }).focus();
  host.setViewState({ question: undefined });
  await panel.settled();
  assert.equal(await focused(page), "TEXTAREA");
  await panel.close();
});

test("the focus moves to the composer when another conversation opens", async () => {
  const host = smallHost({ conversation: { id: "c", turns: [samples.interrupted] } });
  const panel = await openPanel(host);
  const { page } = panel;
  await page.getByRole("button", { name: "Try Again" }).focus();
  host.open({ id: "another", turns: [samples.whole] });
  await panel.settled();
  assert.equal(await focused(page), "TEXTAREA");
  await panel.close();
});

test("the focus moves to the composer after Go to end", async () => {
  const turns = Array.from({ length: 30 }, (_, index) => turn(String(index)));
  const panel = await openPanel(smallHost({ conversation: { id: "c", turns } }));
  const { page } = panel;
  await page.evaluate(() => document.querySelector(".transcript")?.scrollTo(0, 0));
  await page.getByRole("button", { name: "Go to end" }).focus();
  await page.keyboard.press("Enter");
  await panel.settled();
  assert.equal(await focused(page), "TEXTAREA");
  await panel.close();
});

test("the focus stays put if the user left a control before it disappeared", async () => {
  const host = smallHost({ conversation: { id: "c", turns: [turn("r", { status: "running" })] } });
  const panel = await openPanel(host);
  const { page } = panel;
  await page.getByRole("button", { name: "Stop" }).focus();
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  host.happen({ type: "ended", turn: "r", at: 1, ending: "done" });
  await panel.settled();
  assert.equal(await focused(page), "BODY");
  await panel.close();
});
