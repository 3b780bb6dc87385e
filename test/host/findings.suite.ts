// A review from the choice to what it finds, in the real editor, against the simulator and its assistant: threads at their
// lines, rows in the list, what is done with them, and what was not looked at.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { allSentences } from "../../src/core/messages/english.ts";
import { createAsk } from "../../src/shell/actions/ask.ts";
import { createEditCommands } from "../../src/shell/actions/edit-commands.ts";
import { createFindings, type Findings } from "../../src/shell/findings/findings.ts";
import { createReviewCode } from "../../src/shell/findings/review-code.ts";
import { learnSentences } from "../../src/shell/in-reader-language.ts";
import { createAssistant } from "../sim/assistant/assistant.ts";
import { failed, text } from "../sim/script.ts";
import { closeAll, make, put, show, type, undoIn } from "./support/files.ts";
import { cursorIn, heard } from "./support/heard.ts";
import { enter, until } from "./support/impatient.ts";
import { openRepository, type TestRepository } from "./support/repository.ts";
import { reviewForEach, type TestReview } from "./support/review-desk.ts";

const source = `export function last(names: string[]): string {
  let found = "";
  for (let at = 0; at <= names.length; at++) found = names[at];
  return found;
}

export const count = (text: string) => parseInt(text);
`;

const noteContext = async () => undefined;

describe("a review", function () {
  this.timeout(120_000);
  before(() => learnSentences(allSentences));

  const assistant = createAssistant({ pace: 0 });
  let review: TestReview;
  let room: Findings;
  let threads: vscode.CommentThread[] = [];
  /** What a person picks in the list, and what is told and answered. */
  let wanted = "";
  let told: string[] = [];
  let agrees = true;
  let model = "svc-k3";

  reviewForEach((opened) => {
    review = opened;
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
    quietTask() {
      const task = review.registry.task("bare");
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

  const reviewed = (label: string, argument?: vscode.Uri) => {
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
      async tell(sentence, button) {
        told.push(sentence);
        return agrees ? button : undefined;
      },
    })(argument);
  };

  const rows = () => room.rows.roots.flatMap((group) => [group, ...room.rows.below(group)]);
  const shown = () =>
    rows()
      .map((row) => room.rows.itemOf(row))
      .map(({ label, description }) => [label, description]);
  const labels = () => threads.map(({ label, range }) => [label, range?.start.line]);
  const sent = () => JSON.stringify(review.sim.requests.map(({ body }) => body));

  it("of a file shows what was found at its lines and in the list, and leaves the chat alone", async () => {
    await put("found/last.ts", source);
    await show("found/last.ts");
    review.sim.replyWith(assistant);
    await reviewed("This file");
    assert.deepEqual(labels(), [
      ["Error: The loop goes one step too far and reads behind the last element.", 2],
      ["Warning: A text that is no number becomes NaN and travels on unseen.", 6],
    ]);
    assert.equal(threads[0]?.state, undefined);
    assert.equal(threads[0]?.range?.isEmpty, true);
    assert.deepEqual(shown(), [
      ["Findings", "2 findings"],
      ["The loop goes one step too far and reads behind the last element.", "found/last.ts:3"],
      ["A text that is no number becomes NaN and travels on unseen.", "found/last.ts:7"],
    ]);
    assert.deepEqual(told, ["2 problems found."]);
    assert.equal(review.session.state.turns.length, 0);
    assert.equal(review.sim.requests[0]?.body["tools"], undefined);
    const [, row] = rows();
    const { command } = room.rows.itemOf(row ?? assert.fail("no row"));
    await vscode.commands.executeCommand(command?.command ?? "", ...(command?.arguments ?? []));
    await cursorIn(2);
  });

  it("can be asked of every model, those that only chat as well", async () => {
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

  it("of a selection that is asked for from the editor's menu asks nothing more and means the selection", async () => {
    const uri = await put("found/part.ts", source);
    const editor = await show("found/part.ts");
    editor.selection = new vscode.Selection(6, 0, 6, 10);
    review.sim.replyWith(assistant);
    await reviewed("nothing is picked", uri);
    assert.deepEqual(
      room.list.all.map(({ lines }) => lines),
      [{ first: 6, last: 6 }],
    );
    assert.match(sent(), /found\/part\.ts, line 7/);
    assert.doesNotMatch(sent(), /names\.length/);
  });

  it("of a part of a file leaves what was found elsewhere in it, and of all of it begins anew", async () => {
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

  it("hands a finding to Fix as the problem of its lines", async () => {
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
    });
    await type("found/fixed.ts", 0, "// above\n");
    await heard(() => room.list.all[0]?.lines?.first === 3 || undefined, room.onDidChange);
    await edits["patchbay.do.fix"](threads[0]);
    assert.deepEqual(begun, [
      [
        [3, 3],
        "The loop goes one step too far and reads behind the last element. Compare with `<`. (found/fixed.ts, line 4, typescript)",
      ],
    ]);
    assert.equal(room.placeOf({ uri: document.uri }), undefined, "only a thread of ours is believed");
  });

  it("is followed while somebody types, says so when its lines are gone, and comes back with them", async () => {
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
    assert.doesNotMatch(threads[0]?.label ?? "", /gone/);
  });

  it("stands where its line is when a file comes back that has changed meanwhile", async () => {
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

  it("is dismissed one by one or all at once, and then nothing of it is left", async () => {
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

  it("is copied as Markdown for a pull request", async () => {
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

  it("says what of an answer it could not read, and that an answer has not come to its end", async () => {
    await put("found/prose.ts", source);
    await show("found/prose.ts");
    review.sim.reply(text("It looks fine to me."));
    await reviewed("This file");
    assert.deepEqual(shown(), [
      ["Findings", "0 findings · partly reviewed"],
      ["found/prose.ts", "This part of the response can't be read: It looks fine to me."],
    ]);
    assert.deepEqual(told, ["No problems found. Some of it wasn't reviewed."]);
    review.sim.reply(failed("The model is tired."));
    await reviewed("This file");
    assert.deepEqual(
      room.list.left.map(({ why }) => why),
      ["incomplete response"],
    );
  });

  it("sends nothing of a file of secrets, and says that it was not looked at", async () => {
    await put("found/.env", "CANARY=secret-of-the-file\n");
    await show("found/.env");
    await reviewed("This file");
    assert.equal(review.sim.requests.length, 0);
    assert.match(String(shown()[1]?.[1]), /list of files that are never sent/);
  });

  describe("of what has changed", () => {
    let repository: TestRepository;
    before(async () => {
      repository = await openRepository("reviewed");
      repository.git("branch", "-M", "main");
      repository.git("tag", "beginning");
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

    const change = async () => {
      await put("reviewed/loop.ts", source);
      await put("reviewed/.env", "A=secret-of-the-file\n");
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
      assert.deepEqual(left.sort(), [".env", "picture.bin"]);
    };

    it("asks about what is staged, and lists what is secret or no text", async () => {
      await change();
      repository.git("add", ".");
      await openLoop();
      review.sim.replyWith(assistant);
      await reviewed("Staged changes");
      assertFound();
    });

    it("asks about what is not staged", async () => {
      await change();
      await openLoop();
      review.sim.replyWith(assistant);
      await reviewed("Unstaged changes");
      assertFound();
    });

    it("asks about a branch since its base", async () => {
      repository.git("checkout", "-B", "topic", "main");
      await change();
      repository.git("add", ".");
      repository.git("commit", "-m", "Topic");
      await openLoop();
      review.sim.replyWith(assistant);
      await reviewed("This branch against its base");
      assertFound();
    });

    it("asks about a commit", async () => {
      await change();
      repository.git("add", ".");
      repository.git("commit", "-m", "Change");
      await openLoop();
      review.sim.replyWith(assistant);
      await until(reviewed("A commit…"), enter);
      assertFound();
    });

    it("asks in several questions where there is much, after it was said how much, or not at all", async () => {
      const much = `${"// nothing to see here\n".repeat(3000)}`;
      await put("reviewed/one.ts", `${much}${source}`);
      await put("reviewed/two.ts", `${much}${source}`);
      repository.git("add", ".");
      await openLoop();
      agrees = false;
      await reviewed("Staged changes");
      assert.deepEqual(told, ["Review 2 files with 2 requests (≈420 tokens)?"]);
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

    it("says so where nothing has changed", async () => {
      repository.git("reset", "--hard");
      await openLoop();
      await assert.rejects(reviewed("Staged changes"), /nothing to review/);
    });
  });
});
