// "Add … to Chat", by menu and palette: each makes the wish that is meant, and nothing where a person goes away.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Attachment } from "../../src/core/conversation/attachment.ts";
import { createAttach } from "../../src/shell/attach/attach.ts";
import { createAttachCommands } from "../../src/shell/attach/attach-commands.ts";
import { leaveNothing, put, show, uriOf } from "./support/files.ts";
import { enter, leave, until } from "./support/impatient.ts";
import { openRepository } from "./support/repository.ts";

describe("adding to the chat", function () {
  this.timeout(120_000);
  let added: Attachment[] = [];
  const terminal = { kind: "terminal", name: "Build", text: "1 failed" } as const;
  const commands = createAttachCommands({
    attach: createAttach({
      list: async () => [],
      readTerminal: async () => ({ attachment: terminal, isSelected: false }),
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

  it("takes a symbol of the open file, with the lines that it has", async () => {
    const known = vscode.languages.registerDocumentSymbolProvider(
      { pattern: "**/attach/a.txt" },
      {
        provideDocumentSymbols() {
          const [whole, name] = [new vscode.Range(1, 0, 2, 5), new vscode.Range(1, 0, 1, 3)];
          return [new vscode.DocumentSymbol("two", "", vscode.SymbolKind.Function, whole, name)];
        },
      },
    );
    await show("attach/a.txt");
    await until(commands["patchbay.attach.symbol"](), enter);
    await until(commands["patchbay.attach.symbol"](), leave);
    known.dispose();
    assert.deepEqual(added, [{ kind: "selection", path: "attach/a.txt", start: 2, end: 3 }]);
    await show("attach/b.txt");
    await assert.rejects(commands["patchbay.attach.symbol"](), /No symbols are known in attach\/b\.txt/);
  });

  it("takes what is staged, as a diff", async () => {
    const repository = await openRepository("attach/repository");
    await put("attach/repository/first.txt", "one\nstaged\n");
    repository.git("add", ".");
    await show("attach/repository/first.txt");
    await until(commands["patchbay.attach.gitDiff"](), enter);
    await until(commands["patchbay.attach.gitDiff"](), leave);
    const [diff, ...others] = added;
    assert.deepEqual([diff?.kind, others], ["diff", []]);
    assert.match(diff !== undefined && "text" in diff ? diff.text : "", /^\+staged$/m);
  });

  it("takes what a terminal shows", async () => {
    await commands["patchbay.attach.terminal"]();
    assert.deepEqual(added, [terminal]);
  });

  it("says what to do where there is nothing to take", async () => {
    await assert.rejects(commands["patchbay.attach.selection"](), /No editor is open/);
  });
});
