// The first minute of a new user, counted: from a fresh profile to the first response in four interactions, to the first applied
// patch in five, and an edit in place in three. A click is one, a chord of keys, and a text with the key that sends it. And how
// much the palette holds then, in the state that most people are in most of the time.
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
  "a new user gets a response in 4 interactions, a patch in 5 and an edit in 3, with at most 30 commands",
  { extension: "packed", settings: { "patchbay.baseUrl": "" } },
  async (vscode, sim) => {
    const { page, chat, composer, transcript, workspace } = vscode;
    const field = page.locator(".quick-input-widget input").first();
    const file = join(workspace, "src/discount.ts");
    const before = readFileSync(file, "utf8");
    let counted: string[] = [];
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
    assert.ok(counted.length <= 4, counted.join(", "));
    const accept = chat.locator("[data-armed]").getByRole("button", { name: "Accept", exact: true });
    await accept.waitFor();
    await interact("accept", () => accept.click());
    await transcript.getByRole("group", { name: "Accepted" }).waitFor();
    assert.notEqual(readFileSync(file, "utf8"), before);
    assert.ok(counted.length <= 5, counted.join(", "));

    const editor = await vscode.openFile("src/cart.ts");
    await editor.getByText("export function total").click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+ArrowDown");
    const cart = join(workspace, "src/cart.ts");
    const [line = ""] = readFileSync(cart, "utf8")
      .split("\n")
      .filter((each) => each.startsWith("export function total"));
    sim.reply(
      patchCall(`*** Begin Patch\n*** Update File: src/cart.ts\n@@\n+// Adds up.\n ${line}\n*** End Patch\n`),
    );
    sim.reply(text("It says so now."));
    counted = [];
    await interact("the chord of Edit Here", async () => {
      await page.keyboard.press("Control+K");
      await page.keyboard.press("Control+E");
    });
    await page.locator(".review-widget .monaco-editor.focused").first().waitFor();
    await interact("what should change", async () => {
      await page.keyboard.type("Say what it does");
      await page.keyboard.press("Enter");
    });
    const diff = page.locator('.monaco-editor.focused[data-uri^="patchbay-review"]');
    await diff.getByText("// Adds up.").first().waitFor();
    await vscode.statusItem.getByText("Patchbay: review 1").waitFor();
    await interact("accept", () => page.keyboard.press("Control+Enter"));
    await page.locator(".statusbar").getByText("Accepted. Nothing left to review.").waitFor();
    assert.match(readFileSync(cart, "utf8"), /^\/\/ Adds up\.$/m);
    assert.ok(counted.length <= 3, counted.join(", "));

    const rows = page.locator(".quick-input-widget .monaco-list-row");
    await attempt(async (timeout) => {
      await page.keyboard.press("F1");
      await page.locator('.quick-input-widget input[type="text"]').fill(">Patchbay: ", { timeout });
      await rows.filter({ hasText: "Patchbay: " }).first().waitFor({ timeout });
    });
    // Rows out of sight are not in the document. Beside our own commands there are those that VS Code makes of our views.
    const size = Number(await rows.first().getAttribute("aria-setsize"));
    const names = new Set<string | null>();
    for (let left = size; left > 0; left -= 1) {
      for (const name of await rows.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)))
        names.add(name);
      await page.keyboard.press("ArrowDown");
    }
    assert.ok(names.size >= size, "not all rows were seen");
    const ours = [...names].filter((name) => /^Patchbay: (?!Focus on )/.test(name ?? ""));
    assert.ok(ours.length > 20 && ours.length <= 30, `${ours.length} commands: ${ours.join("; ")}`);
    await page.keyboard.press("Escape");
  },
);
