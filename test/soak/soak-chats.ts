// Conversations side by side in one window: one in the chat view, the others in editors beside each other.
import type { FrameLocator } from "playwright-core";
import { until } from "../ui/support/insist.ts";
import type { VsCode } from "../ui/support/vscode.ts";
import { type Chat, takeTurn } from "./soak-turns.ts";

const ourPage = 'iframe.webview.ready[src*="extensionId=patchbay.patchbay"]';

/** The chat view touches the right border of the window. */
const viewOf = ({ page }: VsCode): FrameLocator =>
  page.frameLocator(`.webview-overlay-outer-right > ${ourPage}`).frameLocator("iframe#active-frame");

async function newConversation(vscode: VsCode): Promise<void> {
  await vscode.command("Patchbay: New Conversation");
  await viewOf(vscode).getByRole("heading", { name: "Ask about your code" }).waitFor();
}

export async function openChats(vscode: VsCode, count: number): Promise<Chat[]> {
  const { page } = vscode;
  const pages = page.locator(ourPage);
  for (let opened = 1; opened < count; opened++) {
    // The first one begins in the empty conversation that is there: whether another empty one has come cannot be seen.
    if (opened > 1) await newConversation(vscode);
    // An editor of its own is for a conversation with something in it.
    await takeTurn({ page, frame: viewOf(vscode), session: opened }, "say", 0);
    await vscode.command("Patchbay: Open Conversation in Editor");
    if (opened > 1) await vscode.command("View: Move Editor into Next Group");
    await until(
      async () => (await pages.count()) === opened + 1,
      () => page.waitForTimeout(100),
    );
  }
  await newConversation(vscode);
  const names = await pages.evaluateAll((frames) => frames.map((frame) => frame.getAttribute("name") ?? ""));
  return names.map((name, session) => ({
    page,
    frame: page.frameLocator(`iframe.webview.ready[name="${name}"]`).frameLocator("iframe#active-frame"),
    session,
  }));
}

/** Leaves an empty conversation in the chat view, and nothing else. */
export async function closeChats(vscode: VsCode): Promise<void> {
  await vscode.command("View: Close All Editors");
  await vscode.page.locator(ourPage).nth(1).waitFor({ state: "detached" });
  await newConversation(vscode);
}
