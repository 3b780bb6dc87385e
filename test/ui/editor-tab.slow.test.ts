// The conversation in the editor area and in a window of its own: it stays there while the chat view goes on with
// another one, and is still there after the window has been reloaded, or closed.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { encodeRecord } from "../../src/store/journal-records.ts";
import { text } from "../sim/script.ts";
import { insist, maxPatience } from "./support/insist.ts";
import { chatBar, createVsCode, type VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "a conversation in an editor tab stays there when the chat view opens another one, and survives a reload",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    await vscode.setKey(sim.key);
    await vscode.command(chatBar.toggle);
    await vscode.command("Patchbay: Open Conversation in Editor");
    const tabs = page.locator(".part.editor");
    await tabs.getByRole("tab", { name: "Patchbay" }).waitFor();
    sim.reply(text("A list of lines."));
    await vscode.ask("What is a cart?", "svc-k2.6");
    await vscode.transcript.getByText("A list of lines.").waitFor();
    const tab = tabs.getByRole("tab", { name: "What is a cart?" });
    await tab.waitFor();
    await vscode.screenshot("editor-tab");

    // Both show it, until the view goes on.
    const [inView, inTab] = [pageOf(vscode, chatBar.page), pageOf(vscode, `:not(${chatBar.page})`)];
    await vscode.command(chatBar.focus);
    await inView.getByRole("log").getByText("A list of lines.").waitFor();
    await inView.getByRole("textbox", { name: "Ask about your code" }).click();
    await vscode.command("Patchbay: New Conversation");
    await inView.getByRole("heading", { name: "Ask about your code" }).waitFor();
    sim.reply(text("What stands in a cart."));
    const box = inView.getByRole("textbox", { name: "Ask about your code" });
    // A heading for screen readers says the same, unseen.
    const asked = inView.getByRole("log").getByText("What is a line?").filter({ visible: true });
    await insist(async () => {
      await box.fill("What is a line?");
      await box.press("Enter");
      // Until it has left the box it is on its way: a second one would be asked, too.
      await box.and(page.locator(":placeholder-shown")).waitFor({ timeout: maxPatience });
    }, asked.first());
    await inView.getByRole("log").getByText("What stands in a cart.").waitFor();
    await inTab.getByRole("log").getByText("A list of lines.").waitFor();
    await vscode.screenshot("editor-tab-and-view");
    await inView.getByRole("button", { name: "Edit and resend" }).click();
    const rewrite = inView.getByRole("textbox", { name: "Edit the question" });
    await rewrite.fill("What is a row?");
    await vscode.reload();
    await tab.waitFor();
    await inTab.getByRole("log").getByText("A list of lines.").waitFor();
    await inView.getByRole("log").getByText("What stands in a cart.").waitFor();
    assert.equal(await rewrite.inputValue(), "What is a row?");
    await vscode.command(chatBar.toggle);
    await page.locator(ourPage).nth(1).waitFor({ state: "detached" });
    await vscode.transcript.getByText("A list of lines.").waitFor();

    await vscode.composer.fill("And what is a line?");
    await page.locator(".part.statusbar").getByText("≈").first().waitFor();
    const [second] = await Promise.all([
      page.context().waitForEvent("page"),
      vscode.command("Patchbay: Open Conversation in New Window"),
    ]);
    const there = createVsCode(second, vscode.workspace);
    await there.transcript.getByText("A list of lines.").waitFor();
    assert.equal(await there.composer.inputValue(), "And what is a line?");
    sim.reply(text("A name, a price and a quantity."));
    await there.composer.press("Enter");
    for (const { transcript } of [there, vscode])
      await transcript.getByText("A name, a price and a quantity.").waitFor();
    // What was in it is not lost with it. While the answer arrives, the status bar says an estimate of that.
    await vscode.statusItem.filter({ hasNotText: "≈" }).waitFor();
    await there.composer.fill("And a price?");
    await vscode.statusItem.getByText("≈").waitFor();
    await second.close({ runBeforeUnload: true });
    await vscode.reload();
    await vscode.transcript.getByText("A name, a price and a quantity.").waitFor();
    assert.equal(await vscode.composer.inputValue(), "And a price?");

    const putBack = writtenByNewerVersion(vscode.workspace);
    await vscode.reload();
    await vscode.chat
      .getByText("written by a newer version of Patchbay and can only be read here.")
      .waitFor();
    await vscode.transcript.getByText("A name, a price and a quantity.").waitFor();
    await vscode.ask("And a price?");
    await page.locator(".notification-toast", { hasText: "can only be read here." }).waitFor();
    // Nobody who comes to this window afterwards finds it so.
    putBack();
    await vscode.command("Patchbay: New Conversation");
  },
);

vscodeTest("Ctrl+F searches the editor again once the chat is hidden or closed", {}, async (vscode, sim) => {
  const { page } = vscode;
  await vscode.setKey(sim.key);
  await vscode.openFile("src/cart.ts");
  const isFound = page.locator(".find-widget.visible");
  const ours = page.locator(".quick-input-widget .monaco-list-row", { hasText: "Test API key" });
  const search = async () => {
    await page.locator(ourPage).waitFor({ state: "detached" });
    // What the editor hears of the extension from now on it hears after who has the keys.
    await vscode.command("Patchbay: Connection…");
    await ours.waitFor();
    await page.keyboard.press("Escape");
    await ours.waitFor({ state: "hidden" });
    const editor = page.locator('.monaco-editor[data-uri$="src/cart.ts"]');
    // Not on its first line: where the file was scrolled, a shadow lies upon it.
    await editor.click({ position: { x: 200, y: 200 } });
    await page.locator('.monaco-editor.focused[data-uri$="src/cart.ts"]').waitFor();
    await page.keyboard.press("Control+f");
    await isFound.waitFor();
    await page.keyboard.press("Escape");
    await isFound.waitFor({ state: "detached" });
  };
  await vscode.openChat();
  await vscode.composer.click();
  await vscode.composer.press(chatBar.key);
  await search();
  await vscode.command("Patchbay: Open Conversation in Editor");
  await vscode.composer.click();
  await vscode.composer.press("Control+w");
  await search();
});

/** The head of this conversation's journal, as a later version would write it. Answers the way back. */
function writtenByNewerVersion(workspace: string): () => void {
  const home = dirname(workspace);
  const names = readdirSync(home, { recursive: true, encoding: "utf8" });
  const journals = names.filter((name) => basename(name) === "log.jsonl").map((name) => join(home, name));
  const path = journals.find((journal) => readFileSync(journal, "utf8").includes("And what is a line?"));
  assert.ok(path !== undefined);
  const before = readFileSync(path, "utf8");
  const [first = "", ...rest] = before.split("\n");
  const { seq, crc: _, ...head } = JSON.parse(first);
  const newer = encodeRecord(seq, { ...head, version: 9 })
    .toString()
    .trimEnd();
  writeFileSync(path, [newer, ...rest].join("\n"));
  return () => writeFileSync(path, before);
}

const ourPage = 'iframe.webview.ready[src*="extensionId=patchbay.patchbay"]';

/** One of two pages of ours: that of the chat view, or the other. */
const pageOf = ({ page }: VsCode, where: string): FrameLocator =>
  page.frameLocator(`${where} > ${ourPage}`).frameLocator("iframe#active-frame");
