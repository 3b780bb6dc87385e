// A proposal for a notebook, from the card in the conversation to its cells.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { nextFrame, until } from "./support/insist.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const patch = `*** Begin Patch
*** Update File: sums.ipynb
@@
 # %% code python
-total = sum(prices)
+total = sum(price for price in prices if price > 0)
 print(total)
+# %% markdown
+Only what was *paid* counts.
*** End Patch
`;

vscodeTest(
  "a proposed notebook is reviewed by its cells, and accepted into them",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    const place = join(vscode.workspace, "sums.ipynb");
    const stream = { name: "stdout", output_type: "stream", text: ["42\n"] };
    const cells = [
      { cell_type: "markdown", id: "title", metadata: {}, source: ["# Prices of the week"] },
      {
        cell_type: "code",
        execution_count: 1,
        id: "load",
        metadata: {},
        outputs: [],
        source: ["prices = [20, 22]"],
      },
      {
        ...{ cell_type: "code", execution_count: 2, id: "sum", metadata: {}, outputs: [stream] },
        source: ["total = sum(prices)\n", "print(total)"],
      },
    ];
    const metadata = { language_info: { name: "python" } };
    const file = `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
    writeFileSync(place, file);
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await vscode.quickOpen("sums.ipynb");
    const notebook = page.locator(".notebookOverlay");
    await notebook.getByText("print").first().waitFor();
    sim.reply(patchCall(patch));
    sim.reply(text("Done."));
    await vscode.ask("Count only what was paid.", "svc-k3");
    await vscode.statusItem.getByText("Patchbay: review 2").waitFor();
    await vscode.screenshot("notebook pending");
    await vscode.command("Patchbay: Review All Changes");
    const proposed = page.locator('.monaco-editor[data-uri^="patchbay-review"]');
    await proposed.getByText("Only what was").first().waitFor();
    await vscode.screenshot("notebook review");
    await vscode.command("Patchbay: Accept All Changes");
    const onDisk = () => readFileSync(place, "utf8");
    await until(
      () => onDisk().includes("Only what was"),
      () => nextFrame(page),
    );
    await vscode.screenshot("notebook accepted");
    const [title, load, sum, added] = JSON.parse(onDisk()).cells;
    assert.deepEqual([title, load], cells.slice(0, 2));
    assert.deepEqual(sum.outputs, [stream]);
    assert.deepEqual(sum.source, ["total = sum(price for price in prices if price > 0)\n", "print(total)"]);
    assert.deepEqual([added.cell_type, added.source], ["markdown", ["Only what was *paid* counts."]]);
  },
);
