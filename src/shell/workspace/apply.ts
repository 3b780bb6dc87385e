// Carries out a plan in the editor: looked at once more, then one WorkspaceEdit, so that one Undo takes it back.
// Only what was clean before is saved; what a person had typed and not saved stays theirs to save.
import * as vscode from "vscode";
import type { FileChange, FileName, LineEdit, Workspace as PatchWorkspace } from "../../core/patch/model.ts";
import type { Applied } from "../../core/workspace.ts";
import { toUri } from "./places.ts";

export async function applyChanges(
  changes: readonly FileChange[],
  label: string,
  world: Pick<PatchWorkspace, "look" | "read" | "sha256">,
): Promise<Applied> {
  const asPlanned = await Promise.all(changes.map((change) => isAsPlanned(change, world)));
  if (!asPlanned.every(Boolean)) return { outcome: "stale" };
  const edit = new vscode.WorkspaceEdit();
  const clean: vscode.Uri[] = [];
  for (const change of changes) {
    const kept = await addTo(edit, change, { label, needsConfirmation: false });
    if (kept !== undefined) clean.push(kept);
  }
  if (!(await vscode.workspace.applyEdit(edit)))
    return { outcome: "refused", why: vscode.l10n.t("The editor refused the edit.") };
  await Promise.all(clean.map((uri) => vscode.workspace.save(uri)));
  return { outcome: "applied" };
}

/** The same text at the same real path, and nothing where something new is to stand. */
async function isAsPlanned(
  change: FileChange,
  { look, read, sha256 }: Pick<PatchWorkspace, "look" | "read" | "sha256">,
): Promise<boolean> {
  const isFree = async (file: FileName, real: string) => {
    const standing = await look(file);
    return standing.kind === "nothing" && standing.real === real;
  };
  if (change.kind === "add") return isFree(change.file, change.permission.real);
  const standing = await look(change.file);
  if (standing.kind !== "file" || standing.real !== change.permission.real) return false;
  if (change.kind === "move" && !(await isFree(change.to, change.toReal))) return false;
  const reading = await read(change.file);
  return reading.kind === "text" && sha256(reading.text) === change.base.sha256;
}

/** Answers which file to save afterwards. */
async function addTo(
  edit: vscode.WorkspaceEdit,
  change: FileChange,
  metadata: vscode.WorkspaceEditEntryMetadata,
): Promise<vscode.Uri | undefined> {
  const uri = toUri(change.file);
  if (change.kind === "add") {
    const contents = await vscode.workspace.encode(change.text, { uri });
    edit.createFile(uri, { overwrite: false, contents }, metadata);
    return undefined;
  }
  if (change.kind === "delete") {
    edit.deleteFile(uri, {}, metadata);
    return undefined;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const wasClean = !document.isDirty;
  for (const one of change.edits) {
    const { range, newText } = textEdit(document, change.base.text, one);
    edit.replace(uri, range, newText, metadata);
  }
  if (change.kind === "update") return wasClean ? uri : undefined;
  const to = toUri(change.to);
  edit.renameFile(uri, to, { overwrite: false }, metadata);
  return wasClean ? to : undefined;
}

/** A byte order mark is in our text and not in the document's. */
function textEdit(document: vscode.TextDocument, base: string, edit: LineEdit): vscode.TextEdit {
  const mark = base.startsWith("\uFEFF") && !document.getText().startsWith("\uFEFF") ? 1 : 0;
  const range = new vscode.Range(
    document.positionAt(Math.max(0, edit.start - mark)),
    document.positionAt(Math.max(0, edit.end - mark)),
  );
  return vscode.TextEdit.replace(range, edit.text);
}
