// A long task by keyboard alone: Plan First, a question of the model, its plan, Go, and a question that is still open after
// a reload. Pictures of it for people are in .build/screenshots.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, patchCall, text } from "../sim/script.ts";
import { attempt } from "./support/insist.ts";
import { takePictures } from "./support/pictures.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const path = "src/cart.ts";
const anchor = "export interface Line {";
const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n+// A line of a cart.\n ${anchor}\n*** End Patch\n`;
const steps = (...statuses: readonly string[]) => ({
  steps: ["Read the cart", "Comment its types", "Say so in the README"].map((step, at) => ({
    ...{ step, status: statuses[at] ?? "pending" },
  })),
});

vscodeTest(
  "a person plans first, replies to a question, edits the plan and says Go by keyboard, and a question survives a reload",
  { size: { width: 1500, height: 900 } },
  async (vscode, sim) => {
    const { chat, composer, page, transcript, workspace } = vscode;
    const before = readFileSync(join(workspace, path), "utf8");
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await vscode.chooseModel("svc-k3");
    const first = chat.getByRole("group", { name: "Plan First" });
    const menu = chat.getByRole("menu", { name: "Model" });
    await attempt(async (timeout) => {
      if (!(await menu.isVisible()))
        await chat.getByRole("button", { name: /^Model: / }).press("Enter", { timeout });
      await menu.waitFor({ timeout });
    });
    // The last item but one; below it is Try 3 Ways.
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await first.waitFor();

    sim.reply(call("ask_user", { question: "How far should it go?", choices: ["Types", "All of it"] }));
    sim.reply(call("update_plan", steps("completed", "in_progress")), patchCall(patch));
    sim.reply(text("That is my plan."));
    await vscode.ask("Comment the cart.");
    const card = chat.getByRole("group", { name: "How far should it go?" });
    await card.locator("[data-armed]").waitFor();
    await vscode.screenshot("plan question");
    await card.getByRole("button", { name: "1. Types" }).focus();
    await page.keyboard.press("2");
    await transcript.getByText("That is my plan.").waitFor();
    await transcript.getByText("Your reply: All of it").waitFor();
    await transcript.getByText("nothing is written or run until the user presses Go").first().waitFor();
    assert.equal(readFileSync(join(workspace, path), "utf8"), before);

    for (const width of [300, 900]) {
      await vscode.resizePanel(width);
      await takePictures(vscode, ["light", "contrast", "dark"], (theme) => `plan-${width}-${theme}`);
    }

    await chat.getByRole("button", { name: /^Plan 1 of 3 done/ }).focus();
    for (const key of ["Tab", "ArrowDown", "ArrowDown", "F2"]) await page.keyboard.press(key);
    await chat.getByRole("textbox", { name: "Reword: Say so in the README" }).waitFor();
    // Its words are selected. Ctrl+A would come back from the workbench, after the first letters on a busy machine.
    await page.keyboard.type("Say so nowhere");
    await page.keyboard.press("Enter");
    await chat.getByRole("checkbox", { name: "Say so nowhere" }).waitFor();
    sim.reply(patchCall(patch, { callId: "after_go" }));
    sim.reply(text("Proposed."));
    await composer.focus();
    await page.keyboard.press("ControlOrMeta+Shift+Enter");
    await first.waitFor({ state: "hidden" });
    await transcript.getByText("Proposed.").waitFor();
    const told = JSON.stringify(sim.requests.at(-1)?.body["input"]);
    assert.match(told, /as the user has edited it.*Say so nowhere/);
    assert.match(told, /Go ahead with the plan\./);
    await vscode.statusItem.getByText("Patchbay: review 1").waitFor();

    sim.reply(call("ask_user", { question: "And the tests?", choices: ["Yes", "No"] }));
    await vscode.ask("Go on.");
    await chat.getByRole("group", { name: "And the tests?" }).waitFor();
    await vscode.reload();
    await vscode.openChat();
    const open = chat.getByRole("group", { name: "And the tests?" });
    await open.locator("[data-armed]").waitFor();
    await chat.getByRole("checkbox", { name: "Say so nowhere" }).waitFor();
    await vscode.screenshot("plan question after reload");
    sim.reply(text("Without tests, then."));
    await open.getByRole("button", { name: "1. Yes" }).focus();
    await page.keyboard.press("2");
    await transcript.getByText("Without tests, then.").waitFor();
    assert.match(
      JSON.stringify(sim.requests.at(-1)?.body["input"]),
      /has now answered your question:\]\\nNo/,
    );
  },
);
