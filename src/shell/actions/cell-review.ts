// A new text for one notebook cell: looked at beside the old one, then taken or not. Only that cell changes, only from
// the text that was shown, as one step that Undo takes back.
import * as vscode from "vscode";
import { HumanError } from "../../core/messages/human-error.ts";
import { showInformation } from "../notify.ts";
import { smallest } from "../workspace/workspace-edit.ts";

export interface ProposedCell {
  readonly cell: vscode.NotebookCell;
  /** What the model was shown. */
  readonly base: string;
  readonly proposed: string;
  readonly name: string;
}

export type CellReview = (proposal: ProposedCell) => Promise<void>;
/** For tests: which of the words on the buttons a person chose. */
export type AskPerson = (question: string, ...words: string[]) => Thenable<string | undefined>;

const scheme = "patchbay-cell";

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
    // No editor opens by itself: first the person says that they want to look.
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
