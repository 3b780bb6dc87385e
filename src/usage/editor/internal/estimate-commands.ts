// "Count Tokens of …": counts with the service, only what the user asks for. Files pass the same guard as attachments;
// if several requests are needed, the user confirms before the first.
import * as vscode from "vscode";
import { MessageError } from "../../../conversation/english.ts";
import type { CleanContent } from "../../../conversation/events.ts";
import { HumanError, message } from "../../../conversation/messages.ts";
import type { Attachment } from "../../../conversation/state.ts";
import { attachUri, selectionOf, tellUnreadable } from "../../../editor/attach/attach-uri.ts";
import { localize } from "../../../editor/localize.ts";
import { commands } from "../../../editor/manifest.ts";
import { showInformation } from "../../../editor/notify.ts";
import type { SelectionCount } from "../../../editor/status/selection-count.ts";
import type { ReadOnlyDocuments } from "../../../editor/ui/documents.ts";
import { showProblem, withProgress } from "../../../editor/ui/show-problem.ts";
import type { Session } from "../../../session/session.ts";
import { markdownTable } from "../../../util/markdown-table.ts";
import { inDigits } from "../../../util/numbers-and-times.ts";
import type { OmittedPart } from "../../internal/service-estimate.ts";
import type { CountedPart, TokenCounts } from "../../token-counts.ts";

interface CountWholeDeps {
  session(): Pick<Session, "choices" | "preview">;
  readonly counts: Pick<TokenCounts, "ofRequest">;
}

/**
 * Counts a whole question with everything around it by the service, at the user's request, and names what the count
 * does not include (requirements I4).
 */
async function countWhole({ session, counts }: CountWholeDeps): Promise<void> {
  const t = vscode.l10n.t;
  const { model } = session().choices;
  const { count, leftOut } = await withProgress(t("Counting tokens…"), async (signal) =>
    counts.ofRequest(await session().preview(undefined, signal), signal),
  );
  if ("problem" in count) {
    void showProblem(count.problem);
    return;
  }
  const tokens = inDigits(count.tokens, vscode.env.language);
  const all = t("Next request: {0} tokens, counted by {1}.", tokens, model);
  const without = leftOut.map(nameOf).join(", ");
  const sentence = without === "" ? all : `${all} ${t("Not counted: {0}.", without)}`;
  void showInformation(sentence);
}

function nameOf(leftOut: OmittedPart): string {
  const t = vscode.l10n.t;
  switch (leftOut) {
    case "tools":
      return t("the tools");
    case "reasoning":
      return t("reasoning");
    case "search":
      return t("web searches");
    case "other":
      return t("items of other kinds");
    default:
      return leftOut satisfies never;
  }
}

interface EstimateDeps {
  session(): Pick<Session, "choices" | "draft" | "read" | "preview">;
  readonly counts: Pick<TokenCounts, "about" | "byService" | "byModels" | "byParts" | "ofRequest">;
  readonly documents: ReadOnlyDocuments;
  readonly selection: Pick<SelectionCount, "learn">;
  mode(): "local" | "onDemand" | "auto";
  /** Says what would be sent and asks for consent, without which nothing is sent. */
  agree(question: string, detail: string, yes: string): Promise<boolean>;
}

/** What is counted, and its labels. */
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

  /** Counts an attachment as it would be sent: through the guard, without what is left out. */
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

  /** What the user most likely means. */
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
    const all = "tokens" in sum ? digits(sum.tokens) : localize(sum.problem.message);
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
    return problem === undefined ? "–" : localize(problem.message);
  };

  const counted = {
    draft: () => count(draft),
    async request(): Promise<void> {
      mayAsk();
      draft();
      await countWhole(deps);
    },
    selection: countSelection,
    /** The explorer and editor tabs pass the file. */
    async file(uri?: vscode.Uri): Promise<number | undefined> {
      if (uri === undefined) return count(file);
      // Report an unreadable file instead of counting another one.
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
      /** The explorer and tabs pass the file (and more arguments); elsewhere the user chooses. */
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

/** A native modal dialog. */
export async function agreeToSend(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
