// Commands in the real editor, without a sandbox: the question with the exact line, the output while it arrives, the button that
// ends the command alone, what it changed as a proposal, and all of that after a reload.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, text } from "../sim/script.ts";
import { ledgerSettings } from "./support/ledger-settings.ts";
import { takePictures } from "./support/pictures.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const file = "src/discount.ts";

vscodeTest(
  "a command asks with its exact line, streams its output, can be stopped, and what it changes is proposed",
  { settings: { ...ledgerSettings, "patchbay.agent.tools": { run_command: "ask" } } },
  async (vscode, sim) => {
    const { chat, transcript } = vscode;
    const before = readFileSync(join(vscode.workspace, file), "utf8");
    await vscode.openChat();
    await vscode.setKey(sim.key);
    const line = `echo 'Formatting…'; sleep 1; echo '// formatted' >> ${file}; for i in 1 2 3 4 5 6; do echo "line $i of the output"; sleep 0.5; done`;
    sim.reply(call("run_command", { command: line }));
    sim.reply(call("run_command", { command: "echo waiting; sleep 300" }));
    sim.reply(text("The formatter ran; the other command was stopped."));
    await vscode.ask("Run the formatter.", "svc-k3");
    const rows = chat.locator(".part.tool");
    const allow = chat.getByRole("button", { name: "Allow", exact: true });
    // Where this machine has a sandbox, the folder is asked about instead.
    await chat.getByRole("group", { name: "Command line" }).getByText(line).waitFor();
    await vscode.screenshot("command asked");
    await allow.click();
    await rows.first().getByText("line 3 of the output").waitFor();
    await vscode.screenshot("command running");
    await rows.first().locator(".message", { hasText: "Exit code 0" }).waitFor();
    await chat.locator(".patch").getByText("discount.ts").first().waitFor();
    await allow.last().click();
    await rows.last().locator("details pre", { hasText: "waiting" }).waitFor();
    await chat.getByRole("button", { name: "Stop This Command" }).click();
    await transcript.getByText("You stopped this command.").waitFor();
    await transcript.getByText("The formatter ran; the other command was stopped.").waitFor();
    await takePictures(vscode, ["light", "dark"], (theme) => `commands done ${theme}`);
    const heard = sim.requests.at(-1)?.raw.toString("utf8") ?? "";
    assert.match(heard, /Proposed to the user:\\nM src\/discount\.ts/);
    assert.match(heard, /The user stopped this command\./);
    assert.equal(readFileSync(join(vscode.workspace, file), "utf8"), before, "nothing is written unasked");
    await vscode.reload();
    await chat.locator(".message", { hasText: "Exit code 0" }).waitFor();
    await chat.getByText("You stopped this command.").waitFor();
    assert.equal(await chat.getByRole("button", { name: "Stop This Command" }).count(), 0);
    await vscode.command("Patchbay: Accept All Changes");
    await vscode.statusItem.getByText("Patchbay: review").waitFor({ state: "hidden" });
    assert.equal(readFileSync(join(vscode.workspace, file), "utf8"), `${before}// formatted\n`);
  },
);
