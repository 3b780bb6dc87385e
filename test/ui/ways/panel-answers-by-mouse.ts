// The first half of the way through the panel with the mouse: a key, an answer with everything that can be in it, its
// code, what can be done with it, tools and edits.

import { text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import type { VsCode } from "../support/vscode.ts";
import { proposal, richAnswer, toolCalls } from "./panel-answers.ts";
import { createMouse } from "./panel-mouse.ts";

export async function answersByMouse(vscode: VsCode, sim: Simulator): Promise<void> {
  const { page, chat, transcript, ask } = vscode;
  const { click, says, copied } = createMouse(vscode);
  const reviews = (words: string) => page.locator(".multiDiffEditor").getByText(words).first().waitFor();
  const quickInput = page.locator(".quick-input-widget");
  await vscode.openChat();

  await aKeyIsMissing();
  await theAnswer();
  await itsCode();
  await itsActions();
  await toolsAndEdits();

  async function aKeyIsMissing() {
    for (const key of ["one-that-is-none", sim.key]) {
      await click(key === sim.key ? "Replace key" : "Set API key");
      await quickInput.locator('input[type="password"]').fill(key);
      await page.keyboard.press("Enter");
      await chat.locator(".notice .card").waitFor({ state: "hidden" });
      if (key === sim.key) continue;
      await ask("From ten on?");
      await says("The service refused the API key (401).");
    }
    await vscode.statusItem.filter({ hasNotText: "Set up" }).waitFor();
  }

  async function theAnswer() {
    sim.reply(...richAnswer(vscode));
    await click("Regenerate");
    await says("Ten count now.");
    await click(/^Reasoned/);
    await says("Ten is not more than ten.");
    await transcript.getByText("Searched the web").click();
    await transcript.getByRole("link", { name: "From ten on" }).click();
    const leave = page.getByRole("dialog");
    await leave.getByText("https://example.com/ten").waitFor();
    await leave.getByRole("button", { name: "Cancel" }).click();
    await transcript.getByText("src/cart.ts:3").click();
    await page.locator(".statusbar-item", { hasText: "Ln 3," }).waitFor();
    await says("1.2k out (0.9k reasoning) · in 48.2k = 40.1k read + 6.0k write + 2.1k new");
  }

  async function itsCode() {
    const code = transcript.locator(".md-code").first();
    const use = (name: string) => code.getByRole("button", { name }).click();
    for (const toggle of ["Fold", "Wrap lines"]) {
      await use(toggle);
      await code.getByRole("button", { name: toggle, pressed: true }).waitFor();
    }
    await use("Fold");
    await use("Copy");
    await use("Open as new file");
    await page.locator(".tab.active", { hasText: "// src/discount.ts" }).waitFor();
    await page.locator(".statusbar-item", { hasText: "TypeScript" }).waitFor();
    await copied(/^\/\/ src\/discount\.ts\nimport/);
    await page.keyboard.press("Control+A");
    await page.keyboard.type("// ");
    await use("Insert at cursor");
    await page.locator(".part.editor .view-lines").getByText("// // src/discount.ts").waitFor();
    await use("Propose as edit");
    await reviews("line.quantity >= bulkQuantity");
    await transcript.locator("[data-armed]").getByRole("button", { name: "Reject" }).click();
    await click(/^Paste to terminal/);
    await page.locator(".terminal.xterm").waitFor();
  }

  async function itsActions() {
    await click("Copy as Markdown");
    await chat.getByRole("status").getByText("Copied").waitFor();
    await click("Show request and response");
    await page.getByRole("tab", { name: /^Turn \d/ }).waitFor();
    await copied(/^See `src\/cart\.ts:3`/);
    await click("Edit and resend");
    await transcript.getByRole("textbox").fill("From nine on?");
    sim.reply(text("Nine, then."));
    await click("Send again");
    await says("Nine, then.");
    // A branch has a draft of its own: when that is there, the branch is.
    await vscode.composer.fill("Left behind.");
    await click("Branch here");
    await chat.locator("textarea.input:placeholder-shown").waitFor();
    await says("Nine, then.");
  }

  async function toolsAndEdits() {
    sim.reply(...toolCalls);
    sim.reply(text("I have looked."));
    await ask("Look at the prices.");
    const armed = transcript.locator("[data-armed]");
    await armed.getByRole("button", { name: "Allow" }).click();
    await says("I have looked.");
    await transcript.getByText("src/price.ts", { exact: true }).click();
    await says("src/price.ts, lines 1–7 of 7");
    sim.reply(proposal);
    sim.reply(text("Another time, then."));
    await ask("Fix it.");
    await armed.getByRole("button", { name: "Reject" }).click();
    await says("Another time, then.");
    sim.reply(proposal);
    sim.reply(text("Fixed."));
    await ask("Fix it after all.");
    await armed.getByRole("button", { name: "Review" }).click();
    await reviews("line.quantity >= bulkQuantity");
    await armed.getByRole("button", { name: "Apply" }).click();
    await says("Fixed.");
    await click("Undo");
    await transcript.getByRole("group", { name: "Taken back" }).waitFor();
    await page.getByRole("tab", { name: "discount.ts", exact: true }).click();
    const editor = page.locator('.monaco-editor[data-uri$="/workspace/src/discount.ts"]');
    await editor.getByText("line.quantity > bulkQuantity").waitFor();
    sim.reply(proposal);
    sim.reply(text("Fixed once more."));
    await ask("And now, unseen?");
    await vscode.statusItem.getByText("Patchbay: review 1").waitFor();
    await vscode.command("View: Hide Secondary Side Bar");
    await vscode.command("Patchbay: Apply Ticked Changes");
    const told = page.locator(".notification-toast", { hasText: "src/discount.ts was edited." });
    await told.getByRole("button", { name: "Undo" }).click();
    await editor.getByText("line.quantity > bulkQuantity").waitFor();
    await vscode.openChat();
    await says("Fixed once more.");
  }
}
