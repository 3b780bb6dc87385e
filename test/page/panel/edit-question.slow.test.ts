// A question that is asked again in other words, in the place where it stands.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Part } from "../../../src/conversation/state.ts";
import { conversationOf, openTurns } from "./support/open-turns.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

test("Edit and resend states the cost, sends the changed question with Enter and cancels with Escape", async () => {
  const host = smallHost({
    conversation: conversationOf(samples.whole),
    cost: { edit: 46_110, branch: 48_120, editPrice: "€0.16" },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  const edit = page.getByRole("button", { name: "Edit and resend" });
  const branch = page.getByRole("button", { name: "Branch here" });
  await branch.hover();
  await panel.settled();
  assert.equal(
    await branch.getAttribute("title"),
    "Branch here\nA branch sends ≈48,120 cached tokens uncached.",
  );
  await edit.click();
  await page
    .getByText("≈46,110 cached tokens will be sent uncached. That costs ≈€0.16 more at your prices.")
    .waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".rewrite").count(), 0);
  await edit.click();
  await page.getByRole("textbox", { name: "Edit the question" }).fill("And for a full line?");
  await page.keyboard.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["edit-turn", "whole", "And for a full line?"]]);
  await panel.close();
});

test("Edit and resend edits what was said meanwhile as well", async () => {
  const said = { type: "steered", id: "s", at: 1, prompt: "Use tabs.", attachments: [] } satisfies Part;
  const { host, page, panel } = await openTurns(turn("1", { prompt: "Change a.ts.", parts: [said] }));
  await page.getByRole("button", { name: "Edit and resend" }).click();
  const editor = page.getByRole("textbox", { name: "Edit the question" });
  assert.equal(await editor.inputValue(), "Change a.ts.\n\nUse tabs.");
  await editor.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked, [["edit-turn", "1", "Change a.ts.\n\nUse tabs."]]);
  await panel.close();
});

test("a half-edited question that is removed moves into the composer before its draft, with a hint", async () => {
  const { host, page, panel } = await openTurns(turn("1"), turn("2"), turn("3"));
  const box = page.locator(".composer textarea");
  const edit = page.getByRole("button", { name: "Edit and resend" });
  const editor = page.getByRole("textbox", { name: "Edit the question" });
  await box.fill("half");
  await edit.nth(2).click();
  // Nobody has written anything there.
  host.happen({ type: "cut", turn: "3", at: 1 });
  await panel.settled();
  assert.equal(await box.inputValue(), "half");
  await edit.nth(1).click();
  await editor.fill("In other words?");
  host.happen({ type: "cut", turn: "2", at: 1 });
  await panel.settled();
  assert.equal(await editor.count(), 0);
  assert.equal(await box.inputValue(), "In other words?\n\nhalf");
  assert.deepEqual(host.asked.at(-1), ["draft", "In other words?\n\nhalf"]);
  assert.ok(await box.evaluate((element) => element === document.activeElement));
  assert.equal(
    await page.locator(".hint").innerText(),
    "The question no longer exists. Your changed text is in the box.",
  );
  // The conversation was read again, and the question is not in it any more.
  await edit.click();
  await editor.fill("And now?");
  host.open(conversationOf(turn("4")));
  await panel.settled();
  assert.equal(await box.inputValue(), "And now?\n\nIn other words?\n\nhalf");
  await panel.close();
});

test("a half-edited question survives scrolling away and a switch to another conversation and back", async () => {
  const many = Array.from({ length: 250 }, (_, index) => turn(String(index)));
  const { host, page, panel } = await openTurns(...many);
  const box = page.locator(".composer textarea");
  const editor = page.getByRole("textbox", { name: "Edit the question" });
  await page.getByRole("button", { name: "Edit and resend" }).last().click();
  await editor.fill("In other words?");
  await box.focus();
  await page.evaluate(() => document.querySelector(".transcript")?.scrollTo(0, 0));
  await editor.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Go to end" }).click();
  await editor.waitFor();
  assert.equal(await editor.inputValue(), "In other words?");
  host.open({ id: "c2", turns: [turn("another")] });
  await panel.settled();
  assert.deepEqual([await editor.count(), await box.inputValue()], [0, ""]);
  host.open(conversationOf(...many));
  await panel.settled();
  assert.equal(await editor.inputValue(), "In other words?");
  await editor.press("Enter");
  await panel.settled();
  assert.deepEqual(host.asked.at(-1), ["edit-turn", "249", "In other words?"]);
  // It was sent: nothing of it is kept.
  host.open({ id: "c2", turns: [] });
  await panel.settled();
  host.open(conversationOf(...many.slice(0, 249)));
  await panel.settled();
  assert.equal(await box.inputValue(), "");
  await panel.close();
});

test("a half-edited question survives a new page until it is cancelled", async () => {
  const { host, page, panel } = await openTurns(turn("1"), turn("2"));
  await page.getByRole("button", { name: "Edit and resend" }).first().click();
  await page.getByRole("textbox", { name: "Edit the question" }).fill("In other words?");
  const isKept = (wanted: boolean) =>
    JSON.stringify((window as unknown as { keptState(): unknown }).keptState()).includes("In other") ===
    wanted;
  await page.waitForFunction(isKept, true);
  const state = await page.evaluate("keptState()");
  await panel.close();
  const next = await openPanel(host, { state });
  const editor = next.page.getByRole("textbox", { name: "Edit the question" });
  await editor.waitFor();
  assert.equal(await editor.inputValue(), "In other words?");
  await next.page.getByRole("button", { name: "Cancel" }).click();
  await next.page.waitForFunction(isKept, false);
  assert.equal(await editor.count(), 0);
  await next.close();
});

test("a question that is too long to send stays where it was written, with a message", async () => {
  const { host, page, panel } = await openTurns(turn("1"));
  const long = "long ".repeat(220_000);
  const sentence = "Too long to send. Attach a file instead.";
  const box = page.locator(".composer textarea");
  await box.fill(long);
  await box.press("Enter");
  await panel.settled();
  assert.equal(await page.locator(".hint").innerText(), sentence);
  await page.getByRole("button", { name: "Edit and resend" }).click();
  const editor = page.getByRole("textbox", { name: "Edit the question" });
  await editor.fill(long);
  await editor.press("Enter");
  await page.locator(".rewrite").getByText(sentence).waitFor();
  assert.deepEqual([await box.inputValue(), await editor.inputValue()], [long, long]);
  assert.equal(await editor.getAttribute("dir"), "ltr");
  await box.fill("short");
  await box.press("Enter");
  await panel.settled();
  assert.deepEqual(
    host.asked.filter(([type]) => type !== "draft" && type !== "cost"),
    [["send", "short"]],
  );
  await panel.close();
});

test("the editor of a question opens at its bubble and is fully visible above a long response", async () => {
  const long = turn("long", {
    prompt: "Why?\n".repeat(8).trim(),
    parts: [{ type: "text", id: "t", text: "Because of it.\n\n".repeat(60) }],
  });
  const host = smallHost({
    conversation: conversationOf(samples.whole, long),
    cost: { edit: 46_110, branch: 48_120, editPrice: "€0.16" },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  for (const width of [300, 900]) {
    await page.setViewportSize({ width, height: 600 });
    await page.getByRole("button", { name: "Edit and resend" }).last().click();
    await page.getByText("≈46,110 cached tokens will be sent uncached.").last().waitFor();
    await panel.settled();
    const [form, seen] = await page.locator(".rewrite").evaluate((element) => {
      const edges = (one: Element | null) => one?.getBoundingClientRect() ?? new DOMRect();
      return [edges(element).toJSON(), edges(element.closest(".transcript")).toJSON()];
    });
    assert.ok(
      form.top >= seen.top - 1 && form.bottom <= seen.bottom + 1,
      JSON.stringify({ width, form, seen }),
    );
    assert.equal(await page.locator(".composer textarea").inputValue(), "");
    await page.keyboard.press("Escape");
  }
  await panel.close();
});
