// Somebody who selects and moves for a minute costs no request: the product's own commands over a real service, in the
// real editor.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { type CountingDesk, openCountingDesk } from "./support/counting-desk.ts";
import { put, show } from "./support/files.ts";

describe("counting for somebody who does not stop", function () {
  this.timeout(120_000);
  let desk: CountingDesk;
  beforeEach(async () => {
    desk = await openCountingDesk();
  });
  afterEach(() => desk.close());

  it("moving the cursor and selecting is counted here, and makes no request, for a minute at twenty a second", async () => {
    // Even where counting unasked is allowed: that is about what is written to be sent.
    desk.set.mode = "auto";
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at} has a few words of its own`);
    await put("tokens/a.txt", lines.join("\n"));
    const editor = await show("tokens/a.txt");
    let heard = 0;
    const hearing = vscode.window.onDidChangeTextEditorSelection(() => {
      heard += 1;
    });
    // Now and then the editor hears of two moves as one.
    for (let move = 0; heard < 60 * 20; move += 2) {
      const line = (move % 53) + 1;
      editor.selection = new vscode.Selection(line, 0, line, move % 4 === 0 ? 0 : move % 20);
      await vscode.commands.executeCommand("cursorRight");
    }
    const last = new vscode.Selection(0, 0, 1, 9);
    editor.selection = last;
    await desk.counted(last);
    hearing.dispose();
    const { features } = desk.selection.current ?? assert.fail();
    const { tokens } = desk.service.counts.aboutFeatures("svc-k3", features);
    assert(tokens > 4 && tokens < 20, String(tokens));
    editor.selection = new vscode.Selection(0, 3, 0, 3);
    await desk.counted(undefined);
    assert.equal(desk.sim.requests.length, 0);
  });
});
