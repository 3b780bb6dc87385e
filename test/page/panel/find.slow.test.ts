import assert from "node:assert/strict";
import { test } from "node:test";
import type { Turn } from "../../../src/conversation/state.ts";
import { currentMatch } from "./support/current-match.ts";
import { openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { samples } from "./support/sample-turns.ts";
import { smallHost } from "./support/small-host.ts";

const many: Turn[] = Array.from({ length: 600 }, (_, index) =>
  turn(`t${index}`, {
    prompt: `Question ${index}`,
    parts: [
      {
        type: "text",
        id: "t",
        text: index % 100 === 50 ? `The **nee**dle of ${index}.` : "Only hay here.\n\n".repeat(5),
      },
    ],
  }),
);

async function open(turns: readonly Turn[] = many) {
  const host = smallHost({ conversation: { id: "c", turns: [...turns] } });
  const panel = await openPanel(host);
  const { page } = panel;
  const box = page.getByRole("textbox", { name: "Find in conversation" });
  const count = () => page.locator(".find .count").innerText();
  const allHere = () => page.locator(".turns[data-above='0']").waitFor();
  const current = () => currentMatch(page);
  return { host, panel, page, box, count, current, allHere };
}

test("find reaches matches that are not drawn, and Enter and Shift+Enter step through them with wraparound", async () => {
  const { host, panel, page, box, count, current } = await open();
  await page.locator(".composer textarea").focus();
  host.tell("find");
  await panel.settled();
  assert.ok(await box.evaluate((one) => one === document.activeElement));
  await page.keyboard.type("needle of");
  await page.waitForFunction(() => document.querySelector(".find .count")?.textContent?.endsWith("of 6"));
  await panel.settled();
  const places: unknown[] = [];
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press("Enter");
    await panel.settled();
    const now = await current();
    assert.equal(now?.text, "needle of");
    assert.ok(now.seen, `${await count()}: ${JSON.stringify(now)}`);
    places.push(now.place);
  }
  assert.deepEqual([...places].sort(), ["151", "251", "351", "451", "51", "551"]);
  await page.keyboard.press("Shift+Enter");
  await panel.settled();
  assert.equal((await current())?.place, places.at(-2));
  await panel.close();
});

test("Escape closes the find bar, removes the highlights and restores the focus", async () => {
  const { host, panel, page, box, current } = await open();
  await page.locator(".composer textarea").focus();
  host.tell("find");
  await panel.settled();
  await page.keyboard.type("hay");
  await panel.settled();
  assert.equal((await current())?.text, "hay");
  await page.keyboard.press("Escape");
  assert.equal(await box.isVisible(), false);
  assert.equal(await current(), undefined);
  assert.ok(await page.evaluate(() => document.activeElement?.matches(".composer textarea")));
  await panel.close();
});

test("Escape in the find bar focuses the turn with the match if the former focus is gone", async () => {
  const { host, panel, page } = await open([turn("r", { status: "running" })]);
  await page.getByRole("button", { name: "Stop" }).focus();
  host.tell("find");
  await panel.settled();
  await page.keyboard.type("Answer");
  host.happen({ type: "ended", turn: "r", at: 1, ending: "done" });
  await panel.settled();
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "ARTICLE");
  await panel.close();
});

test("the find bar shows No results in the red that is readable as text in a light theme", async () => {
  const { panel, page, box, count } = await open();
  await panel.putOn("light");
  await page.getByRole("button", { name: "Find in conversation" }).click();
  await box.fill("nowhere at all");
  assert.equal(await count(), "No results");
  const colours = await page.locator(".find .count").evaluate((one) => {
    const red = one.appendChild(document.createElement("i"));
    red.style.color = "var(--vscode-chat-linesRemovedForeground)";
    return [one, red].map((each) => getComputedStyle(each).color);
  });
  assert.equal(colours[0], colours[1]);
  await panel.close();
});

test("a match in folded reasoning unfolds it", async () => {
  const { host, panel, page, box, current } = await open([samples.whole]);
  host.tell("find");
  await panel.settled();
  await box.fill("first colon");
  await panel.settled();
  assert.equal(await page.locator(".reasoning").getAttribute("data-size"), "expanded");
  assert.equal((await current())?.seen, true);
  await panel.close();
});

test("find counts matches in arriving text without scrolling to them", async () => {
  const { host, panel, page, box, count } = await open([
    turn("1"),
    turn("r", { status: "running", parts: [] }),
  ]);
  host.tell("find");
  await panel.settled();
  await box.fill("asteroid");
  assert.equal(await count(), "No results");
  const before = await page.evaluate(() => document.querySelector(".transcript")?.scrollTop);
  host.happen({ type: "text", turn: "r", part: "t", delta: "An asteroid is\n\nan asteroid." });
  await panel.settled();
  await page.waitForFunction(() => document.querySelector(".find .count")?.textContent === "1 of 2");
  assert.equal(await page.evaluate(() => document.querySelector(".transcript")?.scrollTop), before);
  await panel.close();
});

test("arrow keys, Home and End move between turns as one Tab stop, and Down after the last focuses the composer", async () => {
  const { host, panel, page, allHere } = await open();
  await allHere();
  await page.locator(".composer textarea").focus();
  host.tell("focus-last");
  await panel.settled();
  const here = () => page.evaluate(() => document.activeElement?.getAttribute("aria-posinset"));
  assert.equal(await here(), "600");
  await page.keyboard.press("ArrowUp");
  assert.equal(await here(), "599");
  await page.keyboard.press("Home");
  assert.equal(await here(), "1");
  await page.keyboard.press("ArrowDown");
  assert.equal(await here(), "2");
  assert.equal(await page.locator("article[tabindex='0']").getAttribute("aria-posinset"), "2");
  assert.equal(await page.locator("article[tabindex='0']").count(), 1);
  await page.keyboard.press("End");
  assert.equal(await here(), "600");
  await page.keyboard.press("ArrowDown");
  assert.ok(await page.evaluate(() => document.activeElement?.matches(".composer textarea")));
  await panel.settled();
  assert.deepEqual(host.focused.at(-1), { area: "composer" });
  assert.deepEqual(host.focused.at(-2), { area: "transcript", turn: "t599" });
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Escape");
  assert.ok(await page.evaluate(() => document.activeElement?.matches(".composer textarea")));
  await panel.close();
});

test("the editor's commands for next, previous, find, copy and edit reach the page", async () => {
  const { host, panel, page, box, allHere } = await open();
  await allHere();
  host.tell("focus-last");
  host.tell("previous-turn");
  await panel.settled();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-posinset")), "599");
  host.tell("copy-last");
  host.tell("next-turn");
  host.tell("copy-last");
  host.tell("edit-last");
  await panel.settled();
  assert.ok(await page.getByRole("textbox", { name: "Edit the question" }).isVisible());
  host.tell("find");
  await panel.settled();
  assert.ok(await box.isVisible());
  assert.deepEqual(
    host.asked.map(([name]) => name),
    ["copy", "copy"],
  );
  await panel.close();
});

test("the title shows the conversation's name and can be renamed in place", async () => {
  const { host, panel, page } = await open([samples.whole]);
  const title = page.locator(".header .title");
  assert.match(await title.innerText(), /^What does parse\(\) do/);
  host.setViewState({ title: "The parser" });
  await panel.settled();
  assert.equal(await title.innerText(), "The parser");
  await title.click();
  const box = page.getByRole("textbox", { name: "Name of the conversation" });
  await box.fill("Not this");
  await page.keyboard.press("Escape");
  assert.equal(await title.innerText(), "The parser");
  await page.keyboard.press("Enter");
  await box.fill("The parser and its test");
  await page.keyboard.press("Enter");
  assert.equal(await title.innerText(), "The parser and its test");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "title");
  await panel.settled();
  assert.deepEqual(host.asked, [["rename", "The parser and its test"]]);
  await panel.close();
});

test("a switch to another conversation discards a name that is still being typed", async () => {
  const { host, panel, page } = await open([samples.whole]);
  await page.locator(".header .title").click();
  const box = page.getByRole("textbox", { name: "Name of the conversation" });
  await box.fill("The parser");
  host.open({ id: "another", turns: [samples.interrupted] });
  await panel.settled();
  assert.equal(await box.count(), 0);
  assert.ok(await page.evaluate(() => document.activeElement?.matches(".composer textarea")));
  assert.deepEqual(host.asked, []);
  await panel.close();
});

test("edit-last opens the last question, not the summary below it", async () => {
  const summary = { ...samples.whole, id: "summary", prompt: "", compacts: true };
  const { host, panel, page } = await open([samples.whole, summary]);
  host.tell("edit-last");
  await panel.settled();
  const editor = page.getByRole("textbox", { name: "Edit the question" });
  assert.equal(await editor.inputValue(), samples.whole.prompt);
  await panel.close();
});

test("an empty conversation hides its header", async () => {
  const { panel, page } = await open([]);
  assert.equal(await page.locator(".header").isVisible(), false);
  assert.equal(await page.locator(".empty p").count(), 3);
  await panel.close();
});
