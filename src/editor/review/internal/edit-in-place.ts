// Edits asked for between the lines of a file are reviewed there: the diff replaces the file in the same editor group,
// with the cursor on the change, and once it is decided the file is restored as it was. Whether diffs are inline is a
// setting for the whole window in VS Code, so that is left to the user.
import * as vscode from "vscode";
import { unlessInputBox } from "../../text-editors.ts";
import type { AskedFrom } from "../../ui/response-comment.ts";
import { isOfReview, sidesShown } from "../shown-change.ts";
import type { ReviewDocuments } from "./proposed-files.ts";
import type { ReviewModel } from "./review-model.ts";
import { type ReviewSet, uriOf, type WaitingFile } from "./review-targets.ts";
import { showFile } from "./show-changes.ts";

interface EditInPlaceDeps {
  readonly reviewModel: ReviewModel;
  readonly documents: ReviewDocuments;
  /** The user is in the chat: opening something elsewhere must not take the focus. */
  isChatFocused(): boolean;
  report(error: unknown): void;
}

export interface EditInPlace extends vscode.Disposable {
  /**
   * Shows the set's proposal in place of the file it was asked in. False if it is for other files, or the user has
   * moved on.
   */
  show(set: ReviewSet, from: AskedFrom): Promise<boolean>;
}

export function createEditInPlace(deps: EditInPlaceDeps): EditInPlace {
  const { reviewModel, documents, report } = deps;
  /** By address of the files shown this way. */
  const open = new Map<string, AskedFrom>();
  const listening = reviewModel.onDidChange(() => {
    for (const [address, from] of open) {
      if (reviewModel.find(address) !== undefined) continue;
      open.delete(address);
      // Its tab is about to be closed; if the user has gone elsewhere, leave the focus alone.
      if (isShown(address, from)) back(from).then(undefined, report);
    }
  });

  const isShown = (address: string, { viewColumn }: AskedFrom): boolean =>
    vscode.window.tabGroups.all.some(
      (group) =>
        group.viewColumn === viewColumn &&
        sidesShown(group.activeTab?.input).some((uri) => isOfReview(uri) && uri.query === address),
    );

  /** VS Code restores the scroll position. */
  const back = ({ document, viewColumn }: AskedFrom) =>
    vscode.window.showTextDocument(document, {
      ...{ viewColumn, preview: false },
      preserveFocus: deps.isChatFocused(),
    });

  /**
   * Extensions cannot see where the focus is. If the user has typed, moved the cursor or gone elsewhere since, they are
   * left alone.
   */
  function isStillThere({ document, version, selection, viewColumn, terminal }: AskedFrom): boolean {
    const { activeTextEditor, activeTerminal, state } = vscode.window;
    const editor = unlessInputBox(activeTextEditor);
    return (
      state.focused &&
      !deps.isChatFocused() &&
      activeTerminal === terminal &&
      editor?.document === document &&
      editor.viewColumn === viewColumn &&
      document.version === version &&
      editor.selection.isEqual(selection)
    );
  }

  return {
    async show(set, from) {
      const file = onlyFile(reviewModel, set);
      const [first] = file === undefined ? [] : reviewModel.placesOf(file);
      if (file === undefined || first === undefined || !isOf(file, from.document)) return false;
      if (!isStillThere(from)) return false;
      open.set(file.address, from);
      // A preview tab (in italics) would be replaced by the diff and lost with it.
      const options = { viewColumn: from.viewColumn, preview: false };
      await showFile(file, reviewModel, documents, first.hunk, options);
      return true;
    },
    dispose: () => listening.dispose(),
  };
}

/** The file of the set, if it has only one. */
function onlyFile(reviewModel: Pick<ReviewModel, "files">, set: ReviewSet): WaitingFile | undefined {
  const [file, ...others] = reviewModel.files.filter((each) => each.set === set);
  return others.length > 0 || file?.pending.problem !== undefined ? undefined : file;
}

const isOf = ({ change, set }: WaitingFile, { uri }: vscode.TextDocument): boolean =>
  change.kind !== "add" && uriOf(change.file, set)?.toString() === uri.toString();
