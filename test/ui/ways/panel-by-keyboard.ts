// The way through the panel by keyboard alone: the scenes that both hands play, and what only keys do.
import assert from "node:assert/strict";
import { reasoning, text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import type { VsCode } from "../support/vscode.ts";
import { answers } from "./panel-answers-scenes.ts";
import { createKeys } from "./panel-keys.ts";
import { waysToEnd, whatIsRefused, whatWaits } from "./panel-talk-scenes.ts";

export async function throughThePanelByKeyboard(vscode: VsCode, sim: Simulator): Promise<void> {
  const { page, chat, transcript } = vscode;
  const { keyboard } = page;
  const keys = createKeys(vscode);
  const { hit, hitUntil, hitInTurns, box, toTheBox, toTheAnswer, walk, choose, press, mention, reads, says } =
    keys;

  // As in anybody's own browser: without it VS Code copies by way of a box that takes the focus along.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);

  await answers(vscode, sim, keys);
  await waysToEnd(vscode, sim, keys);
  await whatGoesAlong();
  await whatIsRefused(vscode, sim, keys);
  await whatWaits(vscode, sim, keys);
  await whatWasAsked();
  await theConversation();

  async function whatGoesAlong() {
    await toTheBox();
    await keyboard.type("/cl");
    await chat.getByRole("option", { name: "/clear", selected: true }).waitFor();
    await hit("Enter");
    await chat.getByRole("heading", { name: "Ask about your code" }).waitFor();
    await mention("prob", "Problems");
    await chat.getByRole("button", { name: "Remove Problems" }).waitFor();
    await mention("price", /price\.ts/);
    await walk("Remove Problems", "Shift+Tab");
    await hit("Delete");
    await chat.getByRole("button", { name: "Remove Problems" }).waitFor({ state: "detached" });
    await toTheBox();
    await choose(/^Model/);
    await hit("w", "Enter");
    await hit("Enter", "c", "Enter", "End", "Enter");
    await hit("Enter", "k", "k", "k", "Enter");
    await chat.getByRole("button", { name: "Model: K2.6" }).waitFor();
    await hit("Enter", "Home", "Enter");
    sim.reply(reasoning("**Reading**\n\nIt is about money."), text("Prices."));
    await keys.ask("What is in it?");
    await says("Prices.");
    const sent = JSON.stringify(sim.requests.at(-1)?.body);
    assert.match(sent, /"ttl":"1h"/);
    assert.match(sent, /src\/price\.ts/);
    assert.doesNotMatch(sent, /web_search/);
    await press(/price\.ts/);
    await reads("formatPrice");
  }

  async function whatWasAsked() {
    await toTheBox();
    await hit("ArrowUp");
    assert.equal(await box.inputValue(), "And a second one?");
    await hit("ArrowDown");
  }

  async function theConversation() {
    const turn = (question: string) => transcript.locator("article:focus", { hasText: question });
    await toTheAnswer();
    await hitUntil(turn("Slowly, please."), "Alt+PageUp");
    await hitUntil(turn("And a second one?"), "Alt+PageDown");
    const find = chat.getByRole("textbox", { name: "Find in conversation" });
    await toTheBox();
    // Until the editor has heard that the focus is in the panel, the key is for the file.
    await hitInTurns(find.and(chat.locator(":focus")), toTheBox, "Control+f");
    await keyboard.insertText("second answer");
    await chat.getByText(/^1 of 1$/).waitFor();
    await hit("Enter", "Escape");
    await chat.getByRole("search").waitFor({ state: "hidden" });
    await toTheAnswer();
    await choose(/: rename$/, "Shift+Tab");
    await chat
      .getByRole("textbox", { name: "Name of the conversation" })
      .and(chat.locator(":focus"))
      .waitFor();
    await keyboard.insertText("Prices");
    await hit("Enter");
    await chat.getByRole("button", { name: "Prices: rename" }).and(chat.locator(":focus")).waitFor();
    await vscode.command("Patchbay: Open Conversation in Editor");
    await page.locator(".part.editor").getByRole("tab", { name: "Prices" }).waitFor();
  }
}
