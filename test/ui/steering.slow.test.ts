// A person who speaks while the model works, and goes back to before what was said, in the real editor.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { holdBefore } from "../sim/delivery-faults.ts";
import { call, patchCall, text } from "../sim/script.ts";
import { renamingTotal } from "./support/renaming-total.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "a message during a response reaches the model with its next step, and Rewind takes it back with the files",
  {},
  async (vscode, sim) => {
    const { chat, page, transcript, composer } = vscode;
    const cart = () => readFileSync(join(vscode.workspace, "src/cart.ts"), "utf8");
    await vscode.openChat();
    await vscode.setKey(sim.key);
    const held = holdBefore(8);
    sim.reply(text("I look at the file first."), call("read_file", { path: "src/cart.ts" }), held);
    sim.reply(patchCall(renamingTotal));
    sim.reply(text("So be it."));
    await composer.fill("Rename total in src/cart.ts.");
    await composer.press("Enter");
    await transcript.getByText("I look at").waitFor();
    for (const words of ["Keep the callers.", "And then a test?"]) {
      await composer.fill(words);
      await composer.press("Enter");
      await chat.getByRole("button", { name: `Remove from queue: ${words}` }).waitFor();
    }
    await chat.getByRole("button", { name: /^With the next step: And then a test/ }).click();
    await chat.getByRole("button", { name: /^After this response: And then a test/ }).waitFor();
    await vscode.screenshot("steering-queued");
    sim.reply(text("Later."));
    held.release();
    await transcript.getByRole("heading", { name: "You, while it worked" }).waitFor();
    await transcript.getByText("Later.").waitFor();
    await vscode.screenshot("steering-handed-over");
    await vscode.command("Patchbay: Accept All Changes");
    await transcript.getByText("Accepted").first().waitFor();
    assert.doesNotMatch(cart(), /function total/);
    const rewind = chat.getByRole("button", { name: "Rewind to before this question" }).first();
    await rewind.focus();
    await page.keyboard.press("Enter");
    await chat.getByText("Undoes accepted changes in: src/cart.ts").waitFor();
    await vscode.screenshot("rewind-asked");
    await chat.getByRole("button", { name: "Rewind", exact: true }).click();
    await transcript.getByText("So be it.").waitFor({ state: "detached" });
    assert.match(cart(), /function total/);
    assert.equal(await composer.inputValue(), "Rename total in src/cart.ts.\n\nKeep the callers.");
    await vscode.screenshot("rewind-done");
  },
);
