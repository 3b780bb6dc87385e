// The panel in the hand of somebody who uses the mouse, and keys for letters alone.
import { basename } from "node:path";
import type { VsCode } from "../support/vscode.ts";
import { editorOn, type Hand } from "./panel-hand.ts";

export interface Mouse extends Hand {
  /** Until the clipboard holds it: what copies does not tell when it is done. */
  copied(pattern: RegExp, timeout: number): Promise<void>;
}

export function createMouse(vscode: VsCode): Mouse {
  const { page, chat, transcript, composer } = vscode;
  // The whole name: while an answer still comes there is no “Send”, and “Edit and resend” must not be taken for it.
  const press = (name: string | RegExp) =>
    chat
      .getByRole("button", { name, exact: typeof name === "string" })
      .last()
      .click();
  const write = (question: string) => composer.fill(question);
  const reads = (words: string) =>
    page.locator(".monaco-editor .view-line", { hasText: words }).first().waitFor();
  return {
    press,
    pressBelow: press,
    pressAtCode: (name) => transcript.locator(".md-code").first().getByRole("button", { name }).click(),
    decide: (name) => chat.locator("[data-armed]").getByRole("button", { name, exact: true }).last().click(),
    unfold: (words) =>
      transcript.locator("summary, [aria-expanded]").filter({ hasText: words }).last().click(),
    async nearlyFollow(link, address) {
      await transcript.getByRole("link", { name: link }).click();
      const leave = page.getByRole("dialog");
      await leave.getByText(address).waitFor();
      await leave.getByRole("button", { name: "Cancel" }).click();
    },
    write,
    send: () => press("Send"),
    async ask(question) {
      await write(question);
      await press("Send");
    },
    async lineUp(question) {
      await write(question);
      await press("Queue message");
    },
    async mention(letters, name) {
      await composer.pressSequentially(`@${letters}`);
      await chat.getByRole("listbox", { name: "Suggestions" }).getByRole("option", { name }).click();
    },
    async askInOtherWords(question) {
      await transcript.getByRole("textbox").fill(question);
      await press("Send again");
    },
    stop: () => press("Stop"),
    async toTheEditor(path) {
      await page.locator(`.tab[data-resource-name="${basename(path)}"]`).click();
      await page.locator(`${editorOn(path)}.focused`).waitFor();
    },
    leaveTerminal: () => page.locator(".terminal.xterm").waitFor(),
    says: (words) => transcript.getByText(words).last().waitFor(),
    reads,
    readsInDiff: reads,
    async copied(pattern, timeout) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const holds = async (source: string) => new RegExp(source).test(await navigator.clipboard.readText());
      await page.waitForFunction(holds, pattern.source, { timeout });
    },
  };
}
