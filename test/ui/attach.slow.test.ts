// What goes out with a question: lines of a file, a file picked after "@", a symbol, a terminal's text, what has changed,
// and what was dropped.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "../sim/script.ts";
import { insist } from "./support/insist.ts";
import { vscodeTest } from "./support/vscode-test.ts";
import { createKeys } from "./ways/panel-keys.ts";
import { createMouse } from "./ways/panel-mouse.ts";

vscodeTest(
  "selected lines and a picked file are sent with the question and named in it",
  {},
  async (vscode, sim) => {
    const { page, chat, transcript } = vscode;
    await vscode.setKey(sim.key);
    const editor = await vscode.openFile("src/cart.ts");
    await editor.locator(".view-line").first().click();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("y");
    // What is attached is said aloud too.
    await chat.getByText("src/cart.ts, lines").first().waitFor();
    await vscode.command("Patchbay: Add Context…");
    await page.getByRole("option", { name: "Files…" }).click();
    const input = page.locator(".quick-input-widget").getByRole("textbox");
    const discount = page.getByRole("checkbox", { name: "src/discount.ts" }).first();
    // What is typed too early goes into the palette that closes.
    await insist(() => input.fill("discount"), discount);
    await discount.click();
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

vscodeTest(
  "the @ menu attaches a symbol, terminal text and changes by mouse and by keys, and a drop attaches files",
  {},
  async (vscode, sim) => {
    const { page, chat, composer, workspace } = vscode;
    const git = (...words: string[]) => execFileSync("git", words, { cwd: workspace });
    git("init", "--quiet");
    git("add", ".");
    appendFileSync(join(workspace, "src/price.ts"), "\n// Not staged yet.\n");
    await vscode.setKey(sim.key);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator('.statusbar-item[id^="status.scm"]').first().waitFor();
    await vscode.command("Terminal: Create New Terminal");
    const terminal = page.locator(".terminal.xterm textarea:focus");
    await terminal.waitFor().catch(async (error: unknown) => {
      if (!(await page.locator(".statusbar-item", { hasText: "Pty Host" }).isVisible())) throw error;
      assert.fail("This build of VS Code has no terminals: its node-pty is not compiled.");
    });
    // The shell has written its prompt: an empty terminal has no text to attach.
    await page.locator(".terminal-command-decoration").first().waitFor();
    const editor = await vscode.openFile("src/price.ts");
    await editor.getByText("formatPrice").first().click();
    // Once TypeScript knows the file, what stands above it names the place.
    await page.locator(".breadcrumbs-below-tabs").getByText("formatPrice").waitFor();
    await vscode.openChat();

    const chip = (name: string | RegExp) => chat.getByRole("button", { name });
    const chips = {
      symbol: chip("Remove src/price.ts, lines 1–3"),
      terminal: chip(/^Remove (bash|sh|zsh)/),
      changes: chip("Remove Unstaged changes"),
    };
    for (const [hand, choose] of [
      [createMouse(vscode), byMouse],
      [createKeys(vscode), byKeys],
    ] as const) {
      await hand.mention("sym", "Symbol…");
      await choose("formatPrice");
      await chips.symbol.waitFor();
      await hand.mention("term", "Terminal selection");
      await chips.terminal.waitFor();
      await hand.mention("chan", "Changes, branch or commit…");
      await choose("Unstaged changes");
      await chips.changes.waitFor();
      if (choose === byMouse) for (const each of Object.values(chips)) await each.click();
    }

    const { host } = new URL(page.url());
    await composer.evaluate(drop, [
      `vscode-remote://${host}${join(workspace, "src/discount.ts")}`,
      "https://example.test/a.ts",
    ]);
    await chat.getByRole("button", { name: "Remove src/discount.ts" }).waitFor();
    const told = page.locator(".notification-toast", {
      hasText: "https://example.test/a.ts cannot be attached",
    });
    await told.waitFor();
    await composer.evaluate(drop, ["vscode-remote://ssh-remote+elsewhere/home/a.ts"]);
    const asked = page.getByRole("dialog", { name: /Add files from outside/ });
    await asked.getByRole("button", { name: "Cancel" }).click();
    await asked.waitFor({ state: "detached" });

    sim.reply(text("That is all."));
    await vscode.ask("What is all this?", "svc-k3");
    await vscode.transcript.getByText("That is all.").waitFor();
    const sent = sim.requests.at(-1)?.raw.toString("utf8") ?? "";
    for (const part of [
      /<selection path=\\"src\/price\.ts\\" lines=\\"1-3\\"/,
      /<terminal /,
      /\+\/\/ Not staged yet\./,
      /<file path=\\"src\/discount\.ts\\"/,
    ])
      assert.match(sent, part);
    // What went out says what it came to.
    await vscode.transcript.getByRole("button", { name: /src\/discount\.ts ≈.* tokens/ }).waitFor();
    await vscode.screenshot("attached-by-name");
    await vscode.command("Git: Close Repository");
    rmSync(join(workspace, ".git"), { recursive: true });

    async function byMouse(name: string): Promise<void> {
      await page.locator(".quick-input-widget").getByRole("option", { name }).first().click();
    }

    async function byKeys(name: string): Promise<void> {
      const input = page.locator(".quick-input-widget input:focus");
      await input.waitFor();
      await page.keyboard.insertText(name);
      await page.locator(".quick-input-widget .focused", { hasText: name }).waitFor();
      await page.keyboard.press("Enter");
    }
  },
);

/** Runs in the page: nothing here can drag out of another program. */
function drop(input: HTMLElement | SVGElement, uris: readonly string[]): void {
  const data = new DataTransfer();
  data.setData("application/vnd.code.uri-list", uris.join("\r\n"));
  input.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}
