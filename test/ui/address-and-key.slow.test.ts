// The first minutes: an address or a key that cannot be right is refused where it is typed, and the walkthrough leads
// from there to the end, ticking each step once it is done.
import { strict as assert } from "node:assert";
import { text } from "../sim/script.ts";
import { insist } from "./support/insist.ts";
import { ledgerSettings } from "./support/ledger-settings.ts";
import { pressOn, showList } from "./support/tree.ts";
import type { VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const plainHttp = ["http://inference.example.com", "http:// works only on this computer"] as const;
const addresses = [
  ["https://me:secret@inference.example.com", "can't include a user name or password"],
  ["https://inference.example.com/?team=a", "can't include a query"],
  ["https://inference.example.com/#a", "can't include a fragment"],
  plainHttp,
] as const;
const keys = ["sk-one two", "sk-öne"] as const;

function walkthrough({ page, command }: VsCode) {
  const step = (name: string) => page.locator(`.getting-started-step[data-step-id$="#${name}"]`);
  return {
    async open(): Promise<void> {
      // The oldest VS Code shows a walkthrough of its own at first, and ours when it is asked again.
      await insist(() => command("Patchbay: Get Started"), step("tokens"));
    },
    done: (name: string, is = true) =>
      step(name)
        .and(page.locator(`[aria-checked="${is}"]`))
        .waitFor(),
    async press(name: string, button: string): Promise<void> {
      const open = step(name).and(page.locator('[aria-expanded="true"]'));
      // The page opens one by itself when another one is done.
      await insist(async () => {
        if (!(await open.isVisible())) await step(name).click();
      }, open);
      await open.locator(".monaco-button", { hasText: button }).click();
    },
  };
}

vscodeTest(
  "the connection setup refuses an invalid service URL or API key with a sentence and sends nothing",
  { settings: { ...ledgerSettings, "patchbay.baseUrl": plainHttp[0] } },
  async (vscode, sim) => {
    const { page, chat } = vscode;
    const widget = page.locator(".quick-input-widget");
    const start = walkthrough(vscode);
    const isRefused = async (sentence: string) => {
      await widget.getByText(sentence).waitFor();
      await page.keyboard.press("Enter");
      assert.equal(await widget.isVisible(), true);
    };
    await start.open();
    await start.done("connect", false);

    // In the settings: a card with one button.
    await vscode.openChat();
    await chat.getByText(plainHttp[1]).waitFor();
    await chat.getByRole("button", { name: "Connect" }).click();
    for (const [address, sentence] of addresses) {
      await widget.locator("input").first().fill(address);
      await isRefused(sentence);
    }
    // What a host lacks is completed where it is typed.
    await widget.locator("input").first().fill("inference.example.com");
    await widget.getByText("Connects to https://inference.example.com.").waitFor();
    await widget.locator("input").first().fill(sim.url);
    await page.keyboard.press("Enter");
    await chat.getByText(`Add an API key for ${sim.url}.`).waitFor();

    for (const key of keys) {
      await widget.locator('input[type="password"]').fill(key);
      await isRefused("The API key contains");
    }
    await page.keyboard.press("Escape");
    // It is set, and nobody has seen it work.
    await start.done("connect", false);

    await chat.getByText(`Add an API key for ${sim.url}.`).waitFor();
    assert.equal(sim.requests.length, 0);
  },
);

vscodeTest(
  "the walkthrough leads from the API key through samples to shortcuts, usage and prices and ticks finished steps",
  {},
  async (vscode, sim) => {
    const { page, transcript } = vscode;
    const start = walkthrough(vscode);
    const input = page.locator(".quick-input-widget input");
    await start.open();
    await start.done("key", false);
    await start.press("key", "Set API Key");
    await input.first().fill("sk-of-another-service");
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").getByText("Enter another key.").waitFor();
    await start.done("key", false);
    await start.done("connect", false);
    await input.first().fill(sim.key);
    await page.keyboard.press("Enter");
    await start.done("key");
    await start.done("connect");

    await start.press("ask", "Open Chat");
    sim.reply(text("Welcome."));
    await vscode.ask("Hello", "svc-k2.6");
    await transcript.getByText("Welcome.").waitFor();
    await start.done("ask");

    await start.press("act", "Open Sample");
    await page.getByRole("tab", { name: /sample of Patchbay/ }).waitFor();
    sim.reply(text("It takes a share off."));
    await vscode.command("Patchbay: Explain");
    await transcript.getByText("It takes a share off.").waitFor();
    const asked = sim.requests.length;

    // The sample needs no service and touches no file.
    await start.open();
    await start.done("act");
    await start.press("review", "Review the Sample");
    await page.getByRole("tab", { name: /\d proposed changes?\b.* \(\d/ }).waitFor();
    const tree = await showList(vscode, "Pending Changes");
    const changes = tree.getByRole("treeitem", { name: /added, .* removed/ });
    await changes.nth(2).waitFor();
    await pressOn(changes.first(), "Accept Change");
    await changes.nth(2).waitFor({ state: "detached" });
    await vscode.screenshot("walkthrough-review");
    await vscode.command("Patchbay: Reject All Changes");
    await page.getByText("This was a sample. No file was changed and nothing was sent.").first().waitFor();
    assert.equal(sim.requests.length, asked);

    await start.open();
    await start.done("review");
    await start.press("keys", "Shortcuts for Actions");
    await page.locator(".keybindings-editor .monaco-list-row").first().waitFor();
    // By the mouse: the list takes the focus more than once, and a palette closes when it does.
    await page.getByRole("tab", { name: "Welcome" }).click();
    await start.done("keys");
    await start.done("tokens", false);
    await start.press("tokens", "Show Usage");
    await page.getByRole("tree", { name: "Usage" }).waitFor();
    await start.press("tokens", "Enter Prices");
    await page.locator(".settings-editor").getByText("Edit in settings.json").first().click();
    await page.locator(".view-line", { hasText: '"output"' }).first().click();
    await page.keyboard.press("End");
    await page.keyboard.type("0");
    await vscode.save();
    await start.open();
    await start.done("tokens");
    await vscode.screenshot("walkthrough-done");
  },
);
