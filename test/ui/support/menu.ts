// Menus of VS Code. One takes no click in its first moments, but keys; and it closes when something else takes the focus.
import type { Locator } from "playwright-core";
import { insist } from "./insist.ts";

/** `open` opens the menu, again where it has closed. Until what the item leads to is seen. */
export const chooseInMenu = (open: () => Promise<unknown>, name: string, wanted: Locator): Promise<void> => {
  const page = wanted.page();
  const item = page.getByRole("menuitem", { name });
  return insist(async () => {
    if (!(await item.isVisible())) await open();
    await item.hover();
    await page.keyboard.press("Enter");
  }, wanted);
};
