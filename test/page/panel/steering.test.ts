// What is said while a response is written: when it reaches the model, and where it was said.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { QueuedPrompt } from "../../../src/conversation/state.ts";
import { openComposer } from "./support/open-composer.ts";
import { turn } from "./support/sample-turn.ts";

const running = turn("r", { status: "running", parts: [{ type: "text", id: "t", text: "I look at it." }] });
const nameOfFocus = (page: Page) => page.evaluate(() => document.activeElement?.ariaLabel);
const queued = (id: string, prompt: string, delivery: QueuedPrompt["delivery"]) => ({ id, prompt, delivery });

test("a queued row says when it reaches the model, and its switch keeps the focus, at 300 pixels too", async () => {
  const { host, page, asked, panel } = await openComposer({ conversation: { id: "c", turns: [running] } });
  await page.setViewportSize({ width: 300, height: 600 });
  const first = queued("q1", "Use tabs, four wide, in every file you touch", "step");
  host.setViewState({ queue: [first, queued("q2", "And a test", "turn")] });
  await panel.settled();
  const rows = await page.locator(".queue-items li .when").allTextContents();
  assert.deepEqual(rows, ["With the next step", "After this response"]);
  for (const row of await page.locator(".queue-items li").all()) {
    const { x = 0, width = 0 } = (await row.boundingBox()) ?? {};
    assert.ok(x >= 0 && x + width <= 300, `${x} + ${width}`);
  }
  await page.locator(".queue-items .when").first().focus();
  assert.equal(
    await nameOfFocus(page),
    "With the next step: Use tabs, four wide, in every file you touch. Switch to: After this response",
  );
  await page.keyboard.press("Enter");
  assert.deepEqual(await asked(), [["deliver", "q1", "turn"]]);
  host.setViewState({ queue: [{ ...first, delivery: "turn" }, queued("q2", "And a test", "turn")] });
  await panel.settled();
  assert.match(
    (await nameOfFocus(page)) ?? "",
    /^After this response: Use tabs.* Switch to: With the next step$/,
  );
  host.happen({ type: "ended", turn: "r", at: 1, ending: "stopped" });
  await panel.settled();
  assert.equal(await page.locator(".queue-items .when").count(), 0, "nothing runs that it could reach");
  await page.getByRole("button", { name: "Send now" }).waitFor();
  await panel.close();
});

test("what the model was handed stands where it was said, as a heading, is announced and can be found", async () => {
  const { host, page, panel } = await openComposer({ conversation: { id: "c", turns: [running] } });
  const note = { kind: "text", label: "Notes", bytes: 10 };
  const at = Date.UTC(2026, 0, 1);
  host.happen({ type: "steered", turn: "r", id: "q1", at, prompt: "Use tabs.", attachments: [note] });
  host.happen({ type: "text", turn: "r", part: "u", delta: "With tabs, then." });
  await panel.settled();
  const order = await page.locator(".parts > .part").allTextContents();
  assert.match(
    order.join("|"),
    /I look at it\..*\|You, while it worked.*Notes.*Use tabs\.\|.*With tabs, then\./,
  );
  await page.setViewportSize({ width: 900, height: 600 });
  await page.getByRole("heading", { name: "You, while it worked", level: 4 }).waitFor();
  assert.match(
    (await page.locator("[role=status]").first().textContent()) ?? "",
    /Handed to the model: Use tabs\./,
  );
  await page.locator("textarea").focus();
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.locator("textarea").inputValue(), "Use tabs.");
  await panel.close();
});
