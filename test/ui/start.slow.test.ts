// What `npm start` promises where there is no desktop VS Code: open the address, be in the chat, ask, be answered. No setup.
import { test } from "node:test";
import { launchBrowser } from "../support/browser.mjs";
import { start } from "../support/processes.mjs";
import { prepareTools } from "../support/tools.mjs";
import { createVsCode } from "./support/vscode.ts";

test("the address that npm start prints lands in the chat, where the first question is answered", async (t) => {
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
  const { composer, transcript, ask, screenshot } = createVsCode(page, "");
  await page.goto(address);
  // Nothing is pressed before: it shows itself.
  await composer.waitFor();
  await ask("What does cart.ts do?", "svc-k2.6");
  await transcript.getByText("I am the assistant built into the service simulator.").waitFor();
  await screenshot("npm-start");
});
