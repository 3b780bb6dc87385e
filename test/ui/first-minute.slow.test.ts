// The first minute of a new user, counted: from a fresh profile to the first applied patch in five interactions. And how much
// the palette holds then, in the state that most people are in most of the time.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { attempt } from "./support/insist.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const patch = `*** Begin Patch
*** Update File: src/discount.ts
@@
-  if (line.quantity > bulkQuantity) {
+  if (line.quantity >= bulkQuantity) {
*** End Patch
`;

vscodeTest(
  "from a fresh profile to the first applied patch it takes five interactions; the palette holds 45 commands at most",
  { extension: "packed", settings: { "patchbay.baseUrl": "" } },
  async (vscode, sim) => {
    const { page, chat, composer, transcript, workspace } = vscode;
    const field = page.locator(".quick-input-widget input").first();
    const file = join(workspace, "src/discount.ts");
    const before = readFileSync(file, "utf8");
    const counted: string[] = [];
    const interact = async (what: string, act: () => Promise<void>) => {
      counted.push(what);
      await act();
    };
    await chat.getByText("Connect to your service to get started.").waitFor();
    await interact("ask", async () => {
      await composer.fill("Fix the bug in src/discount.ts");
      await composer.press("Enter");
    });
    await page.getByText("Service URL. Stored in your user settings").waitFor();
    await interact("enter the URL", async () => {
      await field.fill(sim.url);
      await field.press("Enter");
    });
    const password = page.locator('.quick-input-widget input[type="password"]');
    await password.waitFor();
    await interact("enter the key", async () => {
      await password.fill(sim.key);
      await password.press("Enter");
    });
    await chat.locator("textarea:focus").waitFor();
    assert.equal(await composer.inputValue(), "Fix the bug in src/discount.ts", "the draft is kept");
    sim.reply(patchCall(patch));
    sim.reply(text("Fixed."));
    await interact("send", () => page.keyboard.press("Enter"));
    await transcript.getByText("Fixed.").waitFor();
    const accept = chat.locator("[data-armed]").getByRole("button", { name: "Accept All" });
    await accept.waitFor();
    await interact("accept", () => accept.click());
    await transcript.getByRole("group", { name: "Accepted" }).waitFor();
    assert.notEqual(readFileSync(file, "utf8"), before);
    assert.ok(counted.length <= 5, counted.join(", "));

    await vscode.openFile("src/cart.ts");
    const rows = page.locator(".quick-input-widget .monaco-list-row");
    await attempt(async (timeout) => {
      await page.keyboard.press("F1");
      await page.locator('.quick-input-widget input[type="text"]').fill(">Patchbay: ", { timeout });
      await rows.filter({ hasText: "Patchbay: " }).first().waitFor({ timeout });
    });
    const count = Number(await rows.first().getAttribute("aria-setsize"));
    assert.ok(count > 20 && count <= 45, `${count} commands`);
    await page.keyboard.press("Escape");
  },
);
