// A claim of a response that facts speak against, in the real editor: first in the list of pending changes, and on the card of
// the change in the chat.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { ledgerSettings } from "./support/ledger-settings.ts";
import { showList } from "./support/tree.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const patch = `*** Begin Patch
*** Update File: claimed/price.ts
@@
-export const rate = 1;
+export const rate = 2;
*** End Patch`;

// A window of its own, since other tests go on in the conversation that they find.
const own = { settings: { ...ledgerSettings, "editor.minimap.enabled": false } };

vscodeTest("a contradicted claim stands first in the list and on the card", own, async (vscode, sim) => {
  const { chat } = vscode;
  mkdirSync(join(vscode.workspace, "claimed"));
  writeFileSync(join(vscode.workspace, "claimed/price.ts"), "export const rate = 1;\n");
  await vscode.openChat();
  await vscode.setKey(sim.key);
  const tree = await showList(vscode, "Pending Changes");
  sim.reply(patchCall(patch));
  sim.reply(text("I changed the rate and added a regression test. No other files were changed."));
  await vscode.ask("Double the rate.");
  const said = "The response says “added a regression test”. It changes no file of tests.";
  await chat.locator(".evidence .contradicted").getByText(said).waitFor();
  await tree.getByText(said).waitFor();
  const rows = await tree.getByRole("treeitem").allInnerTexts();
  assert.match(rows[1] ?? "", /^\s*The response says/);
  await vscode.screenshot("contradicted claim");
});
