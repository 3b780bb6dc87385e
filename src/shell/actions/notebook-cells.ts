// Explain Cell and Edit Cell. A patch is refused for a notebook, which is no text but cells: so the model is asked for
// the whole new text of one cell, a person looks at the difference, and that one cell is all that can change.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { MessageError } from "../../core/messages/message-error.ts";
import type { Session } from "../../core/session/session.ts";
import { pathInWorkspace } from "../attach/attach-uri.ts";
import { commands } from "../manifest.ts";
import { type Ask, refuseWithoutTrust } from "./ask.ts";
import type { CellReview } from "./cell-review.ts";
import { lastCodeBlock } from "./last-code-block.ts";
import { type Companion, describeCompanions } from "./list-context.ts";

export interface NotebookCellDeps {
  readonly ask: Ask;
  session(): Pick<Session, "read">;
  readonly review: CellReview;
  /** For tests: what a person types. */
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

  /** The cell that is meant, with its context; nothing of a notebook that is never sent. */
  async function gather(argument: unknown): Promise<{ cell: vscode.NotebookCell; companions: Companion[] }> {
    refuseWithoutTrust();
    const cell = cellOf(argument);
    if (cell === undefined) throw new HumanError(t("Select a cell of a notebook first."));
    const { view } = await session().read(
      notebookOf(cell.notebook),
      AbortSignal.timeout(secondsToLook * 1000),
    );
    const [why] = view.notes ?? [];
    if (view.bytes === 0 && why !== undefined) throw new MessageError(why);
    return { cell, companions: companionsOf(cell) };
  }

  return {
    [commands.explainCell]: async (argument: unknown): Promise<void> => {
      const { cell, companions } = await gather(argument);
      await ask({ title: t("Explain Cell"), command: "explain", prompt: nameOf(cell), companions });
    },
    [commands.editCell]: async (argument: unknown): Promise<void> => {
      const { cell, companions } = await gather(argument);
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

/** Another extension can hand over anything: only a cell of an open notebook is one. */
function cellOf(argument: unknown): vscode.NotebookCell | undefined {
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const meant = cells.find((cell) => cell === argument);
  const editor = vscode.window.activeNotebookEditor;
  return (
    meant ??
    (editor && editor.notebook.cellCount > 0 ? editor.notebook.cellAt(editor.selection.start) : undefined)
  );
}

function companionsOf(cell: vscode.NotebookCell): Companion[] {
  const t = vscode.l10n.t;
  const name = nameOf(cell);
  const text = cell.document.getText();
  const printed = cell.outputs
    .flatMap(({ items }) => items.filter(({ mime }) => textTypes.has(mime)))
    .map(({ data }) => Buffer.from(data).toString("utf8"))
    .join("\n");
  const output = { kind: "terminal", name: t("Output of {0}", name), text: printed } as const;
  return [
    { role: t("the cell"), attachment: { kind: "text", name, text, place: cell.notebook.uri.toString() } },
    ...(printed.trim() === "" ? [] : [{ role: t("output"), attachment: output }]),
  ];
}

/** Asks the guard, nobody else: a cell's output goes with the cell or not at all. */
function notebookOf({ uri }: vscode.NotebookDocument): Attachment {
  const path = pathInWorkspace(uri);
  const name = uri.path.split("/").at(-1) ?? "";
  return path === undefined
    ? { kind: "text", name, text: name, place: uri.toString() }
    : { kind: "file", path };
}

/** From 1, as people count. */
const nameOf = ({ notebook, index, document }: vscode.NotebookCell): string =>
  vscode.l10n.t(
    "{0}, cell {1}, {2}",
    pathInWorkspace(notebook.uri) ?? notebook.uri.path.split("/").at(-1) ?? "",
    index + 1,
    document.languageId,
  );

const showBox = (options: vscode.InputBoxOptions) => vscode.window.showInputBox(options);
