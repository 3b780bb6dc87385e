// An address or a key that cannot be right is refused where it is typed, with a sentence, and nothing is sent.
import { strict as assert } from "node:assert";
import { vscodeTest } from "./support/vscode-test.ts";

const addresses = [
  ["http://inference.example.com", "http:// is for this machine only"],
  ["https://me:secret@inference.example.com", "must not contain a user name or password"],
  ["https://inference.example.com/?team=a", "must not contain a query"],
  ["https://inference.example.com/#a", "must not contain a fragment"],
] as const;

vscodeTest("a bad base address or key is refused with a sentence", {}, async (vscode, sim) => {
  const { page, command, openChat, chat } = vscode;
  const widget = page.locator(".quick-input-widget");
  await command("Patchbay: Set Base Address…");
  for (const [address, sentence] of addresses) {
    await widget.locator("input").fill(address);
    await widget.getByText(sentence).waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await widget.isVisible(), true);
  }
  await page.keyboard.press("Escape");

  await command("Patchbay: Set API Key…");
  await widget.locator('input[type="password"]').fill("sk-one two");
  await widget.getByText("The API key contains a space").waitFor();
  await page.keyboard.press("Enter");
  assert.equal(await widget.isVisible(), true);
  await page.keyboard.press("Escape");

  await openChat();
  await chat.getByText(`There is no API key for ${sim.url} yet.`).waitFor();
  assert.equal(sim.requests.length, 0);
});

vscodeTest(
  "a bad base address in the settings is a card with one button",
  { settings: { "patchbay.baseUrl": "http://inference.example.com" } },
  async ({ openChat, chat }, sim) => {
    await openChat();
    await chat.getByText("http:// is for this machine only").waitFor();
    await chat.getByRole("button", { name: "Set base address" }).waitFor();
    assert.equal(sim.requests.length, 0);
  },
);
