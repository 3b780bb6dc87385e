// VS Code's trees. Their rows are drawn anew whenever something changes, and a click may come to nothing then; what is out
// of sight is not drawn at all.
import type { Locator } from "playwright-core";
import { attempt, insist, maxPatience } from "./insist.ts";
import type { VsCode } from "./vscode.ts";

const lists = ["Conversations", "Pending Changes", "Findings", "Usage", "Uploaded Files"] as const;

/** Opens one of Patchbay's lists; the others make room. Tests share a window, and leave lists open. */
export async function showList(
  { page, command }: Pick<VsCode, "page" | "command">,
  name: (typeof lists)[number],
): Promise<Locator> {
  await command(`Patchbay Tools: Focus on ${name} View`);
  const open = (list: string) => page.locator(`.pane-header[aria-label^="${list}"][aria-expanded="true"]`);
  await open(name).waitFor();
  for (const other of lists) if (other !== name && (await open(other).isVisible())) await open(other).click();
  return page.getByRole("tree", { name });
}

/** In the oldest VS Code the chat stands above the lists, and leaves a long one few rows; it unfolds where it is opened. */
export async function foldChat({ page }: Pick<VsCode, "page">): Promise<void> {
  const chat = page.locator(
    '[id="workbench.view.extension.patchbayTools"] .pane-header[aria-label^="Chat"][aria-expanded="true"]',
  );
  if (await chat.isVisible()) await chat.click();
}

/**
 * A button of a row, or of the head of a list, that is there while the pointer is: a list that is drawn anew may take the
 * pointer for gone.
 */
export const pressOn = (row: Locator, name: string): Promise<void> =>
  attempt(async (timeout) => {
    // In the oldest VS Code what opens the menu of a head has a label, and no role.
    const button = row.getByRole("button", { name }).or(row.locator(`.action-label[aria-label^="${name}"]`));
    await row.page().mouse.move(0, 0);
    await row.hover({ timeout });
    await button.waitFor({ timeout });
    // A click that was slow has been a click.
    await button.click({ timeout: maxPatience });
  });

/** Folds a row, by as many clicks as it takes. */
export const fold = (row: Locator): Promise<void> => expand(row, false);
export const unfold = (row: Locator): Promise<void> => expand(row, true);

/** It may be so already: between tests a list keeps what is open in it. */
async function expand(row: Locator, isOpen: boolean): Promise<void> {
  const done = row.and(row.page().locator(`[aria-expanded="${isOpen}"]`));
  await insist(async () => {
    if ((await row.getAttribute("aria-expanded")) !== String(isOpen)) await row.click();
  }, done);
}
