// The connection by hand: is the key accepted, and what does the service do where its interface is silent.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { profile } from "../sim/profiles.ts";
import { text } from "../sim/script.ts";
import { asked } from "./support/asked.ts";
import { chooseFile } from "./support/choose-file.ts";
import { insist } from "./support/insist.ts";
import { showList } from "./support/tree.ts";
import type { VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

/** A row of the one command about the connection. */
async function chooseConnection({ page, command }: VsCode, name: string): Promise<void> {
  await command("Patchbay: Connection…");
  await page.locator(".quick-input-widget").getByRole("option", { name }).click();
}

vscodeTest(
  "the API key is tested with one token count, a wrong key is reported, and deleting uploaded files asks first",
  {},
  async (vscode, sim) => {
    const { page, statusItem } = vscode;
    await vscode.setKey("not-the-key");
    await chooseConnection(vscode, "Test API key");
    await page.getByRole("button", { name: "Replace API Key…" }).waitFor();
    const refused = page.locator(
      '.statusbar-item.has-background-color[id="patchbay.patchbay.patchbay.status"]',
    );
    await refused.waitFor();
    assert.match((await statusItem.getAttribute("aria-label")) ?? "", /API key wasn't accepted/);
    await vscode.setKey(sim.key);
    await refused.waitFor({ state: "detached" });
    await chooseConnection(vscode, "Test API key");
    await page.getByText("The API key works: svc-k3 counted", { exact: false }).first().waitFor();
    const paths = () => sim.requests.map(({ method, path }) => `${method} ${path}`);
    // Each key by itself when it is entered, and each once more by hand.
    const counts = Array.from({ length: 4 }, () => "POST /v1/tokenizers/estimate-token-count");
    assert.deepEqual(paths(), counts);

    const files = await showList(vscode, "Uploaded Files");
    await vscode.command("Patchbay: Add File ID…");
    await page.getByRole("option", { name: "Type or paste IDs…" }).click();
    await page.getByText("One or more IDs").waitFor();
    await page.locator(".quick-input-widget input").first().fill("file-a, file-b");
    await page.keyboard.press("Enter");
    const row = files.getByRole("treeitem", { name: "file-b" });
    // A row that is selected keeps its buttons when the pointer is taken for gone.
    await row.click();
    await row.getByRole("button", { name: "Delete Uploaded File Permanently…" }).click();
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.getByText("Delete the uploaded file file-b? This is permanent.").waitFor();
    assert.deepEqual(paths(), counts);
    await dialog.getByRole("button", { name: "Delete Permanently" }).click();
    await row.getByText("not there, or deleted before").waitFor();
    assert.deepEqual(paths(), [...counts, "DELETE /v1/files/file-b"]);
    // Where an id is used is found on this machine.
    await insist(
      () => files.getByRole("treeitem", { name: "file-a" }).click(),
      files.getByRole("treeitem", { name: "In no conversation on this computer" }).first(),
    );
    await vscode.screenshot("uploaded-files");

    // Several at once, out of a text file: one question names them all, and each has an outcome of its own.
    const ids = join(vscode.workspace, "ids.txt");
    writeFileSync(ids, "file-c\nfile-d\n");
    await vscode.command("Patchbay: Add File ID…");
    await page.getByRole("option", { name: "All IDs in a text file…" }).click();
    await chooseFile(vscode, ids);
    await files.getByRole("treeitem", { name: "file-d" }).waitFor();
    await vscode.command("Patchbay: Delete Several Uploaded Files…");
    for (const id of ["file-c", "file-d"]) {
      const box = page.getByRole("checkbox", { name: id }).first();
      const ticked = box.and(page.locator('[aria-checked="true"]'));
      // A list that is drawn anew takes no click.
      await insist(async () => {
        if (!(await ticked.isVisible())) await box.click();
      }, ticked);
    }
    await page.keyboard.press("Enter");
    await dialog.getByText("Delete 2 uploaded files? This is permanent.").waitFor();
    await dialog.getByText("file-d").waitFor();
    await dialog.getByRole("button", { name: "Delete Permanently" }).click();
    for (const name of ["file-c", "file-d"])
      await files.getByRole("treeitem", { name }).getByText("not there, or deleted before").waitFor();
    await page.getByText("Uploaded files: 2 not there.").first().waitFor();
  },
);

vscodeTest(
  "the connection check says what it will send and reports what it found",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    await vscode.setKey(sim.key);
    await chooseConnection(vscode, "Check connection…");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("At most 6 requests", { exact: false }).waitFor();
    assert.deepEqual(asked(sim), []);
    sim.reply(text("ok"));
    sim.reply(text("ok"));
    await dialog.getByRole("button", { name: "Check", exact: true }).click();
    const report = page
      .frameLocator('iframe.webview.ready[src*="markdown"]')
      .frameLocator("iframe#active-frame");
    await report.getByRole("heading", { name: "Connection check" }).waitFor();
    await report.getByRole("cell", { name: "Patch tool" }).first().waitFor();
    await report.getByRole("heading", { name: "What the interface doesn't show" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Detect Features…" }).count(), 0);
    await vscode.screenshot("connection-check");
  },
);

vscodeTest(
  "feature detection asks first, then tries each optional feature separately and reports the results",
  {},
  async (vscode, sim) => {
    const { page, chat, transcript } = vscode;
    sim.setProfile(profile("standard", { namespace: false, customFormat: false, wording: "opaque" }));
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(text("It is a cart."));
    await vscode.ask("What is a cart?", "svc-k3");
    await transcript.getByText("It is a cart.").waitFor();
    await transcript.getByText("requests are simpler for now").waitFor();
    assert.equal(asked(sim).length, 2);
    await vscode.screenshot("plain-service");
    await chat.getByRole("button", { name: "Detect Features…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Try each optional feature of", { exact: false }).waitFor();
    await dialog.getByText("At most 10 requests and about 1500 tokens.", { exact: false }).waitFor();
    await vscode.screenshot("detect-features-question");
    assert.equal(asked(sim).length, 2);
    // Of ten requests two are refused.
    for (let answer = 0; answer < 8; answer++) sim.reply(text("ok"));
    await dialog.getByRole("button", { name: "Detect", exact: true }).click();
    const report = page
      .frameLocator('iframe.webview.ready[src*="markdown"]')
      .frameLocator("iframe#active-frame");
    await report.getByText("Each feature was tried separately on", { exact: false }).waitFor();
    await report.getByRole("cell", { name: "It is sent without its grammar." }).waitFor();
    await report.getByRole("heading", { name: "What the interface doesn't show" }).waitFor();
    assert.equal(await report.locator("table").nth(1).locator("tbody tr").count(), 18);
    await report.getByRole("heading", { name: "Profile in use" }).waitFor();
    await vscode.screenshot("detected-features");
  },
);
