// The first half of the way through the panel: a key, an answer with everything that can be in it, its code, what can be
// done with it, tools and edits.
import assert from "node:assert/strict";
import { text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import type { VsCode } from "../support/vscode.ts";
import { proposal, richAnswer, toolCalls } from "./panel-answers.ts";
import { editorOn, type Hand, isPressed } from "./panel-hand.ts";

export async function answers(vscode: VsCode, sim: Simulator, hand: Hand): Promise<void> {
  const { page, chat, transcript } = vscode;
  const { keyboard } = page;
  const { press, pressAtCode, decide, ask, says, reads } = hand;

  await aKeyIsMissing();
  await theAnswer();
  await itsCode();
  await itsActions();
  await toolsAndEdits();
  await anEditThatNoLongerFits();

  async function aKeyIsMissing() {
    const enter = async (key: string) => {
      await page.locator('.quick-input-widget input[type="password"]:focus').waitFor();
      await keyboard.insertText(key);
      await keyboard.press("Enter");
    };
    const box = page.locator(".quick-input-widget");
    // The box says what is wrong and waits for another one. Who leaves it then can ask all the same, and hears why not.
    await press("Add API Key");
    await enter("one-that-is-none");
    await box.getByText("Enter another key.").waitFor();
    await keyboard.press("Escape");
    await box.waitFor({ state: "hidden" });
    await ask("From ten on?");
    await says("The API key wasn't accepted.");
    await press("Replace Key");
    await enter(sim.key);
    await box.waitFor({ state: "hidden" });
    await chat.locator(".notice .card").waitFor({ state: "hidden" });
    await vscode.statusItem.filter({ hasNotText: "Set up" }).waitFor();
  }

  async function theAnswer() {
    sim.reply(...richAnswer(vscode));
    await press("Regenerate");
    await says("Ten count now.");
    await hand.unfold(/Searched the web, thought/);
    await hand.unfold(/Thought/);
    await says("Ten is not more than ten.");
    await hand.unfold(/Searched the web/);
    await hand.nearlyFollow("From ten on", "https://example.com/ten");
    await press("src/cart.ts:3");
    await page.locator(".statusbar-item", { hasText: "Ln 3," }).waitFor();
    await reads("formatPrice");
    await transcript.locator('.usage[title*=" reasoning) · in 48,2"]').waitFor();
  }

  async function itsCode() {
    const code = transcript.locator(".md-code").first();
    for (const toggle of ["Fold", "Wrap lines"]) {
      await pressAtCode(toggle);
      await isPressed(code, toggle);
    }
    await pressAtCode("Copy");
    await pressAtCode("Open as new file");
    await reads("// src/discount.ts");
    await page.locator(".statusbar-item", { hasText: "TypeScript" }).waitFor();
    await keyboard.press("Control+A");
    await keyboard.type("// ");
    await pressAtCode("Insert at cursor");
    await reads("// // src/discount.ts");
    await pressAtCode("Propose as edit");
    await hand.readsInDiff("line.quantity >= bulkQuantity");
    await decide("Reject All");
    await press(/^Paste to terminal/);
    await hand.leaveTerminal();
  }

  async function itsActions() {
    await press("Copy as Markdown");
    await chat.getByRole("status").getByText("Copied").waitFor();
    await press("Show request and response");
    await page.getByRole("tab", { name: /^Turn \d/ }).waitFor();
    await reads("Requests as sent from this window");
    await press("Edit and resend");
    sim.reply(text("Nine, then."));
    await hand.askInOtherWords("From nine on?");
    await says("Nine, then.");
    // A branch has a draft of its own: when that is there, the branch is.
    await hand.write("Left behind.");
    await press("Branch here");
    await chat.locator("textarea.input:placeholder-shown").waitFor();
    await says("Nine, then.");
  }

  async function toolsAndEdits() {
    sim.reply(...toolCalls);
    sim.reply(text("I have looked."));
    await ask("Look at the prices.");
    await decide("Allow");
    await says("I have looked.");
    await hand.unfold(/Read 1 file, checked problems/);
    await hand.unfold(/Readsrc\/price\.ts/);
    await says("src/price.ts, lines 1–7 of 7");
    sim.reply(proposal);
    sim.reply(text("Please review it."));
    await ask("Fix it.");
    await says("Please review it.");
    sim.reply(text("Another time, then."));
    await decide("Reject with Feedback…");
    await keyboard.insertText("Not today.");
    await keyboard.press("Enter");
    await says("Another time, then.");
    sim.reply(proposal);
    sim.reply(text("Fixed."));
    await ask("Fix it after all.");
    await decide("Review");
    await hand.readsInDiff("line.quantity >= bulkQuantity");
    await decide("Accept");
    await says("Fixed.");
    await decide("Undo");
    await transcript.getByRole("group", { name: "Undone" }).waitFor();
  }

  async function anEditThatNoLongerFits() {
    sim.reply(proposal);
    sim.reply(text("Then look again."));
    await ask("Once more?");
    await says("Then look again.");
    await press(/^Line \d+/);
    await page.locator(`${editorOn("src/discount.ts")}.focused`).waitFor();
    await keyboard.press("Control+A");
    await keyboard.insertText("//gone");
    await transcript.getByRole("group", { name: "Conflict", exact: true }).waitFor();
    sim.reply(text("Now it is seen."));
    await decide("Retry with Current Files");
    await says("Now it is seen.");
    assert.match(JSON.stringify(sim.requests.at(-1)?.body), /\/\/gone/);
    await hand.toTheEditor("src/discount.ts");
    await keyboard.press("Control+Z");
    // Where the conflict stood between the lines, the editor has scrolled past the change.
    await keyboard.press("Control+Home");
    await page
      .locator(`${editorOn("src/discount.ts")} .view-lines`)
      .getByText("line.quantity > bulkQuantity")
      .waitFor();
    // It waits again, and the next one would be the same. The buttons at the conflict are replaced by new ones, which
    // decide nothing at first: only those offer Accept.
    await chat.locator("[data-armed]").getByRole("button", { name: "Accept", exact: true }).waitFor();
    await decide("Reject");
    await transcript
      .locator('.patch[data-status="proposed"], .patch[data-status="conflict"]')
      .waitFor({ state: "detached" });
  }
}
