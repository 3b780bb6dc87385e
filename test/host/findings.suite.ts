// A review from the choice to what it finds, in the real editor, against the simulator and its assistant: threads at their
// lines, rows in the list, what is done with them, and what was not looked at.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { allSentences } from "../../src/conversation/english.ts";
import { createAsk } from "../../src/editor/actions/ask.ts";
import { createEditCommands } from "../../src/editor/actions/edit-commands.ts";
import { createStarters, type Starters } from "../../src/editor/attach/suggested-context.ts";
import { registerMessages } from "../../src/editor/localize.ts";
import { gitRepository } from "../../src/editor/workspace/git.ts";
import { createFindings, type Findings } from "../../src/findings/editor/findings.ts";
import { createReviewCode } from "../../src/findings/editor/review-code.ts";
import { choicesFor, uncommitted } from "../../src/findings/editor/what-to-review.ts";
import { createAssistant } from "../sim/assistant/assistant.ts";
import { call, failed, text } from "../sim/script.ts";
import {
  applyPatch,
  closeAll,
  make,
  patchOf,
  put,
  show,
  testWorkspace,
  type,
  undoIn,
  uriOf,
} from "./support/files.ts";
import { cursorIn, heard } from "./support/heard.ts";
import { enter, until } from "./support/impatient.ts";
import { openRepository, type TestRepository } from "./support/repository.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const source = `export function last(names: string[]): string {
  let found = "";
  for (let at = 0; at <= names.length; at++) found = names[at];
  return found;
}

export const count = (text: string) => parseInt(text);
`;

const noteContext = async () => undefined;

describe("the code review", () => {
  before(() => registerMessages(allSentences));

  const assistant = createAssistant({ pace: 0 });
  let room: Findings;
  let threads: vscode.CommentThread[] = [];
  /** What a person picks in the list, and what is told and answered. */
  let wanted = "";
  let told: string[] = [];
  let agrees = true;
  let model = "svc-k3";

  const review = reviewForEach(() => {
    threads = [];
    told = [];
    agrees = true;
    model = "svc-k3";
    room = createFindings((thread) => threads.push(thread));
  });
  afterEach(() => room.dispose());

  const settings = () => ({ editModel: "svc-k3", outputTokens: 1000, listsContext: false });
  const ask = createAsk({
    noteContext,
    session: () => review.session,
    begin: async () => assert.fail("the chat is left alone"),
    quietTask(tools) {
      const task = review.registry.bareTask(tools);
      task.session.choices.chooseModel(model);
      return task;
    },
    continueInChat: async () => {},
    report: () => undefined,
    showChat: async () => assert.fail("the chat is left alone"),
    act: () => undefined,
    tell: async (sentence) => void told.push(sentence),
    settings,
  });

  let offered: readonly string[] = [];
  const reviewed = (label: string, argument?: vscode.Uri | string) => {
    wanted = label;
    return createReviewCode({
      ask,
      findings: room.list,
      session: () => review.session,
      editor: () => vscode.window.activeTextEditor,
      weigh: async () => 420,
      showList: async () => undefined,
      report: (error) => assert.fail(String(error)),
      pick: async (choices) => choices.find((each) => each.label === wanted),
      async tell(sentence, ...buttons) {
        told.push(sentence);
        offered = buttons;
        return agrees ? buttons[0] : undefined;
      },
    })(argument);
  };

  const rows = () => room.rows.roots.flatMap((group) => [group, ...room.rows.below(group)]);
  const shown = () =>
    rows()
      .map((row) => room.rows.itemOf(row))
      .map(({ label, description }) => [label, description]);
  const labels = () => threads.map(({ label, range }) => [label, range?.start.line]);
  const toolsSent = () =>
    (review.sim.requests[0]?.body["tools"] as { name: string }[] | undefined)?.map(({ name }) => name);
  const sent = () => JSON.stringify(review.sim.requests.map(({ body }) => body));

  it("shows its findings in the file and in the list, and adds no turn to the chat", async () => {
    await put("found/last.ts", source);
    await show("found/last.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    assert.deepEqual(labels(), [
      ["Error: Loop goes one step too far", 2],
      ["Warning: Text that is no number becomes NaN", 6],
    ]);
    const said = threads[0]?.comments.map(({ author, body }) => [author.name, Object(body).value]);
    assert.deepEqual(said, [
      ["Error", "The loop goes one step too far and reads behind the last element."],
      ["Suggestion", "Compare with `<`."],
    ]);
    assert.equal(threads[0]?.state, undefined);
    assert.equal(threads[0]?.range?.isEmpty, true);
    assert.deepEqual(shown(), [
      ["2 findings", ""],
      ["Loop goes one step too far", "found/last.ts:3"],
      ["Text that is no number becomes NaN", "found/last.ts:7"],
    ]);
    assert.deepEqual([told, offered], [["2 problems found."], ["Show Findings"]]);
    assert.equal(review.session.state.turns.length, 0);
    assert.deepEqual(toolsSent(), ["read_file", "search_text"]);
    const [, row] = rows();
    const { command } = room.rows.itemOf(row ?? assert.fail("no row"));
    await vscode.commands.executeCommand(command?.command ?? "", ...(command?.arguments ?? []));
    await cursorIn(2);
  });

  it("runs on every model, including chat-only models", async () => {
    await put("found/each.ts", source);
    await show("found/each.ts");
    const models = review.session.choices.models.map(({ id }) => id);
    assert.equal(models.length, 4);
    for (model of models) {
      review.sim.replyWith(assistant);
      await reviewed("This file");
      assert.equal(room.list.all.length, 2, model);
      room.commands["patchbay.findings.dismiss"](rows()[0]);
    }
  });

  it("reviews the selection without asking when it is started from the editor's menu", async () => {
    const uri = await put("found/part.ts", source);
    const editor = await show("found/part.ts");
    editor.selection = new vscode.Selection(6, 0, 6, 10);
    review.sim.replyWith(assistant);
    await reviewed("nothing is picked", uri);
    assert.deepEqual(
      room.list.all.map(({ lines }) => lines),
      [{ first: 6, last: 6 }],
    );
    assert.match(sent(), /Review only found\/part\.ts, line 7/);
    assert.match(sent(), /<file role=\\+"context\\+"[^<]* at <= names\.length/);
  });

  it("keeps findings outside of a reviewed part, and replaces all when the file is reviewed again", async () => {
    const uri = await put("found/twice.ts", source);
    const editor = await show("found/twice.ts");
    const found = () => room.list.all.map(({ lines }) => lines?.first).sort();
    for (const [label, argument] of [
      ["This file", undefined],
      ["Selection", uri],
      ["This file", undefined],
    ] as const) {
      editor.selection = new vscode.Selection(6, 0, 6, 10);
      review.sim.replyWith(assistant);
      await reviewed(label, argument);
      assert.deepEqual(found(), [2, 6]);
    }
    assert.deepEqual(told, ["2 problems found.", "1 problem found.", "2 problems found."]);
  });

  it("keeps the findings of a file where the response to another review of it can't be read", async () => {
    await put("found/again.ts", source);
    await show("found/again.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    review.sim.reply(text("It looks fine to me."));
    await reviewed("This file");
    assert.equal(room.list.all.length, 2);
    assert.equal(room.list.left.length, 1);
  });

  it("passes a finding to Fix as the problem of its lines", async () => {
    await put("found/fixed.ts", source);
    const { document } = await show("found/fixed.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    const begun: [place: unknown, words: string | undefined][] = [];
    const edits = createEditCommands({
      ...{ ask, settings, noteContext },
      here: {
        begin: async ({ range }, { words }) => void begun.push([[range.start.line, range.end.line], words]),
      },
      editor: () => vscode.window.activeTextEditor,
      session: () => review.session,
      placeOf: room.placeOf,
      firstBoxOf: () => undefined,
    });
    await type("found/fixed.ts", 0, "// above\n");
    await heard(() => room.list.all[0]?.lines?.first === 3 || undefined, room.onDidChange);
    await edits["patchbay.do.fix"](threads[0]);
    assert.deepEqual(begun, [
      [
        [3, 3],
        "The loop goes one step too far and reads behind the last element. Compare with `<`. (found/fixed.ts:4)",
      ],
    ]);
    assert.equal(room.placeOf({ uri: document.uri }), undefined, "only a thread of ours is believed");
  });

  it("moves a finding with edits, reports when its lines are deleted and restores it on Undo", async () => {
    await put("found/typed.ts", source);
    const { document } = await show("found/typed.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    await type("found/typed.ts", 1, "  // one\n  // two\n");
    const standsAt = (line: number | undefined) =>
      heard(() => room.list.all[0]?.lines?.first === line || undefined, room.onDidChange);
    await standsAt(4);
    const edit = new vscode.WorkspaceEdit();
    edit.delete(document.uri, new vscode.Range(4, 0, 5, 0));
    await make(edit);
    await standsAt(undefined);
    assert.match(threads[0]?.label ?? "", / · its lines are gone$/);
    assert.equal(shown()[1]?.[1], "found/typed.ts · its lines are gone");
    assert.throws(() => room.placeOf(threads[0]), /code of this finding no longer exists/);
    await undoIn("found/typed.ts");
    await standsAt(4);
    assert.doesNotMatch(threads[0]?.label ?? "gone", /gone/);
  });

  it("finds the line of a finding again when a changed file is reopened", async () => {
    await put("found/back.ts", source);
    await show("found/back.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    const [finding] = room.list.all;
    await closeAll();
    await put("found/back.ts", `// one\n// two\n${source}`);
    const before = threads.length;
    await show("found/back.ts");
    await heard(() => finding?.lines?.first === 4 || undefined, room.onDidChange);
    assert.equal(threads.length, before + 2, "its threads are there again");
  });

  const accept = (file: string, ...lines: string[]) =>
    applyPatch(
      patchOf(`*** Update File: ${file}`, "@@", ...lines),
      testWorkspace({
        savesAfterApply: () => true,
        whileAccepting: (files, write) => room.list.whileAccepting(files, write),
      }),
    );
  const loop = source.split("\n")[2] ?? "";
  const isResolved = (is: boolean) =>
    heard(() => room.list.all[0]?.isResolved === is || undefined, room.onDidChange);

  it("resolves a finding whose lines an accepted change has replaced, and opens it again on Undo", async () => {
    await put("found/mended.ts", source);
    await show("found/mended.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    await accept("found/mended.ts", `-${loop}`, `+${loop.replace("<=", "<")}`);
    await isResolved(true);
    assert.deepEqual(
      shown().map(([label, description]) => [label, description]),
      [
        ["1 finding", "1 resolved"],
        ["Text that is no number becomes NaN", "found/mended.ts:7"],
        ["Resolved", "1"],
      ],
    );
    assert.equal(room.placeOf(threads[0]), undefined, "its thread is gone");
    const group = rows()[2] ?? assert.fail("no group");
    const [done] = room.rows.below(group);
    assert.equal(done && room.rows.itemOf(done).description, "found/mended.ts");
    await room.commands["patchbay.findings.copy"]();
    assert.doesNotMatch(await vscode.env.clipboard.readText(), /one step too far/);
    await undoIn("found/mended.ts");
    await isResolved(false);
    assert.deepEqual(room.list.all[0]?.lines, { first: 2, last: 2 });
    assert.deepEqual(labels().at(-1), ["Error: Loop goes one step too far", 2]);
    await undoIn("found/mended.ts", "redo");
    await isResolved(true);
    room.commands["patchbay.findings.dismiss"](rows()[2]);
    assert.deepEqual(
      room.list.all.map(({ title }) => title),
      ["Text that is no number becomes NaN"],
    );
  });

  it("keeps a finding that somebody types into, or whose lines only moved", async () => {
    await put("found/kept.ts", source);
    await show("found/kept.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    await accept("found/kept.ts", "+// above", ` ${source.split("\n")[0]}`);
    await heard(() => room.list.all[0]?.lines?.first === 3 || undefined, room.onDidChange);
    await accept("found/kept.ts", `-  let found = "";`, `+  let found = "none";`);
    await type("found/kept.ts", 3, "/* so */ ");
    assert.equal(room.list.all[0]?.isResolved, false);
    assert.equal(threads.length, 2);
  });

  it("resolves a finding by a line that its fix puts above it", async () => {
    await put("found/above.ts", source);
    await show("found/above.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    assert.notEqual(room.placeOf(threads[0]), undefined);
    await accept("found/above.ts", "+  if (names.length === 0) return found;", ` ${loop}`);
    await isResolved(true);
    assert.equal(room.list.all[1]?.isResolved, false);
    await undoIn("found/above.ts");
    await isResolved(false);
    assert.deepEqual(room.list.all[0]?.lines, { first: 2, last: 2 });
  });

  it("opens a resolved finding again when its file is reopened with the old lines", async () => {
    await put("found/reopened.ts", source);
    await show("found/reopened.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    await accept("found/reopened.ts", `-${loop}`, `+${loop.replace("<=", "<")}`);
    await isResolved(true);
    await closeAll();
    await put("found/reopened.ts", `// new\n${source}`);
    await show("found/reopened.ts");
    await heard(() => room.list.all[0]?.lines?.first === 3 || undefined, room.onDidChange);
    assert.equal(room.list.all[0]?.isResolved, false);
  });

  it("dismisses one finding or all, and leaves no rows", async () => {
    await put("found/gone.ts", source);
    await show("found/gone.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    room.commands["patchbay.findings.dismiss"]({ kind: "findings" });
    assert.equal(room.list.all.length, 2, "only a row of ours is believed");
    room.commands["patchbay.findings.dismiss"](threads[0]);
    assert.equal(room.list.all.length, 1);
    assert.equal(room.placeOf(threads[0]), undefined);
    room.commands["patchbay.findings.dismiss"](rows()[0]);
    assert.deepEqual(rows(), []);
    await assert.rejects(room.commands["patchbay.findings.copy"](), /no findings/);
  });

  it("copies its findings as Markdown for a pull request", async () => {
    await put("found/copied.ts", source);
    await show("found/copied.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    await room.commands["patchbay.findings.copy"]();
    assert.equal(
      await vscode.env.clipboard.readText(),
      "- `found/copied.ts:3` **Error**: The loop goes one step too far and reads behind the last element.\n\n  Compare with `<`.\n\n" +
        "- `found/copied.ts:7` **Warning**: A text that is no number becomes NaN and travels on unseen.\n\n  Check the result with `Number.isNaN` and refuse it.\n",
    );
  });

  it("folds unproven findings into a group of their own and copies none of them", async () => {
    await put("found/unsure.ts", source);
    await show("found/unsure.ts");
    const found = { file: "found/unsure.ts", severity: "error" } as const;
    const said = [
      { ...found, line: 3, code: source.split("\n")[2], reason: "It may fail.", confidence: "unsure" },
      { ...found, line: 7, code: source.split("\n")[6], reason: "It fails.", confidence: "certain" },
    ];
    review.sim.reply(call("read_file", { path: "found/unsure.ts" }));
    review.sim.reply(text(`\`\`\`json\n${JSON.stringify(said)}\n\`\`\``));
    await reviewed("This file");
    assert.deepEqual(shown(), [
      ["1 finding", "1 unproven"],
      ["It fails", "found/unsure.ts:7"],
      ["Unproven", "1"],
    ]);
    const group = rows()[2] ?? assert.fail("no group");
    assert.equal(room.rows.itemOf(group).collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    const [unsure] = room.rows.below(group);
    assert.equal(unsure && room.rows.parentOf(unsure), group);
    await room.commands["patchbay.findings.copy"]();
    assert.equal(await vscode.env.clipboard.readText(), "- `found/unsure.ts:7` **Error**: It fails.\n");
    room.commands["patchbay.findings.dismiss"](group);
    assert.deepEqual(
      room.list.all.map(({ reason }) => reason),
      ["It fails."],
    );
  });

  it("reports unreadable parts of a response, and an incomplete response", async () => {
    await put("found/prose.ts", source);
    await show("found/prose.ts");
    review.sim.reply(text("It looks fine to me."));
    await reviewed("This file");
    assert.deepEqual(shown(), [
      ["0 findings", "partly reviewed"],
      ["found/prose.ts", "This part of the response can't be read: It looks fine to me."],
    ]);
    assert.deepEqual(told, ["No problems found. Some of it wasn't reviewed."]);
    assert.deepEqual(offered, ["Show Findings"]);
    review.sim.reply(text("```json\n[]\n```"));
    await reviewed("This file");
    assert.deepEqual([told.pop(), offered], ["No problems found.", []]);
    review.sim.reply(failed("The model is tired."));
    await reviewed("This file");
    assert.deepEqual(
      room.list.left.map(({ why }) => why),
      ["incomplete response"],
    );
  });

  it("offers Git changes only where a repository is open", async () => {
    await put("found/alone.ts", source);
    const editor = await show("found/alone.ts");
    const labels = (hasGit: boolean) => choicesFor(editor, hasGit).map(({ label }) => label);
    const ofGit = ["Staged changes", "Unstaged changes", "This branch against its base", "A commit…"];
    assert.deepEqual(labels(true), ["This file", ...ofGit]);
    assert.deepEqual(labels(false), ["This file"]);
  });

  it("sends nothing of a secret file and reports it as not reviewed", async () => {
    await put("found/.env", "CANARY=secret-of-the-file\n");
    await show("found/.env");
    await reviewed("This file");
    assert.equal(review.sim.requests.length, 0);
    assert.match(String(shown()[1]?.[1]), /list of files that are never sent/);
  });

  describe("the review of Git changes", () => {
    let repository: TestRepository;
    before(async () => {
      repository = await openRepository("reviewed");
      repository.git("branch", "-M", "main");
      repository.git("tag", "beginning");
      await put(".patchbayignore", "/reviewed/plans\n");
    });
    beforeEach(async () => {
      await put("reviewed/loop.ts", "export {};\n");
      await put("reviewed/.env", "A=1\n");
      repository.git("add", ".");
      repository.git("commit", "--allow-empty", "-m", "Before");
    });
    afterEach(() => {
      repository.git("checkout", "-f", "-B", "main", "beginning");
      repository.git("clean", "-fdq");
    });
    after(() => vscode.workspace.fs.delete(uriOf(".patchbayignore")));

    const change = async () => {
      await put("reviewed/loop.ts", source);
      await put("reviewed/.env", "A=secret-of-the-file\n");
      await put("reviewed/plans/next.ts", "A=secret-of-the-file\n");
      await put("reviewed/picture.bin", Uint8Array.of(0, 1, 2, 0));
    };
    const openLoop = () => show("reviewed/loop.ts");
    const assertFound = () => {
      assert.deepEqual(
        room.list.all.map(({ file, lines }) => [file, lines?.first]),
        [
          ["loop.ts", 2],
          ["loop.ts", 6],
        ],
      );
      assert.doesNotMatch(sent(), /secret-of-the-file/);
      // What Git does not follow is called by its place in the workspace.
      const left = room.list.left.map(({ name }) => name.replace("reviewed/", ""));
      assert.deepEqual(left.sort(), [".env", "picture.bin", "plans/next.ts"]);
    };

    it("reviews staged changes, and lists secret and binary files as left out", async () => {
      await change();
      repository.git("add", ".");
      await openLoop();
      review.sim.replyWith(assistant);
      await reviewed("Staged changes");
      assertFound();
    });

    it("reviews unstaged changes", async () => {
      await change();
      await openLoop();
      review.sim.replyWith(assistant);
      await reviewed("Unstaged changes");
      assertFound();
    });

    it("reviews all uncommitted changes without asking", async () => {
      await change();
      repository.git("add", ".env", "picture.bin", "plans");
      await openLoop();
      review.sim.replyWith(assistant);
      await reviewed("a choice that nobody is given", uncommitted);
      assertFound();
      assert.equal(review.sim.requests.length, 1);
    });

    it("is offered in an empty conversation once Git reports changes", async () => {
      let starters: Starters | undefined;
      const known = new Promise<void>((resolve) => {
        starters = createStarters(() => starters?.current.includes("changes") && resolve());
      });
      await change();
      await (await gitRepository(repository.rootUri)).status();
      await known;
      assert.deepEqual(starters?.current, ["changes", "project"]);
      starters?.dispose();
    });

    it("reviews a branch against its base", async () => {
      repository.git("checkout", "-B", "topic", "main");
      await change();
      repository.git("add", ".");
      repository.git("commit", "-m", "Topic");
      await openLoop();
      review.sim.replyWith(assistant);
      await reviewed("This branch against its base");
      assertFound();
    });

    it("reviews a commit", async () => {
      await change();
      repository.git("add", ".");
      repository.git("commit", "-m", "Change");
      await openLoop();
      review.sim.replyWith(assistant);
      await until(reviewed("A commit…"), enter);
      assertFound();
    });

    it("splits many changes into several requests once the person agrees", async () => {
      const much = `${"// nothing to see here\n".repeat(3000)}`;
      await put("reviewed/one.ts", `${much}${source}`);
      await put("reviewed/two.ts", `${much}${source}`);
      repository.git("add", ".");
      await openLoop();
      agrees = false;
      await reviewed("Staged changes");
      assert.deepEqual(told, ["Review 2 files with at least 2 requests (≈420 tokens)?"]);
      assert.equal(review.sim.requests.length, 0);
      agrees = true;
      review.sim.replyWith(assistant);
      review.sim.replyWith(assistant);
      await reviewed("Staged changes");
      assert.equal(review.sim.requests.length, 2);
      assert.deepEqual(
        room.list.all.map(({ file, lines }) => [file, lines?.first]),
        ["one.ts", "two.ts"].flatMap((file) => [
          [file, 3002],
          [file, 3006],
        ]),
      );
    });

    it("reports when nothing has changed", async () => {
      repository.git("reset", "--hard");
      await openLoop();
      await assert.rejects(reviewed("Staged changes"), /nothing to review/);
    });
  });
});
