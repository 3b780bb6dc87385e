// The conversation in the editor area and in a window of its own: the same one, and still there after the window has
// been reloaded, or closed.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { encodeRecord } from "../../src/core/store/record-line.ts";
import { text } from "../sim/script.ts";
import { createVsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "a conversation in an editor tab is the open one, and survives a reload",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    await vscode.setKey(sim.key);
    await vscode.command("View: Toggle Secondary Side Bar Visibility");
    await vscode.command("Patchbay: Open Conversation in Editor");
    const tab = page.locator(".part.editor").getByRole("tab", { name: "Patchbay" });
    await tab.waitFor();
    sim.reply(text("A list of lines."));
    await vscode.ask("What is a cart?", "svc-k2.6");
    await vscode.transcript.getByText("A list of lines.").waitFor();
    await vscode.screenshot("editor-tab");
    await vscode.reload();
    await tab.waitFor();
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
    // What was in it is not lost with it.
    await there.composer.fill("And a price?");
    await page.locator(".part.statusbar").getByText("≈").first().waitFor();
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
