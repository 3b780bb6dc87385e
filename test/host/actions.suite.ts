// What an action on code sends, and where it is offered.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { allSentences } from "../../src/conversation/english.ts";
import type { Problem } from "../../src/conversation/problem.ts";
import {
  answerInNotification,
  type chooseCompanions,
  createAsk,
  createContextNote,
  type TaskSession,
} from "../../src/editor/actions/ask.ts";
import { createCodeActions } from "../../src/editor/actions/code-actions.ts";
import { createEditBoxes } from "../../src/editor/actions/edit-box.ts";
import { createEditCommands } from "../../src/editor/actions/edit-commands.ts";
import { createEditHere, type EditHereDeps } from "../../src/editor/actions/internal/edit-here.ts";
import { registerMessages } from "../../src/editor/localize.ts";
import { createReadOnlyDocuments } from "../../src/editor/ui/documents.ts";
import { askToSend } from "../../src/editor/ui/show-problem.ts";
import { status } from "../sim/http-answers.ts";
import { failed, text } from "../sim/script.ts";
import { says } from "../support/text-calls.ts";
import { closeAll, put, show, uriOf, write } from "./support/files.ts";
import { noEditor } from "./support/heard.ts";
import { leave, until } from "./support/impatient.ts";
import { reviewForEach } from "./support/review-fixture.ts";

const source = `import { readFileSync } from "node:fs";
import { join } from "node:path";

const farAway = "nothing to do with it";

export function total(prices: number[]): number {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
}

const alsoFarAway = join("a", "b", String(readFileSync));
export const all = [farAway, alsoFarAway];
`;

/** As a language server would say it, without waiting for one to start. */
const symbols = vscode.languages.registerDocumentSymbolProvider(
  { pattern: "**/actions/*.code" },
  {
    provideDocumentSymbols() {
      const [whole, name] = [new vscode.Range(5, 0, 9, 1), new vscode.Range(5, 16, 5, 21)];
      return [new vscode.DocumentSymbol("total", "", vscode.SymbolKind.Function, whole, name)];
    },
  },
);

const noteContext = async () => undefined;

describe("code actions", () => {
  // In the product they come with the rooms.
  before(() => registerMessages(allSentences));

  const actions = createCodeActions();
  let shown = 0;

  const review = reviewForEach(() => {
    shown = 0;
    listed = [];
    agrees = true;
    told.length = 0;
    begun.length = 0;
    acted.length = 0;
  });

  const boxes = createEditBoxes();
  after(() => vscode.Disposable.from(actions, symbols, boxes).dispose());

  /** What was said of a failure, and what its button did. */
  const told: [sentence: string, button: string][] = [];
  const acted: string[] = [];
  /** What each question is asked in. */
  const begun: string[] = [];
  /** What was listed before it left, and what a person would have said to it. */
  let listed: string[] = [];
  let agrees = true;

  const choose: typeof chooseCompanions = async (_, companions) => {
    listed = companions.map(({ role }) => role);
    return agrees ? companions.map(({ attachment }) => attachment) : undefined;
  };

  const edits = (placeOf = actions.placeOf, editModel = "svc-k3") => {
    const ask = createAsk({
      noteContext,
      session: () => review.session,
      begin: async (kind) => void begun.push(kind),
      quietTask: () => review.registry.bareTask(),
      continueInChat: async () => {},
      report: () => undefined,
      showChat: async () => void shown++,
      act: (action) => acted.push(action),
      async tell(sentence, button) {
        told.push([sentence, button]);
        return button;
      },
      settings: () => ({ editModel, outputTokens: 1000, listsContext: true }),
      choose,
    });
    return createEditCommands({
      ...{
        ask,
        noteContext,
        here: createEditHere({ ...hereNeeds, settings: () => ({ ...hereNeeds.settings(), editModel }) }),
        placeOf,
        choose,
        firstBoxOf: boxes.firstBoxOf,
      },
      editor: () => vscode.window.activeTextEditor,
      session: () => review.session,
      settings: () => ({ editModel, outputTokens: 1000, listsContext: true }),
    });
  };

  /** What is asked between the lines is asked in the session that is looked at here. */
  const hereNeeds: EditHereDeps = {
    boxes,
    settings: () => ({ editModel: "svc-k3", outputTokens: 1000, listsContext: false }),
    task: () => ({ session: review.session, release: () => undefined }),
    review: () => ({ show: async () => false, lend: () => undefined, dispose: () => undefined }),
    sessionAt: () => undefined,
    fold: () => undefined,
    continueInChat: async () => {},
    weigh: async () => 420,
    report: () => undefined,
  };

  /** Everything of the last request that is not our own instructions. */
  const sent = () => JSON.stringify(review.sim.requests.at(-1)?.body["input"]);

  it("sends the selection and its whole file, each with its role, and shows the chat", async () => {
    await put("actions/short.code", source);
    const editor = await show("actions/short.code");
    editor.selection = new vscode.Selection(7, 2, 7, 20);
    review.sim.reply(text("It adds."));
    await edits()["patchbay.do.explain"](undefined);
    assert.equal(shown, 1);
    assert.deepEqual(listed, ["selection", "whole file"]);
    assert.equal(review.session.state.turns[0]?.prompt, "/explain actions/short.code:8");
    const [code, file] = [
      /<selection role=\\"to-explain\\" path=\\"actions\/short\.code\\" lines=\\"8-8\\">/,
      /<file role=\\"context\\" path=\\"actions\/short\.code\\">.*alsoFarAway/,
    ];
    assert.match(sent(), code);
    assert.match(sent(), file);
  });

  it("sends only the enclosing function and the used imports of a long file", async () => {
    const long = source.replace("sum += price", "sum += price + join().length") + "// more\n".repeat(300);
    await put("actions/total.code", long);
    const editor = await show("actions/total.code");
    editor.selection = new vscode.Selection(7, 2, 7, 20);
    // On a machine that has just started, asking for symbols the first time may take longer than an action waits.
    await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", editor.document.uri);
    review.sim.reply(text("It adds."));
    await edits()["patchbay.do.explain"](undefined);
    assert.equal(shown, 1);
    assert.deepEqual(listed, ["selection", "enclosing function", "imports"]);
    assert.equal(review.sim.requests.at(-1)?.body["max_output_tokens"], 1000);
    const [turn] = review.session.state.turns;
    assert.equal(turn?.prompt, "/explain actions/total.code:8");
    assert.deepEqual(
      turn?.attachments.map(({ label }) => label),
      ["line 8", "lines 6–10", "line 2"].map((lines) => `actions/total.code, ${lines}`),
    );
    assert.match(sent(), /<selection role=\\"enclosing-block\\"[^<]*for \(const price of prices\)/);
    assert.match(sent(), /<selection role=\\"imports\\"[^<]*node:path/);
    assert.doesNotMatch(sent(), /farAway|node:fs/);
  });

  it("sends and shows nothing when the list of context is dismissed", async () => {
    await put("actions/kept.code", source);
    await show("actions/kept.code");
    agrees = false;
    await edits()["patchbay.do.fix"](undefined);
    assert.equal(listed[0], "line 1", "nothing is selected");
    assert.equal(review.sim.requests.length, 0);
    assert.equal(shown, 0);
  });

  it("reports a failure with the one button that helps", async () => {
    await put("actions/failed.code", source);
    await show("actions/failed.code");
    review.sim.reply(failed("The model is tired."));
    await edits()["patchbay.do.explain"](undefined);
    assert.deepEqual(told, [
      ["Explain: The service could not finish the reply: The model is tired.", "Show Chat"],
    ]);
    // Once for the question, once for the button.
    assert.equal(shown, 2);
    review.sim.fault(status(401));
    await edits()["patchbay.do.explain"](undefined);
    assert.equal(told[1]?.[1], "Set API Key…");
    assert.deepEqual(acted, ["set-key"]);
  });

  it("sends each action with its own prompt", async () => {
    await put("actions/each.code", source);
    await show("actions/each.code");
    for (const name of ["explain", "fix", "refactor", "tests", "docs"] as const) {
      review.sim.reply(text("Done."));
      await edits()[`patchbay.do.${name}`](undefined);
    }
    const asked = review.session.state.turns.map(({ prompt }) => prompt.split(" ", 1)[0]);
    assert.deepEqual(asked, ["/explain", "/fix", "/refactor", "/tests", "/docs"]);
    assert.deepEqual(begun, ["conversation"], "the others are asked between the lines");
  });

  it("sends nothing when the prompt box is dismissed", async () => {
    await put("actions/left.code", source);
    await show("actions/left.code");
    await until(edits()["patchbay.do.prompt"](undefined), leave);
    assert.equal(review.sim.requests.length, 0);
  });

  it("hides the problem message of a file that is never sent", async () => {
    for (const path of ["actions/.env", "actions/free.code"]) {
      await put(path, "TOKEN=canary\n");
      const { document } = await show(path);
      const place = { document, range: new vscode.Range(0, 0, 0, 5), problem: "canary is no number" };
      review.sim.reply(text("I see."));
      await edits(() => place)["patchbay.do.fix"](place);
      assert.equal(/canary/.test(sent()), path === "actions/free.code", path);
    }
  });

  it("names the file and line of an SQL file in the prompt", async () => {
    await put("actions/sum.sql", "select 1 + 1;\n");
    await show("actions/sum.sql");
    review.sim.reply(text("It is two."));
    await edits()["patchbay.do.explain"](undefined);
    assert.equal(review.session.state.turns[0]?.prompt, "/explain actions/sum.sql:1");
  });

  it("sends unsaved text", async () => {
    await put("actions/dirty.code", source);
    const editor = await show("actions/dirty.code");
    await write(editor, (edit) => edit.insert(new vscode.Position(7, 0), "  // just typed\n"));
    editor.selection = new vscode.Selection(7, 0, 8, 0);
    review.sim.reply(text("It adds."));
    await edits()["patchbay.do.explain"](undefined);
    assert.match(sent(), /just typed/);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("sends nothing of a file on the ignore list", async () => {
    await put("actions/kept/.env", "CANARY=secret-of-the-file\n");
    const editor = await show("actions/kept/.env");
    editor.selection = new vscode.Selection(0, 0, 0, 10);
    review.sim.reply(text("I cannot see it."));
    await edits()["patchbay.do.explain"](undefined);
    assert.match(sent(), /explain/i, "it was asked all the same");
    for (const { raw } of review.sim.requests) assert.doesNotMatch(raw.toString(), /secret-of-the-file/);
  });

  it("sends a problem with its message, its place and the problems of the file", async () => {
    const uri = await put("actions/broken.code", source);
    const { document } = await show("actions/broken.code");
    const collection = vscode.languages.createDiagnosticCollection("test");
    const problem = new vscode.Diagnostic(new vscode.Range(8, 2, 8, 8), "sum is wrong");
    collection.set(uri, [problem]);
    const range = problem.range;
    const place = { document, range, problem: "sum is wrong" };
    review.sim.reply(text("Fixed."));
    await edits(() => place)["patchbay.do.fix"](place);
    collection.dispose();
    const [turn] = review.session.state.turns;
    assert.equal(turn?.prompt, "/fix sum is wrong (actions/broken.code:9)");
    assert.deepEqual(
      turn?.attachments.map(({ kind }) => kind),
      ["selection", "file", "problems"],
    );
  });

  describe("the Fix command without a chosen problem", () => {
    const collection = vscode.languages.createDiagnosticCollection("by command");
    afterEach(() => collection.clear());
    after(() => collection.dispose());

    /** Asked with the cursor there, in a file with two errors, a hint and what is left of a function. */
    async function fix(path: string, selection: vscode.Selection) {
      const uri = await put(path, source);
      const editor = await show(path);
      editor.selection = selection;
      const hint = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 6), "could be shorter", 3);
      const early = new vscode.Diagnostic(new vscode.Range(6, 6, 6, 9), "sum is\n  wrong");
      const late = new vscode.Diagnostic(new vscode.Range(11, 6, 11, 18), "cannot be known", 1);
      collection.set(uri, [late, hint, early]);
      review.sim.reply(text("Fixed."));
      await edits()["patchbay.do.fix"](undefined);
      return review.session.state.turns.at(-1)?.prompt;
    }

    it("names the problems at the cursor", async () => {
      const prompt = await fix("actions/at-cursor.code", new vscode.Selection(6, 0, 6, 0));
      assert.equal(prompt, "/fix sum is wrong (actions/at-cursor.code:6–10)");
    });

    it("names the problems in the selection", async () => {
      const prompt = await fix("actions/selected.code", new vscode.Selection(11, 0, 12, 4));
      assert.equal(prompt, "/fix cannot be known (actions/selected.code:12–13)");
    });

    it("names all problems of the file and sends their functions when the cursor is on none", async () => {
      const prompt = await fix("actions/whole.code", new vscode.Selection(3, 0, 3, 0));
      const [named, where] = ["line 7: sum is wrong\nline 12: cannot be known", "6–12"];
      assert.equal(prompt, `/fix ${named} (actions/whole.code:${where})`);
      assert.match(sent(), /export function total/);
    });

    it("sends no problems of a file that is never sent", async () => {
      const before = review.sim.requests.length;
      const turns = review.session.state.turns.length;
      const prompt = await fix("actions/kept/.env", new vscode.Selection(6, 0, 6, 0));
      // Either nothing was asked, or what was asked names no problem.
      const asked = review.session.state.turns.length > turns ? (prompt ?? assert.fail()) : "";
      const sent = review.sim.requests.slice(before).map(({ raw }) => raw.toString());
      for (const each of [asked, ...sent]) assert.doesNotMatch(each, /sum is wrong/);
    });
  });

  it("runs on chat models, which propose a patch in a block of their text", async () => {
    const patch = [
      ...["*** Begin Patch", "*** Update File: actions/chat.code", "@@", "-  let sum = 0;"],
      ...["+  let sum = 1;", "*** End Patch"],
    ].join("\n");
    for (const model of ["svc-k2.7-code", "svc-k2.7-code-highspeed"]) {
      await put("actions/chat.code", source);
      await show("actions/chat.code");
      review.session.choices.chooseModel(model);
      review.sim.replyWith(says((tags) => `It began at 0.\n\n${tags.patch(patch)}\n`));
      await edits(actions.placeOf, "")["patchbay.do.refactor"](undefined);
      const turn = review.session.state.turns.at(-1);
      assert.equal(turn?.model, model);
      const row = turn?.parts.find(({ type }) => type === "patch");
      assert(row?.type === "patch" && row.status === "proposed");
      await review.changes.reject(review.changes.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id)));
    }
  });

  it("uses the model that is set for edits instead of the chosen one", async () => {
    await put("actions/model.code", source);
    await show("actions/model.code");
    review.session.choices.chooseModel("svc-k2.6");
    review.sim.reply(text("Refactored."));
    await edits()["patchbay.do.refactor"](undefined);
    assert.equal(review.session.state.turns[0]?.model, "svc-k3");
  });

  it("asks for an open file when no editor is open, and sends nothing", async () => {
    await closeAll();
    await noEditor();
    await assert.rejects(edits()["patchbay.do.explain"](undefined), /Open a file first/);
    assert.equal(review.sim.requests.length, 0);
  });

  it("offers each action once per problem range, without an edit and never as preferred", async () => {
    const uri = await put("actions/bulb.code", source);
    await show("actions/bulb.code");
    const collection = vscode.languages.createDiagnosticCollection("test");
    const range = new vscode.Range(8, 2, 8, 8);
    collection.set(uri, [
      new vscode.Diagnostic(range, "sum is wrong"),
      new vscode.Diagnostic(range, "and slow"),
    ]);
    const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      uriOf("actions/bulb.code"),
      range,
    );
    collection.dispose();
    const kinds = found
      .filter(({ kind }) => kind?.value.endsWith(".patchbay"))
      .map(({ kind, title, isPreferred, edit }) => [kind?.value, title, isPreferred ?? false, edit]);
    // The product's own provider and this test's are both registered.
    assert.deepEqual(
      [...new Set(kinds.map((each) => JSON.stringify(each)))].map((each) => JSON.parse(each)),
      [
        ["quickfix.patchbay", "Fix 2 Problems with Patchbay", false, null],
        ["quickfix.patchbay", "Explain with Patchbay", false, null],
        ["refactor.rewrite.patchbay", "Edit with Patchbay…", false, null],
      ],
    );
  });

  it("offers actions without a selection only on request, and no Explain on an empty line", async () => {
    await put("actions/cursor.code", source);
    const { document } = await show("actions/cursor.code");
    const { registerCodeActionsProvider } = vscode.languages;
    let provider: vscode.CodeActionProvider | undefined;
    vscode.languages.registerCodeActionsProvider = (_, registered) => {
      provider = registered;
      return new vscode.Disposable(() => {});
    };
    const own = createCodeActions();
    vscode.languages.registerCodeActionsProvider = registerCodeActionsProvider;
    const { Invoke, Automatic } = vscode.CodeActionTriggerKind;
    const offered = async (line: number, triggerKind: vscode.CodeActionTriggerKind) => {
      const context = { diagnostics: [], only: undefined, triggerKind };
      const { token } = new vscode.CancellationTokenSource();
      const range = new vscode.Range(line, 4, line, 4);
      const found = (await provider?.provideCodeActions(document, range, context, token)) ?? assert.fail();
      return found.map((each) => (each instanceof vscode.CodeAction ? each : assert.fail()));
    };
    const titles = (found: readonly vscode.CodeAction[]) => found.map(({ title }) => title);
    assert.deepEqual(titles(await offered(7, Automatic)), []);
    assert.deepEqual(titles(await offered(4, Invoke)), ["Edit with Patchbay…"]);
    const [edit, explain] = await offered(7, Invoke);
    assert.equal(edit?.title, "Edit with Patchbay…");
    assert.equal(explain?.title, "Explain with Patchbay");
    review.sim.reply(text("It adds up."));
    // On a machine that has just started, asking for symbols the first time may take longer than an action waits.
    await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", document.uri);
    await edits(own.placeOf)["patchbay.do.explain"](explain?.command?.arguments?.[0]);
    const attached = review.session.state.turns[0]?.attachments[0];
    assert(attached?.kind === "selection");
    assert.deepEqual([attached.start, attached.end], [6, 10], "the function that the cursor is in");
    assert.equal(listed[0], "enclosing function");
  });

  it("mentions once that context is sent right away, with a button for the setting", async () => {
    const memory = new Map<string, unknown>();
    const noted: string[] = [];
    const note = createContextNote(
      {
        get: <T>(key: string) => memory.get(key) as T,
        update: async (key, value) => void memory.set(key, value),
      },
      assert.ifError,
      async (sentence, button) => {
        noted.push(`${sentence} ${button}`);
        return undefined;
      },
    );
    await note();
    await note();
    assert.equal(noted.length, 1);
    assert.match(noted[0] ?? "", /right away.*Open Setting/);
  });

  it("applies a notification's button only to the question that it asked", async () => {
    const { showWarningMessage } = vscode.window;
    const presses: ((button: string) => void)[] = [];
    vscode.window.showWarningMessage = (() => new Promise((resolve) => presses.push(resolve))) as never;
    const changed = new vscode.EventEmitter<void>();
    const answers: string[] = [];
    const asks = (): Problem => ({ kind: "limit", message: { code: "problemOffline" }, actions: [] });
    const session = {
      question: asks() as Problem | undefined,
      onChange: changed.event,
      answer: (action: string) => answers.push(action) > 0,
    };
    const asking = answerInNotification("Fix", session as unknown as TaskSession);
    changed.fire();
    session.question = asks();
    changed.fire();
    // The first stands in its corner still.
    presses[0]?.("Send");
    await new Promise(setImmediate);
    assert.deepEqual(answers, []);
    presses[1]?.("Send");
    await new Promise(setImmediate);
    assert.deepEqual(answers, ["send-anyway"]);
    asking.dispose();
    vscode.window.showWarningMessage = showWarningMessage;
  });

  it("shows the texts of a question whole from its notification, and asks again", async () => {
    const { showWarningMessage } = vscode.window;
    const buttons: string[][] = [];
    const presses = ["Read Whole Text", "Send"];
    vscode.window.showWarningMessage = ((_: string, ...own: string[]) => {
      buttons.push(own);
      return Promise.resolve(presses.shift());
    }) as never;
    const documents = createReadOnlyDocuments();
    const texts = [{ path: "AGENTS.md", text: "Use tabs.\nSend keys." }];
    const answer = await askToSend(
      "Fix",
      { kind: "limit", message: { code: "problemOffline" }, actions: ["send-anyway", "read-whole"], texts },
      documents,
    );
    vscode.window.showWarningMessage = showWarningMessage;
    assert.equal(answer, "send-anyway");
    assert.deepEqual(buttons, [
      ["Send", "Read Whole Text"],
      ["Send", "Read Whole Text"],
    ]);
    const shown = vscode.window.activeTextEditor?.document;
    assert.match(shown?.getText() ?? "", /^AGENTS\.md\n─+\nUse tabs\.\nSend keys\.\n/);
    assert.equal(shown?.languageId, "plaintext");
    documents.dispose();
  });

  it("ignores a place that it did not create", () => {
    assert.equal(actions.placeOf({ document: {}, range: new vscode.Range(0, 0, 1, 0) }), undefined);
    assert.equal(actions.placeOf("selected"), undefined);
  });
});
