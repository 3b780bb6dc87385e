// One of several changes breaks a check: found by the person with one click, the others accepted as they passed, that one sent
// back with its output; in the chat and in the list.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { takePictures } from "./support/pictures.ts";
import { breakingProposal, pricedParts, pricedProject, setUpTypes } from "./support/priced-project.ts";
import { showList } from "./support/tree.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "what breaks a check is found, the rest accepted and that one sent back",
  {},
  async (vscode, sim) => {
    const { chat } = vscode;
    pricedProject(vscode.workspace);
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await setUpTypes(vscode);
    const tree = await showList(vscode, "Pending Changes");

    sim.reply(patchCall(breakingProposal));
    for (let round = 0; round < 2; round++) sim.reply(text("I leave it as it is."));
    await vscode.ask("Change the prices.", "svc-k3");
    const bar = chat.getByRole("region", { name: "Proposed changes" });
    const row = bar.getByRole("group", { name: "What breaks", exact: true });
    await tree.getByRole("treeitem", { name: /^Find What Breaks/ }).waitFor();
    await row.getByRole("button", { name: "Find What Breaks" }).waitFor();
    await vscode.screenshot("what breaks offered");
    await row.getByRole("button", { name: "Find What Breaks" }).press("Enter");
    await row.getByText(/^Run \d of at most 10: \d of 7 changes$/).waitFor();
    await vscode.screenshot("what breaks runs");
    await row.getByRole("button", { name: /^Breaks types: price\.ts:1$/ }).waitFor();
    await tree.getByRole("treeitem", { name: /^Accept 6 That Pass/ }).waitFor();
    await tree.getByRole("treeitem", { name: /^Send 1 Back/ }).waitFor();
    await takePictures(vscode, ["light", "dark"], (theme) => `what breaks found ${theme}`);
    await row.locator("[data-armed]").waitFor();
    await row.getByRole("button", { name: "Accept 6 That Pass" }).click();
    await tree.getByRole("treeitem", { name: /^Accept 6 That Pass/ }).waitFor({ state: "detached" });
    await vscode.screenshot("what breaks accepted");
    const read = (name: string) => readFileSync(join(vscode.workspace, "priced", `${name}.ts`), "utf8");
    for (const name of pricedParts) assert.match(read(name), /price\(4\)[\s\S]*"the /);
    assert.ok(!read("price").includes("rate"));

    sim.reply(text("I see what breaks."));
    await tree.getByRole("treeitem", { name: /^Send 1 Back/ }).click();
    await chat.getByText("I see what breaks.").waitFor();
    await vscode.screenshot("what breaks sent back");
    const sent = sim.requests.at(-1)?.raw.toString("utf8") ?? "";
    assert.match(sent, /these break a check:\\n- priced\/price\.ts:1\\n6 other proposed changes pass/);
    assert.match(sent, /TS2554/);
  },
);
