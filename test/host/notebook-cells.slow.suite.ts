// Actions on a notebook's cell, saved prompts, and the tool that other chats may call.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createAsk } from "../../src/editor/actions/ask.ts";
import {
  createCellReview,
  createNotebookCells,
  lastCodeBlock,
} from "../../src/editor/actions/internal/notebook-cells.ts";
import { createSavedPrompts } from "../../src/editor/actions/internal/saved-prompts.ts";
import { text } from "../sim/script.ts";
import { closeAll, onDisk, put, show } from "./support/files.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const notebook = (source: string) =>
  JSON.stringify({
    cells: [
      { cell_type: "markdown", metadata: {}, source: ["# Sums"] },
      {
        cell_type: "code",
        execution_count: 1,
        metadata: {},
        source: [source],
        outputs: [{ output_type: "stream", name: "stdout", text: ["the sum is 2\n"] }],
      },
    ],
    metadata: { language_info: { name: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
  });

const noteContext = async () => undefined;

describe("actions on a notebook cell", () => {
  const review = reviewForEach();

  const ask = (action: Parameters<ReturnType<typeof createAsk>>[0]) =>
    createAsk({
      noteContext,
      session: () => review.session,
      begin: async () => {},
      quietTask: () => review.registry.bareTask(),
      continueInChat: async () => {},
      report: () => undefined,
      showChat: async () => undefined,
      act: () => undefined,
      settings: () => ({ editModel: "", outputTokens: undefined, listsContext: true }),
      choose: async (_, companions) => companions.map(({ attachment }) => attachment),
    })(action);

  const open = async (path: string, source = "1 + 1\n") => {
    const opened = await vscode.workspace.openNotebookDocument(await put(path, notebook(source)));
    await vscode.window.showNotebookDocument(opened);
    return opened;
  };

  /** What a person answers to one question after the other. */
  const cells = (...answers: (string | undefined | (() => Promise<string>))[]) => {
    const asked: string[] = [];
    const commands = createNotebookCells({
      ask,
      session: () => review.session,
      type: async () => "double it",
      review: createCellReview(async (question) => {
        asked.push(question);
        const answer = answers.shift();
        return typeof answer === "function" ? answer() : answer;
      }),
    });
    return { asked, ...commands };
  };
  const proposes = (code: string) => review.sim.reply(text(`Doubled.\n\n\`\`\`python\n${code}\n\`\`\`\n`));
  const input = () => JSON.stringify(review.sim.requests.at(-1)?.body["input"]);

  it("explain one cell with its output, and send no other cell", async () => {
    const opened = await open("notes/sums.ipynb");
    review.sim.reply(text("It adds."));
    await cells()["patchbay.do.explainCell"](opened.cellAt(1));
    assert.match(input(), /1 \+ 1/);
    assert.match(input(), /the sum is 2/);
    assert.doesNotMatch(input(), /# Sums/);
    assert.equal(review.session.state.turns[0]?.prompt, "/explain notes/sums.ipynb, cell 2, python");
  });

  it("change one cell after a review, in one step that Undo reverts, and save nothing", async () => {
    const opened = await open("notes/edit.ipynb");
    const cell = opened.cellAt(1);
    const before = await onDisk("notes/edit.ipynb");
    proposes("2 * (1 + 1)");
    await cells("Show Changes", "Accept")["patchbay.do.editCell"](cell);
    assert.equal(cell.document.getText(), "2 * (1 + 1)");
    assert.equal(opened.cellAt(0).document.getText(), "# Sums");
    assert.equal(await onDisk("notes/edit.ipynb"), before);
    await vscode.window.showNotebookDocument(opened, { selections: [new vscode.NotebookRange(1, 2)] });
    await vscode.commands.executeCommand("notebook.cell.edit");
    await vscode.commands.executeCommand("undo");
    assert.equal(cell.document.getText().trim(), "1 + 1");
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("leave the cell unchanged when the review is dismissed or the change rejected", async () => {
    const opened = await open("notes/kept.ipynb");
    for (const answers of [[undefined], ["Show Changes", "Reject"], ["Show Changes", undefined]]) {
      proposes("2 * 2");
      await cells(...answers)["patchbay.do.editCell"](opened.cellAt(1));
      assert.equal(opened.cellAt(1).document.getText().trim(), "1 + 1");
    }
    assert.equal(opened.isDirty, false);
  });

  it("refuse a cell that has changed since, and a response without code", async () => {
    const opened = await open("notes/typed.ipynb");
    const { document } = opened.cellAt(1);
    const typed = async () => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), "# typed\n");
      await vscode.workspace.applyEdit(edit);
      return "Accept";
    };
    proposes("2 * 2");
    const edit = cells("Show Changes", typed)["patchbay.do.editCell"];
    await assert.rejects(edit(opened.cellAt(1)), /has changed since it was sent/);
    assert.match(document.getText(), /^# typed\n1 \+ 1/);
    review.sim.reply(text("I would rather not."));
    await assert.rejects(cells()["patchbay.do.editCell"](opened.cellAt(1)), /no new text/);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("send nothing of a notebook on the ignore list, or when no notebook is open", async () => {
    const opened = await open("notes/.env.ipynb");
    await assert.rejects(cells()["patchbay.do.explainCell"](opened.cellAt(1)), /\.env\.ipynb/);
    await closeAll();
    await assert.rejects(cells()["patchbay.do.explainCell"](undefined), /Select a cell/);
    assert.equal(review.sim.requests.length, 0);
  });

  it("take the last code block, including the fences nested in it", () => {
    const fence = (marks: string, code: string) => `${marks}py\n${code}\n${marks}`;
    assert.equal(lastCodeBlock(`One\n${fence("```", "a")}\nor\n${fence("```", "b\nc")}\n`), "b\nc");
    assert.equal(lastCodeBlock(fence("````", "x\n```\ny\n```")), "x\n```\ny\n```");
    assert.equal(lastCodeBlock("no code"), undefined);
    assert.equal(lastCodeBlock(fence("```", "")), "");
  });
});

describe("a saved prompt", () => {
  const review = reviewForEach();

  afterEach(async () => {
    await vscode.workspace.fs.delete(await put(".patchbay/prompts/shout.md", ""));
  });

  it("runs on the open file once the person has seen its text", async () => {
    await put("prompted/a.txt", "one\n");
    await put(".patchbay/prompts/shout.md", "Say it in capitals.\n");
    await show("prompted/a.txt");
    const { session, prompts } = review;
    const rows: string[] = [];
    const run = createSavedPrompts({
      session: () => session,
      prompts,
      ask: createAsk({
        noteContext,
        session: () => session,
        begin: async () => {},
        quietTask: () => review.registry.bareTask(),
        continueInChat: async () => {},
        report: () => undefined,
        showChat: async () => undefined,
        act: () => undefined,
        settings: () => ({ editModel: "", outputTokens: undefined, listsContext: false }),
      }),
      async pick(all) {
        rows.push(...all.map(({ label, description }) => `${label} ${description}`));
        return all[0];
      },
    });
    const seen = new Promise<string>((resolve) => {
      const listening = session.onChange(() => {
        const { question } = session;
        if (question === undefined) return;
        listening.dispose();
        resolve(question.detail ?? "");
        queueMicrotask(() => session.answer("send-anyway"));
      });
    });
    review.sim.reply(text("ONE"));
    await run();
    assert.deepEqual(rows, ["/shout from this workspace"]);
    assert.match(await seen, /Say it in capitals/);
    const sent = JSON.stringify(review.sim.requests.at(-1)?.body["input"]);
    assert.match(sent, /Say it in capitals/);
    assert.match(sent, /prompted\/a\.txt/);
  });
});

describe("the token count tool", () => {
  const count = async (input: object) => {
    const { content } = await vscode.lm.invokeTool("patchbay_countTokens", {
      input,
      toolInvocationToken: undefined,
    });
    const [part] = content;
    assert(part instanceof vscode.LanguageModelTextPart);
    return part.value;
  };

  it("counts locally for a model of the service, and returns nothing else", async () => {
    const small = JSON.parse(await count({ text: "one two three" }));
    const large = JSON.parse(await count({ text: "one two three ".repeat(100), model: "svc-k2.6" }));
    assert.deepEqual(Object.keys(small), ["tokens", "model", "exact"]);
    assert.equal(small.exact, false);
    assert.equal(large.model, "svc-k2.6");
    assert(large.tokens > 20 * small.tokens, `${small.tokens} and ${large.tokens}`);
    assert.equal(JSON.parse(await count({ text: "", model: "../../etc" })).model, small.model);
  });
});
