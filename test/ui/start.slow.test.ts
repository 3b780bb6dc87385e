// What `npm start` promises where there is no desktop VS Code: open the address, be in the chat, ask, be answered. No setup.
import assert from "node:assert/strict";
import { test } from "node:test";
import { launchBrowser } from "../support/browser.mjs";
import { start } from "../support/processes.mjs";
import { prepareTools } from "../support/tools.mjs";
import { createVsCode } from "./support/vscode.ts";

test("the URL printed by npm start opens the chat, where the first question gets a response", async (t) => {
  const address = await new Promise<string>((resolve) => {
    const program = start(process.execPath, ["test/support/start.mjs"], {
      env: { ...process.env, VSCODE_TEST_TARGET: "web" },
      onLine(line) {
        const found = /http:\/\/localhost:\S+/.exec(line)?.[0];
        if (found !== undefined) resolve(found);
      },
    });
    t.after(() => program.stop());
  });
  const browser = await launchBrowser(await prepareTools());
  t.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const { composer, transcript, statusItem, chooseModel, ask, screenshot } = createVsCode(page, "");
  await page.goto(address);
  // Nothing is pressed before: it shows itself.
  await composer.waitFor();
  await statusItem.waitFor();
  assert.doesNotMatch(await statusItem.innerText(), /Set up/, "there is a key, and an address");
  assert.equal(await page.locator(".quick-input-widget").isVisible(), false, "nothing is asked");
  // A chat model reads the file by a call in its text, of which only the row is seen.
  await chooseModel("svc-k2.6");
  await ask("What does cart.ts do?");
  await transcript.getByText(/\(\d+ lines\) (defines|holds)/).waitFor();
  const turns = transcript.getByRole("article");
  assert.equal(await turns.count(), 1);
  assert.match(await turns.innerText(), /What does cart\.ts do\?.*\(\d+ lines\)/s);
  assert.doesNotMatch(await turns.innerText(), /tool_call|"arguments"/);
  assert.match(await turns.innerText(), /Read/);
  await screenshot("npm-start");
});
