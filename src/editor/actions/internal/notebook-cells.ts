// Explain Cell and Edit Cell. Where one cell is meant, the model is asked for its whole new text, and the user reviews the
// difference; a notebook as a whole is changed by proposals like any other file.
import * as vscode from "vscode";
import { MessageError } from "../../../conversation/english.ts";
import { HumanError } from "../../../conversation/messages.ts";
import type { Attachment } from "../../../conversation/state.ts";
import { smallest } from "../../../patch/edits.ts";
import type { Session } from "../../../session/session.ts";
import { pathInWorkspace } from "../../attach/attach-uri.ts";
import { commands } from "../../manifest.ts";
import { showInformation } from "../../notify.ts";
import { type Ask, type Companion, describeCompanions, requireTrust } from "../ask.ts";

/**
 * Finds the last code block in a response, line by line, for questions that ask for a whole text. The text is the
 * content of the last fence, which may contain shorter fences.
 */
export function lastCodeBlock(answer: string): string | undefined {
  const lines = answer.split("\n");
  const fences = lines.flatMap((line, at) => {
    const [ticks = ""] = /^`{3,}/.exec(line) ?? [];
    const info = line.slice(ticks.length);
    return ticks === "" ? [] : [{ at, length: ticks.length, isBare: info.trim() === "", info }];
  });
  /** A fence length without an end here has none further on. */
  let endless = Number.POSITIVE_INFINITY;
  let last: string | undefined;
  for (let index = 0; index < fences.length; index++) {
    const fence = fences[index];
    if (fence === undefined || fence.info.includes("`") || fence.length >= endless) continue;
    let end = index + 1;
    while (end < fences.length && !(fences[end]?.isBare && (fences[end]?.length ?? 0) >= fence.length)) end++;
    if (end === fences.length) endless = fence.length;
    else {
      last = lines.slice(fence.at + 1, fences[end]?.at).join("\n");
      index = end;
    }
  }
  return last;
}

interface NotebookCellDeps {
  readonly ask: Ask;
  session(): Pick<Session, "read">;
  readonly review: CellReview;
  /** For tests: what the user types. */
  readonly type?: (options: vscode.InputBoxOptions) => Thenable<string | undefined>;
}

const secondsToLook = 10;
const textTypes = new Set([
  "application/vnd.code.notebook.stdout",
  "application/vnd.code.notebook.stderr",
  "application/vnd.code.notebook.error",
  "text/plain",
]);

export function createNotebookCells({ ask, session, review, type = showBox }: NotebookCellDeps) {
  const t = vscode.l10n.t;

  /** The cell that is meant, with its context. @throws MessageError if the notebook may not be sent. */
  async function gather(
    argument: unknown,
    role: string,
  ): Promise<{ cell: vscode.NotebookCell; companions: Companion[] }> {
    requireTrust();
    const cell = cellOf(argument);
    if (cell === undefined) throw new HumanError(t("Select a cell of a notebook first."));
    const { view } = await session().read(
      notebookOf(cell.notebook),
      AbortSignal.timeout(secondsToLook * 1000),
    );
    const [why] = view.notes ?? [];
    if (view.bytes === 0 && why !== undefined) throw new MessageError(why);
    return { cell, companions: companionsOf(cell, role) };
  }

  return {
    [commands.explainCell]: async (argument: unknown): Promise<void> => {
      const { cell, companions } = await gather(argument, "to-explain");
      await ask({ title: t("Explain Cell"), command: "explain", prompt: nameOf(cell), companions });
    },
    [commands.editCell]: async (argument: unknown): Promise<void> => {
      const { cell, companions } = await gather(argument, "to-edit");
      const title = t("Edit Cell");
      const base = cell.document.getText();
      const prompt = await type({
        title,
        placeHolder: t("What should change?"),
        prompt: await describeCompanions(companions, session()),
      });
      if (prompt === undefined || prompt.trim() === "") return;
      const turn = await ask({ title, command: "cell", prompt, companions, list: "seen", isTask: true });
      const answer =
        turn?.status === "done" ? turn.parts.findLast((part) => part.type === "text") : undefined;
      if (answer?.type !== "text") return;
      const proposed = lastCodeBlock(answer.text);
      if (proposed === undefined) throw new HumanError(t("The response has no new text for the cell."));
      await review({ cell, base, proposed, name: nameOf(cell) });
    },
  };
}

/** Other extensions can pass anything: accept only a cell of an open notebook. */
function cellOf(argument: unknown): vscode.NotebookCell | undefined {
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const meant = cells.find((cell) => cell === argument);
  const editor = vscode.window.activeNotebookEditor;
  return (
    meant ??
    (editor && editor.notebook.cellCount > 0 ? editor.notebook.cellAt(editor.selection.start) : undefined)
  );
}

function companionsOf(cell: vscode.NotebookCell, role: string): Companion[] {
  const t = vscode.l10n.t;
  const name = nameOf(cell);
  const text = cell.document.getText();
  const printed = cell.outputs
    .flatMap(({ items }) => items.filter(({ mime }) => textTypes.has(mime)))
    .map(({ data }) => Buffer.from(data).toString("utf8"))
    .join("\n");
  const output = { kind: "terminal", name: t("Output of {0}", name), text: printed, role: "output" } as const;
  return [
    {
      role: t("the cell"),
      attachment: { kind: "text", name, text, place: cell.notebook.uri.toString(), role },
    },
    ...(printed.trim() === "" ? [] : [{ role: t("output"), attachment: output }]),
  ];
}

/** Used only to ask the guard: output is sent with its cell or not at all. */
function notebookOf({ uri }: vscode.NotebookDocument): Attachment {
  const path = pathInWorkspace(uri);
  const name = uri.path.split("/").at(-1) ?? "";
  return path === undefined
    ? { kind: "text", name, text: name, place: uri.toString() }
    : { kind: "file", path };
}

/** Numbered from 1, as people count. */
const nameOf = ({ notebook, index, document }: vscode.NotebookCell): string =>
  vscode.l10n.t(
    "{0}, cell {1}, {2}",
    pathInWorkspace(notebook.uri) ?? notebook.uri.path.split("/").at(-1) ?? "",
    index + 1,
    document.languageId,
  );

const showBox = (options: vscode.InputBoxOptions) => vscode.window.showInputBox(options);

interface ProposedCell {
  readonly cell: vscode.NotebookCell;
  /** The text the model was shown. */
  readonly base: string;
  readonly proposed: string;
  readonly name: string;
}

type CellReview = (proposal: ProposedCell) => Promise<void>;
/** For tests: the button that the user chose. */
type AskPerson = (question: string, ...words: string[]) => Thenable<string | undefined>;

const scheme = "patchbay-cell";

/**
 * Review of a new text for one notebook cell: it is shown next to the old text and then accepted or not. Only that cell
 * changes, only if its text is still the one that was shown, and as a single undo step.
 */
export function createCellReview(
  ask: AskPerson = (question, ...words) => showInformation(question, ...words),
): CellReview {
  const t = vscode.l10n.t;
  return async (proposal) => {
    const { proposed, base, name } = proposal;
    if (proposed === base) {
      void ask(t("{0} wouldn't change.", name));
      return;
    }
    // Do not open an editor unasked: the user first chooses to look.
    const [look, accept] = [t("Show Changes"), t("Accept")];
    if ((await ask(t("A new text is proposed for {0}.", name), look)) !== look) return;
    const close = await showChanges(proposal);
    try {
      if ((await ask(t("Accept the new text for {0}?", name), accept, t("Reject"))) === accept)
        await applyTo(proposal);
    } finally {
      await close();
    }
  };
}

async function showChanges({ cell, proposed, name }: ProposedCell): Promise<() => Promise<void>> {
  const uri = vscode.Uri.from({ scheme, path: `/${name}`, query: String(Date.now()) });
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (asked) => (asked.toString() === uri.toString() ? proposed : ""),
  });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.languages.setTextDocumentLanguage(document, cell.document.languageId);
  await vscode.commands.executeCommand("vscode.diff", cell.document.uri, uri, name);
  return async () => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const shown = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString(),
    );
    await vscode.window.tabGroups.close(shown);
    provider.dispose();
  };
}

async function applyTo({ cell, base, proposed, name }: ProposedCell): Promise<void> {
  const t = vscode.l10n.t;
  const { document, notebook } = cell;
  if (!vscode.workspace.isTrusted) throw new HumanError(t("Files can't be changed in Restricted Mode."));
  const isThere = !notebook.isClosed && notebook.getCells().includes(cell);
  if (!isThere || document.getText() !== base)
    throw new HumanError(t("{0} has changed since it was sent, so it stays as it is. Ask again.", name));
  const edit = new vscode.WorkspaceEdit();
  const text = document.eol === vscode.EndOfLine.CRLF ? proposed.replace(/\r?\n/g, "\r\n") : proposed;
  const change = smallest({ start: 0, end: base.length, removed: base, text });
  const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
  edit.replace(document.uri, range, change.text);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new HumanError(t("The editor refused the edit. Nothing changed."));
}
