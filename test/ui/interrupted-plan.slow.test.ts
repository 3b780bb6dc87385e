// A long plan that is interrupted by keyboard in its third step, edited, reloaded, gone on with, steered and brought to its
// end: nothing that was proposed, planned or said is lost on the way, and the model knows of all of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { holdBefore } from "../sim/delivery-faults.ts";
import { call, patchCall, text } from "../sim/script.ts";
import { attempt } from "./support/insist.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const names = [
  "Comment the line of a cart",
  "Comment the bulk rate",
  "Comment the total",
  "Say it in the README",
  "Rename the rate",
  "Write a test",
  "Look at it all again",
] as const;

/** All before the step of this number are done, and it is in progress. */
const planAt = (number: number, steps: readonly string[] = names) =>
  call("update_plan", {
    steps: steps.map((step, at) => ({
      step,
      status: at + 1 < number ? "completed" : at + 1 === number ? "in_progress" : "pending",
    })),
  });

const commented = (path: string, anchor: string, words: string) =>
  patchCall(`*** Begin Patch\n*** Update File: ${path}\n@@\n+// ${words}\n ${anchor}\n*** End Patch\n`);
const line = commented("src/cart.ts", "export interface Line {", "A line.");
const rate = commented("src/discount.ts", "const bulkRate = 0.1;", "The rate.");
const total = commented("src/cart.ts", "export function total(lines: Line[]): number {", "The total.");

vscodeTest(
  "a plan of seven steps is interrupted in its third, edited, reloaded, resumed and steered, and nothing is lost",
  { size: { width: 1500, height: 900 } },
  async (vscode, sim) => {
    const { chat, composer, page, transcript, workspace } = vscode;
    const files = ["src/cart.ts", "src/discount.ts"] as const;
    const onDisk = () => files.map((path) => readFileSync(join(workspace, path), "utf8"));
    const before = onDisk();
    const told = () => JSON.stringify(sim.requests.at(-1)?.body["input"]);
    const box = (name: string) => chat.getByRole("checkbox", { name });
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await vscode.chooseModel("svc-k3");

    const held = holdBefore(8);
    sim.reply(planAt(1), line);
    sim.reply(planAt(2), rate, planAt(3));
    sim.reply(
      text("Now the total, which is a longer matter: I look at its callers."),
      call("read_file", { path: "src/cart.ts" }),
      held,
    );
    await composer.fill("Comment the shop, step by step.");
    await composer.press("Enter");
    await transcript.getByText("Now the total").waitFor();
    await chat.getByRole("button", { name: /^Plan 2 of 7 done/ }).waitFor();
    await composer.fill("Short comments, please.");
    await composer.press("Enter");
    await chat.getByRole("button", { name: "Remove from queue: Short comments, please." }).waitFor();
    await vscode.screenshot("plan running");

    await composer.press("Escape");
    await transcript.getByText("Stopped", { exact: true }).waitFor();
    held.release();
    await chat.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "hidden" });
    await vscode.statusItem.getByText("Patchbay: review 2").waitFor();
    assert.deepEqual(onDisk(), before);
    await chat.getByRole("button", { name: "Remove from queue: Short comments, please." }).waitFor();

    // By keyboard: the fifth step in other words, the sixth away, a new one behind the others.
    await chat.getByRole("button", { name: /^Plan 2 of 7 done/ }).focus();
    for (const key of ["Tab", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "F2"])
      await page.keyboard.press(key);
    await chat.getByRole("textbox", { name: "Reword: Rename the rate" }).waitFor();
    // Its words are selected. Ctrl+A would come back from the workbench, after the first letters on a busy machine.
    await page.keyboard.type("Leave the rate its name");
    await page.keyboard.press("Enter");
    await box("Leave the rate its name").waitFor();
    await box("Write a test").focus();
    await page.keyboard.press("Delete");
    await box("Write a test").waitFor({ state: "detached" });
    const add = chat.getByRole("textbox", { name: "Add a step" });
    await add.fill("Tell me what is left");
    await add.press("Enter");
    await box("Tell me what is left").waitFor();
    await vscode.screenshot("plan interrupted and edited");

    await vscode.reload();
    await vscode.openChat();
    await box("Tell me what is left").waitFor();
    assert.equal(await box("Write a test").count(), 0);
    await vscode.statusItem.getByText("Patchbay: review 2").waitFor();
    await attempt(async () => assert.equal(await composer.inputValue(), "Short comments, please."));
    await vscode.screenshot("plan interrupted after reload");

    const mine = [...names.slice(0, 4), "Leave the rate its name", names[6], "Tell me what is left"];
    const later = holdBefore(8);
    sim.reply(text("The total has its comment."), planAt(3, mine), total, later);
    await composer.press("End");
    await composer.pressSequentially(" Go on.");
    await composer.press("Enter");
    await transcript.getByText("The total has").waitFor();
    const resumed = told();
    assert.match(resumed, /The user stopped this request before it was done\./);
    assert.match(
      resumed,
      /the plan, as the user has edited it.*Leave the rate its name.*Tell me what is left/,
    );
    assert.doesNotMatch(resumed.slice(resumed.indexOf("as the user has edited it")), /Write a test/);
    assert.match(resumed, /Short comments, please\. Go on\./);

    await composer.fill("And not a word in the README.");
    await composer.press("Enter");
    await chat.getByRole("button", { name: /^With the next step: And not a word/ }).waitFor();
    sim.reply(planAt(8, mine), text("All of it is proposed; the README is as it was."));
    sim.reply(text("Nothing is left."));
    later.release();
    await transcript.getByRole("heading", { name: "You, while it worked" }).waitFor();
    await transcript.getByText("Nothing is left.").waitFor();
    assert.match(told(), /And not a word in the README\./);
    assert.equal(told().split("as the user has edited it").length, 2, "the plan is told once");
    await chat.getByRole("button", { name: /^Plan 7 of 7 done/ }).waitFor();
    assert.deepEqual(onDisk(), before);
    await vscode.screenshot("plan done");

    await vscode.command("Patchbay: Accept All Changes");
    await vscode.statusItem.getByText("Patchbay: review").waitFor({ state: "hidden" });
    const [cart = "", discount = ""] = onDisk();
    assert.match(cart, /\/\/ A line\.\nexport interface Line/);
    assert.match(cart, /\/\/ The total\.\nexport function total/);
    assert.match(discount, /\/\/ The rate\.\nconst bulkRate/);
  },
);
