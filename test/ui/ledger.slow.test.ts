// Next request, what went out and came back, what it cost and what was signed for: looked at in the real VS Code.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "../sim/script.ts";
import { asked } from "./support/asked.ts";
import { insist } from "./support/insist.ts";
import { fold, foldChat, pressOn, showList } from "./support/tree.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "a request can be inspected before and after, counted by four models, explained, priced and receipted",
  // High enough for every row of the list: what is out of sight is not drawn.
  { size: { width: 1200, height: 1400 } },
  async (vscode, sim) => {
    const { page, transcript, composer } = vscode;
    const lines = page.locator(".monaco-editor .view-line");
    const report = page
      .frameLocator('iframe.webview.ready[src*="markdown"]')
      .frameLocator("iframe#active-frame");
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(text("Cents times quantity."));
    await vscode.ask("How is the total made?", "svc-k3");
    await transcript.getByText("Cents times quantity.").waitFor();

    // Looking sends nothing, and the key is in no document.
    await composer.fill("And the discount?");
    await vscode.statusItem.getByText("≈").waitFor();
    await vscode.command("Patchbay: Show Next Request");
    await page.getByRole("tab", { name: "Next request" }).waitFor();
    await lines.getByText("authorization: Bearer (your key)").waitFor();
    await lines
      .getByText(/input\[\d\]\smessage\suser/)
      .first()
      .waitFor();
    await vscode.screenshot("inspector");
    await vscode.command("Patchbay: Show Request and Response");
    await page.getByRole("tab", { name: "Turn 1" }).waitFor();
    await lines.getByText("// Turn 1 on svc-k3").waitFor();
    // To its end: the answer as it came, and what it used.
    await insist(
      () => page.keyboard.press("Control+End"),
      lines.getByText('"Cents times quantity."').first(),
    );
    await vscode.screenshot("inspector-end");
    assert.equal(asked(sim).length, 1);

    // Every request of a comparison is agreed to at once, and each model has its row.
    await vscode.command("Patchbay: Count Tokens…");
    await page.getByRole("option", { name: "Compare Models…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("4 requests, one for each model").waitFor();
    await dialog.getByRole("button", { name: "Count" }).click();
    await report.getByRole("heading", { name: "Token counts of the draft" }).waitFor();
    await report.locator("tbody tr").nth(3).waitFor();
    assert.equal(await report.locator("tbody tr").count(), 4);
    assert.equal(asked(sim).length, 5);
    await vscode.screenshot("compare");

    await vscode.command("Patchbay: Show Usage");
    const tree = await showList(vscode, "Usage");
    await foldChat(vscode);
    const row = (name: RegExp) => tree.getByRole("treeitem", { name });
    await fold(row(/^Today/).first());
    await row(/^This conversation.*Cost: €/)
      .last()
      .waitFor();
    await insist(
      () =>
        row(/^How is the total made/)
          .last()
          .click(),
      row(/^Request 1/).last(),
    );
    await insist(
      () =>
        row(/^Request 1/)
          .last()
          .click(),
      row(/^POST \/v1\/responses\. Receipt: recorded, not verified/).last(),
    );
    await row(/^Receipts of counts, key tests and deletions/).waitFor();
    await vscode.screenshot("usage-receipt");
    // A row shows its buttons once it is selected.
    const receipt = row(/^POST \/v1\/responses\. Receipt: recorded, not verified/).last();
    await receipt.click();
    await receipt.getByRole("button", { name: "Recompute Digest" }).click();
    await report.getByRole("heading", { name: "Digests of receipts" }).waitFor();
    await report.getByRole("cell", { name: "POST /v1/responses" }).first().waitFor();
    await vscode.screenshot("receipts");

    // The list's own menus: why this request read nothing from the cache, and the figures as a file.
    const notice = page.locator(".notifications-toasts, .notifications-center");
    await vscode.command("Notifications: Clear All Notifications");
    const request = row(/^Request 1/).last();
    await request.click();
    await request.getByRole("button", { name: "Explain Cache Miss" }).click();
    await notice.getByText("no earlier request in this window").first().waitFor();
    await pressOn(page.locator('.pane-header[aria-label^="Usage"]'), "Export Usage…");
    await page.getByRole("option", { name: "This conversation" }).click();
    await page.getByRole("option", { name: "CSV" }).click();
    await page.locator(".quick-input-action .monaco-button").first().click();
    await page.getByText("Saved as patchbay-usage.csv.").first().waitFor();
    const csv = readFileSync(join(vscode.workspace, "patchbay-usage.csv"), "utf8");
    assert.equal(csv.trimEnd().split("\r\n").length, 2);
    assert.equal(asked(sim).length, 5);
  },
);
