// The sources of a whole conversation in the real window: from the chat's menu, each once.
import assert from "node:assert/strict";
import { search, text } from "../sim/script.ts";
import { insist } from "./support/insist.ts";
import { chooseInMenu } from "./support/menu.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "Sources lists pages and images of all responses once, with their hosts and responses",
  { settings: { "patchbay.webSearch.default": true } },
  async (vscode, sim) => {
    const { page, transcript } = vscode;
    const list = page.locator(".quick-input-widget");
    await vscode.openChat();
    await vscode.setKey(sim.key);
    const a = { url: "https://example.org/news", title: "The news of today" };
    const cat = { url: "https://аpple.com/cat.png", title: "A cat" };
    sim.reply(
      search("news", [a, { url: "https://example.com@evil.test/", title: "Not a link" }]),
      text("One."),
    );
    sim.reply(search("cats", [a], [cat]), text("Two."));
    await vscode.ask("What is new?", "svc-k3");
    await transcript.getByText("One.").waitFor();
    await vscode.ask("And a cat?", "svc-k3");
    await transcript.getByText("Two.").waitFor();
    const more = vscode.chatMore;
    await chooseInMenu(() => more.click(), "Sources", list.getByText("2 Sources"));
    await list.getByText("example.org").waitFor();
    await list.getByText("Responses 1, 2").waitFor();
    await list.getByText("xn--pple-43d.com").waitFor();
    await vscode.screenshot("sources");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
  },
);

vscodeTest(
  "Go to Response focuses the response that has a source, by keyboard and by mouse, even one far above",
  { settings: { "patchbay.webSearch.default": true } },
  async (vscode, sim) => {
    const { page, chat, transcript } = vscode;
    const list = page.locator(".quick-input-widget");
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(
      search("news", [{ url: "https://example.org/news", title: "The news of today" }]),
      text("One."),
    );
    await vscode.ask("What is new?", "svc-k3");
    await transcript.getByText("One.").waitFor();
    for (const count of [2, 3]) {
      sim.reply(text(`${"A long line of an answer.\n\n".repeat(400)}End of ${count}.`));
      await vscode.ask(`Tell me more (${count}).`, "svc-k3");
      await transcript.getByText(`End of ${count}.`).waitFor();
    }
    const first = transcript.getByRole("article").filter({ hasText: "What is new?" });
    await first.waitFor({ state: "detached" });

    const more = vscode.chatMore;
    await chooseInMenu(() => more.click(), "Sources", list.getByText("1 Source"));
    await list.getByText("example.org").waitFor();
    // The button of the row that is chosen comes after the box.
    await insist(() => page.keyboard.press("Tab"), list.locator(".action-label:focus"));
    await vscode.screenshot("sources-button");
    const button = list.locator(".action-label:focus");
    assert.equal(await button.getAttribute("aria-label"), "Go to Response");
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "hidden" });
    await first.and(chat.locator(":focus")).waitFor();
    await transcript.getByText("One.").waitFor();
    await vscode.screenshot("sources-response");

    // By mouse as well.
    await page.keyboard.press("End");
    await transcript.getByRole("article").last().and(chat.locator(":focus")).waitFor();
    await chooseInMenu(() => more.click(), "Sources", list.getByText("1 Source"));
    const row = list.getByRole("option", { name: "The news of today" });
    await row.hover();
    await row.locator(".action-label").click();
    await list.waitFor({ state: "hidden" });
    await first.and(chat.locator(":focus")).waitFor();
  },
);
