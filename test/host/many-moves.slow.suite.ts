// Somebody who selects and moves for a minute costs no request: the product's own commands over a real service, in the
// real editor.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { countingForEach } from "./support/counting-fixture.ts";
import { put, show } from "./support/files.ts";

describe("the token count of a selection", () => {
  const fixture = countingForEach();

  it("makes no request while the cursor moves and selects twenty times a second for a minute", async () => {
    // Even where counting unasked is allowed: that is about what is written to be sent.
    fixture.set.mode = "auto";
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
    await fixture.counted(last);
    hearing.dispose();
    const { features } = fixture.selection.current ?? assert.fail();
    const { tokens } = fixture.service.counts.aboutFeatures("svc-k3", features);
    assert(tokens > 4 && tokens < 20, String(tokens));
    editor.selection = new vscode.Selection(0, 3, 0, 3);
    await fixture.counted(undefined);
    assert.equal(fixture.sim.requests.length, 0);
  });
});
