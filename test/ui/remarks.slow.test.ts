// Remarks about a proposal in the real window: written below two changes, by key and by button, and sent together from
// the chat.
import assert from "node:assert/strict";
import { patchCall, text } from "../sim/script.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const path = "src/cart.ts";
const anchors = ["export interface Line {", "export function total(lines: Line[]): number {"];

vscodeTest(
  "remarks below two changes are kept by key and by button, counted in the chat, and sent as one question",
  {},
  async (vscode, sim) => {
    const { page, chat, transcript } = vscode;
    const hunks = anchors.flatMap((anchor, at) => ["@@", `+// comment ${at + 1}`, ` ${anchor}`]);
    const patch = ["*** Begin Patch", `*** Update File: ${path}`, ...hunks, "*** End Patch", ""].join("\n");
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(patchCall(patch));
    sim.reply(text("Done."));
    await vscode.ask("Comment it.", "svc-k3");
    await vscode.statusItem.getByText("Patchbay: review 2").waitFor();
    await vscode.openFile(path);
    const threads = page.locator(".review-widget").filter({ hasText: "// comment" });
    // A thread that is drawn anew comes last.
    const write = async (number: number, words: string) => {
      const thread = threads.filter({ hasText: `// comment ${number}` });
      await thread.getByRole("button", { name: "Ask…" }).click();
      await thread.locator(".monaco-editor.focused").first().waitFor();
      await page.keyboard.type(words);
    };
    await write(1, "Say what a line is.");
    await vscode.screenshot("remarks box");
    await page.keyboard.press("Alt+Enter");
    await threads.getByText("Say what a line is.").waitFor();
    await chat.getByRole("button", { name: "1 remark not sent" }).waitFor();
    await write(2, "In words, please.");
    await threads.getByRole("button", { name: "Save Remark" }).click();
    await chat.getByRole("button", { name: "2 remarks not sent" }).waitFor();
    await threads.getByText("In words, please.").waitFor();
    await vscode.screenshot("remarks kept");
    for (const number of [1, 2])
      await threads
        .filter({ hasText: `// comment ${number}` })
        .getByRole("button", { name: "Send Remarks" })
        .waitFor();
    await chat.getByRole("button", { name: "2 remarks not sent" }).press("Enter");
    const list = page.locator(".quick-input-widget");
    await list.getByText("Send 2 Remarks").waitFor();
    await vscode.screenshot("remarks list");
    await page.keyboard.press("Escape");
    sim.reply(text("Both are reworded."));
    await chat.getByRole("button", { name: "Send 2 Remarks" }).press("Enter");
    await transcript.getByText("Both are reworded.").waitFor();
    await vscode.screenshot("remarks sent");
    const sent = JSON.stringify(sim.requests.at(-1)?.body["input"]);
    for (const words of ["Say what a line is.", "In words, please.", "+// comment 2", `${path}:`])
      assert.ok(sent.includes(words), words);
    await chat.getByRole("button", { name: "2 remarks not sent" }).waitFor({ state: "hidden" });
  },
);
