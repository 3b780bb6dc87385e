import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { Preferences } from "../../../src/bridge/surroundings.ts";
import { defaultPreferences } from "../../../src/bridge/surroundings.ts";
import type { ConversationEvent } from "../../../src/core/conversation/events.ts";
import type { Turn } from "../../../src/core/conversation/state.ts";
import { closeBrowserAfterwards, openPanel } from "./support/panel.ts";
import { turn } from "./support/sample-turn.ts";
import { type SmallHost, smallHost } from "./support/small-host.ts";

closeBrowserAfterwards();

/** Turns of very different heights. */
const manyTurns = (count: number): Turn[] =>
  Array.from({ length: count }, (_, index) =>
    turn(`t${index}`, {
      prompt: `Question ${index}`,
      parts: [{ type: "text", id: "t", text: `Line of answer ${index}.\n\n`.repeat(1 + ((index * 7) % 40)) }],
    }),
  );

const preferences = (scroll: Preferences["scroll"]) => ({ preferences: { ...defaultPreferences, scroll } });

const begin = (id: string): ConversationEvent => ({
  type: "started",
  turn: id,
  at: 1,
  model: "svc-k3",
  route: "responses",
  prompt: `New question ${id}`,
});
const write = (id: string, lines: number): ConversationEvent => ({
  type: "text",
  turn: id,
  part: "t",
  delta: "A line of the new answer.\n\n".repeat(lines),
});

const open = async (host: SmallHost, state?: unknown) => {
  const panel = await openPanel(host, { state });
  await panel.settled();
  return panel;
};

async function ask(page: Page, host: SmallHost, id: string): Promise<void> {
  await page.getByRole("textbox").fill("A question");
  await page.keyboard.press("Enter");
  host.happen(begin(id));
}

const metrics = (page: Page) =>
  page.evaluate(() => {
    const scroller = document.querySelector(".transcript");
    if (scroller === null) throw new Error("no transcript");
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    return { scrollTop, fromEnd: scrollHeight - clientHeight - scrollTop };
  });
const topOf = (page: Page, question: string) =>
  page.evaluate((text) => {
    const edge = document.querySelector(".transcript")?.getBoundingClientRect().top ?? 0;
    const heading = [...document.querySelectorAll("article h3")].find((one) => one.textContent === text);
    const article = heading?.closest("article");
    return article == null ? undefined : article.getBoundingClientRect().top - edge;
  }, question);
const questionInSight = (page: Page) =>
  page.evaluate(() => {
    const edge = document.querySelector(".transcript")?.getBoundingClientRect().top ?? 0;
    const article = [...document.querySelectorAll("article")].find(
      (one) => one.getBoundingClientRect().bottom > edge,
    );
    return article?.querySelector("h3")?.textContent ?? "";
  });
const scrollBy = async (page: Page, pixels: number) => {
  await page.mouse.move(200, 200);
  const ended = await page.evaluateHandle(() => {
    const scroller = document.querySelector(".transcript");
    // In an object: a promise itself would be waited for here.
    return { ended: new Promise((done) => scroller?.addEventListener("scrollend", done, { once: true })) };
  });
  await page.mouse.wheel(0, pixels);
  await ended.evaluate(({ ended }) => ended.then(() => {}));
};

test("anchorTop: a new answer begins at the top and then stands still, however long it grows", async () => {
  const host = smallHost({
    conversation: { id: "c1", turns: manyTurns(5) },
    surroundings: preferences("anchorTop"),
  });
  const panel = await open(host);
  const { page } = panel;
  await ask(page, host, "n");
  await panel.settled();
  assert.ok(Math.abs((await topOf(page, "New question n")) ?? 99) < 1);
  for (let step = 0; step < 10; step += 1) {
    host.happen(write("n", 10));
    await panel.settled();
    assert.ok(Math.abs((await topOf(page, "New question n")) ?? 99) < 1, `after ${step}`);
  }
  await page.getByRole("button", { name: "New text" }).waitFor();
  host.happen({ type: "ended", turn: "n", at: 2, ending: "done" });
  await panel.settled();
  assert.ok(Math.abs((await topOf(page, "New question n")) ?? 99) < 1);
  await panel.close();
});

test("the pill leads to the end and follows from there, until the reader scrolls away", async () => {
  const host = smallHost({ conversation: { id: "c1", turns: manyTurns(3) } });
  const panel = await open(host);
  const { page } = panel;
  await ask(page, host, "n");
  host.happen(write("n", 100));
  await panel.settled();
  await page.getByRole("button", { name: "New text" }).click();
  host.happen(write("n", 20));
  await panel.settled();
  assert.ok((await metrics(page)).fromEnd < 2);
  assert.equal(await page.locator(".pill").isVisible(), false);
  await scrollBy(page, -300);
  const before = await metrics(page);
  host.happen(write("n", 20));
  await panel.settled();
  assert.equal((await metrics(page)).scrollTop, before.scrollTop);
  await panel.close();
});

test("follow: the end stays in sight for a reader who is there, and only for them", async () => {
  const host = smallHost({
    conversation: { id: "c1", turns: manyTurns(5) },
    surroundings: preferences("follow"),
  });
  const panel = await open(host);
  const { page } = panel;
  await ask(page, host, "n");
  for (let step = 0; step < 5; step += 1) {
    host.happen(write("n", 15));
    await panel.settled();
    assert.ok((await metrics(page)).fromEnd < 2, `step ${step}`);
  }
  await scrollBy(page, -400);
  const { scrollTop } = await metrics(page);
  host.happen(write("n", 50));
  await panel.settled();
  assert.equal((await metrics(page)).scrollTop, scrollTop);
  await scrollBy(page, 100_000);
  host.happen(write("n", 50));
  await panel.settled();
  assert.ok((await metrics(page)).fromEnd < 2);
  await panel.close();
});

test("off: nothing moves by itself", async () => {
  const host = smallHost({
    conversation: { id: "c1", turns: manyTurns(5) },
    surroundings: preferences("off"),
  });
  const panel = await open(host);
  const { page } = panel;
  const before = await topOf(page, "Question 4");
  await ask(page, host, "n");
  host.happen(write("n", 100));
  await panel.settled();
  assert.ok(Math.abs(((await topOf(page, "Question 4")) ?? 1e9) - (before ?? 0)) < 1);
  await page.getByRole("button", { name: "New text" }).waitFor();
  await panel.close();
});

test("a turn that somebody else began does not move a reader who is further up", async () => {
  for (const mode of ["anchorTop", "follow"] as const) {
    const host = smallHost({
      conversation: { id: "c1", turns: manyTurns(30) },
      surroundings: preferences(mode),
    });
    const panel = await open(host);
    const { page } = panel;
    await scrollBy(page, -3000);
    const inSight = await questionInSight(page);
    const before = await topOf(page, inSight);
    host.happen(begin("n"), write("n", 100));
    await panel.settled();
    assert.ok(Math.abs(((await topOf(page, inSight)) ?? 1e9) - (before ?? 0)) < 1, mode);
    await panel.close();
  }
});

test("of a long conversation only what is near the reader is in the document", async () => {
  const host = smallHost({ conversation: { id: "c1", turns: manyTurns(2000) } });
  const panel = await open(host);
  const { page } = panel;
  await page.waitForFunction(
    () => document.querySelector("article:last-of-type")?.getAttribute("aria-setsize") === "2000",
  );
  assert.equal(await page.locator("article").last().getAttribute("aria-posinset"), "2000");
  assert.ok((await page.locator("article").count()) < 60);
  await page.evaluate(() => document.querySelector(".transcript")?.scrollTo(0, 0));
  await panel.settled();
  await page.waitForFunction(() => document.querySelector("article h3")?.textContent === "Question 0");
  assert.equal(await page.locator("article").first().getAttribute("aria-posinset"), "1");
  assert.ok((await page.locator("article").count()) < 60);
  await panel.close();
});

test("what is being read stays where it is to the pixel while the turns above arrive and are measured", async () => {
  const host = smallHost({ conversation: { id: "c1", turns: manyTurns(700) } });
  const panel = await open(host);
  const { page } = panel;
  await page.waitForFunction(() => document.querySelector("article") !== null);
  // Every frame, from the first on: the place of a turn that is in sight, as long as nobody scrolls.
  const places = await page.evaluate(async () => {
    const article = [...document.querySelectorAll("article")].at(-1);
    const seen: number[] = [];
    for (let frame = 0; frame < 40; frame += 1) {
      seen.push(article?.getBoundingClientRect().top ?? Number.NaN);
      await new Promise((done) => requestAnimationFrame(done));
    }
    return seen;
  });
  for (const place of places) assert.ok(Math.abs(place - (places[0] ?? 0)) < 1, String(place));
  await panel.close();
});

test("scrolling up through turns nobody has measured moves the text exactly as far as the wheel", async () => {
  const host = smallHost({ conversation: { id: "c1", turns: manyTurns(300) } });
  const panel = await open(host);
  const { page } = panel;
  await page.waitForFunction(() => document.querySelector("article")?.getAttribute("aria-setsize") === "300");
  for (let step = 0; step < 25; step += 1) {
    const before = await page.evaluate(() => {
      const edge = 350;
      const article = [...document.querySelectorAll("article")].find(
        (one) => one.getBoundingClientRect().bottom > edge,
      );
      return { id: article?.getAttribute("aria-posinset"), top: article?.getBoundingClientRect().top ?? 0 };
    });
    await page.evaluate(() =>
      document.querySelector(".transcript")?.scrollBy({ top: -450, behavior: "instant" }),
    );
    await panel.settled();
    const top = await page.evaluate(
      (id) => document.querySelector(`article[aria-posinset="${id}"]`)?.getBoundingClientRect().top,
      before.id,
    );
    assert.ok(Math.abs((top ?? 0) - before.top - 450) < 1, `step ${step}: ${top} after ${before.top}`);
  }
  await panel.close();
});

test("a page that comes back shows the place where its reader was", async () => {
  const host = smallHost({ conversation: { id: "c1", turns: manyTurns(400) } });
  const first = await open(host);
  await scrollBy(first.page, -9000);
  await first.page.waitForFunction(() => {
    const state = (window as unknown as { keptState(): { place?: unknown } | undefined }).keptState();
    return state?.place !== undefined;
  });
  const state = await first.page.evaluate("keptState()");
  const question = await questionInSight(first.page);
  const top = await topOf(first.page, question);
  await first.close();
  const second = await open(host, state);
  await second.page.waitForFunction(
    () => document.querySelector("article")?.getAttribute("aria-setsize") === "400",
  );
  await second.settled();
  const again = await topOf(second.page, question);
  assert.ok(Math.abs((again ?? 1e9) - (top ?? 0)) < 2, `${question}: ${again} instead of ${top}`);
  await second.close();
});

test("a selection stays whole when the reader scrolls far away from it", async () => {
  const host = smallHost({ conversation: { id: "c1", turns: manyTurns(300) } });
  const panel = await open(host);
  const { page } = panel;
  await page.evaluate(() => {
    const [first] = [...document.querySelectorAll("article .parts")].slice(-2);
    document.getSelection()?.selectAllChildren(first ?? document.body);
  });
  const selected = await page.evaluate(() => String(document.getSelection()));
  await scrollBy(page, -20_000);
  assert.equal(await page.evaluate(() => String(document.getSelection())), selected);
  await panel.close();
});
