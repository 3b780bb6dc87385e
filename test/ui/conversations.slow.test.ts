// Several conversations: found again in their list, opened, renamed, archived, searched, branched, taken along as files
// and brought back, deleted; and one whose file is damaged.
import { strict as assert } from "node:assert";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cutAfterEvents } from "../sim/delivery-faults.ts";
import { text } from "../sim/script.ts";
import { chooseFile } from "./support/choose-file.ts";
import { attempt, insist, until } from "./support/insist.ts";
import { chooseInMenu } from "./support/menu.ts";
import { pressOn, showList, unfold } from "./support/tree.ts";
import type { VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";
import { createKeys } from "./ways/panel-keys.ts";

vscodeTest(
  "conversations can be searched, opened, renamed, branched, exported, imported, archived and deleted",
  {},
  async (vscode, sim) => {
    const { page, transcript } = vscode;
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(text("A list of lines."));
    await vscode.ask("Which lines has a cart?", "svc-k2.6");
    await transcript.getByText("A list of lines.").waitFor();
    await vscode.command("Patchbay: New Conversation");
    await transcript.getByText("A list of lines.").waitFor({ state: "detached" });
    sim.reply(text("A number of cents."));
    await vscode.ask("Which unit has a price?", "svc-k2.6");
    await transcript.getByText("A number of cents.").waitFor();

    const tree = await showList(vscode, "Conversations");
    const cart = tree.getByRole("treeitem", { name: "Which lines has a cart?" });
    await tree.getByRole("treeitem", { name: "Which unit has a price?" }).getByText("open").waitFor();
    await vscode.screenshot("conversations");
    await insist(() => cart.click(), transcript.getByText("A list of lines."));

    await vscode.command("Patchbay Tools: Focus on Conversations View");
    const price = tree.getByRole("treeitem", { name: "Which unit has a price?" });
    const onCart = tree.locator(".monaco-list-row.focused", { hasText: "Which lines has a cart?" });
    // The chat may take the focus once more when it has drawn what was opened.
    await insist(async () => {
      await price.click();
      await tree.press("ArrowDown");
    }, onCart);
    await price.getByText("open").waitFor();
    const input = page.locator(".quick-input-widget").getByRole("textbox");
    await insist(() => tree.press("F2"), input);
    await input.fill("Carts");
    await input.press("Enter");
    const carts = tree.getByRole("treeitem", { name: "Carts" });
    await carts.waitFor();

    await vscode.command("Patchbay: Search Conversations…");
    const found = page.getByRole("option", { name: "Which unit has a price?" });
    // What is typed too early goes into the palette that closes.
    await insist(() => input.fill("number of cents"), found);
    await found.locator(".highlight", { hasText: /number of cents/i }).waitFor();
    await found.click();
    await transcript.getByText("A number of cents.").waitFor();

    // Another way from the same question stands below the conversation it left.
    await vscode.command("Patchbay: Branch Conversation Here");
    const branch = tree.locator('[aria-level="2"]');
    await branch.getByText("open").waitFor();
    await vscode.screenshot("conversations-branch");

    // As a document for people, and as a bundle that comes back as a conversation.
    const trunk = price.and(tree.locator('[aria-level="1"]'));
    const saved = async (title: string, name: string) => {
      const plain = page.getByRole("option", { name: "Without the model's reasoning" });
      const save = page.locator(".quick-input-action .monaco-button").first();
      // The list closes when something else takes the focus.
      await attempt(async (timeout) => {
        await chooseInMenu(() => trunk.click({ button: "right" }), title, plain);
        await plain.click({ timeout });
        await save.waitFor({ timeout });
      });
      await save.click();
      await page.getByText(`Saved as ${name}.`).first().waitFor();
      return readFileSync(join(vscode.workspace, name), "utf8");
    };
    assert.match(
      await saved("Export Conversation as Markdown…", "Which-unit-has-a-price.md"),
      /Which unit has a price\?[\s\S]+A number of cents\./,
    );
    const bundle = "Which-unit-has-a-price.patchbay.jsonl";
    assert.match(await saved("Export Replayable Bundle…", bundle), /A number of cents\./);
    const list = page.locator(".pane", { has: page.locator('.pane-header[aria-label^="Conversations"]') });
    await chooseInMenu(
      () => pressOn(list, "More Actions..."),
      "Import Conversation…",
      page.locator(".quick-input-widget input").first(),
    );
    await chooseFile(vscode, join(vscode.workspace, bundle));
    await price.nth(2).waitFor();
    await branch.getByText("open").waitFor({ state: "detached" });
    await transcript.getByText("A number of cents.").waitFor();
    await vscode.screenshot("conversations-imported");

    const archived = tree.getByRole("treeitem", { name: "Archived" });
    // A row that is selected keeps its buttons when the pointer is taken for gone.
    await carts.click();
    await carts.getByText("open").waitFor();
    await carts.getByRole("button", { name: "Archive Conversation…" }).click();
    await archived.waitFor();
    await unfold(archived);
    await carts.click();
    const remove = page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true });
    await insist(() => tree.press("Delete"), remove);
    await remove.click();
    await carts.waitFor({ state: "detached" });
  },
);

vscodeTest(
  "a damaged conversation is marked, can be read and branched by keyboard, and is repaired once possible",
  {},
  async (vscode, sim) => {
    const { chat, transcript } = vscode;
    const keys = createKeys(vscode);
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(text("A list of sums."));
    await vscode.ask("What is a receipt?", "svc-k2.6");
    await transcript.getByText("A list of sums.").waitFor();
    sim.reply(text("A box for coins."));
    await keys.ask("What is a till?");
    await transcript.getByText("A box for coins.").waitFor();
    await vscode.command("Patchbay: New Conversation");
    await transcript.getByText("A box for coins.").waitFor({ state: "detached" });
    const { folder, mayBeMended } = await damage(vscode, "What is a till?");
    // A list in sight is read again when another conversation comes; a file that breaks tells nobody.
    await vscode.command("Patchbay: New Conversation");

    const tree = await showList(vscode, "Conversations");
    const damaged = tree.getByRole("treeitem", { name: "What is a receipt?" }).first();
    await damaged.locator(".codicon-warning").waitFor();
    const sentence = chat.getByText(
      "This conversation is damaged and cannot be repaired right now, so it can only be read.",
    );
    await insist(() => damaged.click(), sentence);
    await transcript.getByText("A list of sums.").waitFor();
    // All but the question that the damage took.
    await transcript.getByText("The question is missing here").waitFor();
    await transcript.getByText("A box for coins.").waitFor();
    await vscode.screenshot("conversations-damaged");

    // What was not lost goes on where it can be written.
    await keys.press("Branch here");
    await sentence.waitFor({ state: "detached" });
    sim.reply(text("A drawer for notes."));
    await keys.ask("And below it?");
    await transcript.getByText("A drawer for notes.").waitFor();

    mayBeMended();
    const trunk = damaged.and(tree.locator('[aria-level="1"]'));
    await insist(() => trunk.click(), trunk.getByText("open"));
    await trunk.locator(".codicon-warning").waitFor({ state: "detached" });
    await transcript.getByText("A drawer for notes.").waitFor({ state: "detached" });
    assert.equal(await sentence.count(), 0);
    await chat.getByText("has been repaired (turns left: 2).").waitFor();
    assert.equal(readdirSync(folder).filter((name) => name.startsWith("log.corrupt-")).length, 1);
  },
);

vscodeTest(
  "a background response is stopped from its row in the list, and all responses from the status bar",
  {},
  async (vscode, sim) => {
    const { page, transcript, statusItem } = vscode;
    await vscode.openChat();
    await vscode.setKey(sim.key);
    const questions = ["Who stole the cart?", "Who sold the cart?", "Who found the cart?"] as const;
    for (const question of questions) {
      sim.reply(text("Once upon a time there was a cart."), cutAfterEvents(6, "hang"));
      await vscode.ask(question, "svc-k3");
      await transcript.getByText(/^Once/).waitFor();
      await vscode.command("Patchbay: New Conversation");
      await transcript.getByText(/^Once/).waitFor({ state: "detached" });
    }
    const tree = await showList(vscode, "Conversations");
    const row = (question: string) => tree.getByRole("treeitem", { name: question });
    for (const question of questions) await row(question).getByText("Running").waitFor();
    await vscode.screenshot("conversations-running");
    await pressOn(row(questions[0]), "Stop Response");
    await row(questions[0]).getByText("Running").waitFor({ state: "detached" });
    assert.equal(await row(questions[0]).getByText("Failed").count(), 0);
    for (const question of questions.slice(1))
      assert.ok(await row(question).getByText("Running").isVisible());

    const all = page.getByRole("option", { name: "Stop All Responses" });
    await insist(() => statusItem.click(), all);
    await all.click();
    for (const question of questions) await row(question).getByText("Running").waitFor({ state: "detached" });
    await insist(() => row(questions[1]).click(), transcript.getByText("Stopped", { exact: true }).first());
  },
);

/**
 * The line of the journal that holds these words becomes unreadable, and a folder in the place of its lock keeps everybody
 * from mending it until it may be mended.
 */
async function damage(
  { page, workspace }: VsCode,
  words: string,
): Promise<{ folder: string; mayBeMended(): void }> {
  const home = dirname(workspace);
  const names = readdirSync(home, { recursive: true, encoding: "utf8" });
  const journals = names.filter((name) => basename(name) === "log.jsonl").map((name) => join(home, name));
  const path = journals.find((journal) => readFileSync(journal, "utf8").includes(words));
  assert.ok(path !== undefined);
  const folder = dirname(path);
  const lock = join(folder, "lock");
  // It is closed a moment after it has gone out of sight.
  await until(
    () => !existsSync(lock),
    () => page.evaluate(() => new Promise(requestAnimationFrame)),
  );
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, lines.map((line) => (line.includes(words) ? "\0\0\0" : line)).join("\n"));
  mkdirSync(lock);
  return { folder, mayBeMended: () => rmdirSync(lock) };
}
