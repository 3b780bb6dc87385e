import assert from "node:assert/strict";
import { test } from "node:test";
import { manyTurns, open, questionInSight, scrollBy, topOf } from "./support/reading.ts";
import { smallHost } from "./support/small-host.ts";

test("a long conversation keeps only the turns near the reader in the document", async () => {
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

test("the text in view stays in place to the pixel while the turns above arrive and are measured", async () => {
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

test("scrolling up through unmeasured turns moves the text exactly as far as the wheel", async () => {
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

test("a reopened page restores the reader's scroll position", async () => {
  const host = smallHost({ conversation: { id: "c1", turns: manyTurns(400) } });
  const first = await open(host);
  await scrollBy(first.page, -9000);
  // Where the reader came by on the way may have been kept before.
  await first.page.waitForFunction(() => {
    type Kept = { place?: { turn: string; offset: number } } | undefined;
    const place = (window as unknown as { keptState(): Kept }).keptState()?.place;
    const topOf = (selector: string) =>
      document.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN;
    const offset = topOf(".transcript") - topOf(`article[data-turn="${place?.turn}"]`);
    return Math.abs(offset - (place?.offset ?? Number.NaN)) < 1;
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

test("the command to show a turn scrolls to it and focuses it, even if it is not loaded yet", async () => {
  const host = smallHost({ conversation: { id: "c1", turns: manyTurns(700) } });
  const panel = await open(host);
  const { page } = panel;
  const id = host.conversation.turns[5]?.id ?? "";
  host.tell({ turn: id });
  await page.waitForFunction(() => {
    const article = document.querySelector('article[aria-posinset="6"]');
    const { top = -1, bottom = -1 } = article?.getBoundingClientRect() ?? {};
    return bottom > 0 && top < window.innerHeight && article === document.activeElement;
  });
  await panel.close();
});
