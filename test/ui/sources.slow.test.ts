// The sources of a whole conversation in the real window: from the chat's menu, each once.
import { search, text } from "../sim/script.ts";
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
    const more = page.locator(".part.auxiliarybar").getByRole("button", { name: /More Actions/ });
    await chooseInMenu(() => more.click(), "Sources", list.getByText("2 Sources"));
    await list.getByText("example.org").waitFor();
    await list.getByText("Responses 1, 2").waitFor();
    await list.getByText("xn--pple-43d.com").waitFor();
    await vscode.screenshot("sources");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
  },
);
