// Every state of the page, in every kind of theme and in other languages, narrow and wide: nothing is cut off sideways,
// and axe finds nothing serious.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { openState, picture, sideways, themes } from "./support/looks.ts";
import { everyTurn, states } from "./support/states.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
interface Axe {
  run(options: RunOptions): Promise<AxeResults>;
}

for (const [name, state] of Object.entries(states)) {
  test(`${name}: nothing is cut off at 300 and 900 pixels, and axe finds nothing serious in any theme`, async () => {
    const panel = await openState(state);
    const { page } = panel;
    assert.equal(await sideways(page), "", "300");
    // Through the debugger: the page's own policy lets no such script in, and must not for a test.
    await page.evaluate(axe);
    for (const theme of themes) {
      await panel.putOn(theme);
      await picture(page, `${name}-300-${theme}`);
      // What a theme can change are its colours alone.
      assert.deepEqual(await serious(page, theme === "light" ? undefined : ["color-contrast"]), [], theme);
    }
    await page.setViewportSize({ width: 900, height: 800 });
    await panel.settled();
    await picture(page, `${name}-900-contrast`);
    assert.equal(await sideways(page), "", "900");
    await panel.close();
  });
}

test("the header and the composer stay reachable at 400 % zoom of a small window", async () => {
  for (const name of ["whole", "choosing", "composing", "spending"]) {
    const panel = await openState(states[name] ?? {}, { width: 320, height: 256 });
    assert.equal(await sideways(panel.page), "", name);
    for (const part of [panel.page.getByRole("banner"), panel.page.locator(".composer .row")]) {
      await part.scrollIntoViewIfNeeded();
      const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
      assert.ok(y >= 0 && y + height <= 256, `${name}: ${y}, ${height}`);
    }
    await panel.close();
  }
});

const inWords = ["composing", "spending", "empty", "noKey", "modelMenu", "suggestions", "finding"];

test("the pseudo-locale takes every text of ours from the dictionary, and the longest ones fit", async () => {
  for (const state of [everyTurn, ...inWords.map((name) => states[name] ?? {})]) {
    // So high that every turn is drawn.
    const { page, close } = await openState(state, { language: "qps-ploc", height: 9_000 });
    assert.equal(await sideways(page), "");
    const foreign = await page.evaluate(() => {
      // What people, models, tools and files say or are called has its own direction, or one of these places.
      const others =
        "[dir], bdi, q, time, h3, .author, .tool .verb, .model-button .name, .host, .md-language, :is(.chip, .file) .heard";
      const namedByOthers = "article, .card, .chip";
      const said: [Element, string | null][] = [];
      const app = document.querySelector(".app") ?? document.body;
      const walker = document.createTreeWalker(app, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        if (node.parentElement !== null) said.push([node.parentElement, node.textContent]);
      for (const one of app.querySelectorAll(`:not(${namedByOthers})`))
        for (const name of ["aria-label", "title", "placeholder"]) said.push([one, one.getAttribute(name)]);
      return said
        .filter(([where, text]) => /\p{L}{3}/u.test(text ?? "") && where.closest(others) === null)
        .filter(([, text]) => text?.includes("⟦") === false)
        .map(([where, text]) => `${where.tagName}.${where.className}: ${text}`);
    });
    assert.deepEqual(foreign, []);
    await close();
  }
});

test("the Chinese texts fit into the panel", async () => {
  for (const name of ["whole", "choosing", "failed", "composing", "spending", "empty"]) {
    const { act: _, ...still } = states[name] ?? {};
    const panel = await openState(still, { language: "zh-cn" });
    await picture(panel.page, `${name}-300-zh-cn`);
    assert.equal(await sideways(panel.page), "", name);
    await panel.close();
  }
});

async function serious(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ["violations"],
    // There is no style sheet of elsewhere to be fetched first.
    preload: false,
    ...(rules !== undefined && { runOnly: [...rules] }),
  };
  return page.evaluate(async (given) => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(given);
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message}`).join("\n")}`,
      );
  }, options);
}
