import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { openTurns } from "./support/open-turns.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

test("approval and review buttons ignore a click as they appear and act once after a short delay", async () => {
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
  assert.deepEqual(pale, ["Allow", "Decline", "Review"]);
  assert.equal(await page.locator(".too-soon:visible").count(), 2);
  assert.match((await page.getByRole("status").textContent()) ?? "", /Press again to confirm/);
  // What looks unavailable is waited for: no clock is needed here.
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await panel.settled();
  assert.deepEqual(host.asked, [
    ["decide", "call_a", { kind: "accept" }],
    ["act-on-call", "call_p", "review"],
  ]);
  await panel.close();
});

describe("a redrawn edit card", () => {
  const lines = Array.from({ length: 60 }, (_, index) => `+line ${index}`).join("\n");
  const change = { status: "pending", added: 60, removed: 0, diff: lines } as const;
  const hunks = [
    { ...change, id: "1", line: 3 },
    { ...change, id: "2", line: 90 },
  ];
  const file = { path: "src/cart.ts", change: "update", added: 120, removed: 0, hunks } as const;
  const card = { type: "patch", id: "p", call: "call", status: "proposed", files: [file] } as const;

  test("stays unfolded and keeps its scroll position and focus", async () => {
    const { host, page, panel } = await openTurns(
      turn("1", { parts: [{ ...card, files: [{ ...file, hunks }] }] }),
    );
    await page.locator(".file summary").click();
    const diff = page.getByRole("group", { name: "Line 90" });
    await diff.focus();
    await diff.evaluate((box) => box.scrollTo(0, 200));
    await panel.settled();
    // A person has accepted one of them, after a change of their own.
    host.happen({
      ...{ type: "patch-state", turn: "1", id: "p", call: "call", status: "proposed" },
      message: message("patchEdited", { names: "src/cart.ts" }),
      hunks: [{ id: "1", status: "applied" }],
    });
    await page.getByText("You edited src/cart.ts before you accepted it.").waitFor();
    await page.locator(".hunk .status.applied").waitFor();
    assert.equal(await page.locator(".file").getAttribute("open"), "");
    assert.equal(await diff.evaluate((box) => box.scrollTop), 200);
    assert.ok(await diff.evaluate((box) => box === document.activeElement));
    await panel.close();
  });
});
