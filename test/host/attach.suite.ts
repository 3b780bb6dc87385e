// "Add … to Chat", by menu and palette: each makes the wish that is meant, and nothing where a person goes away.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Attachment } from "../../src/core/conversation/attachment.ts";
import { createAttach } from "../../src/shell/attach/attach.ts";
import { createAttachCommands } from "../../src/shell/attach/attach-commands.ts";
import { leaveNothing, put, show, uriOf } from "./support/files.ts";

describe("adding to the chat", function () {
  this.timeout(120_000);
  let added: Attachment[] = [];
  const commands = createAttachCommands({
    attach: createAttach({
      list: async () => [],
      readTerminal: () => Promise.reject(new Error("no terminal is meant here")),
    }),
    add: async (attachments) => void added.push(...attachments),
  });

  beforeEach(async () => {
    added = [];
    await leaveNothing();
    await put("attach/a.txt", "one\ntwo\nthree\n");
    await put("attach/b.txt", "b\n");
  });

  afterEach(leaveNothing);

  it("takes the selected lines, or the whole file where nothing is selected", async () => {
    const editor = await show("attach/a.txt");
    editor.selection = new vscode.Selection(0, 1, 2, 0);
    await commands["patchbay.attach.selection"]();
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await commands["patchbay.attach.selection"]();
    assert.deepEqual(added, [
      { kind: "selection", path: "attach/a.txt", start: 1, end: 2 },
      { kind: "file", path: "attach/a.txt" },
    ]);
  });

  it("takes the words of what has no place in the workspace", async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: "loose words" }));
    await commands["patchbay.attach.selection"]();
    assert.deepEqual(
      added.map((each) => ("text" in each ? [each.kind, each.text] : each)),
      [["text", "loose words"]],
    );
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("takes all files, folders and pictures that are selected in the explorer, and nothing that is gone", async () => {
    await put("attach/dot.png", Buffer.from([137, 80, 78, 71]));
    const [a, b] = [uriOf("attach/a.txt"), uriOf("attach/b.txt")];
    await commands["patchbay.attach.file"](a, [a, b, uriOf("attach/dot.png"), uriOf("attach/gone.txt")]);
    await commands["patchbay.attach.folder"](uriOf("attach"), undefined);
    assert.deepEqual(added, [
      { kind: "file", path: "attach/a.txt" },
      { kind: "file", path: "attach/b.txt" },
      { kind: "image", name: "dot.png", url: "data:image/png;base64,iVBORw==" },
      { kind: "folder", path: "attach" },
    ]);
  });

  it("takes every file that is open in an editor, and the problems", async () => {
    await show("attach/a.txt");
    await show("attach/b.txt");
    await commands["patchbay.attach.openEditors"]();
    await commands["patchbay.attach.problems"]();
    assert.deepEqual(added, [
      { kind: "file", path: "attach/a.txt" },
      { kind: "file", path: "attach/b.txt" },
      { kind: "problems" },
    ]);
  });

  it("says what to do where there is nothing to take", async () => {
    await assert.rejects(commands["patchbay.attach.selection"](), /No editor is open/);
  });
});
