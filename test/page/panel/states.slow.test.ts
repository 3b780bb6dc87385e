// Every state of the page, in every kind of theme and in other languages, narrow and wide: nothing is cut off sideways,
// and axe finds nothing serious.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { AxeResults, ElementContext, NodeResult, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import {
  contrast,
  openState,
  picture,
  sideways,
  unseenSurfaces,
  wantsPictures,
  waysOfText,
} from "./support/looks.ts";
import { type Theme, themes } from "./support/panel.ts";
import { everyTurn, states } from "./support/states.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** A panel of ordinary width, and one in a window of 1280 × 800 pixels at a zoom of 200 %. */
const onlyLooked = [
  ["400", 400, 800],
  ["200-percent", 280, 400],
] as const;
interface Axe {
  run(context: ElementContext, options: RunOptions): Promise<AxeResults>;
}

/** In each theme, the ways of text that axe has looked at in one state need not be looked at in the next. */
const lookedAt = new Map<Theme, Set<string>>();

/** Whether a text stands here as none did before, in this theme. */
async function hasNewWays(page: Page, name: string, theme: Theme): Promise<boolean> {
  const known = lookedAt.get(theme) ?? new Set();
  lookedAt.set(theme, known);
  const before = known.size;
  for (const way of await waysOfText(page, name)) known.add(way);
  return known.size > before;
}

for (const [name, state] of Object.entries(states)) {
  test(`${name}: nothing is cut off at 280 and 900 pixels, and in every theme all can be read and axe finds nothing serious`, async () => {
    const panel = await openState(state, { width: 280 });
    const { page } = panel;
    assert.equal(await sideways(page), "", "280");
    // Through the debugger: the page's own policy lets no such script in, and must not for a test.
    await page.evaluate(axe);
    for (const theme of themes) {
      await panel.putOn(theme);
      await picture(page, `${name}-280-${theme}`);
      // Structure is looked at in one theme, of each state; of the others only colours can differ.
      if (theme === "light" || (await hasNewWays(page, name, theme)))
        assert.deepEqual(await serious(page, theme), [], theme);
      assert.deepEqual(await unseenSurfaces(page), [], theme);
    }
    const others = [["900", 900, 800], ...(wantsPictures ? onlyLooked : [])] as const;
    for (const [size, width, height] of others) {
      await page.setViewportSize({ width, height });
      await panel.settled();
      for (const theme of wantsPictures ? themes : []) {
        await panel.putOn(theme);
        await picture(page, `${name}-${size}-${theme}`);
      }
      assert.equal(await sideways(page), "", size);
    }
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

/**
 * What axe calls serious. A theme of others that is pale by itself cannot be made legible: there, text has at least four fifths of the
 * contrast that the theme's own text has on the same ground. Code is not looked at, it has the colours of the editor.
 */
async function serious(page: Page, theme: Theme): Promise<string[]> {
  const isOfOthers = theme === "solarized" || theme === "synthwave";
  const options: RunOptions = {
    resultTypes: ["violations"],
    // There is no style sheet of elsewhere to be fetched first.
    preload: false,
    // What a theme can change are its colours alone.
    ...(theme !== "light" && { runOnly: ["color-contrast"] }),
  };
  const context = isOfOthers ? { include: ["body"], exclude: ["pre"] } : { include: ["body"] };
  const { violations, own } = await page.evaluate(
    async ([where, how]) => ({
      violations: (await (globalThis as unknown as { axe: Axe }).axe.run(where, how)).violations,
      own: getComputedStyle(document.documentElement).getPropertyValue("--vscode-foreground"),
    }),
    [context, options] as const,
  );
  const isAsGood = ({ any }: NodeResult) => {
    const { bgColor: ground = "", contrastRatio: reached = 0 } = any[0]?.data ?? {};
    return isOfOthers && reached >= 0.8 * contrast(own, ground);
  };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({ id, nodes: nodes.filter((node) => !isAsGood(node)) }))
    .filter(({ nodes }) => nodes.length > 0)
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message}`).join("\n")}`,
    );
}
