// What goes out with a question: lines of a file, the problems, a file picked after "@".
import assert from "node:assert/strict";
import { text } from "../sim/script.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "selected lines and a picked file go out with the question, and are named in it",
  {},
  async (vscode, sim) => {
    const { page, chat, transcript } = vscode;
    await vscode.setKey(sim.key);
    await page.keyboard.press("Control+p");
    const input = page.locator(".quick-input-widget").getByRole("textbox");
    await input.fill("src/cart.ts");
    await page.getByRole("option", { name: "cart.ts" }).first().waitFor();
    await input.press("Enter");
    await page.locator(".monaco-editor .view-line").first().click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("y");
    // What is attached is said aloud too.
    await chat.getByText("src/cart.ts, lines").first().waitFor();
    await vscode.command("Patchbay: Add File to Chat…");
    await input.fill("discount");
    await page.getByRole("checkbox", { name: "src/discount.ts" }).first().click();
    await input.press("Enter");
    await chat.getByText("src/discount.ts", { exact: true }).waitFor();
    await vscode.screenshot("attachments");
    sim.reply(text("Both are about money."));
    await vscode.ask("What do these have in common?", "svc-k3");
    await transcript.getByText("Both are about money.").waitFor();
    await transcript.getByText("src/discount.ts").waitFor();
    const sent = sim.requests.at(-1)?.raw.toString("utf8") ?? "";
    assert.match(sent, /<selection path=\\"src\/cart\.ts\\" lines=\\"\d+-\d+\\"/);
    assert.match(sent, /<file path=\\"src\/discount\.ts\\"/);
  },
);
