// The way through the panel with the mouse: the scenes that both hands play, and what only the mouse does.
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { reasoning, text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import { attempt } from "../support/insist.ts";
import { chooseInMenu } from "../support/menu.ts";
import { chatBar, type VsCode } from "../support/vscode.ts";
import { dropFile, pastePicture, proposal } from "./panel-answers.ts";
import { answers } from "./panel-answers-scenes.ts";
import { editorOn } from "./panel-hand.ts";
import { createMouse } from "./panel-mouse.ts";
import { waysToEnd, whatIsRefused, whatWaits } from "./panel-talk-scenes.ts";

export async function throughThePanelByMouse(vscode: VsCode, sim: Simulator): Promise<void> {
  const { page, chat, composer, transcript } = vscode;
  const hand = createMouse(vscode);
  const { press, says, copied } = hand;
  const quickInput = page.locator(".quick-input-widget");
  const suggestions = chat.getByRole("listbox", { name: "Suggestions" });
  const chip = (name: string) => chat.getByRole("button", { name: `Remove ${name}` });

  await vscode.openChat();
  await answers(vscode, sim, hand);
  await anEditOutOfSight();
  await waysToEnd(vscode, sim, hand);
  await whatGoesAlong();
  await whatIsRefused(vscode, sim, hand);
  await whatWaits(vscode, sim, hand);
  await theConversation();

  async function anEditOutOfSight() {
    sim.reply(proposal);
    sim.reply(text("Fixed once more."));
    await hand.ask("And now, unseen?");
    await vscode.statusItem.getByText("Patchbay: review 1").waitFor();
    await vscode.command(chatBar.toggle);
    await vscode.command("Patchbay: Accept All Changes");
    await hand.toTheEditor("src/discount.ts");
    await page
      .locator(`${editorOn("src/discount.ts")} .view-lines`)
      .getByText("line.quantity >= bulkQuantity")
      .waitFor();
    await vscode.command("Patchbay: Undo Edits of Last Turn…");
    await page.locator(".quick-input-widget").getByText("And now, unseen?").waitFor();
    await page.keyboard.press("Enter");
    await page
      .locator(`${editorOn("src/discount.ts")} .view-lines`)
      .getByText("line.quantity > bulkQuantity")
      .waitFor();
    await vscode.openChat();
    await says("Fixed once more.");
  }

  async function whatGoesAlong() {
    await vscode.command("Patchbay: New Conversation");
    await chat.getByRole("heading", { name: "Ask about your code" }).waitFor();
    await press(/^Add context/);
    await chat.getByRole("menuitem", { name: "Problems" }).click();
    await chip("Problems").waitFor();
    await hand.mention("price", /price\.ts/);
    await composer.evaluate(pastePicture);
    await chip("shot.png").click();
    await composer.evaluate(dropFile);
    await chip("notes.txt").waitFor();
    await hand.write("");
    await composer.pressSequentially("/exp");
    await suggestions.getByRole("option", { name: /explain/ }).click();
    await hand.write("What do these have in common?");
    await press(/^Model: K3/);
    await chat.getByRole("menuitemcheckbox", { name: /^Web search/ }).click();
    await press(/^Model: K3/);
    await chat.getByRole("menuitem", { name: /^Cache lifetime/ }).click();
    await chat.getByRole("menuitemradio", { name: /^1 hour/ }).click();
    await vscode.chooseModel("svc-k2.6");
    await press(/^Model: K2\.6$/);
    await chat.getByText("K2.6 doesn't support the dimmed options.").waitFor();
    await page.keyboard.press("Escape");
    await vscode.chooseModel("svc-k3");
    sim.reply(reasoning("**Comparing**\n\nBoth are about money."), text("Prices."));
    await hand.send();
    await says("Prices.");
    const sent = JSON.stringify(sim.requests.at(-1)?.body);
    assert.match(sent, /"ttl":"1h"/);
    assert.match(sent, /src\/price\.ts/);
    assert.match(sent, /Words of a file/);
    assert.doesNotMatch(sent, /web_search/);
    await transcript.getByRole("button", { name: /price\.ts/ }).click();
    await page.getByRole("tab", { name: "price.ts" }).waitFor();
  }

  async function theConversation() {
    await press("Find in conversation");
    await chat.getByRole("textbox", { name: "Find in conversation" }).fill("second answer");
    await press("Next match");
    await chat.getByText(/^1 of 1$/).waitFor();
    await press("Close");
    await press("Previous question");
    await transcript.locator("article:focus", { hasText: "Slowly, please." }).waitFor();
    await press("Next question");
    await transcript.locator("article:focus", { hasText: "And a second one?" }).waitFor();
    // The one menu for all of it is the view's own.
    const more = vscode.chatMore;
    const menu = (name: string, wanted: Locator) => chooseInMenu(() => more.click(), name, wanted);
    const copy = page.getByRole("menuitem", { name: "Copy Conversation as Markdown" });
    await attempt(async (timeout) => {
      if (!(await copy.isVisible())) await more.click({ timeout });
      await copy.hover({ timeout });
      await page.keyboard.press("Enter");
      await copied(/^# .*[\s\S]*The second answer\./, timeout);
    });
    await menu(
      "Export Conversation as Markdown…",
      quickInput.getByText("Without the model's reasoning").first(),
    );
    await page.keyboard.press("Escape");
    await press("What do these have in common?: rename");
    await chat.getByRole("textbox", { name: "Name of the conversation" }).fill("Prices");
    await page.keyboard.press("Enter");
    await press("Prices: rename");
    await page.keyboard.press("Escape");
    await menu(
      "Open Conversation in Editor",
      page.locator(".part.editor").getByRole("tab", { name: "Prices" }),
    );
  }
}
