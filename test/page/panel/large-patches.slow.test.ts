// Patches of hundreds of files: what of them is in the document, and what the page does for them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import type { PatchFile } from "../../../src/conversation/state.ts";
import { currentMatch } from "./support/current-match.ts";
import { elementsInChat, largePatch, pageTime, patchDecided, patchRow } from "./support/large-patches.ts";
import { openPanel } from "./support/panel.ts";
import { begin, scrollBy } from "./support/reading.ts";
import { smallHost } from "./support/small-host.ts";

const size = { files: 200, hunks: 10 };
const mostElements = 2000;
/** So many files are told at a time. */
const atATime = 5;

async function openPatches(...patches: readonly string[]) {
  const host = smallHost({ conversation: { id: "c", turns: [] } });
  const panel = await openPanel(host);
  host.happen(begin("n"));
  for (const patch of patches) host.happen(patchRow("n", patch, largePatch(patch, size)));
  host.happen({ type: "ended", turn: "n", at: 2, ending: "done" });
  await panel.settled();
  return { host, panel, page: panel.page };
}

const row = (page: Page, patch: string, file: number) =>
  page.locator(`.patch bdi.path[title="${largePatch(patch, size)[file]?.path}"]`);

const focusedPath = (page: Page) =>
  page.evaluate(() => document.activeElement?.querySelector(".path")?.getAttribute("title") ?? undefined);

const scrollTo = async (page: Page, top: number) => {
  await page.evaluate((to) => document.querySelector(".transcript")?.scrollTo({ top: to }), top);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};

/** What the way of a message into the page takes by itself, with the frames that are waited for. */
async function timeOfMessages(page: Page, settled: () => Promise<void>, messages: readonly unknown[]) {
  const time = await pageTime(page);
  for (const message of messages) {
    await page.evaluate((data) => void data, message);
    await settled();
  }
  return time();
}

const steps = (files: readonly PatchFile[]) =>
  Array.from({ length: files.length / atATime }, (_, at) => files.slice(at * atATime, (at + 1) * atATime));

describe("five patches of 200 files with ten hunks each in one turn", () => {
  test("arrive, unfold and are accepted with few elements, the last about as quickly as the first", async () => {
    const host = smallHost({ conversation: { id: "c", turns: [] } });
    const { page, settled, close } = await openPanel(host);
    host.happen(begin("n"));
    await settled();
    const patches = ["one", "two", "three", "four", "five"];
    const took = new Map<string, number>();
    const elements: number[] = [];
    for (const patch of patches) {
      const files = largePatch(patch, size);
      const decisions = steps(files).map((some) => patchDecided("n", patch, some, "part"));
      const messages = await timeOfMessages(page, settled, [...steps(files), files, ...decisions]);
      const time = await pageTime(page);
      for (const [index, some] of steps(files).entries()) {
        host.happen(patchRow("n", patch, some, { status: "arriving", from: index * atATime }));
        await settled();
      }
      host.happen(patchRow("n", patch, files));
      await settled();
      took.set(patch, (await time()) - messages);
      elements.push(await elementsInChat(page));
    }
    host.happen({ type: "ended", turn: "n", at: 2, ending: "done" });
    await settled();
    for (const patch of patches) {
      const files = largePatch(patch, size);
      const before = await pageTime(page);
      await row(page, patch, 0).click();
      await settled();
      assert.equal(await page.getByRole("button", { name: "Line 361" }).count(), 1, patch);
      elements.push(await elementsInChat(page));
      await row(page, patch, 0).click();
      for (const some of steps(files)) {
        host.happen(patchDecided("n", patch, some, some.at(-1) === files.at(-1) ? "applied" : "part"));
        await settled();
      }
      took.set(patch, (took.get(patch) ?? 0) + (await before()));
      elements.push(await elementsInChat(page));
    }
    assert.deepEqual(
      await page.locator(".patch .verb").allTextContents(),
      patches.map(() => "Accepted"),
    );
    assert.ok(Math.max(...elements) <= mostElements, `elements: ${elements}`);
    // The last cost no more than the first: what is above them, and not in the document, costs nothing. A busy machine
    // makes one of them dearer, not all.
    const times = [...took.values()].map(Math.round);
    const first = Math.max(...times.slice(0, 2));
    assert.ok(Math.min(...times.slice(-2)) <= 2 * first, `milliseconds: ${times}`);
    await close();
  });
});

describe("the files of a long patch", () => {
  test("are in the document only near the reader, each with its position and the total count", async () => {
    const { panel, page } = await openPatches("one");
    const list = page.locator(".patch .files > li:not([aria-hidden])");
    await scrollTo(page, 0);
    assert.ok((await list.count()) < 100);
    assert.equal(await row(page, "one", 100).count(), 0);
    await scrollTo(page, 2400);
    assert.equal(await row(page, "one", 100).count(), 1);
    assert.ok((await list.count()) < 100);
    const places = await list.evaluateAll((all) =>
      all.map((one) => [one.ariaPosInSet, one.ariaSetSize, one.querySelector(".path")?.textContent]),
    );
    for (const [place, count, name] of places)
      assert.deepEqual([count, name], ["200", `module${Number(place) - 1}.ts`]);
    await panel.close();
  });

  test("scroll exactly as far as the wheel turns, with some of them unfolded", async () => {
    const { panel, page } = await openPatches("one", "two");
    await scrollTo(page, 0);
    for (const file of [3, 5]) await row(page, "one", file).click();
    await scrollTo(page, 100_000);
    for (let step = 0; step < 20; step += 1) {
      const before = await page.evaluate(() => {
        const rows = [...document.querySelectorAll(".patch .files .path")];
        const seen = rows.find((one) => one.getBoundingClientRect().top > 200);
        return { path: seen?.getAttribute("title"), top: seen?.getBoundingClientRect().top ?? 0 };
      });
      await scrollBy(page, -350);
      await panel.settled();
      const top = await page.evaluate(
        (path) => document.querySelector(`.path[title="${path}"]`)?.getBoundingClientRect().top,
        before.path,
      );
      assert.ok(Math.abs((top ?? 0) - before.top - 350) < 2, `${step}: ${top} after ${before.top}`);
    }
    await panel.close();
  });

  test("keep their folds while the reader is far away", async () => {
    const { host, panel, page } = await openPatches("one");
    await scrollTo(page, 0);
    await row(page, "one", 4).click();
    await page.locator(".composer textarea").focus();
    await scrollTo(page, 100_000);
    assert.equal(await row(page, "one", 4).count(), 0);
    host.happen(patchDecided("n", "one", largePatch("one", size), "applied"));
    await panel.settled();
    await scrollTo(page, 0);
    await page.locator(".patch .fold-head").click();
    const open = page.locator(".patch details[open] .path");
    assert.deepEqual(await open.allTextContents(), ["module4.ts"]);
    assert.equal(await page.getByRole("button", { name: "Line 361" }).count(), 1);
    await panel.close();
  });

  test("are reached one by one with Tab, even from a file far out of sight", async () => {
    const { panel, page } = await openPatches("one");
    await scrollTo(page, 0);
    const paths = largePatch("one", size).map(({ path }) => path);
    await page.locator(".patch summary").first().focus();
    for (let file = 1; file < 60; file += 1) {
      await page.keyboard.press("Tab");
      assert.equal(await focusedPath(page), paths[file]);
    }
    await scrollTo(page, 0);
    await page.keyboard.press("Tab");
    assert.equal(await focusedPath(page), paths[60]);
    await scrollTo(page, 100_000);
    await page.keyboard.press("Shift+Tab");
    assert.equal(await focusedPath(page), paths[59]);
    await panel.close();
  });

  test("are searched with the text of their hunks and unfold for a match", async () => {
    const { host, panel, page } = await openPatches("one", "two", "three");
    host.tell("find");
    await panel.settled();
    const box = page.locator(".find input");
    await box.fill("hunk 7 of file 150");
    await panel.settled();
    assert.equal(await page.locator(".find .count").innerText(), "1 of 3");
    for (const patch of ["one", "two", "three"]) {
      const now = await currentMatch(page);
      assert.deepEqual([now?.text, now?.seen, now?.unfolded], ["hunk 7 of file 150", true, true]);
      const title = await page.evaluate(() => {
        const [range] = [...(CSS.highlights.get("found-now") ?? [])];
        const around = range instanceof Range ? range.startContainer.parentElement : undefined;
        return around?.closest(".file")?.querySelector(".path")?.getAttribute("title");
      });
      assert.equal(title, largePatch(patch, size)[150]?.path);
      await page.keyboard.press("Enter");
      await panel.settled();
    }
    await box.fill("packages/two/src/part3/module103.ts");
    await panel.settled();
    assert.equal(await page.locator(".find .count").innerText(), "1 of 1");
    assert.equal((await currentMatch(page))?.seen, true);
    await panel.close();
  });

  test("are copied completely from a selection that ends far from its start", async () => {
    const { panel, page } = await openPatches("one");
    await scrollTo(page, 0);
    await row(page, "one", 2).evaluate((one) => document.getSelection()?.setPosition(one, 0));
    await scrollTo(page, 2400);
    await row(page, "one", 99).evaluate((one) => document.getSelection()?.extend(one, 1));
    await panel.settled();
    const copied = await page.evaluate(() => String(document.getSelection()));
    const names = [...copied.matchAll(/module(\d+)\.ts/g)].map(([, file]) => Number(file));
    assert.deepEqual(
      names,
      Array.from({ length: 98 }, (_, at) => at + 2),
    );
    await panel.close();
  });
});
