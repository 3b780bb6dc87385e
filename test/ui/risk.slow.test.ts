// A review that begins with what deserves a look.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { showList } from "./support/tree.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest("a weakened test comes first and is marked in list, title and thread", {}, async (vscode, sim) => {
  const { page } = vscode;
  const tests = readFileSync(join(vscode.workspace, "test/cart.test.ts"), "utf8").split("\n");
  const at = tests.findIndex((line) => /^\s*(?:assert|expect)\b/.test(line));
  assert.ok(at > 0);
  const code = readFileSync(join(vscode.workspace, "src/cart.ts"), "utf8").split("\n");
  const patch = [
    ...[
      "*** Begin Patch",
      "*** Update File: src/cart.ts",
      "@@",
      ` ${code[0]}`,
      "+// counted anew",
      ` ${code[1]}`,
    ],
    ...["*** Update File: test/cart.test.ts", "@@", `-${tests[at]}`, `+  // ${tests[at]?.trim()}`],
    ...["*** End Patch", ""],
  ].join("\n");
  const tree = await showList(vscode, "Pending Changes");
  await vscode.openChat();
  await vscode.setKey(sim.key);
  sim.reply(patchCall(patch));
  sim.reply(text("Done."));
  await vscode.ask("Mend src/cart.ts.", "svc-k3");
  await vscode.statusItem.getByText("Patchbay: review 2").waitFor();
  await vscode.command("Patchbay: Go to Pending Changes");
  const rows = tree.getByRole("treeitem");
  for (const hasText of ["test weakened", "counted anew"]) await rows.filter({ hasText }).first().waitFor();
  const said = await rows.allTextContents();
  const first = said.findIndex((row) => row.includes("cart.test.ts"));
  assert.ok(first >= 0 && first < said.findIndex((row) => row.includes("counted anew")), said.join("\n"));
  await vscode.screenshot("risk tree");
  await vscode.command("Patchbay: Review All Changes");
  await page.getByRole("tab", { name: /2 proposed changes · 1 test weakened/ }).waitFor();
  await page
    .locator(".review-widget")
    .getByText(/test weakened/)
    .first()
    .waitFor();
  await vscode.screenshot("risk review");
});
