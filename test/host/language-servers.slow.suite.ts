// The model's tools for navigating code, with the language servers that VS Code brings along besides TypeScript's, and
// with services that change files as well.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { overlayOn } from "../../src/changes/proposed-workspace.ts";
import { guardFiles } from "../../src/files/guarded-files.ts";
import { ownTools } from "../../src/tools/tool-table.ts";
import { callContext } from "../support/call-context.ts";
import { leaveNothing, put, testWorkspace } from "./support/files.ts";

const workspace = testWorkspace();

async function call(name: string, input: object): Promise<string> {
  const seen = await overlayOn(workspace, { overlaid: async () => [] });
  const files = guardFiles(seen.workspace, () => ({ ignore: [], alsoIgnore: [] }), undefined, workspace);
  const tool = ownTools.find((each) => each.name === name);
  assert(tool !== undefined);
  const world = { ...seen, files };
  const context = { ...callContext(files), ...world, overlay: async () => world };
  return (await tool.prepare(JSON.stringify(input)).run(context, new AbortController().signal)).output;
}

/** A server needs a while for its start, and answers nothing until then. */
async function until(name: string, input: object, expected: RegExp): Promise<string> {
  for (;;) {
    const output = await call(name, input);
    if (expected.test(output)) return output;
  }
}

describe("code navigation with VS Code's servers for CSS, JSON, HTML and Markdown", function () {
  this.timeout(240_000);
  before(async () => {
    await leaveNothing();
    await put("web/site.css", ":root {\n  --gap: 4px;\n}\n.card {\n  margin: var(--gap);\n}\n");
    await put("web/data.json", '{\n  "prices": [1],\n  "owner": { "name": "Ada" }\n}\n');
    await put("web/page.html", "<main>\n  <h1 id='top'>Prices</h1>\n</main>\n");
    await put(
      "web/guide.md",
      "# Guide\n\nSee [prices](#prices) and [more](more.md).\n\n## Prices\n\nText.\n",
    );
    await put("web/more.md", "# More\n\nBack to [the guide](guide.md#prices).\n");
  });
  after(leaveNothing);

  it("finds and renames a variable of CSS", async () => {
    const at = { path: "web/site.css", name: "--gap", line: 5 };
    const found = await until("find_definition", at, /--gap: 4px/);
    assert.equal(found, "web/site.css\n2:  --gap: 4px;");
    assert.match(await call("find_references", at), /2: {2}--gap: 4px;\n5: {2}margin: var\(--gap\);/);
    assert.match(await call("outline", { path: "web/site.css" }), /class \.card/);
    assert.match(
      await call("rename_symbol", { ...at, new_name: "--space" }),
      /^Success\. Proposed to the user:\nM web\/site\.css, lines 2, 5\n$/,
    );
  });

  it("outlines JSON, HTML and Markdown", async () => {
    assert.match(await until("outline", { path: "web/data.json" }, /owner/), /prices[\s\S]*owner[\s\S]*name/);
    assert.match(await until("outline", { path: "web/page.html" }, /main/), /main[\s\S]*h1#top/);
    assert.match(await until("outline", { path: "web/guide.md" }, /Guide/), /# Guide[\s\S]*## Prices/);
  });

  it("finds the links to a heading of Markdown in other files", async () => {
    const uses = await until(
      "find_references",
      { path: "web/guide.md", name: "Prices", line: 5 },
      /more\.md/,
    );
    assert.match(uses, /web\/guide\.md\n3:See[\s\S]*web\/more\.md\n3:Back/);
  });

  it("moves the file that a link of Markdown names, with the links to it", async () => {
    const output = await call("rename_symbol", {
      ...{ path: "web/guide.md", name: "more.md", line: 3, new_name: "details.md" },
    });
    assert.match(output, /M web\/details\.md/);
    assert.match(output, /M web\/guide\.md, line 3/);
  });

  it("says that nothing answers where a language has no server, or none for what is asked", async () => {
    await put("web/run.py", "def total(prices):\n    return len(prices)\n");
    for (const [name, input] of [
      ["find_definition", { path: "web/run.py", name: "total" }],
      ["outline", { path: "web/run.py" }],
      ["hover", { path: "web/run.py", name: "total" }],
    ] as const)
      assert.match(
        await call(name, input),
        /^The language service returned nothing for web\/run\.py; there may be none for \.py/,
        name,
      );
    await assert.rejects(
      call("rename_symbol", { path: "web/run.py", name: "total", new_name: "all" }),
      /Nothing was renamed/,
    );
  });
});

describe("a rename for which a language service changes files as well", () => {
  let change: (edit: vscode.WorkspaceEdit, to: string) => void = () => {};
  let provider: vscode.Disposable | undefined;
  const [{ uri: folder } = assert.fail()] = vscode.workspace.workspaceFolders ?? [];
  const inFolder = (path: string) => vscode.Uri.joinPath(folder, path);
  const name = (path: string, line: number, to: string, edit: vscode.WorkspaceEdit) =>
    edit.replace(inFolder(path), new vscode.Range(line - 1, 6, line - 1, 10), to);
  const rename = () => call("rename_symbol", { path: "kinds/Cart.kind", name: "Cart", new_name: "Shop" });

  before(async () => {
    await leaveNothing();
    await put("kinds/Cart.kind", "class Cart\n");
    await put("kinds/use.kind", "every Cart\n");
    provider = vscode.languages.registerRenameProvider(
      { pattern: "**/*.kind" },
      {
        provideRenameEdits(_, __, to) {
          const edit = new vscode.WorkspaceEdit();
          change(edit, to);
          return edit;
        },
      },
    );
  });
  after(async () => {
    provider?.dispose();
    await leaveNothing();
  });

  it("proposes the move with the changes, whether they are for its old name or its new one", async () => {
    for (const path of ["kinds/Cart.kind", "kinds/Shop.kind"]) {
      change = (edit, to) => {
        edit.renameFile(inFolder("kinds/Cart.kind"), inFolder(`kinds/${to}.kind`));
        name(path, 1, to, edit);
        name("kinds/use.kind", 1, to, edit);
      };
      assert.equal(
        await rename(),
        "Success. Proposed to the user:\nM kinds/Shop.kind, line 1\nM kinds/use.kind, line 1\n",
      );
    }
  });

  it("proposes nothing of it where a file would be created, removed or moved away", async () => {
    const others: readonly ((edit: vscode.WorkspaceEdit) => void)[] = [
      (edit) => edit.createFile(inFolder("kinds/new.kind")),
      (edit) => edit.deleteFile(inFolder("kinds/use.kind")),
      (edit) => edit.renameFile(inFolder("kinds/use.kind"), vscode.Uri.file("/elsewhere/use.kind")),
    ];
    for (const other of others) {
      change = (edit, to) => {
        name("kinds/Cart.kind", 1, to, edit);
        other(edit);
      };
      await assert.rejects(rename(), /would also create or remove 1 files, or move them out/);
    }
    change = (edit, to) => {
      name("kinds/Cart.kind", 1, to, edit);
      edit.renameFile(inFolder("kinds"), inFolder("sorts"));
    };
    await assert.rejects(rename(), /Nothing was renamed: 1 of the places/);
  });
});
