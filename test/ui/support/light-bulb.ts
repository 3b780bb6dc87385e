// What the light bulb offers, opened by its key, as often as it takes.
import type { Locator } from "playwright-core";
import { insist } from "./insist.ts";
import type { VsCode } from "./vscode.ts";

/**
 * The key offers nothing until the languages have said what there is, or while they change their mind, and nobody says
 * when they have: `select` selects again what it is about. Answers what has opened.
 */
export async function openLightBulb(
  { page }: VsCode,
  select: () => Promise<void>,
  wanted: Locator,
): Promise<Locator> {
  await insist(async () => {
    await page.keyboard.press("Escape");
    await select();
    await page.keyboard.press("Control+.");
  }, wanted);
  return wanted;
}

/** The row of an action in the list of the light bulb. */
export const actionRow = ({ page }: VsCode, title: string): Locator =>
  page.locator(".action-widget").getByText(title);
