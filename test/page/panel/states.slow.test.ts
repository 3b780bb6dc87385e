// Every state of the page, in every kind of theme, narrow and wide: nothing is cut off sideways, and axe finds nothing
// serious.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { openState, picture, sideways, themes } from "./support/looks.ts";
import { closeBrowserAfterwards } from "./support/panel.ts";
import { states } from "./support/states.ts";

closeBrowserAfterwards();

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
