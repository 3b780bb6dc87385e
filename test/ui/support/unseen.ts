// Whether somebody looks at this run. In a run of whole kinds nobody does: what VS Code shows is laid out as ever and never
// drawn, which is much of what a machine without graphics computes, and only what failed is kept as a picture.
import type { Page } from "playwright-core";

/** test/support/test-kinds.mjs sets it. */
export const isUnseen = process.env["PATCHBAY_UNSEEN"] !== undefined;

/** Every document that the page is going to load, in its frames as well. What is transparent counts as visible all the same. */
export const drawNothing = (page: Page): Promise<unknown> =>
  page.addInitScript(
    "document.addEventListener('DOMContentLoaded', () => { document.documentElement.style.opacity = '0'; })",
  );

/** Has drawn what is there now, before a picture is taken. It waits for none: a frame that hangs would never answer. */
export function drawEverything(page: Page): void {
  for (const frame of page.frames())
    frame.evaluate("document.documentElement.style.opacity = ''").catch(() => {});
}
