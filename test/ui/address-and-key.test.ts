// An address or a key that cannot be right is refused where it is typed, with a sentence, and nothing is sent.
import { strict as assert } from "node:assert";
import { vscodeTest } from "./support/vscode-test.ts";

const plainHttp = ["http://inference.example.com", "http:// is for this machine only"] as const;
const addresses = [
  ["https://me:secret@inference.example.com", "must not contain a user name or password"],
  ["https://inference.example.com/?team=a", "must not contain a query"],
  ["https://inference.example.com/#a", "must not contain a fragment"],
  plainHttp,
] as const;
const keys = ["sk-one two", "sk-öne"] as const;

vscodeTest(
  "a bad base address or key is refused with a sentence, and nothing is sent",
  { settings: { "patchbay.baseUrl": plainHttp[0] } },
  async (vscode, sim) => {
    const { page, command, chat } = vscode;
    const widget = page.locator(".quick-input-widget");
    const isRefused = async (sentence: string) => {
      await widget.getByText(sentence).waitFor();
      await page.keyboard.press("Enter");
      assert.equal(await widget.isVisible(), true);
    };

    // In the settings: a card with one button.
    await vscode.openChat();
    await chat.getByText(plainHttp[1]).waitFor();
    await chat.getByRole("button", { name: "Set base address" }).click();
    for (const [address, sentence] of addresses) {
      await widget.locator("input").fill(address);
      await isRefused(sentence);
    }
    await widget.locator("input").fill(sim.url);
    await page.keyboard.press("Enter");
    await chat.getByText(`There is no API key for ${sim.url} yet.`).waitFor();

    await command("Patchbay: Set API Key…");
    for (const key of keys) {
      await widget.locator('input[type="password"]').fill(key);
      await isRefused("The API key contains");
    }
    await page.keyboard.press("Escape");

    await chat.getByText(`There is no API key for ${sim.url} yet.`).waitFor();
    assert.equal(sim.requests.length, 0);
  },
);
