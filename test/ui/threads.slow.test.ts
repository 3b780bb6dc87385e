// Changes between the lines of an editor, in the ways in which people have their editors: in zen mode, side by side,
// beside those of another extension, heard instead of seen, and in a notebook, where there are none.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { holdBefore } from "../sim/delivery-faults.ts";
import { patchCall, text } from "../sim/script.ts";
import type { Simulator } from "../sim/simulator.ts";
import { holds, insist, nextFrame, until } from "./support/insist.ts";
import { pressInNotification } from "./support/notification.ts";
import { chatBar, isOldest, type VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const path = "src/cart.ts";
const onDisk = ({ workspace }: VsCode) => readFileSync(join(workspace, path), "utf8");
/** Lines of the sample that each get a comment above them. */
const anchors = ["export interface Line {", "export function total(lines: Line[]): number {"];
const commented = (content: string, ...numbers: number[]) =>
  anchors.reduce((all, anchor, at) => {
    const isIt = numbers.includes(at + 1);
    return isIt ? all.replace(anchor, `// comment ${at + 1}\n${anchor}`) : all;
  }, content);

/** Two changes wait, and their file is open. */
async function propose(vscode: VsCode, sim: Simulator): Promise<{ editor: Locator; before: string }> {
  const hunks = anchors.flatMap((anchor, at) => ["@@", `+// comment ${at + 1}`, ` ${anchor}`]);
  const patch = ["*** Begin Patch", `*** Update File: ${path}`, ...hunks, "*** End Patch", ""].join("\n");
  await vscode.openChat();
  await vscode.setKey(sim.key);
  sim.reply(patchCall(patch));
  sim.reply(text("Done."));
  await vscode.ask("Comment it.", "svc-k3");
  await vscode.statusItem.getByText("Patchbay: review 2").waitFor();
  return { editor: await vscode.openFile(path), before: onDisk(vscode) };
}

const allThreads = ({ page }: VsCode) => page.locator(".review-widget");
/** Those of what is proposed here: in the same file may still stand what a test before has found. */
const threadsIn = (vscode: VsCode) => allThreads(vscode).filter({ hasText: "// comment" });
const shows = (list: Locator, count: number) =>
  until(
    async () => (await list.filter({ visible: true }).count()) === count,
    () => nextFrame(list.page()),
  );

vscodeTest(
  "two editors of a file side by side show each change, and a decision in one applies to both",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    const { before } = await propose(vscode, sim);
    const threads = threadsIn(vscode);
    await shows(threads, 2);
    await vscode.command("View: Split Editor Right");
    await shows(threads, 4);
    await vscode.screenshot("threads split");
    const right = page.locator(".editor-group-container").nth(1).locator(".review-widget");
    await right.getByRole("button", { name: "Accept", exact: true }).first().click();
    await shows(threads, 2);
    assert.equal(onDisk(vscode), commented(before, 1));
    const left = page.locator(".editor-group-container").nth(0).locator(".review-widget");
    await left.getByRole("button", { name: "Reject", exact: true }).click();
    await shows(threads, 0);
    assert.equal(onDisk(vscode), commented(before, 1));
  },
);

vscodeTest(
  "a change between the lines offers Stop while the response runs and Ask… once it has ended",
  {},
  async (vscode, sim) => {
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await vscode.openFile(path);
    const [anchor = ""] = anchors;
    const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n+// comment 1\n ${anchor}\n*** End Patch\n`;
    const end = holdBefore(4);
    sim.reply(patchCall(patch));
    sim.reply(text("It has a comment now."), end);
    await vscode.ask("Comment it.", "svc-k3");
    const button = (name: string) => threadsIn(vscode).getByRole("button", { name, exact: true });
    await button("Stop").waitFor();
    assert.equal(await button("Ask…").count(), 0);
    end.release();
    await vscode.transcript.getByText("It has a comment now.").waitFor();
    await button("Ask…").waitFor();
    assert.equal(await button("Stop").count(), 0);
  },
);

vscodeTest(
  "zen mode hides the threads, keeps the key that decides at the cursor, and restores the threads afterwards",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    const { editor, before } = await propose(vscode, sim);
    const threads = threadsIn(vscode);
    await shows(threads, 2);
    await vscode.command("View: Toggle Zen Mode");
    await shows(threads, 0);
    await vscode.screenshot("threads zen");
    // By its key, at the line before which it would stand.
    await editor.getByText("export interface").click();
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+Enter");
    // Without a status bar it is the file that says that all is done.
    await holds(vscode, path, commented(before, 1));
    await vscode.command("View: Toggle Zen Mode");
    await shows(threads, 1);
    // In the file itself the key is the editor's own on every other line, and decides on this one.
    const [, total = ""] = anchors;
    await editor.getByText("name: string").click();
    await page.keyboard.press("Control+Enter");
    await page.locator(".statusbar").getByText("Ln 7, Col").waitFor();
    await page.keyboard.press("Control+z");
    await editor.getByText(total).click();
    // Until VS Code has heard of where the cursor is, the key means nothing to it.
    await insist(
      () => page.keyboard.press("Control+Shift+Backspace"),
      page.locator(".statusbar").getByText("Rejected. Nothing left to review."),
    );
    await shows(threads, 0);
    assert.equal(onDisk(vscode), commented(before, 1));
  },
);

vscodeTest(
  "threads beside comments of another extension keep their own buttons, box and keys",
  { beside: "test/fixtures/beside" },
  async (vscode, sim) => {
    const { page } = vscode;
    const { before } = await propose(vscode, sim);
    const threads = allThreads(vscode);
    const theirs = threads.filter({ hasText: "Please rename this." });
    const own = threads.filter({ hasText: /Change \d of 2/ });
    await theirs.waitFor();
    await shows(own, 2);
    await vscode.screenshot("threads beside");
    for (const name of ["Accept", "Reject", "Ask…", "Show Change"])
      assert.equal(await theirs.getByRole("button", { name, exact: true }).count(), 0, name);
    // A box of theirs is none of ours: our keys and buttons are not in it.
    const box = page.locator(".review-widget .monaco-editor.focused").first();
    await vscode.openFile(path);
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+G");
    await box.waitFor();
    assert.equal(await page.locator(".review-widget").getByRole("button", { name: "Send" }).count(), 0);
    await page.keyboard.type("for a colleague");
    await page.keyboard.press("Escape");
    // VS Code 1.104 asks before it closes a box with text in it.
    if (isOldest) await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.keyboard.press("Control+Enter");
    await box.getByText("for a colleague").waitFor();
    assert.equal(sim.requests.filter(({ operation }) => operation === "responses").length, 2);
    await own.first().getByRole("button", { name: "Accept", exact: true }).click();
    await shows(threads.filter({ hasText: /Change \d of 2/ }), 0);
    await theirs.waitFor();
    assert.equal(onDisk(vscode), commented(before, 1));
  },
);

vscodeTest(
  "a thread tells screen readers its change, its content and its buttons, and is reachable by keys",
  { settings: { "editor.accessibilitySupport": "on" } },
  async (vscode, sim) => {
    const { page } = vscode;
    const { before } = await propose(vscode, sim);
    await shows(threadsIn(vscode), 2);
    for (const words of [
      /Change 1 of 2 · 1 line added/,
      /button "Accept"/,
      /button "Reject"/,
      /button "Ask…"/,
      /comment 1/,
    ])
      await until(
        async () => words.test(await threadsIn(vscode).first().ariaSnapshot()),
        () => nextFrame(page),
      );
    // From thread to thread by VS Code's own key, then by Tab to the buttons.
    await insist(
      () => page.keyboard.press("Alt+F9"),
      page.locator(".review-widget:focus-within, .review-widget :focus").first(),
    );
    await vscode.screenshot("threads heard");
    const focused = () =>
      page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
    await until(
      async () => (await focused())?.startsWith("Accept") === true,
      () => page.keyboard.press("Shift+Tab"),
    );
    // Anywhere in a thread the key means its change, wherever the cursor is.
    await page.keyboard.press("Control+Enter");
    await shows(threadsIn(vscode), 1);
    assert.equal(onDisk(vscode), commented(before, 1));
  },
);

vscodeTest(
  "the first edit of a window is typed while the rest is still loaded, and answered",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await vscode.chooseModel("svc-k3");
    await vscode.command(chatBar.toggle);
    await vscode.reload();
    const editor = await vscode.openFile(path);
    await editor.getByText("export function total").click();
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+E");
    await page.locator(".review-widget .monaco-editor.focused").first().waitFor();
    await page.keyboard.type("What is counted?");
    sim.reply(text("Cents are counted."));
    await page.keyboard.press("Control+Enter");
    await allThreads(vscode).filter({ hasText: "Cents are counted." }).first().waitFor();
    assert.match(JSON.stringify(sim.requests.at(-1)?.body["input"]), /What is counted\?/);
    await page.keyboard.press("Escape");
    await vscode.openChat();
  },
);

vscodeTest(
  "the edit key in a notebook cell opens an input box, and the edit is decided in a diff of the cell",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    const cell = { cell_type: "code", execution_count: null, metadata: {}, source: ["1 + 1"], outputs: [] };
    const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    writeFileSync(join(vscode.workspace, "sums.ipynb"), JSON.stringify(notebook));
    await vscode.openChat();
    await vscode.setKey(sim.key);
    const quickInput = page.locator(".quick-input-widget");
    const row = page.locator(".notebookOverlay .monaco-editor").getByText("1 + 1");
    await vscode.quickOpen("sums.ipynb");
    await row.waitFor();
    sim.reply(text("Doubled.\n\n```python\n2 * (1 + 1)\n```\n"));
    const box = quickInput.getByPlaceholder("What should change?");
    await insist(async () => {
      await row.click();
      await page.keyboard.press("Control+K");
      await page.keyboard.press("Control+E");
    }, box);
    assert.equal(await threadsIn(vscode).filter({ visible: true }).count(), 0);
    await box.fill("Double it");
    await box.press("Enter");
    await pressInNotification(vscode, "Show Changes");
    await page.locator(".monaco-diff-editor").getByText("2 * (1 + 1)").first().waitFor();
    await vscode.screenshot("notebook cell");
    await pressInNotification(vscode, "Accept");
    await page.locator(".notebookOverlay").getByText("2 * (1 + 1)").waitFor();
  },
);
