// "Add … to Chat", by menu and palette: each makes the wish that is meant, and nothing where a person goes away.
import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Attachment } from "../../src/conversation/state.ts";
import { createAttach } from "../../src/editor/attach/attach.ts";
import { createAttachCommands } from "../../src/editor/attach/attach-commands.ts";
import { attachUri } from "../../src/editor/attach/attach-uri.ts";
import { createEditorLooks } from "../../src/editor/attach/suggested-context.ts";
import type { FileSuggestions } from "../../src/files/file-suggestions.ts";
import { guardFiles } from "../../src/files/guarded-files.ts";
import type { ConversationSummary } from "../../src/store/conversation-summary.ts";
import { readAttachment } from "../../src/tools/read-attachment.ts";
import { english } from "../support/english.ts";
import { leaveNothing, put, show, testWorkspace, type, uriOf } from "./support/files.ts";
import { noEditor, showEditor } from "./support/heard.ts";
import { enter, leave, until } from "./support/impatient.ts";
import { openRepository } from "./support/repository.ts";

describe("the attach commands", () => {
  let added: Attachment[] = [];
  const terminal = { kind: "terminal", name: "Build", text: "1 failed" } as const;
  let suggest: FileSuggestions["suggest"] = async function* () {};
  let conversations: readonly ConversationSummary[] = [];
  const attach = createAttach({
    list: async () => conversations,
    readTerminal: async () => ({ attachment: terminal, isSelected: false }),
    suggest: (...asked) => suggest(...asked),
  });
  const commands = createAttachCommands({
    attach,
    add: async (attachments) => void added.push(...attachments),
  });

  /** Runs a command while somebody chooses, in each list that it shows, the row of the name whose turn it is. */
  async function choosing(labels: readonly RegExp[], command: () => Promise<void>) {
    const { showQuickPick } = vscode.window;
    const lists: (readonly vscode.QuickPickItem[])[] = [];
    const choose = async (
      given: readonly vscode.QuickPickItem[] | Promise<readonly vscode.QuickPickItem[]>,
    ) => {
      const label = labels[lists.length];
      if (label === undefined) return showQuickPick(given);
      const items = await given;
      lists.push(items);
      return items.find((item) => label.test(item.label));
    };
    vscode.window.showQuickPick = choose as never;
    try {
      await command();
    } finally {
      vscode.window.showQuickPick = showQuickPick;
    }
    return lists;
  }

  /** As *Add Context…* does it when somebody chooses the row of this name. */
  async function addContext(label: RegExp): Promise<void> {
    const [rows] = await choosing([label], commands["patchbay.attach.context"]);
    assert.equal(rows?.length, 12);
  }

  beforeEach(async () => {
    added = [];
    await leaveNothing();
    await put("attach/a.txt", "one\ntwo\nthree\n");
    await put("attach/b.txt", "b\n");
  });

  afterEach(leaveNothing);

  it("report the active file with its lines, and the files edited since the last question", async () => {
    let now = 1;
    const looks = createEditorLooks(() => now);
    const pathsOf = (since: number) => looks.look(since).changed.map(({ path }) => path);
    try {
      const editor = await show("attach/a.txt");
      editor.selection = new vscode.Selection(0, 1, 1, 2);
      const { active } = looks.look(0);
      assert.equal(active?.file.path, "attach/a.txt");
      assert.deepEqual(active.at, { first: 1, last: 2 });
      assert(active.visible !== undefined && active.visible.last >= 3);
      await type("attach/a.txt", 0, "typed ");
      now = 2;
      await type("attach/b.txt", 0, "typed ");
      assert.deepEqual(pathsOf(0), ["attach/a.txt", "attach/b.txt"]);
      assert.deepEqual(pathsOf(1), ["attach/b.txt"]);
      assert.deepEqual(pathsOf(2), []);
    } finally {
      looks.dispose();
    }
  });

  it("attach the selected lines, or the whole file without a selection", async () => {
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

  it("attach dropped files of the workspace, fetch no URL and skip missing files", async () => {
    const uris = [
      "https://example.test/a.txt",
      uriOf("attach/a.txt").toString(),
      uriOf("attach/gone.txt").toString(),
    ];
    assert.deepEqual(await attach.dropped(uris), [{ kind: "file", path: "attach/a.txt" }]);
  });

  it("attach a workspace file of any size", async () => {
    await put("attach/large.log", Buffer.alloc(21 * 1024 * 1024, "a line\n"));
    await commands["patchbay.attach.file"](uriOf("attach/large.log"), undefined);
    assert.deepEqual(added, [{ kind: "file", path: "attach/large.log" }]);
    await vscode.workspace.fs.delete(uriOf("attach/large.log"));
  });

  it("attach an untitled document as text", async () => {
    const { uri } = await vscode.workspace.openTextDocument({ content: "loose words" });
    await showEditor(uri);
    await commands["patchbay.attach.selection"]();
    const place = uri.toString();
    assert.deepEqual(added, [{ kind: "text", name: uri.path, text: "loose words", place }]);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("report each file or folder that they cannot attach, and attach the rest", async () => {
    const folder = mkdtempSync(join(tmpdir(), "patchbay-outside-"));
    writeFileSync(join(folder, "a.bin"), Buffer.from([0, 1, 2, 0, 255, 0]));
    const told: string[] = [];
    const tell = (uri: vscode.Uri) => void told.push(uri.path.split("/").at(-1) ?? "");
    const found = [];
    for (const uri of [
      vscode.Uri.file(join(folder, "a.bin")),
      vscode.Uri.file(folder),
      uriOf("attach/a.txt"),
    ])
      found.push(await attachUri(uri, tell));
    assert.deepEqual(found, [undefined, undefined, { kind: "file", path: "attach/a.txt" }]);
    assert.deepEqual(told, ["a.bin", folder.split("/").at(-1)]);

    const { showOpenDialog, showWarningMessage } = vscode.window;
    const warnings: string[] = [];
    vscode.window.showOpenDialog = async () => [vscode.Uri.file(folder)];
    vscode.window.showWarningMessage = (async (words: string) => void warnings.push(words)) as never;
    await commands["patchbay.attach.folder"](undefined, undefined);
    Object.assign(vscode.window, { showOpenDialog, showWarningMessage });
    assert.deepEqual(added, []);
    assert.match(warnings.join(), /cannot be attached/);
    rmSync(folder, { recursive: true });
  });

  it("refuse files from outside the workspace, and send no secret that is selected in one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "patchbay-outside-"));
    writeFileSync(join(folder, ".env"), "TOKEN=canary\n");
    writeFileSync(join(folder, "p.png"), Buffer.from([137, 80, 78, 71]));
    const [env, picture] = [".env", "p.png"].map((name) => vscode.Uri.file(join(folder, name)));
    assert(env !== undefined && picture !== undefined);
    await showEditor(env);
    const refused = /Add files from outside this workspace/;
    await assert.rejects(addContext(/Open Editors/), refused);
    await assert.rejects(commands["patchbay.attach.file"](picture, undefined), refused);
    await commands["patchbay.attach.selection"]();
    assert.deepEqual(added, [{ kind: "text", name: ".env", text: "TOKEN=canary\n", place: env.toString() }]);
    const looked = await readAttachment(
      added[0] ?? assert.fail(),
      {
        files: guardFiles(testWorkspace(), () => ({ ignore: [], alsoIgnore: [] })),
        maxBytes: 1000,
        turnsOf: async () => undefined,
      },
      new AbortController().signal,
    );
    assert.match(english(looked.view.notes), /never sent/);
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    rmSync(folder, { recursive: true });
  });

  it("attach all selected files, folders and images, and skip missing ones", async () => {
    await put("attach/dot.png", Buffer.from([137, 80, 78, 71]));
    const [a, b] = [uriOf("attach/a.txt"), uriOf("attach/b.txt")];
    await commands["patchbay.attach.file"](a, [a, b, uriOf("attach/dot.png"), uriOf("attach/gone.txt")]);
    await commands["patchbay.attach.folder"](uriOf("attach"), undefined);
    assert.deepEqual(added, [
      { kind: "file", path: "attach/a.txt" },
      { kind: "file", path: "attach/b.txt" },
      { kind: "file", path: "attach/dot.png" },
      { kind: "folder", path: "attach" },
    ]);
  });

  it("attach every open file, and the problems", async () => {
    await show("attach/a.txt");
    await show("attach/b.txt");
    await addContext(/Open Editors/);
    await addContext(/Problems/);
    assert.deepEqual(added, [
      { kind: "file", path: "attach/a.txt" },
      { kind: "file", path: "attach/b.txt" },
      { kind: "problems" },
    ]);
  });

  it("attach the text of open documents that were never saved, unless they are empty", async () => {
    for (const content of ["loose words", ""])
      await showEditor(await vscode.workspace.openTextDocument({ content }));
    const { document } = vscode.window.visibleTextEditors[0] ?? assert.fail();
    assert.equal(document.isUntitled, true);
    await show("attach/a.txt");
    await addContext(/Open Editors/);
    assert.deepEqual(
      added.map((each) => [each.kind, "text" in each ? each.text : "path" in each ? each.path : ""]),
      [
        ["file", "attach/a.txt"],
        ["text", "loose words"],
      ],
    );
  });

  it("attach a conversation, whose title is shown without icons", async () => {
    const own = { id: "c", title: "Ship $(rocket)", turns: 1, archived: false, damaged: false };
    conversations = [{ ...own, createdAt: 1, updatedAt: 1, place: "" }];
    const lists = await choosing([/Earlier Conversation/, /Ship/], commands["patchbay.attach.context"]);
    conversations = [];
    assert.equal(lists[1]?.[0]?.label, "Ship \\$(rocket)");
    assert.deepEqual(added, [{ kind: "conversation", id: "c", name: "Ship $(rocket)" }]);
  });

  it("list suggestions in order and keep the ticked ones while the list updates", async () => {
    const { window } = vscode;
    const create = window.createQuickPick;
    const pickers: vscode.QuickPick<vscode.QuickPickItem>[] = [];
    window.createQuickPick = <Item extends vscode.QuickPickItem>() => {
      const picker = create<Item>();
      pickers.push(picker as never);
      return picker;
    };
    let goOn = () => {};
    const later = new Promise<void>((resolve) => (goOn = resolve));
    const asked: string[] = [];
    suggest = async function* (query) {
      asked.push(query);
      const named = (path: string) => ({ label: path, attachment: { kind: "file", path } as const });
      yield { items: [named("z.txt"), named("attach/a.txt")], isIndexing: true };
      await later;
      yield { items: [named("attach/b.txt"), named("c/d.txt")], isIndexing: false };
    };
    const labels = () => pickers[0]?.items.map(({ label }) => label).join();
    const settled = async (look: () => boolean | undefined) => {
      while (look() !== true) await vscode.commands.getCommands();
    };
    try {
      const picking = commands["patchbay.attach.file"](undefined, undefined);
      await settled(() => labels() === "z.txt,attach/a.txt");
      const [picker] = pickers;
      assert(picker?.busy && picker.canSelectMany);
      picker.selectedItems = picker.items.slice(1);
      // The window has heard it.
      for (let turn = 0; turn < 20; turn++) await vscode.commands.getCommands();
      goOn();
      await settled(() => labels() === "attach/a.txt,attach/b.txt,c/d.txt" && !picker.busy);
      for (let turn = 0; turn < 20; turn++) await vscode.commands.getCommands();
      assert.deepEqual(
        picker.selectedItems.map(({ label }) => label),
        ["attach/a.txt"],
      );
      await until(picking, enter);
    } finally {
      window.createQuickPick = create;
    }
    assert.deepEqual(asked, [""]);
    assert.deepEqual(added, [{ kind: "file", path: "attach/a.txt" }]);
  });

  it("attach a symbol of the open file with its lines", async () => {
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
    await until(addContext(/Symbol/), enter);
    await until(addContext(/Symbol/), leave);
    known.dispose();
    assert.deepEqual(added, [{ kind: "selection", path: "attach/a.txt", start: 2, end: 3 }]);
    await show("attach/b.txt");
    await assert.rejects(addContext(/Symbol/), /attach\/b\.txt has no symbols/);
  });

  /** What is sent of it, with a rule about a place in the folder, which is not one in the repository. */
  async function sentOf(wish: Attachment): Promise<string> {
    const settings = { ignore: ["/attach/*/plans"], alsoIgnore: [] };
    const files = guardFiles(testWorkspace(), () => settings);
    const sources = { files, maxBytes: 100_000, turnsOf: async () => undefined };
    const { content } = await readAttachment(wish, sources, new AbortController().signal);
    return content.kind === "text" ? content.text : "";
  }

  it("attach staged changes as a diff", async () => {
    const repository = await openRepository("attach/repository");
    await put("attach/repository/first.txt", "one\nstaged\n");
    await put("attach/repository/plans/next.txt", "kept back\n");
    repository.git("add", ".");
    await show("attach/repository/first.txt");
    await until(commands["patchbay.attach.gitDiff"](), enter);
    await until(commands["patchbay.attach.gitDiff"](), leave);
    const [diff, ...others] = added;
    assert.deepEqual([diff?.kind, others], ["diff", []]);
    assert.match(diff !== undefined && "text" in diff ? diff.text : "", /^\+staged$/m);
    const selected = ["first.txt", "plans/next.txt"].map((path) => ({
      resourceUri: uriOf(`attach/repository/${path}`),
      resourceGroupType: 1,
    }));
    await commands["patchbay.attach.gitDiff"](...selected);
    assert.equal(added.length, 2);
    for (const each of added) assert.match(await sentOf(each), /^\+staged$/m);
    for (const each of added) assert.doesNotMatch(await sentOf(each), /kept back/);
  });

  it("attach what a branch adds to its base, or what one commit has changed", async () => {
    const repository = await openRepository("attach/branches");
    repository.git("checkout", "-b", "feature");
    await put("attach/branches/first.txt", "one\nof the branch\n");
    repository.git("commit", "-a", "-m", "Say where");
    await put("attach/branches/second.txt", "of the last commit\n");
    await put("attach/branches/plans/next.txt", "kept back\n");
    repository.git("add", ".");
    repository.git("commit", "-m", "A second file for $(rocket)");
    await show("attach/branches/first.txt");
    // Where the branch comes from is asked for unless Git knows it.
    await choosing([/^This branch/, /^(?:main|master)$/], commands["patchbay.attach.gitDiff"]);
    const lists = await choosing([/^A commit/, /^Say where$/], commands["patchbay.attach.gitDiff"]);
    assert.equal(lists[1]?.[0]?.label, "A second file for \\$(rocket)");
    const [branch, commit] = added.map((each) => (each.kind === "diff" ? each : assert.fail(each.kind)));
    assert.match(branch?.name ?? "", /^feature against (main|master)$/);
    assert.match(branch?.text ?? "", /^\+of the branch$.*^\+of the last commit$/ms);
    assert.match(commit?.name ?? "", /^[0-9a-f]{8} Say where$/);
    assert.match(commit?.text ?? "", /^\+of the branch$/m);
    assert.doesNotMatch(commit?.text ?? "", /of the last commit/);
    const sent = await sentOf(branch ?? assert.fail());
    assert.match(sent, /^\+of the last commit$/m);
    assert.doesNotMatch(sent, /kept back/);

    // The other extension is not installed here, so this is what it would tell.
    const { getExtension } = vscode.extensions;
    let pull: Promise<object> = new Promise(() => {});
    vscode.extensions.getExtension = ((id: string) =>
      id === "GitHub.vscode-pull-request-github"
        ? { isActive: true, exports: { getRepositoryDescription: () => pull } }
        : getExtension(id)) as never;
    try {
      added = [];
      const [rows] = await choosing([/^Pull request/], commands["patchbay.attach.gitDiff"]);
      assert.equal(rows?.length, 4, "the others do not wait for GitHub");
      pull = Promise.resolve({ pullRequest: { number: 7, title: "Say where" } });
      await choosing([/^Pull request #7/, /^(?:main|master)$/], commands["patchbay.attach.gitDiff"]);
    } finally {
      vscode.extensions.getExtension = getExtension;
    }
    const [ofPull] = added;
    const name = ofPull?.kind === "diff" ? ofPull.name : "";
    assert.match(name, /^#7 Say where \(feature against (main|master)\)$/);
  });

  it("attach what the search view shows, by paths of the workspace", async () => {
    await put("attach/found.txt", "nothing\n  a needle of the test\n");
    await assert.rejects(addContext(/Search/), /shows no results in this workspace/);
    await vscode.commands.executeCommand("workbench.action.findInFiles", {
      query: "needle of the test",
      filesToInclude: "attach/found.txt",
      triggerSearch: true,
    });
    while (added.length === 0) await addContext(/Search/).catch(() => undefined);
    await vscode.commands.executeCommand("search.action.clearSearchResults");
    await vscode.commands.executeCommand("workbench.action.closeSidebar");
    assert.deepEqual(added, [
      {
        kind: "search",
        name: "Search results: 1 lines in 1 files",
        text: "attach/found.txt\n  2:   a needle of the test",
      },
    ]);
  });

  it("attach a terminal's output", async () => {
    await commands["patchbay.attach.terminal"]();
    assert.deepEqual(added, [terminal]);
  });

  it("report when no editor is open", async () => {
    await noEditor();
    await assert.rejects(commands["patchbay.attach.selection"](), /No editor is open/);
  });
});
