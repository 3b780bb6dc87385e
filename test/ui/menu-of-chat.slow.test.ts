// What the menu of the chat view leads to beyond the conversation: settings, and what leaves the machine.
import { chooseInMenu } from "./support/menu.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "the menu of the chat view opens the settings and the page on what leaves this computer",
  {},
  async (vscode) => {
    const { page } = vscode;
    await vscode.openChat();
    const more = vscode.chatMore;
    const open = async (name: string) => {
      const row = page.getByRole("option", { name });
      await chooseInMenu(() => more.click(), "Connection…", row);
      await row.click();
    };
    await open("What leaves this computer");
    await page.getByRole("tab", { name: /^Preview readme\.md/i }).waitFor();
    const preview = page
      .locator("iframe.webview.ready")
      .last()
      .contentFrame()
      .locator("#active-frame")
      .contentFrame();
    await preview.getByRole("heading", { name: "What leaves this computer" }).waitFor();
    await preview.getByText("There is no telemetry.").waitFor();
    await vscode.screenshot("chat menu what leaves");
    await open("Open settings");
    const settings = page.locator(".settings-editor");
    await settings.getByText("Patchbay").first().waitFor();
    await vscode.screenshot("chat menu settings");
    await vscode.command("View: Close All Editors");
    await chooseInMenu(() => more.click(), "Settings", settings);
    await settings.getByText("Patchbay").first().waitFor();
    // Without usage there is no tree in it, but a sentence.
    const usage = page.locator('.pane:focus-within .pane-header[aria-label^="Usage"]');
    await chooseInMenu(() => more.click(), "Show Usage", usage);
  },
);
