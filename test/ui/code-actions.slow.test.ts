// From selected code to an answer and to an edit, as a person does it: what would go along is seen before it goes.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { holdBefore } from "../sim/delivery-faults.ts";
import { patchCall, text } from "../sim/script.ts";
import { asked } from "./support/asked.ts";
import { actionRow, openLightBulb } from "./support/light-bulb.ts";
import { pressInNotification } from "./support/notification.ts";
import { takePictures } from "./support/pictures.ts";
import { pressOn, showList } from "./support/tree.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "selected code is explained in the chat, and an edit of it is requested, refined and accepted in place",
  {},
  async (vscode, sim) => {
    const { page, transcript } = vscode;
    const { keyboard } = page;
    const path = join(vscode.workspace, "src/cart.ts");
    const before = readFileSync(path, "utf8");
    const [line = ""] = before.split("\n").filter((each) => each.startsWith("export function total"));
    const patch = (...lines: readonly string[]) =>
      patchCall(
        ["*** Begin Patch", "*** Update File: src/cart.ts", "@@", ...lines, "*** End Patch", ""].join("\n"),
      );
    await vscode.openChat();
    await vscode.setKey(sim.key);
    const editor = await vscode.openFile("src/cart.ts");
    const selectLine = async () => {
      await editor.getByText("export function total").click();
      await keyboard.press("Home");
      await keyboard.press("Shift+ArrowDown");
    };
    await selectLine();
    sim.reply(text("It adds up the cart."));
    await vscode.command("Patchbay: Explain");
    await transcript.getByText("It adds up the cart.").waitFor();
    await transcript.getByText("Explain cart.ts:").filter({ visible: true }).first().waitFor();
    const thread = page.locator(".review-widget");
    /** What is asked for words, once it has the focus. */
    const box = page.locator(".review-widget .monaco-editor.focused").first();
    const shown = (words: string | RegExp) => thread.filter({ hasText: words }).first().waitFor();

    const edit = await openLightBulb(vscode, selectLine, actionRow(vscode, "Edit with Patchbay…"));
    // In the oldest VS Code a new list takes no click before the pointer has moved.
    await edit.hover({ force: true });
    await edit.click();
    await box.waitFor();
    await shown(/selection.*≈\d+/);
    await vscode.screenshot("edit here");
    await keyboard.press("Escape");
    await thread.waitFor({ state: "detached" });
    assert.equal(asked(sim).length, 1, "who leaves the box has sent nothing");

    await selectLine();
    await keyboard.press("Control+K");
    await keyboard.press("Control+E");
    await box.waitFor();
    await shown(/selection.*≈\d+/);
    const held = holdBefore(2);
    sim.reply(patch("+// Adds up.", ` ${line}`), held);
    sim.reply(text("It says so now."));
    await keyboard.type("Say what it does");
    await keyboard.press("Enter");
    // Whoever has asked goes on in the file.
    await shown("Working…");
    const file = page.locator('.monaco-editor.focused[data-uri$="/src/cart.ts"]');
    await file.waitFor();
    held.release();
    // The third key would accept it already: the diff stands in the place of the file, with the cursor on the change.
    const diff = page.locator('.monaco-editor.focused[data-uri^="patchbay-review"]');
    await diff.getByText("// Adds up.").first().waitFor();
    assert.equal(await page.locator(".editor-group-container").count(), 1);
    await vscode.statusItem.getByText("Patchbay: review 1").waitFor();
    await vscode.screenshot("edit here in place");
    await thread.getByRole("button", { name: "Show Response" }).click();
    await shown("It says so now.");
    // Only the question, what was selected with its surroundings and what is always there went to the service.
    const sent = JSON.stringify(asked(sim)[1]?.body["input"]);
    assert.match(sent, /Say what it does/);
    assert.ok(sent.includes(line), sent);
    assert.doesNotMatch(sent, /discount\.ts"|export function bulkDiscount|corner-shop/);
    await takePictures(vscode, ["light", "contrast", "dark"], (theme) => `edit here proposed ${theme}`);
    assert.equal(readFileSync(path, "utf8"), before);
    assert.equal(await transcript.getByText("Say what it does").count(), 0, "the chat is left alone");

    sim.reply(patch("-// Adds up.", "+// Adds up all lines.", ` ${line}`));
    sim.reply(text("All lines, then."));
    await thread.getByRole("button", { name: "Ask…" }).click();
    await box.waitFor();
    await keyboard.type("Say that it is all lines");
    // In a box the keys that decide are the box's own.
    await keyboard.press("Control+Shift+Backspace");
    await box.getByText("Say that it is all lines").waitFor();
    await keyboard.press("Control+Enter");
    await page.locator(".view-line").getByText("// Adds up all lines.").first().waitFor();
    await shown("All lines, then.");
    await thread.getByRole("button", { name: "Show Revision" }).waitFor();
    await vscode.screenshot("edit here revised");
    // Without a click: the cursor is on the change still.
    await diff.waitFor();
    await keyboard.press("Control+Enter");
    await page.locator(".statusbar").getByText("Accepted. Nothing left to review.").waitFor();
    await file.getByText("// Adds up all lines.").first().waitFor();
    await thread.waitFor({ state: "detached" });

    // A new file alone: the key accepts it, and puts no line into the file of the question.
    const mine = readFileSync(path, "utf8");
    const added = [
      "*** Begin Patch",
      "*** Add File: src/empty.ts",
      "+export const empty = [];",
      "*** End Patch",
    ];
    sim.reply(patchCall(`${added.join("\n")}\n`));
    sim.reply(text("A file of its own."));
    await keyboard.press("Control+K");
    await keyboard.press("Control+E");
    await box.waitFor();
    await keyboard.type("Put an empty cart into a file");
    await keyboard.press("Enter");
    await diff.getByText("export const empty").first().waitFor();
    await vscode.screenshot("edit here new file");
    await keyboard.press("Control+Enter");
    await page.locator(".statusbar").getByText("Accepted. Nothing left to review.").waitFor();
    await file.waitFor();
    assert.equal(readFileSync(join(vscode.workspace, "src/empty.ts"), "utf8"), "export const empty = [];\n");
    assert.equal(readFileSync(path, "utf8"), mine);
    rmSync(join(vscode.workspace, "src/empty.ts"));

    // Several changes of the file: one key accepts them, so that an edit is three interactions however many it has.
    sim.reply(
      patch("+// First.", ' import { bulkDiscount } from "./discount";', "@@", "+// Last.", ` ${line}`),
    );
    sim.reply(text("At both places."));
    await keyboard.press("Control+K");
    await keyboard.press("Control+E");
    await box.waitFor();
    await keyboard.type("Mark both places");
    await keyboard.press("Enter");
    await diff.getByText("// First.").first().waitFor();
    await vscode.screenshot("edit here two changes");
    await keyboard.press("Control+Shift+Enter");
    await page.locator(".statusbar").getByText("Accepted. Nothing left to review.").waitFor();
    await file.getByText("// Last.").first().waitFor();
    await file.getByText("// First.").first().waitFor();

    // The first question is a conversation of the list, and so is an edit that somebody has gone on with.
    const listed = (await showList(vscode, "Conversations")).getByRole("treeitem");
    await listed.filter({ hasText: "Explain cart.ts:" }).waitFor();
    await listed.filter({ hasText: "Say what it does" }).waitFor();
  },
);

vscodeTest(
  "review findings appear at their lines and in the list, and can be fixed or dismissed there",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    await vscode.openChat();
    await vscode.setKey(sim.key);
    const lines = readFileSync(join(vscode.workspace, "src/cart.ts"), "utf8").split("\n");
    const found = [
      {
        ...{ file: "src/cart.ts", line: 10, lastLine: 16, severity: "warning", code: lines[9] },
        title: "Empty cart looks free",
        reason: "An empty cart and one that is free cannot be told apart.",
        suggestion: "Return undefined where there are no lines.",
      },
      {
        ...{ file: "src/cart.ts", line: 20, lastLine: 20, severity: "error", code: lines[19] },
        title: "Total counted twice",
        reason: "The total is counted twice.",
      },
    ];
    await vscode.openFile("src/cart.ts");
    sim.reply(text(`\`\`\`json\n${JSON.stringify(found)}\n\`\`\``));
    await vscode.command("Patchbay: Review…");
    await page.locator(".quick-input-widget").getByText("This File").click();
    const thread = page.locator(".review-widget");
    await thread.filter({ hasText: "An empty cart and one that is free" }).waitFor();
    await pressInNotification(vscode, "Show Findings");
    const tree = await showList(vscode, "Findings");
    const rows = tree.getByRole("treeitem");
    await rows.filter({ hasText: "Total counted twice" }).waitFor();
    await vscode.screenshot("findings");
    sim.reply(text("It is counted once."));
    await thread
      .filter({ hasText: "An empty cart" })
      .getByRole("button", { name: "Fix", exact: true })
      .click();
    await thread.filter({ hasText: "It is counted once." }).first().waitFor();
    const sent = JSON.stringify(asked(sim).at(-1)?.body["input"]);
    assert.match(sent, /An empty cart and one that is free cannot be told apart/);

    // A fix that is accepted resolves the finding, and its Undo opens it again.
    const patched = ["@@", `-${lines[19]}`, `+${lines[19]?.replace("Total", "Sum")}`];
    sim.reply(
      patchCall(
        ["*** Begin Patch", "*** Update File: src/cart.ts", ...patched, "*** End Patch", ""].join("\n"),
      ),
    );
    sim.reply(text("Once, then."));
    const wrong = thread.filter({ hasText: "The total is counted twice." });
    // The threads above may have pushed it out of sight.
    await rows.filter({ hasText: "Total counted twice" }).click();
    await wrong.getByRole("button", { name: "Fix", exact: true }).click();
    await page.locator('.monaco-editor.focused[data-uri^="patchbay-review"]').waitFor();
    await page.keyboard.press("Control+Enter");
    const resolved = rows.filter({ hasText: /^Resolved/ });
    await resolved.waitFor();
    await wrong.waitFor({ state: "detached" });
    await vscode.screenshot("finding resolved");
    await page.locator('.monaco-editor.focused[data-uri$="/src/cart.ts"]').waitFor();
    await page.keyboard.press("Control+Z");
    await wrong.first().waitFor();
    await resolved.waitFor({ state: "detached" });
    await pressOn(rows.filter({ hasText: "counted twice" }), "Dismiss");
    await rows.filter({ hasText: "counted twice" }).waitFor({ state: "detached" });
  },
);

vscodeTest(
  "Explain says that it began a new conversation, and Go Back returns to the previous one",
  {},
  async (vscode, sim) => {
    const { page, transcript, chat } = vscode;
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(text("A cart is a list."));
    await vscode.ask("What is a cart?", "svc-k3");
    await transcript.getByText("A cart is a list.").waitFor();
    const editor = await vscode.openFile("src/cart.ts");
    await editor.getByText("export function total").click();
    await page.keyboard.press("Shift+ArrowDown");
    sim.reply(text("It adds up the cart."));
    await vscode.command("Patchbay: Explain");
    await transcript.getByText("It adds up the cart.").waitFor();
    await chat.getByText("New conversation for this question. Previous: “What is a cart?”").first().waitFor();
    await vscode.screenshot("explain goes back");
    await chat.getByRole("button", { name: "Go Back" }).click();
    await transcript.getByText("A cart is a list.").waitFor();
    await chat.getByRole("button", { name: "Go Back" }).waitFor({ state: "detached" });
  },
);
