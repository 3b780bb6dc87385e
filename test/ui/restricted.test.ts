// In Restricted Mode nothing of the folder leaves and nothing in it is changed: what would do that is not offered.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { vscodeTest } from "./support/vscode-test.ts";

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, readFileSync(path, "utf8")]);

vscodeTest(
  "in a folder that is not trusted no action on code is offered, every view says so, and nothing is sent or written",
  { trusted: false },
  async (vscode, sim) => {
    const { page } = vscode;
    const before = filesOf(vscode.workspace);
    const editor = await vscode.openFile("src/cart.ts");
    await editor.getByText("export function total").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("F1");
    const input = page.locator('.quick-input-widget input[type="text"]');
    await input.fill(">Patchbay: Focus on Chat");
    await page.locator(".quick-input-list").getByText("Patchbay: Focus on Chat").first().waitFor();
    await input.fill(">Patchbay: Refactor");
    // VS Code offers what sounds alike where it finds no command of that name.
    await page.locator(".quick-input-list").getByText("similar commands").waitFor();
    assert.equal(await page.locator(".quick-input-list").getByText("Patchbay: Refactor").count(), 0);
    await page.keyboard.press("Escape");
    await editor.getByText("export function total").click({ button: "right" });
    await page.locator(".context-view").getByText("Copy", { exact: true }).waitFor();
    assert.equal(await page.locator(".context-view").getByText("Patchbay").count(), 0);
    await page.keyboard.press("Escape");
    // Each view says what can be done instead, and the walkthrough knows what was set before it was opened.
    await vscode.command("Patchbay: Focus on Pending Edits View");
    await page.getByText("In Restricted Mode the model reads none").waitFor();
    await page.getByRole("button", { name: "Manage Workspace Trust" }).first().waitFor();
    assert.equal(await page.getByText("Nothing waits for your review.").count(), 0);
    await vscode.command("Patchbay: Get Started");
    await page.locator('.getting-started-step[data-step-id$="#connect"][aria-checked="true"]').waitFor();
    await vscode.screenshot("restricted-views");
    assert.deepEqual(filesOf(vscode.workspace), before);
    assert.equal(sim.requests.length, 0);
  },
);
