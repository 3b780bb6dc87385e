// Notebooks as a model reads and patches them: by the text of their cells, and written through VS Code's own notebook
// documents, open or not.
import { strict as assert } from "node:assert";
import { writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { unsavedIn } from "../../src/checks/editor/internal/folder-files.ts";
import { message } from "../../src/conversation/messages.ts";
import { reverseChanges } from "../../src/patch/edits.ts";
import { firstLine } from "../../src/patch/notebook.ts";
import { PatchError } from "../../src/patch/patch-error.ts";
import {
  applyPatch,
  closeAll,
  onDisk,
  patchOf,
  plan,
  put,
  refusedFor,
  testWorkspace,
  uriOf,
} from "./support/files.ts";

const image = Buffer.alloc(750_000, 7).toString("base64");
const notebook = () => ({
  cells: [
    { cell_type: "markdown", id: "title", metadata: {}, source: ["# Sums"] },
    {
      cell_type: "code",
      execution_count: 1,
      id: "first",
      metadata: { tags: ["kept"] },
      outputs: [{ name: "stdout", output_type: "stream", text: ["three\n"] }],
      source: ["a = 1\n", "b = 2\n", "print(a + b)"],
    },
    {
      cell_type: "code",
      execution_count: 2,
      id: "picture",
      metadata: {},
      outputs: [{ data: { "image/png": image }, metadata: {}, output_type: "display_data" }],
      source: ["plot(a)"],
    },
  ],
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
});
const asFile = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;
const text = (...cells: string[]) => `${[firstLine, ...cells].join("\n")}\n`;
const title = "# %% markdown\n# Sums";
const first = "# %% code python\na = 1\nb = 2\nprint(a + b)";
const picture = "# %% code python\nplot(a)";

const change = (path: string) =>
  patchOf(
    `*** Update File: ${path}`,
    "@@",
    "-# %% markdown",
    "-# Sums",
    " # %% code python",
    " a = 1",
    "-b = 2",
    "+b = 3",
    " print(a + b)",
    "+# %% markdown",
    "+A picture:",
    " # %% code python",
    " plot(a)",
    "+# %% code python",
    "+print(b)",
  );
const changed = text(
  "# %% code python\na = 1\nb = 3\nprint(a + b)",
  "# %% markdown\nA picture:",
  picture,
  "# %% code python\nprint(b)",
);

const name = (path: string) => ({ folder: vscode.workspace.workspaceFolders?.[0]?.name ?? "", path });
async function read(path: string): Promise<string | undefined> {
  const reading = await testWorkspace().read(name(path));
  return reading.kind === "text" ? reading.text : undefined;
}
const open = (path: string) => vscode.workspace.openNotebookDocument(uriOf(path));
const printed = ({ outputs }: vscode.NotebookCell) =>
  outputs.flatMap(({ items }) => items.map(({ mime, data }) => `${mime} ${data.length}`));
const onDiskAsJson = async (path: string) =>
  JSON.parse(Buffer.from((await onDisk(path)) ?? "", "latin1").toString());

async function saveAll(): Promise<void> {
  for (const each of vscode.workspace.notebookDocuments) if (each.isDirty) await each.save();
  await closeAll();
}

describe("a notebook", () => {
  afterEach(saveAll);

  it("is read by its cells, without outputs, closed or open with unsaved changes", async () => {
    await put("books/read.ipynb", asFile(notebook()));
    assert.equal(await read("books/read.ipynb"), text(title, first, picture));
    const opened = await open("books/read.ipynb");
    assert.equal(await read("books/read.ipynb"), text(title, first, picture));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(opened.cellAt(0).document.uri, new vscode.Position(0, 6), " of two");
    await vscode.workspace.applyEdit(edit);
    assert.equal(await read("books/read.ipynb"), text(`${title} of two`, first, picture));
    assert.equal(testWorkspace().isUnsaved?.(name("books/read.ipynb")), true);
  });

  it("that VS Code cannot read is no text", async () => {
    for (const content of ["<<<<<<< HEAD\n{}", "{}", '{"nbformat": 3, "worksheets": []}']) {
      await put("books/broken.ipynb", content);
      assert.equal(await read("books/broken.ipynb"), undefined);
      await assert.rejects(applyPatch(change("books/broken.ipynb")), /not a text file/);
    }
  });

  it("shown in an editor gets changed, new and fewer cells in one step that Undo takes back", async () => {
    await put("books/shown.ipynb", asFile(notebook()));
    const opened = await open("books/shown.ipynb");
    await vscode.window.showNotebookDocument(opened);
    const kept = printed(opened.cellAt(1));
    assert.deepEqual(await applyPatch(change("books/shown.ipynb")), { outcome: "applied" });
    assert.equal(await read("books/shown.ipynb"), changed);
    assert.deepEqual(printed(opened.cellAt(0)), kept);
    assert.deepEqual(printed(opened.cellAt(2)), [`image/png ${Buffer.from(image, "base64").length}`]);
    assert.equal(await onDisk("books/shown.ipynb"), asFile(notebook()), "only saving writes");
    await vscode.commands.executeCommand("notebook.focusTop");
    await vscode.commands.executeCommand("undo");
    assert.equal(await read("books/shown.ipynb"), text(title, first, picture));
    assert.deepEqual(printed(opened.cellAt(1)), kept);
    assert.equal(opened.isDirty, false);
    await vscode.commands.executeCommand("redo");
    assert.equal(await read("books/shown.ipynb"), changed);
  });

  it("that is not open is changed as a document, and saved in the form it had", async () => {
    for (const [path, indent, end] of [
      ["books/closed.ipynb", 1, "\n"],
      ["books/wide.ipynb", 4, "\n"],
    ] as const) {
      await put(path, `${JSON.stringify(notebook(), null, indent)}${end}`);
      const workspace = testWorkspace({ savesAfterApply: () => true });
      assert.deepEqual(await applyPatch(change(path), workspace), { outcome: "applied" });
      const now = await onDiskAsJson(path);
      const [one, two] = notebook().cells.slice(1);
      const ids = now.cells.map(({ id }: { readonly id: string }) => id);
      const meant = {
        ...notebook(),
        cells: [
          { ...one, execution_count: null, source: ["a = 1\n", "b = 3\n", "print(a + b)"] },
          { cell_type: "markdown", id: ids[1], metadata: {}, source: ["A picture:"] },
          two,
          {
            cell_type: "code",
            execution_count: null,
            id: ids[3],
            metadata: {},
            outputs: [],
            source: ["print(b)"],
          },
        ],
      };
      assert.equal(await onDisk(path), `${JSON.stringify(meant, null, indent)}${end}`);
    }
  });

  it("keeps the outputs of a cell that moves", async () => {
    await put("books/moved.ipynb", asFile(notebook()));
    const move = patchOf(
      "*** Update File: books/moved.ipynb",
      "@@",
      "-# %% markdown",
      "-# Sums",
      " # %% code python",
      " a = 1",
      "@@",
      " # %% code python",
      " plot(a)",
      "+# %% markdown",
      "+# Sums",
    );
    assert.deepEqual(await applyPatch(move), { outcome: "applied" });
    const opened = await open("books/moved.ipynb");
    assert.equal(await read("books/moved.ipynb"), text(first, picture, title));
    assert.equal(printed(opened.cellAt(0)).length + printed(opened.cellAt(1)).length, 2);
    assert.equal(opened.cellAt(2).metadata["id"], "title");
  });

  it("takes a change around what was typed since, and is stale where it was typed into", async () => {
    await put("books/typed.ipynb", asFile(notebook()));
    const opened = await open("books/typed.ipynb");
    const workspace = testWorkspace();
    const changes = await plan(change("books/typed.ipynb"), workspace);
    const type = async (cell: number, line: number) => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(opened.cellAt(cell).document.uri, new vscode.Position(line, 0), "mine ");
      await vscode.workspace.applyEdit(edit);
    };
    await type(1, 1);
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "stale" });
    const typed = first.replace("b = 2", "mine b = 2");
    assert.equal(await read("books/typed.ipynb"), text(title, typed, picture));
    const small = patchOf("*** Update File: books/typed.ipynb", "@@", "-# Sums", "+# Sum");
    const around = await plan(small, workspace);
    await type(2, 0);
    assert.deepEqual(await workspace.apply(around, "test"), { outcome: "applied" });
    const after = text(title.replace("Sums", "Sum"), typed, picture.replace("plot", "mine plot"));
    assert.equal(await read("books/typed.ipynb"), after);
  });

  it("that was changed is brought back by the reverse of the change", async () => {
    await put("books/back.ipynb", asFile(notebook()));
    const workspace = testWorkspace({ savesAfterApply: () => true });
    const changes = await plan(change("books/back.ipynb"), workspace);
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "applied" });
    const back = reverseChanges(changes, (text) => workspace.sha256(text));
    assert.deepEqual(await workspace.apply(back, "test", "undo"), { outcome: "applied" });
    assert.equal(await read("books/back.ipynb"), text(title, first, picture));
    const { cells } = await onDiskAsJson("books/back.ipynb");
    const run = (cell: object) => ({ ...cell, execution_count: null });
    assert.deepEqual(cells.slice(1).map(run), notebook().cells.slice(1).map(run));
  });

  it("whose file would be written in another form stays unsaved, and one in another encoding is refused", async () => {
    const json = asFile(notebook());
    const workspace = testWorkspace({ savesAfterApply: () => true });
    const forms: [string, string][] = [
      ["marked", `\ufeff${json}`],
      ["returns", json.replaceAll("\n", "\r\n")],
      ["unordered", json.replace('{\n "cells"', '{\n "unknown": 12345678901234567890,\n "cells"')],
      ["decimal", json.replace('"tags"', '"size": 1.0,\n    "tags"')],
    ];
    for (const [each, content] of forms) {
      const path = `books/${each}.ipynb`;
      await put(path, content);
      const before = await onDisk(path);
      assert.deepEqual(
        await applyPatch(change(path), workspace),
        { outcome: "applied", unsaved: [name(path)] },
        each,
      );
      assert.equal(await onDisk(path), before, each);
      assert.equal(await read(path), changed, each);
    }
    const bytes = Buffer.from(json.replace("three", "thr\u00e9e"), "latin1");
    await vscode.workspace.fs.writeFile(uriOf("books/latin.ipynb"), bytes);
    await open("books/latin.ipynb");
    const encoding = message("editsEncoding", { name: "books/latin.ipynb", encoding: "UTF-8" });
    assert.deepEqual(
      await applyPatch(change("books/latin.ipynb"), workspace),
      refusedFor("books/latin.ipynb", encoding),
    );
    assert.equal(await onDisk("books/latin.ipynb"), bytes.toString("latin1"));
  });

  it("gets removed cells back whole by an undo in the same window, and is left alone in another", async () => {
    const path = "books/removed.ipynb";
    await put(path, asFile(notebook()));
    const workspace = testWorkspace({ savesAfterApply: () => true });
    const without = ["a = 1", "b = 2", "print(a + b)"].map((line) => `-${line}`);
    const remove = patchOf(
      `*** Update File: ${path}`,
      "@@",
      "-# %% markdown",
      "-# Sums",
      "-# %% code python",
      ...without,
    );
    const changes = await plan(remove, workspace);
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "applied" });
    assert.equal(await read(path), text(picture));
    const back = reverseChanges(changes, (each) => workspace.sha256(each));
    const lost = refusedFor(path, message("editsCellsLost", { name: path }));
    assert.deepEqual(await testWorkspace().apply(back, "test", "undo"), lost);
    assert.equal(await read(path), text(picture));
    assert.deepEqual(await workspace.apply(back, "test", "undo"), { outcome: "applied" });
    assert.equal(await onDisk(path), asFile(notebook()));
  });

  it("that was deleted comes back byte for byte by an undo in the same window, and not at all in another", async () => {
    const path = "books/gone.ipynb";
    await put(path, asFile(notebook()));
    const workspace = testWorkspace();
    const changes = await plan(patchOf(`*** Delete File: ${path}`), workspace);
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "applied" });
    const back = reverseChanges(changes, (each) => workspace.sha256(each));
    const lost = refusedFor(path, message("editsCellsLost", { name: path }));
    assert.deepEqual(await testWorkspace().apply(back, "test", "undo"), lost);
    assert.equal(await onDisk(path), undefined);
    assert.deepEqual(await workspace.apply(back, "test", "undo"), { outcome: "applied" });
    assert.equal(await onDisk(path), asFile(notebook()));
  });

  it("is read as UTF-8 whatever encoding the settings name", async () => {
    await put("books/settings.ipynb", asFile(notebook()).replace("# Sums", "# Größe"));
    const files = vscode.workspace.getConfiguration("files");
    await files.update("encoding", "windows1252", vscode.ConfigurationTarget.Workspace);
    try {
      const small = patchOf("*** Update File: books/settings.ipynb", "@@", "-# Größe", "+# Größer");
      assert.deepEqual(await applyPatch(small), { outcome: "applied" });
      assert.match((await read("books/settings.ipynb")) ?? "", /# Größer/);
    } finally {
      await files.update("encoding", undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it("with unsaved cells is part of what commands run on", async () => {
    const path = "books/unsaved.ipynb";
    await put(path, asFile(notebook()));
    const opened = await open(path);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(opened.cellAt(0).document.uri, new vscode.Position(0, 6), " of two");
    await vscode.workspace.applyEdit(edit);
    const [root] = vscode.workspace.workspaceFolders ?? [];
    const unsaved = unsavedIn({ folder: root?.name ?? "", path: root?.uri.fsPath ?? "" });
    assert.deepEqual(
      unsaved.filter(([each]) => each.endsWith(".ipynb")),
      [[path, text(`${title} of two`, first, picture)]],
    );
  });

  it("gets its cells back when another file of the step cannot be written", async () => {
    const path = "books/half.ipynb";
    await put(path, asFile(notebook()));
    const workspace = testWorkspace();
    const [update] = await plan(change(path), workspace);
    const [add] = await plan(patchOf("*** Add File: books/late.txt", "+late"), workspace);
    assert(update !== undefined && add !== undefined);
    const opened = await open(path);
    const kept = printed(opened.cellAt(1));
    const isUnlucky = vscode.workspace.onDidChangeNotebookDocument(() => {
      writeFileSync(uriOf("books/late.txt").fsPath, "theirs");
    });
    const outcome = await workspace.apply([update, add], "test");
    isUnlucky.dispose();
    assert.notEqual(outcome.outcome, "applied");
    assert.equal(await read(path), text(title, first, picture));
    assert.deepEqual(printed(opened.cellAt(1)), kept);
    assert.equal(await onDisk("books/late.txt"), "theirs");
  });

  it("is new with the cells of its text", async () => {
    const lines = text(title, first).trimEnd().split("\n");
    const add = patchOf("*** Add File: books/new.ipynb", ...lines.map((line) => `+${line}`));
    assert.deepEqual(await applyPatch(add), { outcome: "applied" });
    assert.equal(await read("books/new.ipynb"), text(title, first));
    assert.equal((await open("books/new.ipynb")).cellAt(1).document.languageId, "python");
  });

  it("that is applied again may get cells, and be a file, that nobody here has removed", async () => {
    const path = "books/again.ipynb";
    await put(path, asFile(notebook()));
    const workspace = testWorkspace();
    const cell = patchOf(
      `*** Update File: ${path}`,
      "@@",
      "+# %% markdown",
      "+Added",
      " # %% markdown",
      " # Sums",
    );
    assert.deepEqual(await workspace.apply(await plan(cell, workspace), "test", "again"), {
      outcome: "applied",
    });
    assert.match((await read(path)) ?? "", /# %% markdown\nAdded\n# %% markdown\n# Sums/);
    const file = patchOf(
      "*** Add File: books/again-new.ipynb",
      ...text(title)
        .trimEnd()
        .split("\n")
        .map((line) => `+${line}`),
    );
    assert.deepEqual(await workspace.apply(await plan(file, workspace), "test", "again"), {
      outcome: "applied",
    });
    assert.equal(await read("books/again-new.ipynb"), text(title));
  });

  it("is not patched as JSON, nor to what is no notebook, nor renamed and changed at once", async () => {
    await put("books/json.ipynb", asFile(notebook()));
    const because = async (patch: string) => {
      const error = await applyPatch(patch).catch((error: unknown) => error);
      assert(error instanceof PatchError);
      return error.message;
    };
    const update = "*** Update File: books/json.ipynb";
    assert.match(
      await because(patchOf(update, "@@", '-   "a = 1\\n",', '+   "a = 2\\n",')),
      /without outputs/,
    );
    assert.match(await because(patchOf(update, "@@", "-# %% markdown", " # Sums")), /line 2 is in no cell/);
    assert.match(await because(patchOf("*** Add File: books/b.ipynb", "+{}")), /without outputs/);
    assert.match(
      await because(patchOf(update, "*** Move to: books/c.ipynb", "@@", "-# Sums", "+# Sum")),
      /renamed and changed/,
    );
    assert.match(await because(patchOf(update, "*** Move to: books/c.txt")), /keeps its ending/);
    assert.equal(await onDisk("books/json.ipynb"), asFile(notebook()));
  });

  it("with unsaved changes as text is left alone", async () => {
    await put("books/both.ipynb", asFile(notebook()));
    const document = await vscode.workspace.openTextDocument(uriOf("books/both.ipynb"));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), " ");
    await vscode.workspace.applyEdit(edit);
    assert.deepEqual(
      await applyPatch(change("books/both.ipynb")),
      refusedFor("books/both.ipynb", message("editsUnsaved", { name: "books/both.ipynb" })),
    );
    await document.save();
  });
});
