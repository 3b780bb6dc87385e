// What can be done with an answer: with its code, its links and itself, by mouse, by the editor's menu and by keyboard
// alone.
import { strict as assert } from "node:assert";
import { text } from "../sim/script.ts";
import { bothExtensions, vscodeTest } from "./support/vscode-test.ts";

const code = [
  "// src/discount.ts",
  "export function bulkDiscount(line: Line): number {",
  "  if (line.quantity >= bulkQuantity) {",
  "    return Math.round(line.cents * line.quantity * bulkRate);",
  "  }",
  "  return 0;",
  "}",
].join("\n");
const answer = `Like this, see [the manual](https://example.com/manual):\n\n\`\`\`ts\n${code}\n\`\`\`\n\nTen count now.`;

for (const extension of bothExtensions) {
  vscodeTest(
    `code of an answer is used, an answer asked for again, branched and found, by mouse and by keyboard (${extension})`,
    { extension },
    async (vscode, sim) => {
      const { page, chat, composer, transcript } = vscode;
      const editor = page.locator(".part.editor .view-lines");
      const menu = page.locator(".context-view .monaco-menu");
      const choose = (name: string) => menu.getByRole("menuitem", { name }).click();
      const focused = transcript.locator("article:focus");
      await vscode.openChat();
      await vscode.setKey(sim.key);
      sim.reply(text(answer));
      await vscode.ask("From ten on?", "svc-k2.6");
      await transcript.getByText("Ten count now.").waitFor();

      // By mouse: into a file of one's own, at the cursor, and as an edit that waits in the Refactor Preview.
      await transcript.getByRole("button", { name: "Open as new file" }).click();
      await page.locator(".statusbar-item", { hasText: "TypeScript" }).waitFor();
      await vscode.command("File: New Untitled Text File");
      await page.keyboard.type("// ");
      await transcript.getByRole("button", { name: "Insert at cursor" }).click();
      await editor.getByText("// // src/discount.ts").waitFor();
      await transcript.getByRole("button", { name: "Propose as edit" }).click();
      await page.locator(".refactor-preview").getByText("Code of an answer").waitFor();
      await vscode.screenshot(`propose ${extension}`);
      await page.getByRole("button", { name: /^Apply/ }).click();
      const changed = await vscode.openFile("src/discount.ts");
      await changed.getByText("line.quantity >= bulkQuantity").waitFor();

      // By the editor's menu: on code, on a link, on what is selected.
      await transcript.locator("pre").click({ button: "right" });
      await menu.getByText("Copy Message as Markdown").waitFor();
      await vscode.screenshot(`menu ${extension}`);
      await choose("Open Code as New File");
      await page.locator(".tab.active", { hasText: "// src/discount.ts" }).waitFor();
      await transcript.getByText("the manual").click({ button: "right" });
      await choose("Copy Link Address");
      await transcript.getByText("Ten count now.").dblclick();
      await transcript.getByText("Ten count now.").click({ button: "right" });
      await choose("Quote Selection in Question");
      await composer.evaluate(startsAsQuotation);

      // By keyboard alone: to the last answer, along its actions, to the answer before, back to the box.
      await composer.fill("");
      sim.reply(text("Another way to say it."));
      await composer.press("Alt+ArrowUp");
      await focused.waitFor();
      await chat.getByRole("toolbar").last().getByRole("button", { name: "Copy as Markdown" }).focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await transcript.getByText("Another way to say it.").waitFor();
      sim.reply(text("Eight, then."));
      await composer.fill("And eight?");
      await composer.press("Enter");
      await transcript.getByText("Eight, then.").waitFor();
      await composer.press("Alt+ArrowUp");
      await page.keyboard.press("ArrowUp");
      await transcript.locator("article[aria-posinset='1']:focus").waitFor();
      await page.keyboard.press("Control+F");
      await page.keyboard.type("Eight, then");
      await chat.getByText("1 of 1").waitFor();
      await page.keyboard.press("Escape");

      // What was sent is edited and goes out anew.
      await composer.focus();
      sim.reply(text("Nine it is."));
      await vscode.command("Patchbay: Edit Last Prompt");
      const again = transcript.getByRole("textbox").last();
      await again.fill("And nine?");
      await again.press("Enter");
      await transcript.getByText("Nine it is.").waitFor();
      assert.equal(await transcript.getByText("Eight, then.").count(), 0);
      await vscode.screenshot(`tour ${extension}`);
    },
  );
}

/** Resolves once what stands in the box is quoted. */
function startsAsQuotation(input: HTMLElement | SVGElement): Promise<void> {
  return new Promise((resolve) => {
    const look = () =>
      input instanceof HTMLTextAreaElement && input.value.startsWith("> ")
        ? resolve()
        : requestAnimationFrame(look);
    look();
  });
}
