// Checks in the real editor: set up in a TypeScript project, a proposal that breaks a caller elsewhere, found before anybody
// reviews it, mended by the model, out of date once a person writes into a file, and run again by one click; what they say stands
// in the chat, in the list and in the title of the review. One that executes what is proposed asks first, without a sandbox.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { insist } from "./support/insist.ts";
import { takePictures } from "./support/pictures.ts";
import { showList } from "./support/tree.ts";
import { bill, makeTypedProject, packageWith } from "./support/typed-project.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const project = (folder: string): void =>
  makeTypedProject(folder, "checked", {
    "package.json": packageWith({ typecheck: "tsc --noEmit -p .", lint: "node linting/lint.mjs" }),
    "linting/lint.mjs": "console.log('Nothing to complain about.');\n",
    "checked/bill.ts": bill,
    "checked/rest.ts": "export const rest = 1;\n",
  });

const breaking = `*** Begin Patch
*** Update File: checked/price.ts
@@
-export function price(amount: number): number {
-  return amount * 2;
+export function price(amount: number, rate: number): number {
+  return amount * rate;
 }
*** End Patch`;
const mending = `*** Begin Patch
*** Update File: checked/bill.ts
@@
-export const bill = price(3);
+export const bill = price(3, 2);
*** End Patch`;

vscodeTest(
  "checks are set up in two steps, report what a proposal breaks and let the model repair it",
  {},
  async (vscode, sim) => {
    const { page, chat } = vscode;
    project(vscode.workspace);
    const before = readFileSync(join(vscode.workspace, "checked/price.ts"), "utf8");
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await vscode.command("Patchbay: Set Up Checks…");
    const picker = page.locator(".quick-input-widget");
    await picker.getByText("node node_modules/typescript/bin/tsc --noEmit -p .").waitFor();
    await vscode.screenshot("checks set up");
    await picker.getByRole("button", { name: "OK" }).click();
    await page
      .getByText(/Checks are set up\. types: works · lint: works/)
      .first()
      .waitFor();
    await vscode.screenshot("checks tried");
    const tree = await showList(vscode, "Pending Changes");

    sim.reply(patchCall(breaking));
    sim.reply(text("The rate is a parameter now."));
    sim.reply(patchCall(mending));
    sim.reply(text("The caller passes it, too."));
    await vscode.ask("Make the rate a parameter.", "svc-k3");
    const above = chat.getByRole("region", { name: "Proposed changes" });
    const bar = above.getByRole("group", { name: "Checks", exact: true });
    await chat
      .getByText(/✗ types: 1 new error/)
      .first()
      .waitFor();
    await bar.getByRole("button", { name: /types ✓/ }).waitFor();
    const card = chat.locator(".patch").last();
    await card.getByRole("button", { name: /types ✓/ }).waitFor();
    await tree.getByRole("treeitem", { name: /^types ✓/ }).waitFor();
    await vscode.command("Patchbay: Review All Changes");
    await page.getByRole("tab", { name: /\d proposed changes.* · types ✓/ }).waitFor();
    await page
      .locator(".review-widget")
      .getByText(/types ✓/)
      .first()
      .waitFor();
    await takePictures(vscode, ["light", "contrast", "dark"], (theme) => `checks mended ${theme}`);
    const told = sim.requests.find(({ raw }) => raw.includes("types: 1 new"))?.raw.toString("utf8") ?? "";
    assert.match(told, /checked\/bill\.ts:3:\d+ TS2554/);
    assert.equal(
      readFileSync(join(vscode.workspace, "checked/price.ts"), "utf8"),
      before,
      "nothing is written unasked",
    );

    const waiting = bar.getByRole("button", { name: /lint: run/ });
    const lint = bar.getByRole("button", { name: /lint ✓/ });
    await waiting.or(lint).waitFor();
    // Where this machine has a sandbox it has run by itself.
    if (await waiting.isVisible()) {
      await waiting.click();
      const dialog = page.getByRole("dialog", {
        name: /Runs code of this proposal on this computer: checked\/price\.ts/,
      });
      await dialog.getByText("node linting/lint.mjs").waitFor();
      await vscode.screenshot("check asks to run");
      await dialog.getByRole("button", { name: "Always for This Command in This Folder" }).click();
      await lint.waitFor();
    }

    await vscode.openFile("checked/rest.ts");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// mine");
    await bar.getByRole("button", { name: /types: out of date/ }).waitFor();
    await tree.getByRole("treeitem", { name: /^types: out of date/ }).waitFor();
    await vscode.screenshot("checks out of date");
    // Once it runs there is no such row to click any more.
    const stale = tree.getByRole("treeitem", { name: /^types: out of date/ });
    await insist(
      () => stale.click({ timeout: 1000 }).catch(() => {}),
      tree.getByRole("treeitem", { name: /^types ✓/ }),
    );
    await bar.getByRole("button", { name: /types ✓/ }).waitFor();
    await vscode.screenshot("checks run again");
  },
);
