// The first half of the way through the panel by keyboard alone: nothing is clicked, nothing is filled in or focused
// from outside.

import { text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import type { VsCode } from "../support/vscode.ts";
import { proposal, richAnswer, toolCalls } from "./panel-answers.ts";
import { createKeys } from "./panel-keys.ts";

export async function answersByKeyboard(vscode: VsCode, sim: Simulator): Promise<void> {
  const { page, chat } = vscode;
  const { keyboard } = page;
  const { press, toTheBox, ask, walk, choose, back, decide, reads, says } = createKeys(vscode);
  const quickInput = page.locator(".quick-input-widget");

  // As in anybody's own browser: without it VS Code copies by way of a box that takes the focus along.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);

  await aKeyIsMissing();
  await theAnswer();
  await itsCode();
  await itsActions();
  await toolsAndEdits();

  async function aKeyIsMissing() {
    for (const key of ["one-that-is-none", sim.key]) {
      await back(key === sim.key ? "Replace key" : "Set API key");
      await quickInput.locator('input[type="password"]:focus').waitFor();
      await keyboard.insertText(key);
      await press("Enter");
      await chat.locator(".notice .card").waitFor({ state: "hidden" });
      if (key === sim.key) continue;
      await ask("From ten on?");
      await says("The service refused the API key (401).");
    }
    await vscode.statusItem.filter({ hasNotText: "Set up" }).waitFor();
  }

  async function theAnswer() {
    sim.reply(...richAnswer(vscode));
    await back("Regenerate");
    await says("Ten count now.");
    await back(/^Reasoned/);
    await says("Ten is not more than ten.");
    await choose(/^Searched the web/);
    await choose("From ten on");
    await page.getByRole("dialog").getByText("https://example.com/ten").waitFor();
    await page.getByRole("dialog").locator(":focus").waitFor();
    await press("Escape");
    await back("src/cart.ts:3");
    await page.locator(".statusbar-item", { hasText: "Ln 3," }).waitFor();
    await reads("formatPrice");
  }

  async function itsCode() {
    /** Only the long block can be folded. */
    const toTheCode = async () => {
      await toTheBox();
      await walk("Fold", "Shift+Tab");
    };
    await toTheCode();
    for (const toggle of ["Fold", "Wrap lines"]) {
      await choose(toggle);
      await chat.getByRole("button", { name: toggle, pressed: true }).and(chat.locator(":focus")).waitFor();
    }
    await choose("Copy");
    await choose("Open as new file");
    await reads("// src/discount.ts");
    await press("Control+a");
    await keyboard.type("// ");
    await toTheCode();
    await choose("Insert at cursor");
    await reads("// // src/discount.ts");
    await toTheCode();
    await choose("Propose as edit");
    await reads("line.quantity >= bulkQuantity");
    await decide("Reject");
    await back(/^Paste to terminal/);
    await page.locator(".terminal.xterm textarea:focus").waitFor();
    // A terminal keeps its keys for itself.
    await press("F1");
    await quickInput.locator("input:focus").waitFor();
    await keyboard.insertText("Patchbay: Focus on Chat View");
    await quickInput.getByRole("option", { name: "Patchbay: Focus on Chat View" }).first().waitFor();
    await press("Enter");
  }

  async function itsActions() {
    await back("Copy as Markdown");
    await chat.getByRole("status").getByText("Copied").waitFor();
    await choose("Show request and response");
    await reads("Requests of this window");
    await back("Edit and resend");
    await press("Control+a");
    await keyboard.insertText("From nine on?");
    sim.reply(text("Nine, then."));
    await press("Enter");
    await says("Nine, then.");
    // A branch has a draft of its own: when that is there, the branch is.
    await toTheBox();
    await keyboard.insertText("Left behind.");
    await back("Branch here");
    await chat.locator("textarea.input:placeholder-shown").waitFor();
    await says("Nine, then.");
  }

  async function toolsAndEdits() {
    sim.reply(...toolCalls);
    sim.reply(text("I have looked."));
    await ask("Look at the prices.");
    await decide("Allow");
    await says("I have looked.");
    await back(/^Readsrc\/price\.ts/);
    await says("src/price.ts, lines 1–7 of 7");
    sim.reply(proposal);
    sim.reply(text("Another time, then."));
    await ask("Fix it.");
    await decide("No, because…");
    await keyboard.insertText("Not today.");
    await press("Enter");
    await says("Another time, then.");
    sim.reply(proposal);
    sim.reply(text("Fixed."));
    await ask("Fix it after all.");
    await decide("Review");
    await reads("line.quantity >= bulkQuantity");
    await decide("Apply");
    await says("Fixed.");
    await back("Undo");
    await vscode.transcript.getByRole("group", { name: "Taken back" }).waitFor();
    await page.getByRole("tab", { name: "discount.ts", exact: true }).waitFor();
  }
}
