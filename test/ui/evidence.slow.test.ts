// A claim of a response that facts speak against, in the real editor: first in the list of pending changes, and on the card of
// the change in the chat.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { showList } from "./support/tree.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const patch = `*** Begin Patch
*** Update File: claimed/price.ts
@@
-export const rate = 1;
+export const rate = 2;
*** End Patch`;

vscodeTest("a contradicted claim stands first in the list and on the card", {}, async (vscode, sim) => {
  const { chat } = vscode;
  mkdirSync(join(vscode.workspace, "claimed"));
  writeFileSync(join(vscode.workspace, "claimed/price.ts"), "export const rate = 1;\n");
  await vscode.openChat();
  await vscode.setKey(sim.key);
  const tree = await showList(vscode, "Pending Changes");
  // The window is shared: a call of another test may go on in this conversation.
  sim.reply(patchCall(patch, { callId: "call_evidence" }));
  sim.reply(text("I changed the rate and added a regression test. No other files were changed."));
  await vscode.ask("Double the rate.");
  const said = "The response says “added a regression test”. It changes no file of tests.";
  await chat.locator(".evidence .contradicted").getByText(said).waitFor();
  await tree.getByText(said).waitFor();
  const rows = await tree.getByRole("treeitem").allInnerTexts();
  assert.match(rows[1] ?? "", /^\s*The response says/);
  await vscode.screenshot("contradicted claim");
  // And what waits would hide what its status bar says.
  const bar = chat.getByRole("region", { name: "Proposed changes" });
  await bar.locator("[data-armed]").first().waitFor();
  await bar.getByRole("button", { name: "Reject", exact: true }).click();
  await tree.getByText(said).waitFor({ state: "detached" });
});
