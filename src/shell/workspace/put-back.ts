// The way back when the editor stopped in the middle of an edit: every path is compared with what stood there before,
// and only what we made ourselves is taken away. What somebody else wrote meanwhile is left alone, and named.
import * as vscode from "vscode";
import type { Workspace } from "../../core/changes/workspace.ts";
import type { FileChange, FileName, MoveChange, Standing, UpdateChange } from "../../core/patch/model.ts";
import { foldName } from "../../core/patch/paths.ts";
import { rebase } from "../../core/patch/rebase.ts";
import { reverseChanges } from "../../core/patch/reverse.ts";
import { bytesAt, isSame, nameOf, type PreEditState } from "./pre-edit-state.ts";
import { textEdits } from "./workspace-edit.ts";

export interface Guard extends Pick<Workspace, "look"> {
  /** Nobody is turning a folder on the way: a file that we take for ours is the one that we then take away. */
  isSteady(change: FileChange): Promise<boolean>;
}

/** Answers the names of what could not be put back. */
export async function putBack(
  states: readonly PreEditState[],
  newFolders: readonly vscode.Uri[],
  guard: Guard,
): Promise<string[]> {
  const steadiness = await Promise.all(states.map(({ change }) => guard.isSteady(change)));
  const stable = states.filter((_, at) => steadiness[at]);
  for (const state of stable.toReversed()) {
    await takeAway(state, states);
    await moveBack(state);
  }
  for (const { change, uri, bytes } of stable)
    if (bytes !== undefined && (await bytesAt(uri)) === undefined && !(await leadsAway(change.file, guard)))
      await tried(vscode.workspace.fs.writeFile(uri, bytes));
  await typeBack(states);
  // Fails where somebody else has put something into it.
  for (const folder of stable.length === states.length ? newFolders.toReversed() : [])
    await tried(vscode.workspace.fs.delete(folder, { useTrash: false }));
  const left: string[] = [];
  for (const state of states) if (!(await isBack(state).catch(() => false))) left.push(nameOf(state.uri));
  return left;
}

/** Somebody has turned the path elsewhere: nothing of ours may be written there, not even to repair. */
export async function leadsAway(file: FileName, world: Pick<Workspace, "look">): Promise<boolean> {
  const standing = await lookAgain(file, world);
  return standing === undefined || standing.kind === "other" || standing.kind === "blocked";
}

/** Nothing where it goes while it is looked at. */
export function lookAgain(file: FileName, { look }: Pick<Workspace, "look">): Promise<Standing | undefined> {
  return look(file).catch(() => undefined);
}

/** A new file of ours, and nothing else that came to stand there. */
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
  // Where names fold case, an edit takes both names for the one that the editor has seen first, and renames nothing.
  if (isSameFolded(uri, to)) return tried(vscode.workspace.fs.rename(to, uri, { overwrite: false }));
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(to, uri, { overwrite: false });
  await tried(vscode.workspace.applyEdit(edit));
}

/** One edit for all texts that hold what we made of them, wherever else somebody has typed since. */
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

/** The way back from a change that is in the text; nothing where it is not, or cannot be told from what was typed. */
function ours(change: FileChange, now: string): UpdateChange | MoveChange | undefined {
  if (!("edits" in change) || rebase(change, now) !== undefined) return undefined;
  const [back] = reverseChanges([change], () => "");
  return back !== undefined && "edits" in back ? rebase(back, now) : undefined;
}

const isSameFolded = (one: vscode.Uri, other: vscode.Uri): boolean =>
  foldName(one.path) === foldName(other.path);

/** Where names fold case, a file answers to its old name and to its new one: what counts is how its folder writes it. */
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

async function isBack({ change, uri, to, bytes, document }: PreEditState): Promise<boolean> {
  const now = await standsAs(uri, to);
  if (bytes === undefined || now === undefined) return bytes === now;
  if (document === undefined || !("edits" in change)) return isSame(now, bytes);
  const opened = await vscode.workspace.openTextDocument(uri);
  return rebase(change, opened.getText()) !== undefined && (opened.isDirty || isSame(now, bytes));
}

async function tried(step: Thenable<unknown>): Promise<void> {
  await step.then(
    () => undefined,
    // What did not work shows in the look that follows.
    () => undefined,
  );
}
