// Pending changes in VS Code's Refactor Preview, a list with a checkbox for each, which keyboards and screen readers can use.
// VS Code edits copies; the selected changes are read from those and accepted through the review model, so that whatever
// guards other edits guards these too.
import * as vscode from "vscode";
import { appliedEdits } from "./applied-edits.ts";
import { allOf, type ReviewModel, type ReviewSet, type WaitingFile } from "./review-model.ts";
import { previewScheme, type ScratchFiles } from "./scratch-files.ts";

/** One change as it is tried out. */
interface Trial {
  readonly file: WaitingFile;
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
}

/** False when nothing was accepted: somebody closed the preview, or selected nothing. */
export async function previewFiles(
  files: readonly WaitingFile[],
  desk: ReviewModel,
  scratch: ScratchFiles,
): Promise<boolean> {
  scratch.register();
  const edit = new vscode.WorkspaceEdit();
  const trials: Trial[] = [];
  try {
    for (const file of files)
      if (file.pending.problem === undefined) trials.push(await lay(file, edit, scratch));
    if (trials.length === 0 || !(await vscode.workspace.applyEdit(edit))) return false;
    const taken = new Map<ReviewSet, string[]>();
    for (const trial of trials) {
      const { set } = trial.file;
      taken.set(set, [...(taken.get(set) ?? []), ...(await takenOf(trial, scratch))]);
    }
    let isAny = false;
    for (const [set, hunks] of taken)
      if (hunks.length > 0) isAny = (await desk.accept({ set, hunks })) || isAny;
    return isAny;
  } finally {
    await forget(scratch);
  }
}

async function lay(file: WaitingFile, edit: vscode.WorkspaceEdit, scratch: ScratchFiles): Promise<Trial> {
  const { address, path, to: name, change } = file;
  const uri = (of: string) => vscode.Uri.from({ scheme: previewScheme, path: `/${of}`, query: address });
  const [from, to] = [uri(path), uri(name)];
  const told = { needsConfirmation: true, label: vscode.l10n.t("Proposed Changes") };
  const trial = { file, from, to };
  if (change.kind === "add") {
    edit.createFile(from, { contents: Buffer.from(change.text) }, told);
    return trial;
  }
  scratch.put(from, change.base.text);
  if (change.kind === "delete") {
    edit.deleteFile(from, {}, told);
    return trial;
  }
  const document = await vscode.workspace.openTextDocument(from);
  for (const { start, end, text } of change.edits) {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(from, range, text, told);
  }
  if (change.kind === "move") edit.renameFile(from, to, {}, told);
  return trial;
}

/** The hunks that are in the copy now. */
async function takenOf({ file, from, to }: Trial, scratch: ScratchFiles): Promise<readonly string[]> {
  const { change, pending } = file;
  const all = allOf(file).hunks;
  if (change.kind === "add") return scratch.has(from) ? all : [];
  if (change.kind === "delete") return scratch.has(from) ? [] : all;
  // A file that was to move and does not is not edited either: nobody has seen it edited where it is.
  if (change.kind === "move" && !scratch.has(to)) return [];
  const document = await vscode.workspace.openTextDocument(change.kind === "move" ? to : from);
  const taken = appliedEdits(change.base.text, change.edits, document.getText());
  return pending.hunks
    .filter(({ number }) => number === undefined || taken?.[number] === true)
    .map(({ id }) => id);
}

/** Saved first, or VS Code would ask what to do with the copies. */
async function forget(scratch: ScratchFiles): Promise<void> {
  for (const document of vscode.workspace.textDocuments)
    if (document.uri.scheme === previewScheme && document.isDirty) await document.save();
  scratch.clear();
}
