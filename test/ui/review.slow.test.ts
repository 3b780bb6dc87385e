// From a proposed edit to the changed file, as a person does it: list, diffs, the real file; with the mouse, and by keyboard
// alone. What was written is read from the disk.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import type { Simulator } from "../sim/simulator.ts";
import { enterDiffOfAll } from "./support/diff-of-all.ts";
import { attempt, holds, insist, until } from "./support/insist.ts";
import { showList } from "./support/tree.ts";
import { isOldest, type VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const path = "src/cart.ts";
const onDisk = ({ workspace }: VsCode) => readFileSync(join(workspace, path), "utf8");
const linesOf = (content: string) => content.split("\n");

/** Below which rows of the file a comment comes: far apart. */
const rowsOf = (content: string) => [2, Math.floor(linesOf(content).length / 2), linesOf(content).length - 3];

function threeComments(content: string): string {
  const rows = linesOf(content);
  const hunks = rowsOf(content).flatMap((row, number) => [
    ...["@@", ` ${rows[row - 1]}`, ` ${rows[row]}`],
    ...[`+// comment ${number + 1}`, ` ${rows[row + 1]}`],
  ]);
  return ["*** Begin Patch", `*** Update File: ${path}`, ...hunks, "*** End Patch", ""].join("\n");
}

/** The file with these of the comments. */
function withComments(content: string, ...numbers: number[]): string {
  const rows = rowsOf(content);
  return linesOf(content)
    .flatMap((line, at) => {
      const number = rows.indexOf(at) + 1;
      return numbers.includes(number) ? [line, `// comment ${number}`] : [line];
    })
    .join("\n");
}

async function propose(vscode: VsCode, sim: Simulator): Promise<void> {
  await vscode.openChat();
  await vscode.setKey(sim.key);
  sim.reply(patchCall(threeComments(onDisk(vscode))));
  sim.reply(text("Done."));
  await vscode.ask("Comment it.", "svc-k3");
  await vscode.statusItem.getByText("Patchbay: review 3").waitFor();
}

vscodeTest(
  "the review accepts two of three changes by diff, buttons and bar, and Undo reverts them",
  { packedToo: true },
  async (vscode, sim) => {
    const { page } = vscode;
    const before = onDisk(vscode);
    const tree = await showList(vscode, "Pending Changes");
    const row = (name: RegExp) => tree.getByRole("treeitem", { name });
    const lines = page.locator(".view-line");
    await propose(vscode, sim);
    await vscode.openFile(path);

    await vscode.command("Patchbay: Go to Pending Changes");
    await row(/comment 2/).waitFor();
    await vscode.screenshot("review tree");
    await insist(() => row(/comment 2/).click(), page.getByRole("tab", { name: /cart\.ts \(proposed\)/ }));
    await lines.getByText("// comment 2").first().waitFor();
    await vscode.screenshot("review diff");

    // In the diff of all files, from its own title bar.
    await vscode.command("Patchbay: Review All Changes");
    await page.getByRole("tab", { name: /\d proposed changes?\b.* \(\d/ }).waitFor();
    const proposed = page.locator('.monaco-editor[data-uri^="patchbay-review"]');
    await proposed.getByText("// comment 1").first().click();
    await page
      .locator(".editor-group-container.active")
      .getByRole("button", { name: "Accept Change" })
      .click();
    await row(/comment 1/).waitFor({ state: "detached" });
    // What is decided waits no more, wherever it is counted, and is in the file.
    await vscode.statusItem.getByText("Patchbay: review 2").waitFor();
    await page.getByRole("tab", { name: /2 changes to review/ }).waitFor();
    await vscode.transcript.getByRole("group", { name: "Proposed", exact: true }).waitFor();
    await vscode.screenshot("review multi diff");
    assert.equal(onDisk(vscode), withComments(before, 1));

    // In the real file, from the buttons below a change.
    await vscode.command("View: Close All Editors");
    await vscode.command("Patchbay: Next Change");
    const reject = page.locator(".review-widget").getByRole("button", { name: "Reject", exact: true });
    await reject.first().waitFor();
    await vscode.screenshot("review inline");
    await reject.first().click();
    await row(/comment 2/).waitFor({ state: "detached" });
    assert.equal(onDisk(vscode), withComments(before, 1));
    // The rest from the bar above the box.
    const bar = vscode.chat.getByRole("region", { name: "Proposed changes" });
    await bar.locator("[data-armed]").getByRole("button", { name: "Accept", exact: true }).click();
    await bar.waitFor({ state: "hidden" });
    await vscode.transcript.getByRole("group", { name: "Partly accepted" }).waitFor();
    assert.equal(onDisk(vscode), withComments(before, 1, 3));
    await vscode.openFile(path);
    await vscode.screenshot("review accepted");
    for (const comment of ["// comment 3", "// comment 1"]) {
      await page.keyboard.press("Control+z");
      await lines.getByText(comment).waitFor({ state: "detached" });
    }
    await vscode.save();
    await holds(vscode, path, before);
    await vscode.transcript.getByRole("group", { name: "Undone" }).waitFor();
  },
);

vscodeTest(
  "the review works by keyboard alone, in the list and in the diff of all files, and so does Undo",
  { packedToo: true },
  async (vscode, sim) => {
    const { page } = vscode;
    const { keyboard } = page;
    const before = onDisk(vscode);
    const quickInput = page.locator(".quick-input-widget");
    const tree = await showList(vscode, "Pending Changes");
    const row = (name: RegExp) => tree.getByRole("treeitem", { name });
    const command = async (title: string) => {
      // A palette that was opened too early closes when the one before it gives the focus back.
      await attempt(async (timeout) => {
        await keyboard.press("F1");
        await quickInput.locator('input[type="text"]').fill(`>${title}`, { timeout });
        await quickInput.locator(".monaco-list-row.focused", { hasText: title }).waitFor({ timeout });
      });
      await keyboard.press("Enter");
    };
    const on = (hasText: string) => page.locator(".monaco-list:focus .monaco-list-row.focused", { hasText });

    await propose(vscode, sim);
    await vscode.openFile(path);

    // The list: along its rows by arrow keys; nothing opens or takes the focus, and one is rejected where it stands.
    await command("Patchbay: Go to Pending Changes");
    await on("comment 1").waitFor();
    await keyboard.press("ArrowDown");
    await on("comment 2").waitFor();
    await keyboard.press("Control+Shift+Backspace");
    await row(/comment 2/).waitFor({ state: "detached" });
    await row(/comment 3/).waitFor();

    // The diff of all files: one change by key, and the cursor is at the next one.
    await command("Patchbay: Review All Changes");
    await enterDiffOfAll(vscode);
    // In VS Code 1.104 the status bar knows no cursor of this diff.
    const numbers = page.locator(".monaco-editor.focused .active-line-number");
    const cursorAt = (line: number) => numbers.and(page.getByText(`${line}`, { exact: true })).waitFor();
    const [first = 0, , third = 0] = rowsOf(before);
    // VS Code 1.104 leaves the cursor in the first line, from which this change is the nearest.
    await cursorAt(isOldest ? 1 : first + 2);
    await keyboard.press("Control+Enter");
    await row(/comment 1/).waitFor({ state: "detached" });
    await cursorAt(third + 3);
    await vscode.screenshot("review by keyboard");
    await command("Patchbay: Accept All Changes");
    await row(/comment 3/).waitFor({ state: "detached" });
    assert.equal(onDisk(vscode), withComments(before, 1, 3));
    sim.reply(text("I see."));
    await vscode.ask("And now?");
    await vscode.transcript.getByText("I see.").waitFor();
    assert.match(
      JSON.stringify(sim.requests.at(-1)?.body["input"]),
      /src\/cart\.ts#1, src\/cart\.ts#3 was accepted and is in the files; src\/cart\.ts#2 was rejected/,
    );
    await vscode.openFile(path);
    for (const comment of ["// comment 3", "// comment 1"]) {
      await keyboard.press("Control+z");
      await page.locator(".view-line").getByText(comment).waitFor({ state: "detached" });
    }
    await vscode.save();
    await holds(vscode, path, before);
  },
);

vscodeTest(
  "VS Code's Refactor Preview applies exactly the changes ticked by keyboard",
  { packedToo: true },
  async (vscode, sim) => {
    const { page } = vscode;
    const before = onDisk(vscode);
    await propose(vscode, sim);
    await vscode.command("Patchbay: Review in Refactor Preview");
    const list = page.locator(".bulk-edit-panel .monaco-list");
    const row = (hasText: string) => list.locator(".monaco-list-row", { hasText });
    const focused = (hasText: string) => list.locator(".monaco-list-row.focused", { hasText });
    // In VS Code 1.104 it is a box of the browser's own.
    const ticked = '.edit-checkbox:is(:checked, [aria-checked="true"])';
    const isTicked = (hasText: string) => row(hasText).locator(ticked);
    await row("comment 3").waitFor();
    assert.equal(await list.locator(ticked).count(), 0);
    for (const comment of ["comment 1", "comment 3"]) {
      await until(
        async () => (await focused(comment).count()) > 0,
        () => list.press("ArrowDown"),
      );
      await list.press("Space");
      await isTicked(comment).waitFor();
    }
    await vscode.screenshot("review refactor preview");
    await list.press("Control+Enter");
    await vscode.statusItem.getByText("Patchbay: review 1").waitFor();
    assert.equal(onDisk(vscode), withComments(before, 1, 3));
  },
);
