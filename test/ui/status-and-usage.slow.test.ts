// What the status bar says before, while and after something is asked, and the list of what was used.
import { strict as assert } from "node:assert";
import { cutAfterEvents } from "../sim/delivery-faults.ts";
import { text } from "../sim/script.ts";
import { insist, nextFrame, until } from "./support/insist.ts";
import { fold, foldChat, showList, unfold } from "./support/tree.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const answer = "The total adds up cents times quantity, so that no rounding can creep in.";

vscodeTest(
  "the status bar shows its states, counts on request and stops a response, and Usage lists every request",
  {},
  async (vscode, sim) => {
    const { page, transcript, statusItem } = vscode;
    await vscode.openChat();
    await statusItem.getByText("Patchbay: Set up").waitFor();
    await vscode.setKey(sim.key);
    sim.reply(text(answer));
    await vscode.ask("How is the total added up?", "svc-k3");
    await transcript.getByText(answer).waitFor();
    await statusItem.getByText(/[\d.]+k in \(\d+% cached\) · \d+ out · €[\d.]+/).waitFor();
    await insist(async () => {
      await page.mouse.move(0, 0);
      await statusItem.hover();
    }, page.getByText("written to the cache"));
    await vscode.screenshot("status-figures");

    // A selection is estimated here, and counted by the service when a person says so.
    const editor = await vscode.openFile("src/cart.ts");
    await editor.press("Control+A");
    await statusItem.getByText("≈").waitFor();
    const asked = sim.requests.length;
    const count = page.getByRole("option", { name: "Count tokens…" });
    await insist(() => statusItem.click(), count);
    await count.click();
    await page.getByRole("option", { name: "Selection" }).click();
    await statusItem.getByText("≈").waitFor({ state: "detached" });
    assert.equal(sim.requests.length, asked + 1);
    await vscode.openFile("src/discount.ts");

    // An answer that arrives is counted by the second, and a click stops it.
    sim.reply(text(answer), cutAfterEvents(6, "hang"));
    await vscode.ask("And without rounding?");
    await statusItem.getByText(/\d+s · ≈\d+ out/).waitFor();
    await statusItem.click();
    await transcript.getByText("Stopped", { exact: true }).first().waitFor();

    const tree = await showList(vscode, "Usage");
    await foldChat(vscode);
    const row = (name: RegExp) => tree.getByRole("treeitem", { name }).last();
    await row(/^How is the total added up\?\. /).waitFor();
    await vscode.command("Patchbay: Rename Conversation…");
    // It is the open one that is meant, and its name is in the box.
    const name = page.getByRole("textbox", { name: /Rename Conversation/ });
    await until(
      async () => (await name.inputValue()) === "How is the total added up?",
      () => nextFrame(page),
    );
    await name.fill("Sums");
    await name.press("Enter");
    // The name is looked at before it is taken: whoever goes elsewhere in that moment has left the box, and named nothing.
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await unfold(row(/^Today/));
    // It lies somewhere among those of today, which may be more than the list is high.
    let steps = 0;
    await until(
      () => row(/^Sums\. /).isVisible(),
      () => tree.press(steps++ % 60 === 0 ? "Home" : "ArrowDown"),
    );
    await tree.press("Home");
    // The sum of today holds the same conversation, and those of the tests before: folded, it is one row.
    await fold(row(/^Today/));
    await row(/^This conversation\. [\d,]+ tokens in, [\d,]+ tokens out\. Of the input/).waitFor();
    await insist(() => row(/^How is the total/).click(), row(/^Request 1/));
    await insist(() => row(/^Request 1/).click(), row(/Written to the cache/));
    await vscode.screenshot("usage");

    // Another lifetime has a cache of its own, so that the history is sent again.
    const lifetime = page.getByRole("option", { name: "Choose the cache lifetime" });
    await insist(() => statusItem.click(), lifetime);
    await lifetime.click();
    await page.getByRole("option", { name: /^1 hour/ }).click();
    sim.reply(text("It rounds once, at the end."));
    await vscode.openChat();
    await vscode.ask("And at the end?");
    await transcript.getByText("It rounds once, at the end.").waitFor();
    await showList(vscode, "Usage");
    await foldChat(vscode);
    await insist(() => tree.press("Home"), row(/^Today/));
    await fold(row(/^This conversation/));
    await unfold(row(/^By cause, last 30 days/));
    await unfold(row(/^Cache misses\. .*sent again/));
    await row(/^Cache lifetime changed\. .*in 1 request/).waitFor();
    await vscode.screenshot("usage-by-cause");
  },
);
