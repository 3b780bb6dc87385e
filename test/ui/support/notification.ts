// What is asked in a corner of the window. VS Code hides it after ten seconds, which on a slow machine may be too few to
// press its button; the center of notifications has it still.
import { attempt, maxPatience } from "./insist.ts";
import type { VsCode } from "./vscode.ts";

/** In milliseconds: until then whatever was asked is in its corner, or has been. */
const hidden = 15_000;

export async function pressInNotification(
  { page, command }: Pick<VsCode, "page" | "command">,
  name: string,
): Promise<void> {
  const button = page
    .locator(".notifications-toasts, .notifications-center")
    .getByRole("button", { name, exact: true })
    .filter({ visible: true });
  await attempt(async (timeout) => {
    const isShown = await button.waitFor({ timeout: Math.max(timeout, hidden) }).then(
      () => true,
      () => false,
    );
    if (!isShown) await command("Notifications: Show Notifications");
    // A click that was slow has been a click.
    await button.click({ timeout: isShown ? maxPatience : timeout });
  });
}
