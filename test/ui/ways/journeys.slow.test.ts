// Whole ways through the product, with the simulator's built-in assistant at the other end: what a person would do on
// the first day, in the package that users get; with PATCHBAY_LONG in the folder in development too.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { holds } from "../support/insist.ts";
import { bothExtensions, vscodeTest } from "../support/vscode-test.ts";
import { settings } from "./settings.ts";

/** What this walks through is walked through in the folder in development by the tests beside it, piece by piece. */
const isLong = process.env["PATCHBAY_LONG"] !== undefined;

for (const extension of isLong ? bothExtensions : (["packed"] as const)) {
  vscodeTest(
    `a file is explained, a bug patched and the patch undone, the web searched and the model changed (${extension})`,
    { extension, assistant: true, settings },
    async (vscode, sim) => {
      const { page, chat, transcript } = vscode;
      const file = join(vscode.workspace, "src/discount.ts");
      const before = readFileSync(file, "utf8");
      await vscode.openChat();
      await vscode.setKey(sim.key);

      await vscode.ask("Explain src/cart.ts");
      await transcript.getByRole("button", { name: /^Read 1 file/ }).waitFor();
      await transcript.getByText("The heart of it is").waitFor();

      await vscode.ask("Fix the bug in src/discount.ts");
      const proposed = transcript.getByRole("group", { name: "Proposed", exact: true });
      await proposed.getByText("discount.ts").waitFor();
      assert.equal(readFileSync(file, "utf8"), before);
      await vscode.statusItem.getByText("Patchbay: review 1").waitFor();
      // The buttons take a moment before they believe a click.
      const bar = vscode.chat.getByRole("region", { name: "Proposed changes" });
      await bar.locator("[data-armed]").getByRole("button", { name: "Accept", exact: true }).click();
      await transcript.getByText("changed as asked.").waitFor();
      await transcript.getByRole("group", { name: "Accepted", exact: true }).waitFor();

      const editor = await vscode.openFile("src/discount.ts");
      // Not what stood between its lines while it was a proposal.
      const lines = editor.locator(".view-lines");
      await lines.getByText("line.quantity >= bulkQuantity").waitFor();
      await holds(vscode, "src/discount.ts", before.replace("quantity > bulk", "quantity >= bulk"));
      await page.keyboard.press("Control+Z");
      await lines.getByText("line.quantity > bulkQuantity").waitFor();
      await vscode.save();
      await holds(vscode, "src/discount.ts", before);

      await vscode.ask("Search the web for rounding prices");
      await transcript.getByRole("button", { name: /^Searched the web/ }).click();
      await transcript.locator(".search summary").click();
      await transcript.getByText("Notes on rounding prices").first().waitFor();
      await transcript.getByText("Two pages speak of").waitFor();

      await vscode.ask("And who are you?", "svc-k2.6");
      await transcript.getByText("I am the assistant built into the service simulator.").waitFor();
      await transcript.getByText("Chat completions").waitFor();

      await vscode.reload();
      await transcript.getByText("Two pages speak of").waitFor();
      await transcript.getByText("I am the assistant built into the service simulator.").waitFor();
      await chat.getByRole("button", { name: "Model: K2.6" }).waitFor();
    },
  );
}
