// The conversation in the editor area: the same one, and still there after the window has been reloaded.
import { text } from "../sim/script.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "a conversation in an editor tab is the open one, and survives a reload",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    await vscode.setKey(sim.key);
    await vscode.command("View: Toggle Secondary Side Bar Visibility");
    await vscode.command("Patchbay: Open Conversation in Editor");
    const tab = page.locator(".part.editor").getByRole("tab", { name: "Patchbay" });
    await tab.waitFor();
    sim.reply(text("A list of lines."));
    await vscode.ask("What is a cart?", "svc-k2.6");
    await vscode.transcript.getByText("A list of lines.").waitFor();
    await vscode.screenshot("editor-tab");
    await vscode.reload();
    await tab.waitFor();
    await vscode.transcript.getByText("A list of lines.").waitFor();
  },
);
