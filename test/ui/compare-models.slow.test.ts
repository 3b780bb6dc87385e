// A comparison of models in the real editor: a repository whose commits brought tests, a model that solves them and one that
// does not, a stop in the middle, and the rest after a reload; the page, and the model that is then used for edits.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { holdBefore } from "../sim/delivery-faults.ts";
import { patchCall, text } from "../sim/script.ts";
import { patience } from "../support/browser.mjs";
import { git, makeRepository, shellBeginning, shellCommit } from "../support/tested-commits.ts";
import { insist } from "./support/insist.ts";
import { ledgerSettings } from "./support/ledger-settings.ts";
import { pressInNotification } from "./support/notification.ts";
import { takePictures } from "./support/pictures.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const count = 11;

/** What waits for the tests of all these commits waits longer than for a step of VS Code. */
const forTests = { timeout: 5 * patience };

const solution = (number: number) =>
  patchCall(
    `*** Begin Patch\n*** Update File: src/value${number}.sh\n@@\n-value=0\n+value=${number}\n*** End Patch`,
  );

vscodeTest(
  "models are compared on the repository's own commits, stopped, continued after a reload, and one is used for edits",
  { settings: ledgerSettings, size: { width: 1400, height: 1000 } },
  async (vscode, sim) => {
    const { page, workspace } = vscode;
    const picker = page.locator(".quick-input-widget");
    const rows = picker.getByRole("option");
    const commits = Array.from({ length: count }, (_, at) => shellCommit(at + 1));
    makeRepository(workspace, [shellBeginning(count), ...commits]);
    const head = git(workspace, "rev-parse", "HEAD");
    await vscode.openChat();
    await vscode.setKey(sim.key);

    const compare = async () => {
      await vscode.command("Patchbay: Choose Model…");
      await rows.filter({ hasText: "Compare Models on This Repository…" }).click();
    };
    const begin = async () => {
      const run = page.getByRole("dialog", { name: /Runs code of this repository's commits/ });
      const quote = page.getByRole("dialog", { name: /Compare 2 models on 10 tasks\?/ });
      // Where this machine has a sandbox it is not asked.
      await run.or(quote).waitFor();
      if (await run.isVisible()) {
        await vscode.screenshot("comparison asks to run");
        await run.getByRole("button", { name: "Run", exact: true }).click();
      }
      await quote.waitFor(forTests);
      await vscode.screenshot("comparison quoted");
      await quote.getByText(/K3: \d+ tasks, about/).waitFor();
      await quote.getByText(/K2\.6: \d+ tasks, about/).waitFor();
      await quote.getByText(/It stops at [\d,]+ tokens in all/).waitFor();
      await quote.getByRole("button", { name: "Start", exact: true }).click();
    };

    await compare();
    const typed = picker.locator('input[type="text"]');
    await typed.fill("K2.6");
    await picker.getByText("svc-k3", { exact: true }).first().waitFor({ state: "hidden" });
    await picker.getByText("svc-k2.6", { exact: true }).click();
    await picker.getByText("2 Selected").waitFor();
    await typed.fill("");
    await vscode.screenshot("comparison models");
    await picker.getByRole("button", { name: "OK" }).click();
    await rows.filter({ hasText: "10 tasks" }).click();
    for (const number of [11, 10]) {
      sim.reply(solution(number));
      sim.reply(text("It returns it now."));
      sim.reply(text("I would change the file."));
    }
    sim.reply(text("Never seen."), holdBefore(1));
    await begin();
    await page
      .getByText(/4 of 20 tasks, now K3/)
      .first()
      .waitFor(forTests);
    await sim.request(6);
    await vscode.screenshot("comparison runs");
    await pressInNotification(vscode, "Cancel");
    await page
      .getByText(/16 tasks are left\. Compare again to go on\./)
      .first()
      .waitFor();

    await vscode.reload();
    for (let number = 9; number >= 2; number--) {
      sim.reply(solution(number));
      sim.reply(text("It returns it now."));
      sim.reply(text("I would change the file."));
    }
    await compare();
    const goOn = rows.filter({ hasText: "Continue: K3, K2.6" });
    await goOn.waitFor();
    await vscode.screenshot("comparison goes on");
    await goOn.click();
    await begin();
    await page
      .getByText(/The comparison is on its page/)
      .first()
      .waitFor(forTests);
    const preview = page
      .frameLocator('iframe.webview.ready[src*="markdown"]')
      .frameLocator("iframe#active-frame")
      .locator("body");
    await preview.getByText("K3 solved 10 of 10 tasks, more than the others beyond chance.").waitFor();
    await preview.getByText("Models may have seen public commits in their training.").waitFor();
    assert.equal(await preview.getByText("✓ solved").count(), 10);
    await takePictures(vscode, ["light", "dark"], (theme) => `comparison page ${theme}`);
    await pressInNotification(vscode, "Use for Edits…");
    await insist(
      () => rows.filter({ hasText: "10 of 10 solved" }).click(),
      page.getByText("K3 is used for edits now.").first(),
    );

    await vscode.reload();
    await preview.getByText("K3 solved 10 of 10 tasks, more than the others beyond chance.").waitFor();
    for (const { raw } of sim.requests) assert.doesNotMatch(raw.toString("utf8"), /some@body\.example/);
    assert.equal(git(workspace, "status", "--porcelain"), "");
    assert.equal(git(workspace, "rev-parse", "HEAD"), head);
    assert.match(readFileSync(join(workspace, "src/value11.sh"), "utf8"), /=11/);
    rmSync(join(workspace, ".git"), { recursive: true });
  },
);
