// The threads below changes that wait, in the real editor: where they stand, what they say, what their buttons do, and a
// question about one change that revises the proposal in place.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { References } from "../../src/editor/review/internal/count-references.ts";
import { hunksBelow, itemOf } from "../../src/editor/review/internal/review-tree.ts";
import { showFile } from "../../src/editor/review/internal/show-changes.ts";
import { patchCall, text } from "../sim/script.ts";
import { make, onDisk, patchOf, put, show, textOf, type, uriOf, write } from "./support/files.ts";
import { activeTab } from "./support/heard.ts";
import { reviewForEach } from "./support/review-fixture.ts";

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

/** No language server. */
const unasked: References = {
  countOf: () => undefined,
  factsOf: () => undefined,
  knownOf: () => [],
};

/** Holds what passes until it is opened. */
function held() {
  let [reach, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = () => {
    reach();
    return opened;
  };
  return { reached, open: () => open(), pass };
}

const change = (path: string) => [`*** Update File: ${path}`, "@@", "-two", "+TWO", " three"];

describe("the thread of a hunk", () => {
  const review = reviewForEach();

  const labels = (threads: readonly vscode.CommentThread[]) =>
    threads.map(({ label, range }) => [label, range?.start.line]);
  const isRead = (thread: vscode.CommentThread | undefined) =>
    thread?.comments.map(({ body }) => (typeof body === "string" ? body : body.value)).join("\n") ?? "";

  it("appears below the removed lines with the added lines, and decides its hunk", async () => {
    await put("threads/file.txt", source);
    await show("threads/file.txt");
    await review.propose(twice("threads/file.txt"));
    const threads = await review.untilThreads(({ length }) => length === 2);
    assert.deepEqual(labels(threads), [
      ["Change 1 of 2 · 1 line removed, 2 added", 1],
      ["Change 2 of 2 · 1 line changed", 8],
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

  it("appears in the diff, and not in the file when several files are proposed", async () => {
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

  it("shows a conflict for edited lines in the file and in its diff until it is rejected", async () => {
    const path = "threads/conflict.txt";
    await put(path, source);
    await show(path);
    await review.propose(twice(path));
    await review.untilThreads(({ length }) => length === 2);
    await type(path, 1, "my ");
    const conflict = "Conflict: you and the proposal have both changed these lines";
    const find = (threads: readonly vscode.CommentThread[], scheme: string) =>
      threads.find(({ label, uri }) => label === conflict && uri.scheme === scheme);
    const inFile = find(await review.untilThreads((all) => find(all, "file") !== undefined), "file");
    assert.equal(inFile?.range?.start.line, 1);
    assert.match(isRead(inFile), /TWO\nand a half/);
    assert.equal(inFile?.contextValue, "conflict.retry.only");
    assert.equal(review.desk.conflicts, 1);
    await review.commands["patchbay.review.openChange"](
      [...review.opened].find(({ contextValue }) => contextValue?.startsWith("hunk")),
    );
    const proposed = "patchbay-review";
    const inDiff = find(await review.untilThreads((all) => find(all, proposed) !== undefined), proposed);
    assert.equal(inDiff?.range?.start.line, 1);
    review.sim.reply(text("I see."));
    await review.commands["patchbay.review.retryWithCurrent"](inDiff);
    assert.match(JSON.stringify(review.sim.requests.at(-1)?.body), /my two/, "the model is shown the file");
    await review.commands["patchbay.thread.reject"](inDiff);
    await review.untilThreads((all) => all.every(({ label }) => label !== conflict));
    assert.equal(review.desk.conflicts, 0);
    assert.equal(review.file(path).pending.hunks.length, 1, "what does not touch it still waits");
    assert.equal(await textOf(path), source.replace("two", "my two"));
  });

  describe("the thread of a whole file in conflict", () => {
    const proposed = "patchbay-review";
    const find = (threads: readonly vscode.CommentThread[], label: string, scheme: string) =>
      threads.find((each) => each.label === `Conflict: ${label}` && each.uri.scheme === scheme);
    const until = async (label: string, scheme: string) => {
      const all = await review.untilThreads((some) => find(some, label, scheme) !== undefined);
      const found = find(all, label, scheme);
      assert(found !== undefined);
      assert.equal(found.range?.start.line, 0);
      assert.equal(found.contextValue, "conflict.retry.only");
      return found;
    };
    const showDiff = () => showFile(review.file(), review.desk, review.documents);
    const untilStuck = () => review.until(() => review.desk.conflicts === 1);
    const create = async (path: string, content: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.createFile(uriOf(path), { contents: Buffer.from(content), overwrite: true });
      await make(edit);
    };

    it("appears at the first line of the existing file with the proposed text, and in the diff", async () => {
      const path = "threads/both.txt";
      const exists = "A file with this name exists already.";
      await review.propose(patchOf(`*** Add File: ${path}`, "+mine"));
      await create(path, "somebody's\n");
      await untilStuck();
      await show(path);
      const inFile = await until(exists, "file");
      assert.match(isRead(inFile), /mine/);
      await showDiff();
      const inDiff = await until(exists, proposed);
      assert.equal(inDiff.comments.length, 0, "its lines can be seen");
      review.sim.reply(text("I see."));
      await review.commands["patchbay.review.retryWithCurrent"](inFile);
      assert.match(
        JSON.stringify(review.sim.requests.at(-1)?.body),
        /somebody's/,
        "the model is shown the file",
      );
      await review.commands["patchbay.thread.reject"](inFile);
      await review.untilThreads(({ length }) => length === 0);
      assert.equal(review.desk.waiting, 0);
      assert.equal(await textOf(path), "somebody's\n");
    });

    it("reports a deleted file in the diff, and shows its changes again once the file is restored", async () => {
      const path = "threads/gone.txt";
      await create(path, source);
      await review.propose(twice(path));
      const edit = new vscode.WorkspaceEdit();
      edit.deleteFile(uriOf(path));
      await make(edit);
      await untilStuck();
      await showDiff();
      const inDiff = await until("The file no longer exists.", proposed);
      const document = await vscode.workspace.openTextDocument(inDiff.uri);
      assert.equal(document.getText(), source.replace("two", "TWO\nand a half").replace("nine", "NINE"));
      await create(path, source);
      await review.untilThreads(
        (all) => all.length === 2 && all.every(({ label }) => label?.startsWith("Change ") === true),
      );
      assert.equal(review.desk.conflicts, 0);
      assert.equal(review.file(path).pending.hunks.length, 2);
    });

    it("names the target of a file that cannot move, and offers no change to accept", async () => {
      const [from, to] = ["threads/from.txt", "threads/to.txt"];
      await create(from, source);
      await show(from);
      await review.propose(
        patchOf(`*** Update File: ${from}`, `*** Move to: ${to}`, ...change(from).slice(1)),
      );
      await review.untilThreads(({ length }) => length === 1);
      await create(to, "somebody's\n");
      await untilStuck();
      const inFile = await until("A file with this name exists already.", "file");
      assert.match(isRead(inFile), new RegExp(`Move this file to ${to}`));
      assert.equal(review.file().to, to);
      assert.equal(review.opened.size, 1);
      await review.commands["patchbay.review.rejectFile"]({ kind: "file", file: review.file() });
      await review.untilThreads(({ length }) => length === 0);
      assert.equal(review.desk.waiting, 0);
    });

    it("shows the proposed deletion of a file that has changed since", async () => {
      const path = "threads/deleted.txt";
      await create(path, source);
      await show(path);
      await review.propose(patchOf(`*** Delete File: ${path}`));
      await type(path, 0, "zero\n");
      const inFile = await until("The file has changed since this was proposed.", "file");
      assert.match(isRead(inFile), /Delete this file/);
    });
  });

  it("says that accepting also moves the file, and decides the move with the last hunk", async () => {
    const [from, to] = ["threads/renamed.txt", "threads/new-name.txt"];
    const propose = async (...rows: readonly string[]) => {
      await put(from, source);
      await show(from);
      const hunks = rows.flatMap((row) => ["@@", `-${row}`, `+${row.toUpperCase()}`]);
      await review.propose(patchOf(`*** Update File: ${from}`, `*** Move to: ${to}`, ...hunks));
      return review.untilThreads(({ length }) => length === rows.length);
    };
    const one = "1 line changed";
    const [first] = await propose("two", "nine");
    assert.equal(first?.label, `Change 1 of 2 · ${one} · accepting also moves the file to ${to}`);
    await review.commands["patchbay.thread.reject"](first);
    const [last] = await review.untilThreads(
      ([only, ...others]) => others.length === 0 && only?.label === `${one} · moves the file to ${to}`,
    );
    const file = review.file(from);
    assert.deepEqual(
      hunksBelow(file).map(
        (hunk) => itemOf({ kind: "hunk", file, hunk }, [file], unasked, review.evidence).description,
      ),
      [`moves the file to ${to} · NINE`],
    );
    await review.commands["patchbay.thread.reject"](last);
    await review.until(() => review.desk.waiting === 0);
    assert.deepEqual([await onDisk(from), await onDisk(to)], [source, undefined]);
    assert.match(await review.news(), /all of it was rejected/);
    const [either] = await propose("two", "nine");
    await review.commands["patchbay.thread.accept"](either);
    await review.until(() => review.desk.files.every(({ path }) => path === to));
    assert.deepEqual([await onDisk(from), await textOf(to)], [undefined, source.replace("two", "TWO")]);
    assert.equal(review.desk.waiting, 1);
  });

  it("is collapsed for a format-only change and expanded otherwise", async () => {
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

  it("starts its label with the warning", async () => {
    await put("threads/cart.test.ts", 'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n');
    await show("threads/cart.test.ts");
    await review.propose(
      patchOf(
        "*** Update File: threads/cart.test.ts",
        "@@",
        '-it("adds", () => {',
        '+it.skip("adds", () => {',
      ),
    );
    const [thread] = await review.untilThreads(({ length }) => length === 1);
    assert.match(thread?.label ?? "", /^⚠ test weakened · 1 line changed/);
  });

  it("shows how often a public name is referenced when a language server knows", async () => {
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

  it("counts references again once an edit elsewhere has added one, and not for any other", async () => {
    await put("threads/prices.py", "def total(items):\n    return sum(items)\n");
    await put("threads/uses.py", "from prices import total\n\n\n");
    const [uri, uses] = [uriOf("threads/prices.py"), uriOf("threads/uses.py")];
    let times = 0;
    const provider = vscode.languages.registerReferenceProvider(
      { scheme: "file", pattern: "**/prices.py" },
      {
        async provideReferences() {
          times += 1;
          const rows = (await vscode.workspace.openTextDocument(uses)).getText().split("\n");
          const found = rows.flatMap((row, line) => (row.includes("total") ? [line] : []));
          const places = found.map((line) => new vscode.Location(uses, new vscode.Range(line, 0, line, 5)));
          return [new vscode.Location(uri, new vscode.Range(0, 4, 0, 9)), ...places];
        },
      },
    );
    const edit = async (row: number, text: string) => {
      const edits = new vscode.WorkspaceEdit();
      edits.insert(uses, new vscode.Position(row, 0), text);
      assert.ok(await vscode.workspace.applyEdit(edits));
    };
    try {
      await show("threads/prices.py");
      await review.propose(
        patchOf(
          ...["*** Update File: threads/prices.py", "@@", "-def total(items):", "+def total(items, rate):"],
          ...["     return sum(items)"],
        ),
      );
      await review.untilThreads(([one]) => one?.label?.includes("1 reference") === true);
      await edit(2, "other()");
      await edit(1, "total([1])");
      await review.untilThreads(([one]) => one?.label?.includes("2 references") === true);
      assert.equal(times, 2);
    } finally {
      provider.dispose();
    }
  });

  it("asks once for references however much is typed meanwhile, and again once the disk has another", async () => {
    await put("threads/rates.py", "def rate(items):\n    return sum(items)\n");
    await put("threads/notes.py", "\n\n\n");
    const [uri, notes] = [uriOf("threads/rates.py"), uriOf("threads/notes.py")];
    let [times, found] = [0, 1];
    let hold = held();
    const provider = vscode.languages.registerReferenceProvider(
      { scheme: "file", pattern: "**/rates.py" },
      {
        async provideReferences() {
          times += 1;
          await hold.pass();
          const elsewhere = Array.from({ length: found }, (_, row) => new vscode.Range(row, 0, row, 4));
          return [
            new vscode.Location(uri, new vscode.Range(0, 4, 0, 8)),
            ...elsewhere.map((range) => new vscode.Location(uriOf("threads/away.py"), range)),
          ];
        },
      },
    );
    const typeIn = async (file: vscode.Uri) => {
      for (const letter of "typed") {
        const edits = new vscode.WorkspaceEdit();
        edits.insert(file, new vscode.Position(2, 0), letter);
        assert.ok(await vscode.workspace.applyEdit(edits));
      }
    };
    const counted = (label: string) => review.untilThreads(([one]) => one?.label?.includes(label) === true);
    try {
      await show("threads/rates.py");
      await review.propose(
        patchOf(
          ...["*** Update File: threads/rates.py", "@@", "-def rate(items):", "+def rate(items, by):"],
          ...["     return sum(items)"],
        ),
      );
      await hold.reached;
      await typeIn(notes);
      hold.open();
      await counted("1 reference");
      assert.equal(times, 1);
      [hold, found] = [held(), 2];
      // Nobody has opened this file.
      await vscode.workspace.fs.writeFile(uriOf("threads/away.py"), Buffer.from("rate([1])\nrate([2])\n"));
      await hold.reached;
      await typeIn(uri);
      hold.open();
      await counted("2 references");
      assert.equal(times, 3, "its own file was edited: once for all of that");
    } finally {
      hold.open();
      provider.dispose();
    }
  });

  it("revises its hunk in place after a question, and keeps decisions and messages", async () => {
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
    assert.equal(revised?.label, "1 line changed");
    assert.match(isRead(revised), /Only one line\./);
    assert.notEqual(revised, first, "one that has had the focus would take it with each change");
    const sent = JSON.stringify(review.sim.requests.at(-1)?.body["input"]);
    assert.match(sent, /-two/);
    assert.match(sent, /Only one line\./);
    assert.equal(await textOf("threads/asked.txt"), source.replace("nine", "NINE"));
    await review.commands["patchbay.review.showRevision"](revised);
    const { input } = await activeTab((tab) => tab.input instanceof vscode.TabInputTextDiff);
    assert(input instanceof vscode.TabInputTextDiff);
    const before = await vscode.workspace.openTextDocument(input.original);
    assert.match(before.getText(), /TWO\nand a half/);
  });

  it("appears once for two editors of a file, and again after the file is reopened", async () => {
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

  it("disappears while its lines are edited, and returns when they are restored", async () => {
    await put("threads/typed.txt", source);
    const editor = await show("threads/typed.txt");
    await review.propose(twice("threads/typed.txt"));
    await review.untilThreads(({ length }) => length === 2);
    await write(editor, (edit) => edit.replace(new vscode.Range(1, 0, 1, 3), "mine"));
    const left = await review.untilThreads(({ length }) => length === 1);
    assert.equal(left[0]?.range?.start.line, 8);
    await write(editor, (edit) => edit.replace(new vscode.Range(1, 0, 1, 4), "two"));
    await review.untilThreads(({ length }) => length === 2);
  });
});
