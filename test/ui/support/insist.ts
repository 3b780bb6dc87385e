// What comes to nothing at the wrong moment, done as often as it takes: a click on a row of a list that is drawn anew, a
// key for what has not yet been noticed, a palette that was opened before its command was offered. Nobody says when
// the moment is right.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { patience } from "../../support/browser.mjs";

/** In milliseconds; each time the double, so that a slow machine gets there too. */
const firstPatience = 3000;
export const maxPatience = 48_000;

/** Does this until it succeeds. It is told how long it may take, and must do no harm to what is on its way already. */
export async function attempt(act: (patience: number) => Promise<unknown>): Promise<void> {
  for (let patience = firstPatience; patience < maxPatience; patience *= 2)
    if (await succeeds(act(patience))) return;
  await act(maxPatience);
}

/** Does this until that is seen. What it waits for itself may take no longer than this try. */
export const insist = (act: () => Promise<unknown>, wanted: Locator): Promise<void> =>
  attempt(async (timeout) => {
    const page = wanted.page();
    page.setDefaultTimeout(timeout);
    await act().finally(() => page.setDefaultTimeout(patience));
    await wanted.waitFor({ timeout });
  });

/** Fails where it was not pressed in this time, be it that it has gone. What was pressed was clicked, however slow that was. */
export async function clickOnce(target: Locator, timeout: number): Promise<void> {
  const page = target.page();
  await page.evaluate(
    "isPressed = false; document.addEventListener('mousedown', () => { isPressed = true; }, { capture: true, once: true })",
  );
  try {
    await target.click({ timeout });
  } catch (error) {
    if (!(await page.evaluate("isPressed"))) throw error;
    // The time may have been over before the button was let go.
    await page.mouse.up();
  }
}

const succeeds = (act: Promise<unknown>): Promise<boolean> =>
  act.then(
    () => true,
    () => false,
  );

/** In milliseconds: what has not come by then does not come, however slow the machine is. */
const end = 240_000;

/** Does this again and again until that is so; fails where it never is. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  act: () => Promise<unknown>,
): Promise<void> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > end) throw new Error(`Not so after ${end / 1000} s: ${isSo}`);
    await act();
  }
}

/** A file of the workspace is this: for a moment, while VS Code writes it, it is empty. */
export const holds = (
  { page, workspace }: { readonly page: Page; readonly workspace: string },
  path: string,
  content: string,
): Promise<void> =>
  until(
    () => readFileSync(join(workspace, path), "utf8") === content,
    () => nextFrame(page),
  );

/** The window has drawn once more: what `until` waits for can only be so then. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
