// From selected code to an answer and to an edit, as a person does it: what would go along is seen before it goes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { actionRow, openLightBulb } from "./support/light-bulb.ts";
import { showList } from "./support/tree.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "selected code is explained once what goes along was seen, and edited from the light bulb into the review",
  {},
  async (vscode, sim) => {
    const { page, transcript } = vscode;
    const file = join(vscode.workspace, "src/cart.ts");
    const before = readFileSync(file, "utf8");
    await vscode.openChat();
    await vscode.setKey(sim.key);
    const editor = await vscode.openFile("src/cart.ts");
    const selectLine = async () => {
      await editor.getByText("export function total").click();
      await page.keyboard.press("Home");
      await page.keyboard.press("Shift+ArrowDown");
    };
    await selectLine();

    await vscode.command("Patchbay: Explain");
    const list = page.locator(".quick-input-widget");
    await list.getByText("the code", { exact: false }).first().waitFor();
    assert.equal(sim.requests.length, 0);
    await vscode.screenshot("action list");
    sim.reply(text("It adds up the cart."));
    await page.keyboard.press("Enter");
    await transcript.getByText("It adds up the cart.").waitFor();
    await transcript.getByText("/explain src/cart.ts").filter({ visible: true }).first().waitFor();

    const edit = await openLightBulb(vscode, selectLine, actionRow(vscode, "Edit with Patchbay…"));
    await edit.click();
    await list.getByText("Sent along: src/cart.ts", { exact: false }).waitFor();
    await vscode.screenshot("action edit");
    const [line = ""] = before.split("\n").filter((each) => each.startsWith("export function total"));
    sim.reply(
      patchCall(
        [
          "*** Begin Patch",
          "*** Update File: src/cart.ts",
          "@@",
          "+// Adds up.",
          ` ${line}`,
          "*** End Patch",
          "",
        ].join("\n"),
      ),
    );
    sim.reply(text("Done."));
    await list.locator("input").fill("Say what it does");
    await page.keyboard.press("Enter");
    await vscode.statusItem.getByText("Patchbay: review 1").waitFor();
    assert.equal(readFileSync(file, "utf8"), before);
    const proposed = transcript.getByRole("group", { name: "Proposed", exact: true });
    await proposed.locator("[data-armed]").getByRole("button", { name: "Accept", exact: true }).click();
    await transcript.getByText("Done.").waitFor();
    await page.locator(".view-line").getByText("// Adds up.").first().waitFor();

    // The question is a conversation of the list, the edit is none until somebody goes on with it.
    const listed = (await showList(vscode, "Conversations")).getByRole("treeitem");
    await listed.filter({ hasText: "/explain src/cart.ts" }).waitFor();
    assert.equal(await listed.filter({ hasText: "Say what it does" }).count(), 0);
    await vscode.screenshot("action task");
    await page.getByRole("button", { name: "Continue in Chat" }).first().click();
    await listed.filter({ hasText: "Say what it does" }).getByText("open").waitFor();
    await page.getByRole("button", { name: "Continue in Chat" }).waitFor({ state: "detached" });
    await transcript.getByText("Accepted").first().waitFor();
  },
);
