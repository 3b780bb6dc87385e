// Several conversations: found again in their list, opened, renamed, archived, searched, deleted.
import { text } from "../sim/script.ts";
import { insist } from "./support/insist.ts";
import { vscodeTest } from "./support/vscode-test.ts";

vscodeTest(
  "conversations are found again, opened, renamed, archived and deleted",
  {},
  async (vscode, sim) => {
    const { page, transcript } = vscode;
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(text("A list of lines."));
    await vscode.ask("What is a cart?", "svc-k2.6");
    await transcript.getByText("A list of lines.").waitFor();
    await vscode.command("Patchbay: New Conversation");
    sim.reply(text("A number of cents."));
    await vscode.ask("What is a price?", "svc-k2.6");
    await transcript.getByText("A number of cents.").waitFor();

    await vscode.command("Patchbay: Focus on Conversations View");
    const tree = page.getByRole("tree", { name: "Conversations" });
    const cart = tree.getByRole("treeitem", { name: "What is a cart?" });
    await tree.getByRole("treeitem", { name: "What is a price?" }).getByText("open").waitFor();
    await vscode.screenshot("conversations");
    await cart.click();
    await transcript.getByText("A list of lines.").waitFor();

    // The row that the keyboard is on is meant, not the one that is open.
    await vscode.command("Patchbay: Focus on Conversations View");
    const price = tree.getByRole("treeitem", { name: "What is a price?" });
    const onCart = tree.locator(".monaco-list-row.focused", { hasText: "What is a cart?" });
    // The chat may take the focus once more when it has drawn what was opened.
    await insist(async () => {
      await price.click();
      await tree.press("ArrowDown");
    }, onCart);
    await price.getByText("open").waitFor();
    const input = page.locator(".quick-input-widget").getByRole("textbox");
    await insist(() => tree.press("F2"), input);
    await input.fill("Carts");
    await input.press("Enter");
    const carts = tree.getByRole("treeitem", { name: "Carts" });
    await carts.waitFor();

    await vscode.command("Patchbay: Search Conversations…");
    await input.fill("number of cents");
    await page.getByRole("option", { name: "What is a price?" }).click();
    await transcript.getByText("A number of cents.").waitFor();

    const archived = tree.getByRole("treeitem", { name: "Archived" });
    // A row that is selected keeps its buttons when the pointer is taken for gone.
    await carts.click();
    await carts.getByText("open").waitFor();
    await carts.getByRole("button", { name: "Archive Conversation…" }).click();
    await archived.waitFor();
    await insist(() => archived.click(), carts);
    await carts.click();
    const remove = page.getByRole("dialog").getByRole("button", { name: "Delete" });
    await insist(() => tree.press("Delete"), remove);
    await remove.click();
    await carts.waitFor({ state: "detached" });
  },
);
