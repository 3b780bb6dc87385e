import assert from "node:assert/strict";
import { test } from "node:test";
import { closeBrowserAfterwards, openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

closeBrowserAfterwards();

test("a tool that asks and a patch that is proposed are answered once, after a moment to look", async () => {
  const host = smallHost({
    conversation: { id: "c", turns: [turn("asking", { status: "running", parts: [] })] },
  });
  const panel = await openPanel(host);
  const { page } = panel;
  // Somebody clicks in the very instant in which the buttons appear under their pointer.
  await page.evaluate(() => {
    const met = new Set<Element>();
    const pale: string[] = [];
    const watch = new MutationObserver(() => {
      for (const one of document.querySelectorAll<HTMLButtonElement>(".question-for-you button")) {
        if (met.has(one)) continue;
        met.add(one);
        if (one.ariaDisabled && getComputedStyle(one).opacity === "0.5") pale.push(one.innerText);
        one.click();
      }
    });
    Object.assign(window, { pale });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  for (const part of samples.asking.parts) {
    if (part.type === "tool" || part.type === "patch") host.happen({ ...part, turn: "asking" });
  }
  await panel.settled();
  assert.deepEqual(host.asked, []);
  // They looked like it, and the click was not lost without a word.
  const pale = await page.evaluate(() => (window as unknown as { pale: string[] }).pale);
  assert.deepEqual(pale, ["Allow", "Decline", "Review", "Accept", "Reject"]);
  assert.equal(await page.locator(".too-soon:visible").count(), 2);
  assert.match((await page.getByRole("status").textContent()) ?? "", /Press again to confirm/);
  // What looks unavailable is waited for: no clock is needed here.
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["decide", "call_a", { kind: "accept" }],
    ["act-on-call", "call_p", "reject"],
    ["act-on-call", "call_p", "review"],
  ]);
  await panel.close();
});
