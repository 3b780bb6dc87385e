// In Restricted Mode nothing of the folder leaves and nothing in it is changed: what would do that is not offered, what a
// model tries all the same is refused, and a sentence says why.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { asked } from "./support/asked.ts";
import { insist } from "./support/insist.ts";
import { openLightBulb } from "./support/light-bulb.ts";
import { renamingTotal } from "./support/renaming-total.ts";
import { showList } from "./support/tree.ts";
import { chatBar } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, readFileSync(path, "utf8")]);

vscodeTest(
  "an untrusted folder offers no code actions, the views say why, and none of its files is sent or changed",
  { trusted: false },
  async (vscode, sim) => {
    const { page, chat, transcript } = vscode;
    const before = filesOf(vscode.workspace);
    const editor = await vscode.openFile("src/cart.ts");
    await editor.getByText("export function total").click();
    await page.keyboard.press("Control+a");

    // Neither in the palette nor in the menu nor in the light bulb.
    const input = page.locator('.quick-input-widget input[type="text"]');
    const list = page.locator(".quick-input-list");
    await insist(() => page.keyboard.press("F1"), input);
    await input.fill(`>${chatBar.focus}`);
    await list.getByText(chatBar.focus).first().waitFor();
    await input.fill(">Patchbay: Refactor");
    // VS Code offers what sounds alike where it finds no command of that name.
    await list.getByText("similar commands").waitFor();
    assert.equal(await list.getByText("Patchbay: Refactor").count(), 0);
    await page.keyboard.press("Escape");
    // A menu closes when something else takes the focus.
    await insist(
      () => editor.getByText("export function total").click({ button: "right" }),
      page.locator(".context-view").getByText("Copy", { exact: true }),
    );
    assert.equal(await page.locator(".context-view").getByText("Patchbay").count(), 0);
    await page.keyboard.press("Escape");
    const bulb = page.locator(".action-widget, .monaco-editor-overlaymessage");
    await openLightBulb(vscode, () => page.keyboard.press("Control+a"), bulb.first());
    assert.equal(await bulb.getByText("Patchbay").count(), 0);
    await page.keyboard.press("Escape");

    // Each view says what can be done instead, and the walkthrough knows what was done before it was opened.
    await vscode.command("Patchbay Tools: Focus on Pending Changes View");
    await page.getByText("In Restricted Mode, the model can't read files or propose edits.").waitFor();
    await page.getByRole("button", { name: "Manage Workspace Trust" }).first().waitFor();
    assert.equal(await page.getByText("No changes to review.").count(), 0);
    assert.equal(asked(sim).length, 0);

    // The chat says why, and sends what was typed and nothing else; an edit that comes all the same is refused.
    await vscode.openChat();
    await vscode.setKey(sim.key);
    // The oldest VS Code shows a walkthrough of its own at first, and ours when it is asked again.
    await insist(
      () => vscode.command("Patchbay: Get Started"),
      page.locator('.getting-started-step[data-step-id$="#connect"][aria-checked="true"]'),
    );
    await vscode.screenshot("restricted-views");
    await chat.getByText("the model can't read or change files until you trust this folder.").waitFor();
    sim.reply(patchCall(renamingTotal));
    sim.reply(text("So be it."));
    await vscode.ask("Rename total in src/cart.ts.", "svc-k3");
    await transcript.getByText("So be it.").waitFor();
    await vscode.screenshot("restricted");
    const sent = JSON.stringify(asked(sim).map(({ body }) => body));
    assert.match(sent, /Rename total in src\/cart\.ts\./);
    assert.doesNotMatch(sent, /let sum = 0|bulkQuantity|corner-shop/);
    assert.doesNotMatch(JSON.stringify(asked(sim)[0]?.body["tools"] ?? []), /apply_patch|read_file/);
    assert.equal(await vscode.statusItem.getByText("review").count(), 0);
    assert.deepEqual(filesOf(vscode.workspace), before);
  },
);

vscodeTest(
  "chat and views say what to do without a folder or network, and list conversations of other workspaces apart",
  { trusted: false },
  async (vscode, sim) => {
    const { page, chat, transcript, statusItem } = vscode;
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(text("A list of lines."));
    await vscode.ask("What is a cart?", "svc-k2.6");
    await transcript.getByText("A list of lines.").waitFor();

    await page.goto(new URL("/?ew=true", page.url()).href);
    await statusItem.waitFor();
    await vscode.openChat();
    sim.reply(text("Any text will do."));
    await vscode.ask("What can I ask without a folder?", "svc-k2.6");
    await transcript.getByText("Any text will do.").waitFor();
    await vscode.command("Patchbay Tools: Focus on Pending Changes View");
    await page.getByText("Open a folder to let the model propose edits.").waitFor();
    await page.getByRole("button", { name: "Review a Sample Edit" }).click();
    const edits = page.getByRole("tree", { name: "Pending Changes" });
    await edits
      .getByRole("treeitem", { name: /patchbay-sample\.ts/ })
      .first()
      .waitFor();
    await page.locator(".monaco-editor .view-line", { hasText: "Math.round" }).first().waitFor();
    await vscode.screenshot("sample-without-folder");
    await vscode.command("Patchbay: Accept All Changes");
    await page.getByText("This was a sample. No file was changed and nothing was sent.").first().waitFor();
    const conversations = await showList(vscode, "Conversations");
    await insist(
      () => conversations.getByRole("treeitem", { name: "Other workspaces" }).click(),
      conversations.getByRole("treeitem", { name: "What is a cart?" }),
    );
    await vscode.screenshot("no-folder");

    await sim.close();
    await vscode.ask("Is anybody there?");
    await transcript.getByText(/Can't reach 127\.0\.0\.1/).waitFor();
    await chat.getByRole("button", { name: "Try Again" }).waitFor();
    await page
      .locator('.statusbar-item.has-background-color[id="patchbay.patchbay.patchbay.status"]')
      .waitFor();
    assert.match((await statusItem.getAttribute("aria-label")) ?? "", /Can't reach/);
    await vscode.screenshot("offline");
  },
);
