// The second half: the ways an answer can end, what goes along with a question, what waits, and the conversation as a
// whole.
import assert from "node:assert/strict";
import { status } from "../../sim/answers.ts";
import { cutAfterEvents, holdBefore, resetBeforeHeaders } from "../../sim/faults.ts";
import { failed, incomplete, refusal, text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import type { VsCode } from "../support/vscode.ts";
import { dropFile, longQuestion, nothing, pastePicture } from "./panel-answers.ts";
import { createMouse } from "./panel-mouse.ts";

export async function talkByMouse(vscode: VsCode, sim: Simulator): Promise<void> {
  const { page, chat, composer, transcript, ask } = vscode;
  const { click, says, copied } = createMouse(vscode);
  const quickInput = page.locator(".quick-input-widget");

  await waysToEnd();
  await whatGoesAlong();
  await whatWaits();
  await theConversation();

  async function waysToEnd() {
    sim.reply(text("Once upon"), incomplete());
    await ask("Tell me a tale.");
    await says("The answer reached the output limit.");
    sim.reply(text("a time"), incomplete());
    await click("Continue");
    await says("a time");
    sim.reply(text("there was a king who"), cutAfterEvents(8));
    await click("Raise the limit");
    await says("The connection ended before the reply was complete.");
    sim.reply(failed("Out of tales."));
    await click("Retry");
    await says("The service could not finish the reply: Out of tales.");
    sim.reply(refusal("No more tales."));
    await click("Retry");
    await says("The model declined");
    sim.reply(nothing);
    await ask("Please.");
    await says("The service ended its answer without saying anything.");
    sim.reply(status(429, { retryAfter: 3600 }));
    await click("Retry");
    await says("The service asks to wait");
    sim.reply(status(429, { retryAfter: 30 }));
    await click("Retry");
    await says("Trying again in");
    await click("Stop");
    await says("Stopped.");
    for (let times = 0; times < 3; times += 1) sim.fault(resetBeforeHeaders());
    await click("Retry");
    await says("Cannot reach");
    await transcript.getByRole("button", { name: "Check the connection" }).waitFor();
    sim.reply(status(413));
    await click("Retry");
    await says("The request is too large for the service (413");
    await composer.fill(longQuestion);
    await click("Send");
    await click("Keep as draft");
    await chat.getByRole("button", { name: "Keep as draft" }).waitFor({ state: "detached" });
    sim.reply(text("That was long."));
    await click("Send");
    await click("Send anyway");
    await says("That was long.");
    await click("Show all");
    await click("Go to the end");
  }

  async function whatGoesAlong() {
    const suggestions = chat.getByRole("listbox", { name: "Suggestions" });
    const chip = (name: string) => chat.getByRole("button", { name: `Remove ${name}` });
    await click("More actions");
    await chat.getByRole("menuitem", { name: "New conversation" }).click();
    await chat.getByRole("heading", { name: "Ask about your code" }).waitFor();
    await click(/^Attach/);
    await suggestions.getByText("Problems").click();
    await chip("Problems").waitFor();
    await composer.pressSequentially("@price");
    await suggestions.getByRole("option", { name: /price\.ts/ }).click();
    await composer.evaluate(pastePicture);
    await chip("shot.png").click();
    await composer.evaluate(dropFile);
    await chip("notes.txt").waitFor();
    await composer.fill("");
    await composer.pressSequentially("/exp");
    await suggestions.getByRole("option", { name: /explain/ }).click();
    await composer.fill("What do these have in common?");
    await click(/^Web search/);
    await click(/^Cache lifetime/);
    await chat.getByRole("option", { name: /^1 hour/ }).click();
    await vscode.chooseModel("svc-k2.6");
    await chat.getByRole("button", { name: /^Cache lifetime/ }).waitFor({ state: "hidden" });
    await vscode.chooseModel("svc-k3");
    sim.reply(text("Prices."));
    await click("Send");
    await says("Prices.");
    const sent = JSON.stringify(sim.requests.at(-1)?.body);
    assert.match(sent, /"ttl":"1h"/);
    assert.match(sent, /src\/price\.ts/);
    assert.match(sent, /Words of a file/);
    assert.doesNotMatch(sent, /web_search/);
    await transcript.getByRole("button", { name: /price\.ts/ }).click();
    await page.getByRole("tab", { name: "price.ts" }).waitFor();
  }

  async function whatWaits() {
    const held = holdBefore(6);
    sim.reply(text("Held for a while, then told."), held);
    await ask("Slowly, please.");
    await says("Held");
    for (const question of ["And a second one?", "And a third one?"]) {
      await composer.fill(question);
      await click("Send after this answer");
      await chat.getByRole("button", { name: `Take back: ${question}` }).waitFor();
    }
    await click("Take back: And a third one?");
    sim.reply(text("The second answer."));
    held.release();
    await says("The second answer.");
  }

  async function theConversation() {
    await click("Find in the conversation");
    await chat.getByRole("textbox", { name: "Find in the conversation" }).fill("answer");
    await click("Next match");
    await chat.getByText(/^1 of 1$/).waitFor();
    await click("Close");
    await click("Previous question");
    await transcript.locator("article:focus", { hasText: "Slowly, please." }).waitFor();
    await click("Next question");
    await transcript.locator("article:focus", { hasText: "And a second one?" }).waitFor();
    const menu = async (name: string) => {
      await click("More actions");
      await chat.getByRole("menuitem", { name }).click();
    };
    await menu("Copy all as Markdown");
    await chat.getByRole("button", { name: "More actions", expanded: false }).waitFor();
    await menu("Export…");
    await quickInput.getByText("Without the model's reasoning").first().waitFor();
    await page.keyboard.press("Escape");
    await click("What do these have in common?: rename");
    await chat.getByRole("textbox", { name: "Name of the conversation" }).fill("Prices");
    await page.keyboard.press("Enter");
    await click("Prices: rename");
    await page.keyboard.press("Escape");
    await copied(/^# .*[\s\S]*The second answer\./);
    await menu("Open in an editor");
    await page
      .locator(".part.editor")
      .getByRole("tab", { name: /Patchbay/ })
      .waitFor();
  }
}
