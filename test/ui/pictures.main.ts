// `npm run pictures`: takes the README's pictures in the real VS Code, from the packed extension, answered by the
// simulator's built-in assistant. They are small on purpose: they ship.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openVsCode } from "./support/open-vscode.ts";

const folder = "media/pictures";
const mostBytes = 150 * 1024;

const closers: (() => Promise<void>)[] = [];
try {
  const { vscode, sim } = await openVsCode(
    {
      extension: "packed",
      assistant: true,
      settings: { "editor.minimap.enabled": false, "workbench.layoutControl.enabled": false },
    },
    (close) => closers.push(close),
  );
  const { page, chat, transcript } = vscode;
  mkdirSync(folder, { recursive: true });
  await vscode.show("dark");
  await vscode.openChat();
  await vscode.setKey(sim.key);
  await vscode.openFile("src/discount.ts");
  await page.keyboard.press("Control+B");
  await vscode.resizePanel(520);

  await vscode.ask("Fix the bug in src/discount.ts");
  const proposed = transcript.getByRole("group", { name: "Proposed edit" });
  await proposed.locator("summary").click();
  await proposed.locator("[data-armed]").waitFor();
  // The open diff is taller than what is in sight.
  await chat.getByRole("button", { name: "Go to the end" }).click();
  await chat.getByRole("button", { name: "Go to the end" }).waitFor({ state: "hidden" });
  await picture("patch");
  await proposed.getByRole("button", { name: "Apply" }).click();
  await transcript.getByText("changed as asked.").waitFor();

  await vscode.save();
  await vscode.openFile("src/cart.ts");
  await vscode.show("light");
  await vscode.command("Patchbay: New Conversation");
  await chat.getByText("Edits wait for your yes").waitFor();
  await vscode.ask("Explain src/cart.ts");
  await transcript.getByText("The heart of it is").waitFor();
  await vscode.statusItem.getByText("out").waitFor();
  await picture("explain");

  async function picture(name: string): Promise<void> {
    const path = join(folder, `${name}.png`);
    await page.screenshot({ path });
    const { size } = statSync(path);
    console.log(`${path}  ${(size / 1024).toFixed(0)} KB`);
    if (size > mostBytes) throw new Error(`${path} is larger than ${mostBytes / 1024} KB.`);
  }
} finally {
  for (const close of closers.reverse()) await close();
}
