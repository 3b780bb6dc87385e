// A code block of an answer, proposed as an edit: it waits on the same desk as the model's own patches, hunk by hunk,
// for the file that is meant – named by the code, fitting its lines, selected, or asked for.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { proposeCode } from "../../src/editor/chat/internal/propose-code.ts";
import { useCode } from "../../src/editor/chat/internal/use-code.ts";
import { replaceBackup } from "../../src/editor/ui/documents.ts";
import { text } from "../sim/script.ts";
import { leaveNothing, onDisk, open, put, show, testWorkspace, textOf, undoIn } from "./support/files.ts";
import { activeEditor, noEditor, openTerminal, showEditor } from "./support/heard.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const cart = [
  ...["class Cart {", "  add(item) {", "    this.items.push(item);", "  }", ""],
  ...["  total() {", "    return 0;", "  }", "}", ""],
].join("\n");
const total = ["total() {", "  return sum(this.items);", "}"].join("\n");

describe("a code block proposed as an edit", () => {
  const workspace = testWorkspace();
  let reviewed: string[];

  const review = reviewForEach(
    () => {
      reviewed = [];
    },
    () => workspace,
  );

  /** The model has answered with it, and a person presses the button of the block. */
  async function propose(code: string): Promise<void> {
    review.sim.reply(text(`Like this:\n\n\`\`\`ts\n${code}\n\`\`\`\n`));
    await review.session.send({ prompt: "How?" });
    await press(code);
  }

  const press = (code: string) =>
    proposeCode(code, {
      workspace,
      turns: () => review.session.state.turns,
      propose: (turn, patch) => review.session.patches.propose(turn, patch),
      review: async (call) => void reviewed.push(call),
    });

  const waiting = () => review.desk.files.map(({ path }) => path);
  const shown = (path: string) => review.until(() => waiting().includes(path));

  it("waits in the review as an edit of its turn until it is accepted", async () => {
    await put("propose/cart.ts", cart);
    await show("propose/cart.ts");
    await propose(total);
    await shown("propose/cart.ts");
    assert.deepEqual(review.file().pending.calls, reviewed);
    assert.equal(await textOf("propose/cart.ts"), cart);
    assert.equal(review.desk.hunksIn(await open("propose/cart.ts")).length, 1);
    await review.desk.accept(review.target());
    const after = cart.replace("return 0;", "return sum(this.items);");
    assert.equal(await textOf("propose/cart.ts"), after);
    await review.changes.undo(reviewed);
    assert.equal(await textOf("propose/cart.ts"), cart);
    await undoIn("propose/cart.ts");
    assert.equal(await textOf("propose/cart.ts"), after);
  });

  it("targets its own files when it is a patch or a diff, whichever editor is open", async () => {
    await put("propose/cart.ts", cart);
    const patch = [
      ...["*** Begin Patch", "*** Update File: propose/cart.ts", "@@", "-    return 0;"],
      ...["+    return sum(this.items);", "*** End Patch"],
    ].join("\n");
    const diff = [
      ...["--- a/propose/cart.ts", "+++ b/propose/cart.ts", "@@ -2,2 +2,2 @@", "-  add(item) {"],
      ...["+  put(item) {", "     this.items.push(item);"],
    ].join("\n");
    await propose(patch);
    await propose(diff);
    await review.until(() => review.desk.waiting === 2);
    assert.equal(new Set(reviewed).size, 2);
    await review.desk.reject(review.target("propose/cart.ts"));
    assert.equal(await textOf("propose/cart.ts"), cart);
  });

  it("is decided hunk by hunk and keeps the line endings of the file", async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `row ${at}`);
    await put("propose/rows.txt", `${rows.join("\r\n")}\r\n`);
    const editor = await show("propose/rows.txt");
    editor.selection = new vscode.Selection(0, 0, 30, 0);
    await propose(rows.with(2, "second").with(25, "twenty-fifth").join("\n"));
    await review.until(() => review.desk.waiting === 2);
    await review.desk.accept(review.target("propose/rows.txt", 1));
    await review.desk.reject(review.target("propose/rows.txt"));
    const wanted = `${rows.with(25, "twenty-fifth").join("\r\n")}\r\n`;
    assert.equal(await textOf("propose/rows.txt"), wanted);
    assert(await (await open("propose/rows.txt")).save());
    assert.equal(await onDisk("propose/rows.txt"), wanted);
  });

  it("targets the file that it names, or creates it when it doesn't exist", async () => {
    await put("propose/named/cart.ts", cart);
    await put("propose/other.ts", "other\n");
    await show("propose/other.ts");
    await propose(`// propose/named/cart.ts\n${total}`);
    await shown("propose/named/cart.ts");
    await review.desk.reject(review.target());
    await press("# propose/named/new.py\nprint(1)");
    await shown("propose/named/new.py");
    await review.desk.accept(review.target());
    assert.equal(await onDisk("propose/named/new.py"), "print(1)\n");
  });

  it("asks for the file when two visible files match or none does", async () => {
    await put("propose/one.ts", cart);
    await put("propose/two.ts", cart);
    await show("propose/one.ts");
    await showEditor(await open("propose/two.ts"), vscode.ViewColumn.Beside);
    const asked = propose(total);
    await answered(asked);
    assert.deepEqual(waiting(), []);
    const unknown = press("somethingElse();");
    await answered(unknown);
    assert.deepEqual(waiting(), []);
  });

  it("replaces the whole file when the person chooses that", async () => {
    await put("propose/whole.ts", "old\n");
    await show("propose/whole.ts");
    const asked = propose("const all = 1;\nconst other = 2;");
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    await answered(asked, "accept");
    await shown("propose/whole.ts");
    await review.desk.accept(review.target());
    assert.equal(await textOf("propose/whole.ts"), "const all = 1;\nconst other = 2;\n");
  });

  it("refuses to change a missing or foreign file, or to change nothing", async () => {
    await noEditor();
    await assert.rejects(propose(total), /Open the file that this code belongs to/);
    const untitled = await vscode.workspace.openTextDocument({ content: cart });
    await showEditor(untitled);
    await assert.rejects(press(total), /not a file of this workspace/);
    await put("propose/same.ts", cart);
    await show("propose/same.ts");
    await assert.rejects(press("total() {\n  return 0;\n}"), /already has this text/);
    assert.deepEqual(reviewed, []);
    await showEditor(untitled);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
});

/** Goes away from what VS Code asks, or takes its first row, until nothing is asked any more. */
async function answered(asked: Promise<void>, how: "accept" | "leave" = "leave"): Promise<void> {
  const command =
    how === "accept" ? "workbench.action.acceptSelectedQuickOpenItem" : "workbench.action.closeQuickOpen";
  let isDone = false;
  const done = asked.finally(() => {
    isDone = true;
  });
  while (!isDone) await vscode.commands.executeCommand(command);
  await done;
}

describe("the use of a code block", () => {
  afterEach(leaveNothing);

  it("replaces the selection, or opens a new file in its language", async () => {
    await put("used/a.txt", "one two\n");
    const editor = await show("used/a.txt");
    editor.selection = new vscode.Selection(0, 4, 0, 7);
    await useCode("insert", "three", "ts");
    assert.equal(await textOf("used/a.txt"), "one three\n");
    await useCode("new-file", "print(1)", "py");
    const { document } = await activeEditor((shown) => shown.document.languageId === "python");
    assert.equal(document.getText(), "print(1)");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("replaces text that VS Code restored into a new file from the backup of another", async () => {
    const document = await vscode.workspace.openTextDocument({ content: "of another one\r\nand more\r\n" });
    await replaceBackup(document, "new\nwords\n");
    assert.equal(document.getText().replaceAll("\r\n", "\n"), "new\nwords\n");
    const { version } = document;
    await replaceBackup(document, "new\nwords\n");
    assert.equal(document.version, version);
    await showEditor(document);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("inserts the code once per click, however quickly the clicks follow", async () => {
    await put("used/b.txt", "\n");
    await show("used/b.txt");
    await Promise.all(["one ", "two ", "three"].map((code) => useCode("insert", code, "ts")));
    assert.equal(await textOf("used/b.txt"), "one two three\n");
  });

  it("pastes one line into the terminal without running it, and refuses several", async () => {
    const typed: string[] = [];
    const { terminal } = await openTerminal("Used", (data) => typed.push(data));
    const arrived = async () => {
      while (!typed.join("").includes("test")) await vscode.env.clipboard.readText();
    };
    await useCode("terminal", "npm\r test\u0003\n\n", "sh");
    await arrived();
    assert.equal(typed.join(""), "npm test");
    await assert.rejects(useCode("terminal", "cd /\nrm -r x\n", "sh"), /Only one line can be pasted/);
    assert.equal(typed.join(""), "npm test");
    terminal.dispose();
  });
});
