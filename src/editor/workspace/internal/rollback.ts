// Reverts an edit that failed halfway: every path is compared with its earlier state, and only what we created
// ourselves is removed. What others wrote meanwhile is left alone and named.
import * as vscode from "vscode";
import type { Workspace } from "../../../files/workspace.ts";
import { rebase } from "../../../patch/diff-and-merge.ts";
import { applyEdits, reverseChanges } from "../../../patch/edits.ts";
import type { FileChange, FileName, MoveChange, PathInfo, UpdateChange } from "../../../patch/model.ts";
import { foldName } from "../../../patch/paths.ts";
import { addNotebookEdits, isOurs, readOpened } from "./notebooks.ts";
import { bytesAt, isSame, nameOf, type PreEditState } from "./pre-edit-state.ts";
import { type RemovedCell, RemovedCells } from "./removed-cells.ts";
import { textEdits } from "./workspace-edit.ts";

interface PathGuard extends Pick<Workspace, "look"> {
  /** Nobody is redirecting a folder on the path: the file that is checked is the one that is then removed. */
  isUnchanged(change: FileChange): Promise<boolean>;
}

/** `removed`: the cells that the edit has removed. Returns the names of what could not be reverted. */
export async function revertWrites(
  states: readonly PreEditState[],
  newFolders: readonly vscode.Uri[],
  guard: PathGuard,
  removed: readonly RemovedCell[] = [],
): Promise<string[]> {
  const steadiness = await Promise.all(states.map(({ change }) => guard.isUnchanged(change)));
  const stable = states.filter((_, at) => steadiness[at]);
  for (const state of stable.toReversed()) {
    await takeAway(state, states);
    await moveBack(state);
  }
  for (const { change, uri, bytes } of stable)
    if (
      bytes !== undefined &&
      (await bytesAt(uri)) === undefined &&
      !(await isRedirected(change.file, guard))
    )
      await tried(vscode.workspace.fs.writeFile(uri, bytes));
  await typeBack(states);
  await bringCellsBack(states, removed);
  // Fails if others have put something into it.
  for (const folder of stable.length === states.length ? newFolders.toReversed() : [])
    await tried(vscode.workspace.fs.delete(folder, { useTrash: false }));
  const left: string[] = [];
  for (const state of states) if (!(await isBack(state).catch(() => false))) left.push(nameOf(state.uri));
  return left;
}

/** The path was redirected: nothing may be written there, not even to repair. */
export async function isRedirected(file: FileName, world: Pick<Workspace, "look">): Promise<boolean> {
  const standing = await lookAgain(file, world);
  return standing === undefined || standing.kind === "other" || standing.kind === "blocked";
}

/** `undefined` if it disappears during the lookup. */
export function lookAgain(file: FileName, { look }: Pick<Workspace, "look">): Promise<PathInfo | undefined> {
  return look(file).catch(() => undefined);
}

/** Removes a new file of ours, but nothing else that replaced it. */
async function takeAway({ uri, contents }: PreEditState, states: readonly PreEditState[]): Promise<void> {
  if (contents === undefined) return;
  const now = await bytesAt(uri);
  const before = states.find((other) => other.bytes !== undefined && other.uri.toString() === uri.toString());
  if (now === undefined || !isSame(now, contents)) return;
  if (before?.bytes !== undefined && isSame(before.bytes, contents)) return;
  await tried(vscode.workspace.fs.delete(uri, { useTrash: false }));
}

async function moveBack({ uri, to, bytes }: PreEditState): Promise<void> {
  if (to === undefined || bytes === undefined) return;
  const moved = await bytesAt(to);
  if (moved === undefined || !isSame(moved, bytes) || (await standsAs(uri, to)) !== undefined) return;
  // On file systems that ignore case, an edit treats both names as the one the editor has seen first, and renames
  // nothing.
  if (isSameFolded(uri, to)) return tried(vscode.workspace.fs.rename(to, uri, { overwrite: false }));
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(to, uri, { overwrite: false });
  await tried(vscode.workspace.applyEdit(edit));
}

/** One edit for all texts that contain our change, wherever else the user has typed since. */
async function typeBack(states: readonly PreEditState[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { change, uri, document } of states) {
    if (document === undefined) continue;
    const now = await vscode.workspace.openTextDocument(uri).then(
      (opened) => opened,
      () => undefined,
    );
    const back = now && ours(change, now.getText());
    for (const { range, newText } of now && back ? textEdits(now, back.edits) : [])
      edit.replace(uri, range, newText);
  }
  if (edit.size > 0) await tried(vscode.workspace.applyEdit(edit));
}

/** The same for cells. One edit for each notebook, as one that cannot be reverted must not keep the others from it. */
async function bringCellsBack(
  states: readonly PreEditState[],
  removed: readonly RemovedCell[],
): Promise<void> {
  const cells = new RemovedCells();
  cells.remember(removed);
  for (const { change, notebook } of states) {
    const now = notebook && isOurs(notebook) ? readOpened(notebook) : undefined;
    const back = now?.kind === "text" ? ours(change, now.text) : undefined;
    if (notebook === undefined || back === undefined) continue;
    const edit = new vscode.WorkspaceEdit();
    try {
      addNotebookEdits(edit, notebook, applyEdits(back.base.text, back.edits), { cells, isOnly: true });
    } catch {
      // The check that follows tells that it was not reverted.
      continue;
    }
    await tried(vscode.workspace.applyEdit(edit));
  }
}

/** The reverse of a change that is in the text; `undefined` if it is not, or cannot be distinguished from typing. */
function ours(change: FileChange, now: string): UpdateChange | MoveChange | undefined {
  if (!("edits" in change) || rebase(change, now) !== undefined) return undefined;
  const [back] = reverseChanges([change], () => "");
  return back !== undefined && "edits" in back ? rebase(back, now) : undefined;
}

const isSameFolded = (one: vscode.Uri, other: vscode.Uri): boolean =>
  foldName(one.path) === foldName(other.path);

/** On file systems that ignore case, a file is found by its old and its new name: check the spelling in its folder. */
async function standsAs(uri: vscode.Uri, to: vscode.Uri | undefined): Promise<Uint8Array | undefined> {
  if (to !== undefined && isSameFolded(uri, to)) {
    const names = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(uri, "..")).then(
      (entries) => entries.map(([name]) => name),
      (): string[] => [],
    );
    if (!names.includes(uri.path.slice(uri.path.lastIndexOf("/") + 1))) return undefined;
  }
  return bytesAt(uri);
}

async function isBack({ change, uri, to, bytes, document, notebook }: PreEditState): Promise<boolean> {
  const cells = notebook && readOpened(notebook);
  if (cells?.kind === "text" && "edits" in change) return rebase(change, cells.text) !== undefined;
  const now = await standsAs(uri, to);
  if (bytes === undefined || now === undefined) return bytes === now;
  if (document === undefined || !("edits" in change)) return isSame(now, bytes);
  const opened = await vscode.workspace.openTextDocument(uri);
  return rebase(change, opened.getText()) !== undefined && (opened.isDirty || isSame(now, bytes));
}

async function tried(step: Thenable<unknown>): Promise<void> {
  await step.then(
    () => undefined,
    // Failures are noticed by the check that follows.
    () => undefined,
  );
}
