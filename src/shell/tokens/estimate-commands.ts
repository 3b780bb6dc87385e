// "Count Tokens of …": what a person asks the service to count, and nothing else. Files pass the same guard as when
// they are sent with a question; what several requests would send is said before the first one.

import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import type { CleanContent } from "../../core/conversation/content.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { message } from "../../core/messages/message.ts";
import { MessageError } from "../../core/messages/message-error.ts";
import type { Session } from "../../core/session/session.ts";
import type { CountedPart } from "../../core/tokens/count-parts.ts";
import type { TokenCounts } from "../../core/tokens/token-counts.ts";
import { attachUri, tellUnreadable } from "../attach/attach-uri.ts";
import { selectionOf } from "../attach/selection-of.ts";
import { inDigits } from "../format-numbers.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands } from "../manifest.ts";
import { markdownTable } from "../markdown-table.ts";
import { showInformation } from "../notify.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { showProblem } from "../show-problem.ts";
import type { SelectionCount } from "../status/selection-count.ts";
import { withProgress } from "../with-progress.ts";
import { countWhole } from "./count-whole.ts";

export interface EstimateDeps {
  session(): Pick<Session, "choices" | "draft" | "read" | "preview">;
  readonly counts: Pick<TokenCounts, "about" | "byService" | "byModels" | "byParts" | "ofRequest">;
  readonly documents: ReadOnlyDocuments;
  readonly selection: Pick<SelectionCount, "learn">;
  mode(): "local" | "onDemand" | "auto";
  /** Tells what would be sent, and asks; nothing is sent without a yes. */
  agree(question: string, detail: string, yes: string): Promise<boolean>;
}

/** What is counted, with the words for it. */
interface Subject {
  readonly name: string;
  readonly contents: readonly CleanContent[];
}

export function createEstimateCommands(deps: EstimateDeps) {
  const { session, counts } = deps;
  const t = vscode.l10n.t;
  const digits = (count: number) => inDigits(count, vscode.env.language);
  const about = (count: number) => `≈${digits(count)}`;

  function draft(): Subject {
    const { contents } = session().draft;
    if (contents.length === 0) throw new HumanError(t("Nothing is written in the chat yet."));
    return { name: t("the draft"), contents };
  }

  /** As it would be sent: through the guard, with what is left out left out. */
  async function wished(wish: Attachment, signal: AbortSignal): Promise<Subject> {
    if (!vscode.workspace.isTrusted)
      throw new HumanError(t("In Restricted Mode, only context you add is sent. Trust this folder first."));
    const { view, content } = await session().read(wish, signal);
    if (view.bytes === 0) throw new MessageError(view.notes?.[0] ?? message("noteNothing"));
    return { name: view.label, contents: [content] };
  }

  function editor(): vscode.TextEditor {
    const { activeTextEditor } = vscode.window;
    if (activeTextEditor === undefined) throw new HumanError(t("Open a file first."));
    return activeTextEditor;
  }

  const selection = (signal: AbortSignal) => {
    const active = editor();
    if (active.selection.isEmpty) throw new HumanError(t("Select something first."));
    return wished(selectionOf(active), signal);
  };

  const file = (signal: AbortSignal) => {
    const { document } = editor();
    const start = new vscode.Position(0, 0);
    return wished(selectionOf({ document, selection: new vscode.Selection(start, start) }), signal);
  };

  /** What a person is most likely to mean. */
  async function atHand(signal: AbortSignal): Promise<Subject> {
    if (session().draft.contents.length > 0) return draft();
    return vscode.window.activeTextEditor?.selection.isEmpty === false ? selection(signal) : file(signal);
  }

  function mayAsk(): void {
    if (deps.mode() === "local")
      throw new HumanError(t("Counting by the service is turned off in the setting patchbay.estimate.mode."));
  }

  async function count(
    find: (signal: AbortSignal) => Subject | Promise<Subject>,
  ): Promise<number | undefined> {
    mayAsk();
    const { model } = session().choices;
    const { subject, outcome } = await withProgress(t("Counting tokens…"), async (signal) => {
      const found = await find(signal);
      return { subject: found, outcome: await counts.byService(model, found.contents, signal) };
    });
    if ("problem" in outcome) {
      void showProblem(outcome.problem);
      return undefined;
    }
    const sentence = t("{0}: {1} tokens, counted by {2}.", subject.name, digits(outcome.tokens), model);
    void showInformation(sentence);
    return outcome.tokens;
  }

  async function countSelection(): Promise<number | undefined> {
    const { model } = session().choices;
    const tokens = await count(selection);
    if (tokens !== undefined) deps.selection.learn(model, tokens);
    return tokens;
  }

  async function compare(): Promise<void> {
    mayAsk();
    const { name, contents } = await atHand(AbortSignal.timeout(60_000));
    const guess = counts.about(session().choices.model, contents).tokens;
    const detail = t(
      "{0} requests, one for each model, each with {1}: about {2} tokens.",
      session().choices.models.length,
      name,
      digits(guess),
    );
    if (!(await deps.agree(t("Send this to be counted by each model?"), detail, t("Count")))) return;
    const rows = await collect(t("Comparing token counts…"), (signal) =>
      counts.byModels(session().choices.models, contents, signal),
    );
    const table = session().choices.models.flatMap(({ id, label }) => {
      const row = rows.find((each) => each.label === label);
      const guessed = about(counts.about(id, contents).tokens);
      return row === undefined ? [] : [[`${label} (${id})`, line(row), guessed]];
    });
    await deps.documents.show(
      t("Token counts"),
      "md",
      [
        `# ${t("Token counts of {0}", name)}`,
        markdownTable([t("Model"), t("Counted by the service"), t("Local estimate")], table),
        t("Instructions, tools and the conversation aren't included in these counts."),
      ].join("\n\n"),
    );
  }

  async function parts(): Promise<void> {
    mayAsk();
    const {
      choices: { model },
      draft: { parts: attached },
    } = session();
    if (attached.length === 0) throw new HumanError(t("The draft has no attachments."));
    const whole = draft();
    const detail = t(
      "{0} requests, one for each attachment and one for the whole draft.",
      attached.length + 1,
    );
    if (!(await deps.agree(t("Send each attachment to be counted?"), detail, t("Count")))) return;
    const rows = await collect(t("Counting tokens…"), (signal) => counts.byParts(model, attached, signal));
    const sum = await counts.byService(model, whole.contents, AbortSignal.timeout(60_000));
    const all = "tokens" in sum ? digits(sum.tokens) : inReaderLanguage(sum.problem.message);
    await deps.documents.show(
      t("Token counts"),
      "md",
      [
        `# ${t("Token counts of each attachment")}`,
        markdownTable(
          [t("Part"), t("Counted by {0}", model)],
          [...rows.map((row) => [row.label, line(row)]), [t("The whole draft"), all]],
        ),
        t("Parts are counted separately, so they may not add up to the total."),
      ].join("\n\n"),
    );
  }

  const line = ({ tokens, problem }: CountedPart): string => {
    if (tokens !== undefined) return digits(tokens);
    return problem === undefined ? "–" : inReaderLanguage(problem.message);
  };

  const counted = {
    draft: () => count(draft),
    async request(): Promise<void> {
      mayAsk();
      draft();
      await countWhole(deps);
    },
    selection: countSelection,
    /** The explorer and editor tabs say which file is meant. */
    async file(uri?: vscode.Uri): Promise<number | undefined> {
      if (uri === undefined) return count(file);
      // What cannot be read is told; another file is not what was asked for.
      const wish = await attachUri(uri, tellUnreadable);
      return wish && count((signal) => wished(wish, signal));
    },
    parts,
    compare,
  };

  function choices(): (vscode.QuickPickItem & { run(): Promise<unknown> })[] {
    const { draft: written } = session();
    const hasDraft = written.contents.length > 0;
    const editor = vscode.window.activeTextEditor;
    const isSelected = editor?.selection.isEmpty === false;
    return [
      ...(isSelected ? [{ label: `$(selection) ${t("Selection")}`, run: counted.selection }] : []),
      ...(editor === undefined ? [] : [{ label: `$(file) ${t("File")}`, run: () => counted.file() }]),
      ...(hasDraft ? [{ label: `$(edit) ${t("Draft")}`, run: counted.draft }] : []),
      ...(hasDraft ? [{ label: `$(comment-discussion) ${t("Next Request")}`, run: counted.request }] : []),
      ...(written.parts.length > 0 ? [{ label: `$(attach) ${t("Each Attachment…")}`, run: parts }] : []),
      ...(hasDraft || editor !== undefined
        ? [{ label: `$(table) ${t("Compare Models…")}`, run: compare }]
        : []),
    ];
  }

  async function choose(): Promise<void> {
    mayAsk();
    const there = choices();
    if (there.length === 0) throw new HumanError(t("Open a file or write a question first."));
    const chosen = await vscode.window.showQuickPick(there, {
      title: t("Count Tokens"),
      placeHolder: t("The service counts what you choose."),
    });
    await chosen?.run();
  }

  return {
    counted,
    commands: {
      /** In the explorer and on tabs VS Code says which file is meant, and more; elsewhere a person chooses. */
      [commands.countTokens]: async (argument?: unknown, more?: unknown) => {
        if (argument instanceof vscode.Uri && more !== undefined) await counted.file(argument);
        else await choose();
      },
    },
  };
}

function collect(
  title: string,
  start: (signal: AbortSignal) => AsyncGenerator<CountedPart>,
): Promise<CountedPart[]> {
  return withProgress(title, async (signal, tell) => {
    const rows: CountedPart[] = [];
    for await (const row of start(signal)) {
      rows.push(row);
      tell(row.label);
    }
    return rows;
  });
}

/** Native and modal. */
export async function agreeToSend(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
