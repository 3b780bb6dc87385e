// Whole ways through the product, with the simulator's built-in assistant at the other end: what a person would do on
// the first day, in the folder in development and in the package that users get.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bothExtensions, vscodeTest } from "./support/vscode-test.ts";

for (const extension of bothExtensions) {
  vscodeTest(
    `a file is explained, its bug fixed by a patch that was agreed to, and the fix taken back (${extension})`,
    { extension, assistant: true },
    async (vscode, sim) => {
      const { page, chat, transcript, workspace } = vscode;
      const onDisk = () => readFileSync(join(workspace, "src/discount.ts"), "utf8");
      const before = onDisk();
      await vscode.openChat();
      await vscode.setKey(sim.key);

      await vscode.ask("Explain src/cart.ts");
      await vscode.screenshot(`j1-${extension}`);
      await transcript.getByText("read_file").first().waitFor();
      await transcript.getByText("The heart of it is").waitFor();
      await vscode.screenshot(`j2-${extension}`);

      await vscode.ask("Fix the bug in src/discount.ts");
      const buttons = transcript.getByRole("group", { name: "Proposed edit" });
      await buttons.waitFor();
      assert.equal(onDisk(), before);
      await vscode.screenshot(`j3-${extension}`);
      await buttons.locator("[data-armed]").getByRole("button", { name: "Apply" }).click();
      await transcript.getByText("changed as asked.").waitFor();
      assert.match(onDisk(), /quantity >= bulkQuantity/);
      await vscode.screenshot(`j4-${extension}`);

      await vscode.openFile("src/discount.ts");
      await page.keyboard.press("Control+Z");
      await vscode.screenshot(`j5-${extension}`);
      await chat.getByText("nothing").waitFor();
    },
  );
}
