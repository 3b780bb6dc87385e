// The editor's own question about files that run, steer or unlock something: all of them, the worst first, and no name
// that can imitate it or hide behind others.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { asked } from "./support/asked.ts";
import { nextFrame, until } from "./support/insist.ts";
import { pressInNotification } from "./support/notification.ts";
import { vscodeTest } from "./support/vscode-test.ts";

/** What nobody sees. Names that turn their line round are refused before anybody is asked. */
const hidden = "\u200b";
const addFile = (path: string) => `*** Add File: ${path}\n+x\n`;
const patchOf = (paths: readonly string[]) =>
  `*** Begin Patch\n${paths.map(addFile).join("")}*** End Patch\n`;

vscodeTest(
  "the confirmation of sensitive files escapes names, can remember an exception and shows a long list in full",
  {},
  async (vscode, sim) => {
    const { page, transcript } = vscode;
    const dialog = page.locator(".monaco-dialog-box");
    const propose = async (paths: readonly string[], answer: string) => {
      sim.reply(patchCall(patchOf(paths)));
      sim.reply(text(answer));
      await vscode.ask("Add them.", "svc-k3");
      await vscode.statusItem.getByText("Patchbay: review").waitFor();
      await vscode.command("Patchbay: Accept All Changes");
    };
    const decided = () => vscode.statusItem.getByText("Patchbay: review").waitFor({ state: "hidden" });
    await vscode.openChat();
    await vscode.setKey(sim.key);

    // Few: each with its place, the one that runs first; what nobody sees of a name is written out.
    const few = ["package-lock.json", `.husky/pre-${hidden}commit`, ".vscode/tasks.json"];
    await propose(few, "So be it.");
    await dialog.getByText("tasks.json").first().waitFor();
    const shown = await dialog.innerText();
    assert.ok(shown.includes(join(vscode.workspace, ".vscode/tasks.json")), shown);
    assert.ok(!shown.includes(hidden) && /200b/i.test(shown), shown);
    assert.ok(shown.indexOf("tasks.json") < shown.indexOf("package-lock.json"), shown);
    await vscode.screenshot("confirmation-few");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await transcript.getByText("So be it.").waitFor();
    // Nobody has said no to the changes: they wait.
    await vscode.statusItem.getByText("Patchbay: review 3").waitFor();
    await vscode.command("Patchbay: Reject All Changes");
    await decided();
    assert.ok(few.every((path) => !existsSync(join(vscode.workspace, path))));

    // One that is none to this person: a click lets it through in this folder from now on, by their own settings.
    const harmless = "package-lock.json";
    await propose([harmless], "Here.");
    await dialog.getByRole("button", { name: "Apply and Don't Ask Again" }).click();
    await decided();
    assert.equal(readFileSync(join(vscode.workspace, harmless), "utf8"), "x\n");
    const own = readFileSync(join(dirname(vscode.workspace), "user/User/settings.json"), "utf8");
    assert.ok(own.includes(`"!file://${join(vscode.workspace, harmless)}"`), own);
    const again = `*** Begin Patch\n*** Update File: ${harmless}\n@@\n-x\n+y\n*** End Patch\n`;
    sim.reply(patchCall(again));
    sim.reply(text("Once more."));
    await vscode.ask("Change it.", "svc-k3");
    await vscode.statusItem.getByText("Patchbay: review").waitFor();
    await vscode.command("Patchbay: Accept All Changes");
    await decided();
    assert.equal(readFileSync(join(vscode.workspace, harmless), "utf8"), "y\n");

    // Many: what does not fit is counted by kind, and one button shows all in a document beside the question.
    const many = Array.from({ length: 60 }, (_, at) => `.github/workflows/step-${at}.yml`);
    await propose([...many, ".vscode/launch.json"], "As you like.");
    // How many fit depends on how long the paths are.
    await dialog
      .getByText(/\b5\d × it runs on the build service/)
      .first()
      .waitFor();
    await vscode.screenshot("confirmation-many");
    await dialog.getByRole("button", { name: "Show All" }).click();
    await page.locator(".editor-instance .view-lines").getByText("step-0.yml").first().waitFor();
    await vscode.screenshot("confirmation-all");
    await pressInNotification(vscode, "Apply");
    await transcript.getByRole("group", { name: "Accepted" }).last().waitFor();
    await decided();
    for (const path of many) assert.equal(readFileSync(join(vscode.workspace, path), "utf8"), "x\n");
  },
);

vscodeTest(
  "a confirmed link from another program fills a new conversation, sends nothing and keeps the old draft",
  {},
  async (vscode, sim) => {
    const { page, composer } = vscode;
    const dialog = page.locator(".monaco-dialog-box");
    const field = page.locator(".quick-input-widget input").first();
    const isInBox = (words: string) =>
      until(
        async () => (await composer.inputValue()) === words,
        () => nextFrame(page),
      );
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await composer.fill("Half a question");
    await vscode.command("Developer: Open URL");
    await page.getByText("URL to open").waitFor();
    await field.fill("code-oss://patchbay.patchbay/ask?prompt=Why%20did%20this%20fail%3F");
    await field.press("Enter");
    // VS Code's own question, which a person can switch off for an extension: it comes before ours.
    await dialog.getByRole("button", { name: "Open", exact: true }).click();
    await dialog.getByText("Another program wants").waitFor();
    await vscode.screenshot("link-to-ask");
    await dialog.getByRole("button", { name: "Insert Text" }).click();
    await isInBox("Why did this fail?");
    assert.deepEqual(asked(sim), []);

    await vscode.command("Patchbay: Open Conversation…");
    await page.locator(".quick-input-list").getByText("Half a question").first().click();
    await isInBox("Half a question");
  },
);
