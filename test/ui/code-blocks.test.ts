// The code of an answer goes where a person wants it: at the cursor, or into a new file.
import { text } from "../sim/script.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest("code of an answer is inserted at the cursor and opened as a file", {}, async (vscode, sim) => {
  const { page, transcript } = vscode;
  await vscode.openChat();
  await vscode.setKey(sim.key);
  sim.reply(text("Like this:\n\n```python\nprint('seven')\n```\n"));
  await vscode.ask("How do I print seven?", "svc-k2.6");
  await transcript.getByText("print('seven')").waitFor();
  await vscode.command("File: New Untitled Text File");
  const editor = page.locator(".part.editor .view-lines");
  await page.locator('.monaco-editor.focused[data-uri^="untitled:"]').waitFor();
  await page.keyboard.type("# ");
  await transcript.getByRole("button", { name: "Insert at cursor" }).click();
  await editor.getByText("# print('seven')").waitFor();
  await transcript.getByRole("button", { name: "Open as new file" }).click();
  await page.locator(".statusbar-item", { hasText: "Python" }).waitFor();
  await vscode.screenshot("code-blocks");
});
