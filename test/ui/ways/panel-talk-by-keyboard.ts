// The second half of it: the ways an answer can end, what goes along with a question, what waits, and the conversation
// as a whole.
import assert from "node:assert/strict";
import { status } from "../../sim/answers.ts";
import { cutAfterEvents, holdBefore, resetBeforeHeaders } from "../../sim/faults.ts";
import { failed, incomplete, refusal, text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import type { VsCode } from "../support/vscode.ts";
import { longQuestion, nothing } from "./panel-answers.ts";
import { createKeys } from "./panel-keys.ts";

export async function talkByKeyboard(vscode: VsCode, sim: Simulator): Promise<void> {
  const { page, chat, transcript } = vscode;
  const { keyboard } = page;
  const { press, pressUntil, box, toTheBox, toTheAnswer, ask, walk, choose, back, reads, says } =
    createKeys(vscode);
  const quickInput = page.locator(".quick-input-widget");

  await waysToEnd();
  await whatGoesAlong();
  await whatWaits();
  await theConversation();

  async function waysToEnd() {
    const act = async (name: string) => {
      await chat.getByRole("button", { name }).last().waitFor();
      await back(name);
    };
    sim.reply(text("Once upon"), incomplete());
    await ask("Tell me a tale.");
    sim.reply(text("a time"), incomplete());
    await act("Continue");
    await says("a time");
    sim.reply(text("there was a king who"), cutAfterEvents(8));
    await act("Raise the limit");
    sim.reply(failed("Out of tales."));
    await act("Retry");
    await says("The service could not finish the reply: Out of tales.");
    sim.reply(refusal("No more tales."));
    await act("Retry");
    await says("The model declined");
    sim.reply(nothing);
    await ask("Please.");
    await says("The service ended its answer without saying anything.");
    sim.reply(status(429, { retryAfter: 3600 }));
    await act("Retry");
    await says("The service asks to wait");
    sim.reply(status(429, { retryAfter: 30 }));
    await act("Retry");
    await says("Trying again in");
    await toTheBox();
    await press("Escape");
    await says("Stopped.");
    for (let times = 0; times < 3; times += 1) sim.fault(resetBeforeHeaders());
    await act("Retry");
    await says("Cannot reach");
    sim.reply(status(413));
    await act("Retry");
    await says("The request is too large for the service (413");
    await ask(longQuestion);
    await act("Keep as draft");
    await box.waitFor();
    sim.reply(text("That was long."));
    await press("Enter");
    await act("Send anyway");
    await says("That was long.");
    await back("Show all");
    await back("Go to the end");
  }

  async function whatGoesAlong() {
    await toTheBox();
    await keyboard.type("/cl");
    await chat.getByRole("option", { name: "/clear", selected: true }).waitFor();
    await press("Enter");
    await chat.getByRole("heading", { name: "Ask about your code" }).waitFor();
    await toTheBox();
    await keyboard.type("@prob");
    await chat.getByRole("option", { name: "Problems", selected: true }).waitFor();
    await press("Enter");
    await chat.getByRole("button", { name: "Remove Problems" }).waitFor();
    await keyboard.type("@price");
    await chat.getByRole("option", { name: /price\.ts/, selected: true }).waitFor();
    await press("Enter");
    await walk("Remove Problems", "Shift+Tab");
    await press("Delete");
    await chat.getByRole("button", { name: "Remove Problems" }).waitFor({ state: "detached" });
    await toTheBox();
    await choose(/^Web search/);
    await choose(/^Cache lifetime/);
    await press("End", "Enter");
    await choose(/^Model/, "Shift+Tab");
    await press("End", "Enter");
    await chat.getByRole("button", { name: "Model: K2.6" }).waitFor();
    await press("Enter", "Home", "Enter");
    await toTheBox();
    await press("Control+a");
    await keyboard.insertText("What is in it?");
    sim.reply(text("Prices."));
    await press("Enter");
    await says("Prices.");
    const sent = JSON.stringify(sim.requests.at(-1)?.body);
    assert.match(sent, /"ttl":"1h"/);
    assert.match(sent, /src\/price\.ts/);
    assert.doesNotMatch(sent, /web_search/);
    await back(/price\.ts/);
    await reads("formatPrice");
  }

  async function whatWaits() {
    const held = holdBefore(6);
    sim.reply(text("Held for a while, then told."), held);
    await ask("Slowly, please.");
    await says("Held");
    await ask("And a second one?");
    await ask("And a third one?");
    await chat.getByRole("button", { name: "Take back: And a third one?" }).waitFor();
    await choose("Take back: And a third one?", "Shift+Tab");
    await chat.getByRole("button", { name: "Take back: And a third one?" }).waitFor({ state: "detached" });
    sim.reply(text("The second answer."));
    held.release();
    await says("The second answer.");
    await toTheBox();
    await press("ArrowUp");
    assert.equal(await box.inputValue(), "And a second one?");
    await press("ArrowDown");
  }

  async function theConversation() {
    const turn = (question: string) => transcript.locator("article:focus", { hasText: question });
    await toTheAnswer();
    await pressUntil(turn("Slowly, please."), "Alt+PageUp");
    await pressUntil(turn("And a second one?"), "Alt+PageDown");
    await press("Control+f");
    await chat
      .getByRole("textbox", { name: "Find in the conversation" })
      .and(chat.locator(":focus"))
      .waitFor();
    await keyboard.insertText("answer");
    await chat.getByText(/^1 of 1$/).waitFor();
    await press("Enter", "Escape");
    await chat.getByRole("search").waitFor({ state: "hidden" });
    const menu = async (letter: string, key?: string) => {
      await choose("More actions", key);
      await press(letter, "Enter");
    };
    await menu("c", "Shift+Tab");
    await menu("e");
    await quickInput.getByText("Without the model's reasoning").first().waitFor();
    await quickInput.locator("input:focus").waitFor();
    await press("Escape");
    await toTheBox();
    await menu("r", "Shift+Tab");
    await chat
      .getByRole("textbox", { name: "Name of the conversation" })
      .and(chat.locator(":focus"))
      .waitFor();
    await keyboard.insertText("Prices");
    await press("Enter");
    await chat.getByRole("button", { name: "Prices: rename" }).and(chat.locator(":focus")).waitFor();
    await menu("o");
    await page
      .locator(".part.editor")
      .getByRole("tab", { name: /Patchbay/ })
      .waitFor();
  }
}
