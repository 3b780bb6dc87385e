// Edits asked for between the lines of a file are reviewed there: the diff replaces the file in the same editor group,
// with the cursor on the change, and once all is decided the file is restored as it was. So are new files and changes of
// other files, one after the other: the keys that decide apply where the cursor is. Whether diffs are inline is a
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
  /** Shows the set's proposal in place of the file it was asked in. False if the user has moved on. */
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
      if (isShown(address, from)) goOn(from).then(undefined, report);
    }
  });

  /** To the next file of the same proposal, or back to where it was asked for. */
  function goOn(from: AskedFrom): Thenable<unknown> {
    const addresses = [...open].flatMap(([address, other]) => (other === from ? [address] : []));
    const next = addresses.map(reviewModel.find, reviewModel).find((file) => file !== undefined);
    return next === undefined ? back(from) : showInPlace(next, from);
  }

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

  function showInPlace(file: WaitingFile, { viewColumn }: AskedFrom): Promise<void> {
    const [first] = reviewModel.placesOf(file);
    // A preview tab (in italics) would be replaced by the diff and lost with it.
    const options = { viewColumn, preview: false, preserveFocus: deps.isChatFocused() };
    return showFile(file, reviewModel, documents, first?.hunk, options);
  }

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
      const files = filesOf(reviewModel, set, from.document);
      const [first] = files;
      if (first === undefined || !isStillThere(from)) return false;
      for (const { address } of files) open.set(address, from);
      await showInPlace(first, from);
      return true;
    },
    dispose: () => listening.dispose(),
  };
}

/** The files of the set, that of the question first. None if one of them cannot be decided by a key. */
function filesOf(
  reviewModel: Pick<ReviewModel, "files" | "placesOf">,
  set: ReviewSet,
  document: vscode.TextDocument,
): readonly WaitingFile[] {
  const files = reviewModel.files.filter((each) => each.set === set);
  const isStuck = (file: WaitingFile) =>
    file.pending.problem !== undefined || reviewModel.placesOf(file).length === 0;
  if (files.some(isStuck)) return [];
  const isOwn = (file: WaitingFile) => isOf(file, document);
  return [...files.filter(isOwn), ...files.filter((file) => !isOwn(file))];
}

const isOf = ({ change, set }: WaitingFile, { uri }: vscode.TextDocument): boolean =>
  uriOf(change.file, set)?.toString() === uri.toString();
