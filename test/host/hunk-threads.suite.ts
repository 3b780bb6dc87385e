// The threads below changes that wait, in the real editor: where they stand, what they say, what their buttons do, and a
// question about one change that revises the proposal in place.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { showFile } from "../../src/shell/review/show-patches.ts";
import { patchCall, text } from "../sim/script.ts";
import { patchOf, put, show, textOf, type, uriOf } from "./support/files.ts";
import { reviewForEach, type TestReview } from "./support/review-desk.ts";

const source = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const twice = (path: string) =>
  patchOf(
    `*** Update File: ${path}`,
    "@@",
    "-two",
    "+TWO",
    "+and a half",
    " three",
    "@@",
    "-nine",
    "+NINE",
    " ten",
  );

const change = (path: string) => [`*** Update File: ${path}`, "@@", "-two", "+TWO", " three"];

describe("a change that waits", function () {
  this.timeout(60_000);
  let review: TestReview;
  reviewForEach((opened) => {
    review = opened;
  });

  const labels = (threads: readonly vscode.CommentThread[]) =>
    threads.map(({ label, range }) => [label, range?.start.line]);
  const isRead = (thread: vscode.CommentThread | undefined) =>
    thread?.comments.map(({ body }) => (typeof body === "string" ? body : body.value)).join("\n") ?? "";

  it("stands in its file, below the lines that would go, with the lines that would come", async () => {
    await put("threads/file.txt", source);
    await show("threads/file.txt");
    await review.propose(twice("threads/file.txt"));
    const threads = await review.untilThreads(({ length }) => length === 2);
    assert.deepEqual(labels(threads), [
      ["Change 1 of 2 · 1 line removed, 2 lines added", 1],
      ["Change 2 of 2 · 1 line removed, 1 line added", 8],
    ]);
    assert.match(isRead(threads[0]), /TWO\nand a half/);
    await type("threads/file.txt", 0, "zero\n");
    await review.untilThreads(([first]) => first?.range?.start.line === 2);
    await review.commands["patchbay.review.rejectHunk"](threads[0]);
    await review.untilThreads(({ length }) => length === 1);
    await review.commands["patchbay.review.acceptHunk"]([...review.opened][0]);
    await review.untilThreads(({ length }) => length === 0);
    assert.equal(await textOf("threads/file.txt"), `zero\n${source.replace("nine", "NINE")}`);
  });

  it("stands on the proposed side of its diff, and not in a file of which much is proposed", async () => {
    await put("threads/one.txt", source);
    await put("threads/other.txt", source);
    await show("threads/one.txt");
    await review.propose(patchOf(...change("threads/one.txt"), ...change("threads/other.txt")));
    assert.equal(review.opened.size, 0);
    await review.commands["patchbay.review.openChange"](undefined);
    const [thread] = await review.untilThreads(({ length }) => length === 1);
    assert.equal(thread?.uri.scheme, "patchbay-review");
    assert.equal(thread?.comments.length, 0, "the lines can be seen");
  });

  it("is folded away where it is about form alone, and open where it does something", async () => {
    await put("threads/form.ts", "export function one() {\n  return  1;\n}\n\n\n\nlet two = 2;\n");
    await show("threads/form.ts");
    await review.propose(
      patchOf(
        ...["*** Update File: threads/form.ts", "@@", "-  return  1;", "+  return 1;"],
        ...["@@", "-let two = 2;", "+let two = 3;"],
      ),
    );
    const threads = await review.untilThreads(({ length }) => length === 2);
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
    assert.match(threads[0]?.label ?? "", /format only/);
    assert.deepEqual(
      threads.map(({ collapsibleState }) => collapsibleState),
      [Collapsed, Expanded],
    );
  });

  it("says how often a public name is used elsewhere, where a language server knows", async () => {
    await put("threads/api.py", "def total(items):\n    return sum(items)\n\n\nprint(total([1]))\n");
    const uri = uriOf("threads/api.py");
    const place = (row: number) => new vscode.Location(uri, new vscode.Range(row, 4, row, 9));
    const provider = vscode.languages.registerReferenceProvider(
      { scheme: "file", pattern: "**/api.py" },
      { provideReferences: () => [place(0), place(4), place(7)] },
    );
    try {
      await show("threads/api.py");
      await review.propose(
        patchOf(
          ...["*** Update File: threads/api.py", "@@", "-def total(items):", "+def total(items, rate):"],
          ...["     return sum(items)"],
        ),
      );
      const [thread] = await review.untilThreads(([one]) => one?.label?.includes("references") === true);
      assert.match(thread?.label ?? "", /public API, 2 references/);
    } finally {
      provider.dispose();
    }
  });

  it("is revised in place by a question about it: what was decided stays decided, and what was said stays with it", async () => {
    await put("threads/asked.txt", source);
    await show("threads/asked.txt");
    await review.propose(twice("threads/asked.txt"));
    const [first, second] = await review.untilThreads(({ length }) => length === 2);
    await review.commands["patchbay.review.acceptHunk"](second);
    await review.untilThreads(({ length }) => length === 1);
    await review.commands["patchbay.review.ask"](first);
    const box = first?.comments.at(-1);
    assert(box !== undefined && review.threads.isAsking(first as vscode.CommentThread));
    box.body = "Only one line.";
    review.sim.reply(
      patchCall(patchOf("*** Update File: threads/asked.txt", "@@", "-TWO", "-and a half", "+Two", " three")),
    );
    review.sim.reply(text("It is one line now."));
    await review.threads.send();
    const [revised] = await review.untilThreads(
      ([one]) =>
        one?.contextValue?.includes("revised") === true && isRead(one).includes("It is one line now."),
    );
    assert.equal(revised?.label, "1 line removed, 1 line added");
    assert.match(isRead(revised), /Only one line\./);
    const sent = JSON.stringify(review.sim.requests.at(-1)?.body["input"]);
    assert.match(sent, /-two/);
    assert.match(sent, /Only one line\./);
    assert.equal(await textOf("threads/asked.txt"), source.replace("nine", "NINE"));
    await review.commands["patchbay.review.showRevision"](revised);
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert(activeTab?.input instanceof vscode.TabInputTextDiff);
    const before = await vscode.workspace.openTextDocument(activeTab.input.original);
    assert.match(before.getText(), /TWO\nand a half/);
  });

  it("has one thread in two editors of one file, and has it again when the file was closed in between", async () => {
    const uri = await put("threads/twice.txt", source);
    await show("threads/twice.txt");
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside });
    await review.propose(twice("threads/twice.txt"));
    await review.untilThreads(({ length }) => length === 2);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await show("threads/twice.txt");
    const threads = await review.untilThreads(({ length }) => length === 2);
    assert.deepEqual(
      threads.map(({ range }) => range?.start.line),
      [1, 8],
    );
  });

  it("has two hundred of them in one diff and no more, and each decides its own", async () => {
    const rows = Array.from({ length: 220 }, (_, at) => at);
    const file = (changed?: number) =>
      rows.map((at) => `row ${at}\n${at === changed ? "CHANGED" : "between"} ${at}\nafter ${at}\n`).join("");
    await put("threads/many.txt", file());
    const hunks = rows.flatMap((at) => [
      ...["@@", ` row ${at}`, `-between ${at}`, `+CHANGED ${at}`, ` after ${at}`],
    ]);
    await review.propose(patchOf("*** Update File: threads/many.txt", ...hunks));
    await showFile(review.file("threads/many.txt"), review.desk, review.documents);
    const threads = await review.untilThreads(({ length }) => length === 200);
    assert.match(threads[150]?.label ?? "", /^Change 151 of 220 /);
    await review.commands["patchbay.thread.accept"](threads[150]);
    await review.untilThreads(
      (left) => left.length === 200 && left.every(({ label }) => label?.includes(" of 219 ") === true),
    );
    assert.equal(await textOf("threads/many.txt"), file(150));
  });

  it("has no thread where somebody has written other lines, and has it again when they are taken back", async () => {
    await put("threads/typed.txt", source);
    const editor = await show("threads/typed.txt");
    await review.propose(twice("threads/typed.txt"));
    await review.untilThreads(({ length }) => length === 2);
    await editor.edit((edit) => edit.replace(new vscode.Range(1, 0, 1, 3), "mine"));
    const left = await review.untilThreads(({ length }) => length === 1);
    assert.equal(left[0]?.range?.start.line, 8);
    await editor.edit((edit) => edit.replace(new vscode.Range(1, 0, 1, 4), "two"));
    await review.untilThreads(({ length }) => length === 2);
  });
});
