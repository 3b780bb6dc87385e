// From a selection to the changed file by keyboard alone: light bulb, question, tree, diff – where the proposal is
// edited –, file, and VS Code's own Refactor Preview.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { patchCall, text } from "../sim/script.ts";
import type { VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

/** Three comments, far apart, in a file of the workspace. */
function threeComments(vscode: VsCode): string {
  const rows = readFileSync(join(vscode.workspace, "src/cart.ts"), "utf8").split("\n");
  const picked = [2, Math.floor(rows.length / 2), rows.length - 3];
  const hunks = picked.flatMap((row, number) => [
    ...["@@", ` ${rows[row - 1]}`, ` ${rows[row]}`],
    ...[`+// comment ${number + 1}`, ` ${rows[row + 1]}`],
  ]);
  return ["*** Begin Patch", "*** Update File: src/cart.ts", ...hunks, "*** End Patch", ""].join("\n");
}

vscodeTest(
  "by keyboard alone: a selection is edited, two of three changes are taken, one of them rewritten, and undone",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    const { keyboard } = page;
    const quickInput = page.locator(".quick-input-widget");
    const lines = page.locator(".view-line");
    const tree = page.getByRole("tree", { name: "Pending Edits" });
    const command = async (title: string) => {
      await keyboard.press("F1");
      await quickInput.locator('input[type="text"]').fill(`>${title}`);
      await quickInput.getByRole("option", { name: title }).first().waitFor();
      await keyboard.press("Enter");
    };
    const waits = () => vscode.statusItem.getByText("Patchbay: review 3").waitFor();

    await vscode.openChat();
    await vscode.setKey(sim.key);
    await vscode.openFile("src/cart.ts");
    await keyboard.press("Control+a");
    sim.reply(patchCall(threeComments(vscode)));
    sim.reply(text("Commented."));
    await editByLightBulb();
    await waits();

    // The tree: down to the second change, and its tick away.
    await command("Patchbay: Focus on Pending Edits View");
    await tree.getByRole("treeitem", { name: /comment 2/ }).waitFor();
    await walkTo(tree, "comment 2");
    await keyboard.press("Space");
    await tree.getByRole("treeitem", { name: /comment 2/, checked: false }).waitFor();

    // The file itself, change by change.
    await command("Patchbay: Next Change");
    await page.locator(".codelens-decoration a", { hasText: "Accept" }).first().waitFor();
    await command("Patchbay: Apply Ticked Changes");
    await vscode.transcript.getByText("Commented.").waitFor();
    await lines.getByText("// comment 1").waitFor();
    await lines.getByText("// comment 3").waitFor();
    assert.equal(await lines.getByText("// comment 2").count(), 0);
    assert.doesNotMatch(readFileSync(join(vscode.workspace, "src/cart.ts"), "utf8"), /comment/);
    await command("View: Focus Active Editor Group");
    await keyboard.press("Control+z");
    await lines.getByText("// comment 1").waitFor({ state: "detached" });

    // Once more, in the Refactor Preview: only what is ticked there is taken.
    sim.reply(patchCall(threeComments(vscode)));
    sim.reply(text("Commented again."));
    await keyboard.press("Control+a");
    await editByLightBulb();
    await waits();
    await command("Patchbay: Review in Refactor Preview (Accessible)");
    const preview = page.locator(".bulk-edit-panel");
    await preview.getByText("comment 3").waitFor();
    await vscode.screenshot("refactor preview");
    await walkTo(preview, "comment 3");
    await keyboard.press("Space");
    await keyboard.press("Shift+Enter");
    await vscode.transcript.getByText("Commented again.").waitFor();
    await command("View: Focus Active Editor Group");
    await lines.getByText("// comment 3").waitFor();
    assert.equal(await lines.getByText("// comment 1").count(), 0);
    await keyboard.press("Control+z");
    await lines.getByText("// comment 3").waitFor({ state: "detached" });

    // And in the diff, where the proposal is rewritten before it is accepted.
    sim.reply(patchCall(threeComments(vscode)));
    sim.reply(text("Commented thrice."));
    await keyboard.press("Control+a");
    await editByLightBulb();
    await waits();
    await command("Patchbay: Focus on Pending Edits View");
    await walkTo(tree, "comment 1");
    await keyboard.press("Enter");
    await page.getByRole("tab", { name: /cart\.ts \(turn 3\)/ }).waitFor();
    await page.locator('.monaco-editor.focused[data-uri^="patchbay-review"]').waitFor();
    await keyboard.press("Control+Enter");
    await tree.getByRole("treeitem", { name: /accepted.*comment 1/ }).waitFor();
    await command("Patchbay: Review All Pending Edits");
    await page.getByRole("tab", { name: /Turn 3: proposed edits/ }).waitFor();
    const comment = page.locator('.monaco-editor[data-uri^="patchbay-review"] .view-line', {
      hasText: "// comment 1",
    });
    await comment.waitFor();
    await comment.click();
    await keyboard.press("End");
    await keyboard.type(" in my words");
    await tree.getByRole("treeitem", { name: /edited by you/ }).waitFor();
    await vscode.screenshot("edited proposal");
    await command("Patchbay: Apply Ticked Changes");
    await vscode.transcript.getByText("Commented thrice.").waitFor();
    await command("View: Close All Editors");
    const editor = await vscode.openFile("src/cart.ts");
    await editor.getByText("// comment 1 in my words").waitFor();

    async function walkTo(list: Locator, hasText: string): Promise<void> {
      const focused = list.locator(".monaco-list-row.focused", { hasText });
      for (let step = 0; step < 30 && (await focused.count()) === 0; step++)
        await keyboard.press("ArrowDown");
      await focused.waitFor();
    }

    async function editByLightBulb(): Promise<void> {
      const menu = page.locator(".action-widget");
      const row = menu.locator(".monaco-list-row", { hasText: "Edit with Patchbay…" });
      // The key does nothing until the languages have said what they offer: that is when the bulb is there.
      await page.locator('.monaco-editor.focused [class*="codicon-light-bulb"]').first().waitFor();
      await keyboard.press("Control+.");
      await row.waitFor();
      await walkTo(menu, "Edit with Patchbay…");
      await keyboard.press("Enter");
      await quickInput.getByText("Edit Selection").first().waitFor();
      await keyboard.type("Comment it.");
      await keyboard.press("Enter");
    }
  },
);
