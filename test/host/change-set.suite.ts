// A long task as a person lives through it: the model goes on while its patches wait, one review shows the sum, and what is
// decided – here, in another conversation, in another window, by itself – is what the files hold in the end.
import { strict as assert } from "node:assert";
import { rmSync } from "node:fs";
import * as vscode from "vscode";
import type { Workspace } from "../../src/files/workspace.ts";
import { type ConversationSettings, defaultConversationSettings } from "../../src/session/session-context.ts";
import { call, type Part, patchCall, text } from "../sim/script.ts";
import {
  leaveNothing,
  make,
  onDisk,
  open,
  patchOf,
  put,
  show,
  testWorkspace,
  textOf,
  type,
  undoIn,
  uriOf,
} from "./support/files.ts";
import { heard } from "./support/heard.ts";
import { openReview, reviewFolder, type TestReview } from "./support/review-fixture.ts";

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 40 }, (_, row) => change[row] ?? `line ${row}`).join("\n");

const hunk = (row: number, to = `LINE ${row}`, from = `line ${row}`) => [
  "@@",
  ` line ${row - 1}`,
  `-${from}`,
  `+${to.replaceAll("\n", "\n+")}`,
  ` line ${row + 1}`,
];

const update = (path: string, ...hunks: readonly string[][]) => [`*** Update File: ${path}`, ...hunks.flat()];

const saving = () => testWorkspace({ savesAfterApply: () => true });

describe("a change set", () => {
  let folder: string;
  let review: TestReview;

  async function window(workspace?: Workspace, settings?: ConversationSettings): Promise<void> {
    review = await openReview(workspace ?? saving(), { at: folder, ...(settings && { settings }) });
  }

  /** The window is closed, and opened again on the same folder. */
  async function reload(): Promise<void> {
    await review.close();
    await window();
    await review.changes.refresh();
  }

  beforeEach(() => {
    folder = reviewFolder();
  });

  afterEach(async () => {
    await review.close();
    rmSync(folder, { recursive: true, force: true });
    await leaveNothing();
  });

  /** The calls of a turn that runs through without anybody looking. */
  async function ask(...steps: readonly Part[]): Promise<string[]> {
    for (const step of steps) review.sim.reply(step);
    review.sim.reply(text("Done."));
    const turn = await review.session.send({ prompt: "Go on." });
    assert.equal(turn?.status, "done");
    const patches = turn.parts.filter((part) => part.type === "patch");
    for (const { status, output } of patches) assert.notEqual(status, "failed", output);
    return patches.map((patch) => patch.call);
  }

  const shown = (files: number) => review.until(() => review.desk.files.length === files);
  const waiting = () =>
    review.desk.files.map(({ path, to }) => (path === to ? path : `${path} → ${to}`)).sort();

  async function proposedText(path: string): Promise<string | undefined> {
    const [, uri] = review.documents.sidesOf(review.file(path));
    return uri && (await vscode.workspace.openTextDocument(uri)).getText();
  }

  it("waits during a long task, survives a reload, is accepted in parts and undone", async () => {
    await put("task/one.txt", lines());
    await put("task/two.txt", lines());
    await window();
    const calls = await ask(
      patchCall(patchOf(...update("task/one.txt", hunk(5), hunk(15)))),
      call("read_file", { path: "task/one.txt" }),
      patchCall(
        patchOf(...update("task/one.txt", hunk(5, "five", "LINE 5")), ...update("task/two.txt", hunk(9))),
      ),
      patchCall(patchOf(...update("task/two.txt", hunk(25)), "*** Add File: task/new.txt", "+new")),
      patchCall(patchOf("*** Update File: task/new.txt", "@@", "-new", "+newer")),
    );
    assert.equal(calls.length, 4);
    const input = review.sim.requests.at(2)?.body["input"];
    assert.match(JSON.stringify(input), /LINE 15/, "its tools read what it proposes");
    await shown(3);
    assert.deepEqual(waiting(), ["task/new.txt", "task/one.txt", "task/two.txt"]);
    assert.equal(review.desk.waiting, 5);
    assert.equal(await proposedText("task/one.txt"), lines({ 5: "five", 15: "LINE 15" }));
    assert.equal(await proposedText("task/new.txt"), "newer\n");
    assert.equal(await onDisk("task/one.txt"), lines());
    assert.equal(await onDisk("task/new.txt"), undefined);

    await review.desk.accept(review.target("task/one.txt", 0));
    await review.desk.reject(review.target("task/two.txt", 0), "Line 9 is meant so.");
    assert.equal(await onDisk("task/one.txt"), lines({ 5: "five" }));
    const news = await review.news();
    assert.match(news, /task\/two\.txt#1 was rejected by the user/);
    assert.match(news, /The user said: Line 9 is meant so\./);

    const { id } = review.session.state;
    await review.newConversation();
    await shown(0);
    await ask();
    assert.doesNotMatch(JSON.stringify(review.sim.requests.at(-1)?.body["input"]), /Patchbay: what became/);
    await review.open(id);
    await review.changes.refresh();
    await shown(3);

    await reload();
    await review.open(id);
    await review.changes.refresh();
    await shown(3);
    assert.equal(review.desk.waiting, 3);
    await review.commands["patchbay.review.acceptAll"](undefined);
    assert.deepEqual(waiting(), []);
    const after = {
      "task/one.txt": lines({ 5: "five", 15: "LINE 15" }),
      "task/two.txt": lines({ 25: "LINE 25" }),
      "task/new.txt": "newer\n",
    };
    for (const [path, content] of Object.entries(after)) assert.equal(await onDisk(path), content, path);

    assert.deepEqual(await review.changes.undo(calls), { outcome: "done", left: [] });
    assert.equal(await textOf("task/one.txt"), lines());
    assert.equal(await textOf("task/two.txt"), lines());
    assert.equal(await onDisk("task/new.txt"), undefined);
    assert.deepEqual(await review.changes.acceptAgain(calls), { outcome: "done", left: [] });
    for (const [path, content] of Object.entries(after)) assert.equal(await textOf(path), content, path);
  });

  it("gets a notebook's cell back with its outputs that one call edited and a later one removed", async () => {
    const path = "task/sums.ipynb";
    const outputs = [{ name: "stdout", output_type: "stream", text: ["3\n"] }];
    const code = (id: string, source: string) => ({
      ...{ cell_type: "code", execution_count: null, id, metadata: {}, outputs, source: [source] },
    });
    const metadata = { language_info: { name: "python" } };
    const cells = [code("first", "a = 1"), code("second", "print(a)")];
    const book = `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
    await put(path, book);
    await window();
    const accept = async (...rows: readonly string[]) => {
      const calls = await ask(patchCall(patchOf(`*** Update File: ${path}`, "@@", ...rows)));
      await shown(1);
      await review.commands["patchbay.review.acceptAll"](undefined);
      await shown(0);
      return calls;
    };
    const calls = [
      ...(await accept("-print(a)", "+print(a + 1)")),
      ...(await accept("-# %% code python", "-print(a + 1)")),
    ];
    assert.doesNotMatch((await onDisk(path)) ?? "", /print/);
    assert.deepEqual(await review.changes.undo(calls), { outcome: "done", left: [] });
    assert.equal(await onDisk(path), book);
  });

  it("saves every file in one step that one Undo reverts", async () => {
    const paths = ["step/a.txt", "step/b.txt", "step/c.txt"];
    for (const path of paths) await put(path, lines());
    await window();
    await ask(patchCall(patchOf(...paths.flatMap((path) => update(path, hunk(5))))));
    await shown(3);
    await review.commands["patchbay.review.acceptAll"](undefined);
    for (const path of paths) {
      assert.equal(await onDisk(path), lines({ 5: "LINE 5" }), path);
      assert.equal((await open(path)).isDirty, false, path);
    }
    await undoIn("step/b.txt");
    for (const path of paths) assert.equal(await textOf(path), lines(), path);
  });

  it("shows a moved file under both names and moves it with what was typed meanwhile", async () => {
    await put("moves/here.txt", lines());
    await window();
    await ask(
      patchCall(patchOf("*** Update File: moves/here.txt", "*** Move to: moves/there.txt", ...hunk(5))),
    );
    await shown(1);
    assert.deepEqual(waiting(), ["moves/here.txt → moves/there.txt"]);
    const paths = review.documents.sidesOf(review.file()).map((uri) => uri?.path);
    assert.deepEqual(paths, ["/moves/here.txt", "/moves/there.txt"]);
    await type("moves/here.txt", 20, "typed\n");
    await (await open("moves/here.txt")).save();
    await review.commands["patchbay.review.acceptAll"](undefined);
    assert.equal(await onDisk("moves/here.txt"), undefined);
    const after = lines({ 5: "LINE 5" }).replace("line 20\n", "typed\nline 20\n");
    assert.equal(await textOf("moves/there.txt"), after);
  });

  it("reports a conflict for lines that are edited, and none once the edit is removed", async () => {
    await put("typed/back.txt", lines());
    await window();
    await ask(patchCall(patchOf(...update("typed/back.txt", hunk(5), hunk(15)))));
    await shown(1);
    const conflicts = () => review.file().pending.conflicts.length;
    await type("typed/back.txt", 5, "mine ");
    await review.until(() => conflicts() === 1);
    assert.equal(review.file().pending.hunks.length, 1);
    assert.equal(review.desk.waiting, 2, "what is in conflict waits as well");
    const edit = new vscode.WorkspaceEdit();
    edit.delete(uriOf("typed/back.txt"), new vscode.Range(5, 0, 5, 5));
    await make(edit);
    await review.until(() => conflicts() === 0);
    assert.equal(review.desk.waiting, 2);
    assert.equal(review.desk.hunksIn(await open("typed/back.txt")).length, 2);
  });

  it("adapts to what another conversation has accepted in the same file", async () => {
    const path = "both/file.txt";
    await put(path, lines());
    await window();
    const calls = await ask(patchCall(patchOf(...update(path, hunk(5), hunk(25)))));
    await shown(1);
    const first = review.session.state.id;
    const held = await review.registry.open(first);
    await review.newConversation();
    await ask(patchCall(patchOf(...update(path, hunk(10, "one\ntwo"), hunk(25, "another")))));
    await shown(1);
    const second = review.session.state.id;
    assert.equal(
      await proposedText(path),
      lines({ 10: "one\ntwo", 25: "another" }),
      "each is on the file alone",
    );
    const secondHeld = await review.registry.open(second);

    await review.open(first);
    await shown(1);
    await review.desk.accept(review.target(path));
    assert.equal(await onDisk(path), lines({ 5: "LINE 5", 25: "LINE 25" }));

    await review.open(second);
    await review.changes.refresh();
    await review.until(() => review.file(path).pending.conflicts.length === 1);
    assert.equal(review.file(path).pending.hunks.length, 1);
    // What lay open is read again in VS Code's own time.
    const [, side] = review.documents.sidesOf(review.file(path));
    assert(side !== undefined);
    const document = await vscode.workspace.openTextDocument(side);
    const beside = lines({ 5: "LINE 5", 10: "one\ntwo", 25: "LINE 25" });
    await heard(() => document.getText() === beside || undefined, vscode.workspace.onDidChangeTextDocument);
    await review.desk.accept(review.target(path));
    assert.equal(await onDisk(path), lines({ 5: "LINE 5", 10: "one\ntwo", 25: "LINE 25" }));

    // What the first has put there goes, and what the second has stays.
    assert.deepEqual(await held.session.patches.changes.undo(calls), { outcome: "done", left: [] });
    assert.equal(await textOf(path), lines({ 10: "one\ntwo" }));
    await held.release();
    await secondHeld.release();
  });

  it("is accepted by a rule after a turn, except what a person must review", async () => {
    await put("auto/plain.md", lines());
    await put("auto/dirty.md", lines());
    await put("auto/gone.md", "gone\n");
    await put("auto/.vscode/settings.json", "{\n}\n");
    await type("auto/dirty.md", 0, "typed\n");
    const written: number[] = [];
    const workspace = saving();
    const watched: Workspace = {
      ...workspace,
      apply(...all) {
        written.push(review.sim.requests.length);
        return workspace.apply(...all);
      },
    };
    await window(watched, { ...defaultConversationSettings, autoAccept: ["auto/**"] });
    const [first] = await ask(
      patchCall(patchOf(...update("auto/plain.md", hunk(5)), ...update("auto/dirty.md", hunk(15)))),
      patchCall(
        patchOf(
          ...update("auto/plain.md", hunk(15)),
          ...["*** Add File: auto/new.md", "+new", "*** Delete File: auto/gone.md"],
          ...["*** Update File: auto/.vscode/settings.json", "@@", "-{", '+{ "a": 1', " }"],
        ),
      ),
    );
    assert.deepEqual(written, [3], "once, when the model had said everything");
    assert.equal(await onDisk("auto/plain.md"), lines({ 5: "LINE 5", 15: "LINE 15" }));
    assert.equal(await onDisk("auto/new.md"), "new\n");
    assert.equal(await textOf("auto/dirty.md"), `typed\n${lines()}`);
    assert.equal(await onDisk("auto/gone.md"), "gone\n");
    assert.equal(await onDisk("auto/.vscode/settings.json"), "{\n}\n");
    await shown(3);
    assert.deepEqual(waiting(), ["auto/.vscode/settings.json", "auto/dirty.md", "auto/gone.md"]);
    assert.match(
      await review.news(),
      new RegExp(`Patch ${first} .*auto/plain\\.md#1 was accepted.*still waits`),
    );
    await show("auto/plain.md");
    assert.deepEqual(written, [3], "and the next turn accepts nothing older");
  });
});
