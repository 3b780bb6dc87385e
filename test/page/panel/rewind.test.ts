// Going back to before a question: what is said first, by keyboard, and what is asked for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { message } from "../../../src/conversation/messages.ts";
import { openTurns } from "./support/open-turns.ts";
import { turn } from "./support/sample-turn.ts";

test("Rewind says what it takes along and what stays, by keyboard and at 300 pixels, and Escape leaves it", async () => {
  const { host, page, panel } = await openTurns(turn("1"), turn("2"));
  await page.setViewportSize({ width: 300, height: 700 });
  const open = page.getByRole("button", { name: "Rewind to before this question" }).first();
  const go = page.getByRole("button", { name: "Rewind", exact: true });
  const facts = page.locator(".rewind [role=status]");
  const asked = () => host.asked.filter(([type]) => type === "plan-rewind" || type === "rewind");
  await open.focus();
  await page.keyboard.press("Enter");
  await panel.settled();
  assert.deepEqual(asked(), [["plan-rewind", "1"]]);
  const both = page.getByRole("radio", { name: "Files and conversation" });
  assert.ok(await both.evaluate((input) => input === document.activeElement));
  assert.equal(await go.isDisabled(), true, "nothing is known yet");
  host.planned("1", {
    ...{ files: ["src/a.ts", "src/b.ts"], questions: 2, acted: ["run_command"] },
    ...{ left: [{ path: "src/b.ts", why: message("editsTouched", { name: "src/b.ts" }) }] },
    ...{ tokens: 46_110, price: "€0.16" },
  });
  await panel.settled();
  const all = (await facts.innerText()).split("\n");
  assert.match(all[0] ?? "", /^Undoes accepted changes in: src\/a\.ts, src\/b\.ts\./);
  assert.match(all[1] ?? "", /^Stays as it is: src\/b\.ts – /);
  assert.match(all[2] ?? "", /^Removes 2 of your messages/);
  assert.match(all.join("\n"), /≈46,110 cached tokens will be sent uncached\. That costs ≈€0\.16 more/);
  assert.match(all.join("\n"), /What these have done is not undone: run_command\./);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 300);
  await page.keyboard.press("ArrowDown");
  assert.ok(await page.getByRole("radio", { name: "Files only" }).isChecked());
  assert.doesNotMatch(await facts.innerText(), /cached tokens|Removes/);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".rewind:not(:empty)").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-turn")), "1");
  await open.click();
  host.planned("1", { files: [], left: [], questions: 2, acted: [], tokens: 0 });
  await panel.settled();
  assert.ok(await page.getByRole("radio", { name: "Conversation only" }).isChecked(), "no file was changed");
  await go.click();
  await panel.settled();
  assert.deepEqual(asked().at(-1), ["rewind", "1", "conversation"]);
  await panel.close();
});
