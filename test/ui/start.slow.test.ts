// What `npm start` promises where there is no desktop VS Code: open the address, be in the chat, ask, be answered. No setup.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { launchBrowser, patience } from "../support/browser.mjs";
import { start } from "../support/processes.mjs";
import { prepareTools } from "../support/tools.mjs";
import { drawNothing, isUnseen } from "./support/unseen.ts";
import { createVsCode, type VsCode } from "./support/vscode.ts";

test("the URL printed by npm start opens the chat, where the first question gets a response", async (t) => {
  const address = await startPatchbay(t);
  const browser = await launchBrowser(await prepareTools());
  t.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  if (isUnseen) await drawNothing(page);
  const vscode = createVsCode(page, "");
  // All that a VS Code does when it is first opened comes before, and none of its own offers are kept out of the way.
  page.setDefaultTimeout(2 * patience);
  await page.goto(address);
  try {
    await firstQuestion(vscode);
  } catch (error) {
    await vscode.keepFailure("failed npm start").catch(() => {});
    throw error;
  }
});

function startPatchbay(t: TestContext): Promise<string> {
  const lines: string[] = [];
  return new Promise<string>((resolve, reject) => {
    const program = start(process.execPath, ["test/support/start.mjs"], {
      env: { ...process.env, VSCODE_TEST_TARGET: "web" },
      onLine(line) {
        lines.push(line);
        const found = /http:\/\/localhost:\S+/.exec(line)?.[0];
        if (found !== undefined) resolve(found);
      },
    });
    t.after(() => program.stop());
    program.exited.then((code) => reject(new Error(`npm start ended with ${code}.\n${lines.join("\n")}`)));
  });
}

async function firstQuestion(vscode: VsCode): Promise<void> {
  const { page, composer, transcript, statusItem, chooseModel, ask, screenshot } = vscode;
  // Nothing is pressed before: it shows itself.
  await composer.waitFor();
  // There is a key, and an address.
  await statusItem.filter({ hasNotText: "Set up" }).waitFor();
  // What the address opens takes the focus when it has come.
  await page.locator('.monaco-editor[data-uri$="/src/cart.ts"]').first().waitFor();
  // A chat model reads the file by a call in its text, of which only the row is seen.
  await chooseModel("svc-k2.6");
  await ask("What does cart.ts do?");
  await transcript.getByText(/\(\d+ lines\) (defines|holds)/).waitFor();
  const turns = transcript.getByRole("article");
  assert.equal(await turns.count(), 1);
  assert.match(await turns.innerText(), /What does cart\.ts do\?.*\(\d+ lines\)/s);
  assert.doesNotMatch(await turns.innerText(), /tool_call|"arguments"/);
  assert.match(await turns.innerText(), /Read/);
  assert.equal(await page.locator(".quick-input-widget").isVisible(), false, "nothing was asked");
  await screenshot("npm-start");
}
