// From a proposed patch to the file, as a person does it: in the tree, in the diff, in the real file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import type { Simulator } from "../sim/simulator.ts";
import type { VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

/** Three comments, far apart, in a file of the workspace. */
async function propose(vscode: VsCode, sim: Simulator): Promise<void> {
  const rows = readFileSync(join(vscode.workspace, "src/cart.ts"), "utf8").split("\n");
  const picked = [2, Math.floor(rows.length / 2), rows.length - 3];
  const hunks = picked.flatMap((row, number) => [
    "@@",
    ` ${rows[row - 1]}`,
    ` ${rows[row]}`,
    `+// comment ${number + 1}`,
    ` ${rows[row + 1]}`,
  ]);
  await vscode.openChat();
  await vscode.setKey(sim.key);
  sim.reply(
    patchCall(["*** Begin Patch", "*** Update File: src/cart.ts", ...hunks, "*** End Patch", ""].join("\n")),
  );
  sim.reply(text("Done."));
  await vscode.ask("Comment it.", "svc-k3");
  await vscode.statusItem.getByText("Patchbay: review 3").waitFor();
}

vscodeTest(
  "two of three changes are taken, by tree, buttons and diff, and Undo takes them back",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    await propose(vscode, sim);
    await vscode.command("Patchbay: Go to Pending Edits");
    const tree = page.getByRole("tree", { name: "Pending Edits" });
    const row = (name: RegExp) => tree.getByRole("treeitem", { name });
    const lines = page.locator(".view-line");
    await row(/comment 2/).waitFor();
    await vscode.screenshot("review tree");
    await row(/comment 2/).click();
    await page.getByRole("tab", { name: /cart\.ts \(turn 1\)/ }).waitFor();
    await lines.getByText("// comment 2").first().waitFor();
    await vscode.screenshot("review diff");
    await vscode.command("Patchbay: Review All Pending Edits");
    await page.getByRole("tab", { name: /Turn 1: proposed edits/ }).waitFor();
    await lines.getByText("// comment 2").first().waitFor();
    await vscode.screenshot("review multi diff");
    await vscode.command("View: Close All Editors");
    await vscode.command("Patchbay: Next Change");
    const accept = page.locator(".codelens-decoration a", { hasText: "Accept" });
    await accept.first().waitFor();
    await vscode.screenshot("review inline");
    await accept.first().click();
    await row(/accepted.*comment 1/).waitFor();
    await row(/comment 2/).hover();
    await row(/comment 2/)
      .getByRole("button", { name: "Reject Change" })
      .click();
    await row(/rejected.*comment 2/).waitFor();
    await vscode.command("Patchbay: Apply Ticked Changes");
    await vscode.transcript.getByText("Done.").waitFor();
    await lines.getByText("// comment 1").waitFor();
    await lines.getByText("// comment 3").waitFor();
    assert.equal(await lines.getByText("// comment 2").count(), 0);
    assert.doesNotMatch(readFileSync(join(vscode.workspace, "src/cart.ts"), "utf8"), /comment/);
    await vscode.screenshot("review applied");
    await lines.getByText("// comment 1").click();
    await page.keyboard.press("Control+z");
    await lines.getByText("// comment 1").waitFor({ state: "detached" });
    assert.equal(await lines.getByText("// comment 3").count(), 0);
  },
);
