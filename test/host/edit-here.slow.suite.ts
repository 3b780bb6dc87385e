// An edit that is asked for between the lines: what its thread shows while it is answered and after it, and what its
// buttons do at each moment.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Companion } from "../../src/editor/actions/ask.ts";
import { createEditBoxes, type EditBox, type EditBoxes } from "../../src/editor/actions/edit-box.ts";
import { createEditHere } from "../../src/editor/actions/internal/edit-here.ts";
import { createEditInPlace, type EditInPlace } from "../../src/editor/review/internal/edit-in-place.ts";
import { schemes } from "../../src/editor/review/shown-change.ts";
import { editorInUse } from "../../src/editor/text-editors.ts";
import { type AskedFrom, comment } from "../../src/editor/ui/response-comment.ts";
import { holdBefore } from "../sim/delivery-faults.ts";
import { failed, patchCall, text } from "../sim/script.ts";
import { onDisk, patchOf, put, show, textOf, type, uriOf } from "./support/files.ts";
import { activeEditor, cursorIn } from "./support/heard.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const source = "one\ntwo\nthree\n";
const path = "here/file.txt";

describe("Edit Here", () => {
  let here: ReturnType<typeof createEditHere>;
  let boxes: EditBoxes;
  let continued: unknown[] = [];
  let released = 0;
  let lent: vscode.Comment | undefined;

  const review = reviewForEach(async () => {
    continued = [];
    released = 0;
    lent = undefined;
    boxes = createEditBoxes(review.threads);
    here = createEditHere({
      boxes,
      settings: () => ({ editModel: "svc-k3", outputTokens: 1000, listsContext: false }),
      task: () => ({ session: review.session, release: () => void released++ }),
      review: () => ({ show: async () => false, lend: () => lent, dispose: () => undefined }),
      sessionAt: () => undefined,
      fold: () => undefined,
      continueInChat: async (session) => void continued.push(session),
      weigh: async () => 420,
      report: (error) => assert.fail(String(error)),
    });
    await put(path, source);
  });
  afterEach(() => here.dispose());

  async function ask(
    words?: string,
    companions = async (): Promise<readonly Companion[]> => [],
  ): Promise<void> {
    const { document } = await show(path);
    const wanted = { title: "Edit Here", command: "", companions };
    const range = new vscode.Range(0, 0, 2, 0);
    await here.begin({ document, range }, words === undefined ? wanted : { ...wanted, words });
  }
  const bodyOf = ({ body }: vscode.Comment) => (typeof body === "string" ? body : body.value);
  const isRead = (thread: vscode.CommentThread | undefined) => thread?.comments.map(bodyOf).join("\n") ?? "";
  /** The thread, once it is in this state and says this. */
  async function untilIt(state: string, words: string | RegExp = ""): Promise<vscode.CommentThread> {
    const isSo = ([one]: readonly vscode.CommentThread[]) =>
      one?.contextValue === state && new RegExp(words).test(isRead(one));
    const [thread] = await review.untilThreads(isSo);
    assert(thread !== undefined);
    return thread;
  }
  const untilGone = () => review.untilThreads(({ length }) => length === 0);

  it("shows its lines and the size of the context before sending, and sends nothing when closed", async () => {
    await ask();
    const [thread] = await review.untilThreads(([one]) => one?.label?.includes("≈420 tokens") === true);
    assert.match(thread?.label ?? "", /^Edit: lines 1–2 · /);
    assert(review.threads.isAsking(thread as vscode.CommentThread));
    assert.equal(editorInUse()?.document.uri.toString(), uriOf(path).toString(), "the box is no file");
    await here.commands["patchbay.thread.close"](undefined);
    await untilGone();
    assert.equal(review.sim.requests.length, 0);
  });

  /** As the first time in a window: it is there before anything of Edit Here is. */
  async function openFirst(): Promise<EditBox> {
    const editor = await show(path);
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    return (await boxes.openFirst(undefined)) ?? assert.fail("the box has to wait");
  }
  const wanted = { title: "Edit", command: "", companions: async () => [] };

  it("sends what was typed in a box that was there before the rest, and no second box comes", async () => {
    const box = await openFirst();
    assert.equal(boxes.firstBoxOf(box), box);
    assert.equal(boxes.firstBoxOf({ ...box }), undefined, "only one that was opened here");
    const question = box.thread.comments.at(-1) ?? assert.fail("nothing is asked");
    question.body = "Why?";
    await review.threads.send();
    review.sim.reply(text("Because it was typed early."));
    await here.begin(box.place, wanted, box);
    const thread = await untilIt("here.said", /^Why\?\nBecause/);
    assert.equal(thread.label?.startsWith("Edit: lines 1–2"), true, thread.label);
    assert.equal(review.sim.requests.length, 1);
  });

  it("goes, and sends nothing, when the first box was closed before the rest was there", async () => {
    const box = await openFirst();
    await review.threads.cancel();
    await here.begin(box.place, wanted, box);
    await untilGone();
    assert.equal(review.sim.requests.length, 0);
  });

  it("waits for the rest in a document that is no file of the folder", async () => {
    const document = await vscode.workspace.openTextDocument({ content: source });
    const place = { document, range: new vscode.Range(0, 0, 0, 0) };
    assert.equal(await boxes.openFirst(place), undefined);
    assert.equal(review.opened.size, 0);
  });

  it("shows the response while it arrives", async () => {
    const held = holdBefore(8);
    review.sim.reply(text("This part is there, and this one is still on its way to the reader."), held);
    const asked = ask("Why?");
    const thread = await untilIt("here.running", /This part/);
    assert.doesNotMatch(isRead(thread), /reader/);
    held.release();
    await asked;
    await untilIt("here.said", /to the reader\.$/);
  });

  it("stops on its button and keeps the text that has arrived", async () => {
    review.sim.reply(text("This part is there, and this one never comes to its end."), holdBefore(8));
    const asked = ask("Why?");
    const thread = await untilIt("here.running", /This part/);
    await here.commands["patchbay.thread.stop"](thread);
    await asked;
    await untilIt("here.said", /This part/);
  });

  it("shows why it failed, and retries the same request", async () => {
    review.sim.reply(failed("The model is tired."));
    await ask("Why?");
    const thread = await untilIt("here.failed", /The model is tired\./);
    review.sim.reply(text("Because."));
    await here.commands["patchbay.thread.retry"](thread);
    await untilIt("here.said", /Because\./);
    assert.match(JSON.stringify(review.sim.requests.at(-1)?.body["input"]), /Why\?/);
  });

  it("continues in the chat and closes its thread", async () => {
    review.sim.reply(text("Because."));
    await ask("Why?");
    await here.commands["patchbay.thread.continueInChat"](await untilIt("here.said"));
    await untilGone();
    assert.deepEqual(continued, [review.session]);
  });

  it("closes while a response arrives, and cancels the request", async () => {
    review.sim.reply(text("This part is there, and this one never comes to its end."), holdBefore(8));
    const asked = ask("Why?");
    await here.commands["patchbay.thread.close"](await untilIt("here.running", /This part/));
    await asked;
    await untilGone();
    assert.equal(review.session.isRunning, false);
    assert.equal(released, 1);
  });

  for (const button of ["close", "stop"] as const)
    it(`sends nothing after ${button} while its context is being gathered`, async () => {
      let gathered = (_: readonly Companion[]) => {};
      const asked = ask("Why?", () => new Promise((resolve) => (gathered = resolve)));
      await here.commands[`patchbay.thread.${button}`](await untilIt("here.running"));
      gathered([]);
      await asked;
      await untilGone();
      assert.equal(review.sim.requests.length, 0);
    });

  it("closes its thread and reports once when its context cannot be gathered", async () => {
    await assert.rejects(
      ask("Why?", async () => {
        await untilIt("here.running");
        throw new Error("No context");
      }),
      /No context/,
    );
    await untilGone();
  });

  it("shows the first lines of a change to another file, and the response on request", async () => {
    lent = comment("New file b.txt", "the first lines");
    review.sim.reply(patchCall(patchOf("*** Add File: here/b.txt", "+new")));
    review.sim.reply(text("I wrote a file."));
    await ask("Write a file");
    const thread = await untilIt("here.proposed.folded", /^the first lines$/);
    here.commands["patchbay.thread.showResponse"](thread);
    await untilIt("here.proposed.unfolded", /the first lines\nI wrote a file\./);
    here.commands["patchbay.thread.hideResponse"](thread);
    await untilIt("here.proposed.folded", /^the first lines$/);
    await review.desk.rejectAll(review.target().set);
    await untilGone();
  });

  it("closes its thread once everything it proposed is decided", async () => {
    const patch = patchOf(`*** Update File: ${path}`, "@@", "-two", "+TWO", " three");
    review.sim.reply(patchCall(patch));
    review.sim.reply(text("In capitals."));
    await ask("In capitals");
    const thread = await untilIt("here.proposed", /In capitals\./);
    await review.until(() => review.desk.files.length === 1);
    assert.equal(released, 0);
    await review.desk.accept(review.target(path));
    await review.untilThreads((all) => !all.includes(thread));
    assert.equal(released, 1);
  });
});

describe("the proposal of Edit Here", () => {
  const rows = Array.from({ length: 200 }, (_, row) => `line ${row}`);
  const changed = rows.map((row) => (row === "line 110" ? `${"wide ".repeat(12)}110` : row));
  let count = 0;
  let file: string;
  let inPlace: EditInPlace;
  let isChatFocused = false;

  const review = reviewForEach(async () => {
    isChatFocused = false;
    file = `here/in-place-${++count}.txt`;
    await put(file, rows.join("\n"));
    const { desk: fixture, documents } = review;
    inPlace = createEditInPlace({
      ...{ reviewModel: fixture, documents },
      isChatFocused: () => isChatFocused,
      report: assert.ifError,
    });
  });
  afterEach(() => inPlace.dispose());

  /** Somebody asks at line 110, with line 100 at the top, and gets a change of that line. */
  async function asked(): Promise<AskedFrom & { readonly top: number | undefined }> {
    const editor = await show(file);
    editor.selection = new vscode.Selection(110, 2, 110, 2);
    const { AtTop } = vscode.TextEditorRevealType;
    const isScrolled = new Promise<void>((resolve) => {
      const listening = vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
        if (textEditor.document !== editor.document || (visibleRanges[0]?.start.line ?? 0) < 90) return;
        listening.dispose();
        resolve();
      });
    });
    editor.revealRange(new vscode.Range(100, 0, 100, 0), AtTop);
    await isScrolled;
    const { document, selection, viewColumn = vscode.ViewColumn.One } = editor;
    const terminal = vscode.window.activeTerminal;
    const top = editor.visibleRanges[0]?.start.line;
    await review.propose(
      patchOf(`*** Update File: ${file}`, "@@", "-line 110", `+${changed[110]}`, " line 111"),
    );
    return { document, version: document.version, selection, viewColumn, terminal, top };
  }
  const setOf = () => review.target(file).set;

  it("opens as a diff in place of its file and restores the editor once it is decided", async () => {
    const from = await asked();
    assert.equal(await inPlace.show(setOf(), from), true);
    await activeEditor(({ document }) => document.uri.scheme === schemes.review);
    assert.equal(vscode.window.tabGroups.activeTabGroup.viewColumn, from.viewColumn);
    await cursorIn(110);
    await review.commands["patchbay.review.acceptHunk"]({ at: "cursor" });
    const back = await activeEditor(({ document }) => document === from.document);
    assert.equal(await textOf(file), changed.join("\n"));
    assert.equal(back.viewColumn, from.viewColumn);
    assert(back.selection.isEqual(from.selection));
    assert.equal(back.visibleRanges[0]?.start.line, from.top);
  });

  it("shows a new file in place of the file of the question, where the key accepts it", async () => {
    const from = await asked();
    await review.desk.rejectAll(setOf());
    const added = `here/alone-${count}.txt`;
    await review.propose(patchOf(`*** Add File: ${added}`, "+new", "+file"));
    assert.equal(await inPlace.show(review.target(added).set, from), true);
    await activeEditor(({ document }) => document.uri.scheme === schemes.review);
    await review.commands["patchbay.review.acceptHunk"]({ at: "cursor", otherwise: "insertLineAfter" });
    const back = await activeEditor(({ document }) => document === from.document);
    assert.equal(await onDisk(added), "new\nfile\n");
    assert.equal(from.document.getText(), rows.join("\n"));
    assert(back.selection.isEqual(from.selection));
  });

  it("shows the files of a proposal one after the other, its own file first", async () => {
    const from = await asked();
    await review.desk.rejectAll(setOf());
    const added = `here/a-first-${count}.txt`;
    await review.propose(
      patchOf(
        ...[`*** Add File: ${added}`, "+new"],
        ...[`*** Update File: ${file}`, "@@", "-line 110", "+LINE 110", " line 111"],
      ),
    );
    const isShown = (path: string) =>
      activeEditor(({ document: { uri } }) => uri.scheme === schemes.review && uri.path.endsWith(path));
    assert.equal(await inPlace.show(setOf(), from), true);
    await isShown(file);
    await review.commands["patchbay.review.acceptHunk"]({ at: "cursor" });
    await isShown(added);
    await review.commands["patchbay.review.rejectHunk"]({ at: "cursor" });
    await activeEditor(({ document }) => document === from.document);
    assert.match(await textOf(file), /LINE 110/);
    assert.equal(await onDisk(added), undefined);
  });

  it("stays in its file when the person has typed, moved or focused the chat since", async () => {
    const from = await asked();
    isChatFocused = true;
    assert.equal(await inPlace.show(setOf(), from), false);
    isChatFocused = false;
    const elsewhere = new vscode.Selection(120, 0, 120, 0);
    assert.equal(await inPlace.show(setOf(), { ...from, selection: elsewhere }), false);
    await type(file, 120, "typed ");
    assert.equal(await inPlace.show(setOf(), from), false);
    assert.equal(vscode.window.activeTextEditor?.document, from.document);
    assert(review.hunkThreads.isInFile(setOf()));
  });

  it("folds the response before it and leaves room for the scroll bar below a wide line", async () => {
    await asked();
    const bodies = (thread: vscode.CommentThread | undefined) =>
      thread?.comments.map(({ body }) => (typeof body === "string" ? body : body.value)) ?? [];
    review.hunkThreads.say(setOf(), [comment("Patchbay", "Here it is.")]);
    const [thread] = await review.untilThreads(([one]) => one?.contextValue?.includes(".folded") === true);
    assert.equal(bodies(thread).length, 1);
    assert.match(bodies(thread)[0] ?? "", /wide 110\n \n```\n?$/);
    const ref = review.hunkThreads.refOf(thread) ?? assert.fail();
    review.hunkThreads.fold(ref, false);
    await review.untilThreads(([one]) => bodies(one).at(-1) === "Here it is.");
    review.hunkThreads.fold(ref, true);
    await review.untilThreads(([one]) => bodies(one).length === 1);
  });

  it("shows the first lines of a new file in the thread of the request, and is decided there", async () => {
    const added = `here/added-${count}.ts`;
    await review.propose(patchOf(`*** Add File: ${added}`, ...rows.slice(0, 25).map((row) => `+${row}`)));
    await show(file);
    const thread = review.threads.open(uriOf(file), 3);
    const { set } = review.target(added);
    const { author, body } = review.lentThreads.lend(thread, set) ?? assert.fail();
    assert.equal(author.name, `New file ${added}`);
    assert(body instanceof vscode.MarkdownString);
    assert.match(body.value, /```ts\nline 0\n[\s\S]*line 19\n```\n….*5.*Show/);
    await review.commands["patchbay.thread.show"](thread);
    await activeEditor(({ document }) => document.uri.scheme === schemes.review);
    await review.commands["patchbay.thread.accept"](thread);
    assert.equal(await onDisk(added), `${rows.slice(0, 25).join("\n")}\n`);
    thread.dispose();
  });
});
