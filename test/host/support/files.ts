// Files of the test workspace, and patches planned and carried out on them as the product does it.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Message } from "../../../src/conversation/messages.ts";
import { toFileName } from "../../../src/editor/workspace/file-uris.ts";
import { createWorkspace } from "../../../src/editor/workspace/workspace.ts";
import type { ApplyOutcome, Workspace } from "../../../src/files/workspace.ts";
import type { FileChange } from "../../../src/patch/model.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { showEditor } from "./heard.ts";

const root = (): vscode.Uri => {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert(folder !== undefined, "no folder is open");
  return folder.uri;
};

export const uriOf = (path: string): vscode.Uri => vscode.Uri.joinPath(root(), path);

export async function put(path: string, content: string | Uint8Array): Promise<vscode.Uri> {
  await vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(content));
  return uriOf(path);
}

/** The bytes on disk, in a form that shows every one of them. */
export async function onDisk(path: string): Promise<string | undefined> {
  const bytes = await vscode.workspace.fs.readFile(uriOf(path)).then(
    (found) => found,
    () => undefined,
  );
  return bytes && Buffer.from(bytes).toString("latin1");
}

export const open = (path: string): Thenable<vscode.TextDocument> =>
  vscode.workspace.openTextDocument(uriOf(path));

export async function show(path: string): Promise<vscode.TextEditor> {
  return showEditor(await open(path));
}

export async function textOf(path: string): Promise<string> {
  return (await open(path)).getText();
}

export async function type(path: string, line: number, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uriOf(path), new vscode.Position(line, 0), text);
  await make(edit);
}

/** VS Code refuses an edit of a document that has moved on meanwhile; who types does it once more. */
export async function make(edit: vscode.WorkspaceEdit): Promise<void> {
  while (!(await vscode.workspace.applyEdit(edit)));
}

/** VS Code refuses an edit that crosses something else on its way: then it is made again. */
export async function write(
  editor: vscode.TextEditor,
  edit: (builder: vscode.TextEditorEdit) => void,
): Promise<void> {
  while (!(await editor.edit(edit)));
}

/** What happens to a folder between two looks at it is compared as one: every path with its bytes. */
export async function tree(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = async (path: string): Promise<void> => {
    for (const [name, kind] of await vscode.workspace.fs.readDirectory(uriOf(path))) {
      const below = `${path}/${name}`;
      if (kind === vscode.FileType.Directory) {
        found[below] = "folder";
        await walk(below);
      } else found[below] = (await onDisk(below)) ?? "";
    }
  };
  await walk(folder);
  return found;
}

const agreeing = { agree: async () => true, savesAfterApply: () => false };

/** The product's own workspace; only the native dialog, which VS Code refuses to show in tests, is answered. */
export function testWorkspace(instead: Partial<Parameters<typeof createWorkspace>[1]> = {}): Workspace {
  return createWorkspace(vscode.Uri.file("/nowhere/of/ours"), { ...agreeing, ...instead });
}

export async function plan(patch: string, workspace: Workspace): Promise<readonly FileChange[]> {
  return (await planPatch(patch, workspace)).changes;
}

export async function applyPatch(patch: string, workspace = testWorkspace()): Promise<ApplyOutcome> {
  return workspace.apply(await plan(patch, workspace), "Patchbay: test");
}

/** An edit that is refused for this one file. */
export function refusedFor(path: string, why: Message): ApplyOutcome {
  const file = toFileName(uriOf(path));
  assert(file !== undefined);
  return { outcome: "refused", why, files: [{ file, why }] };
}

export const patchOf = (...lines: readonly string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

export async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}

/** Nothing unsaved is left to the tests that follow: VS Code would show it, in the middle of another one. */
export async function leaveNothing(): Promise<void> {
  for (const { uri, isDirty } of vscode.workspace.textDocuments)
    if (isDirty && uri.scheme === "file") await discard(vscode.workspace.asRelativePath(uri));
  await closeAll();
}

/** Runs once, when VS Code has begun with an edit and before it touches files. */
export function beforeFiles(sabotage: () => Thenable<unknown>): vscode.Disposable {
  let done = false;
  const run = (event: { waitUntil(work: Thenable<unknown>): void }) => {
    if (done) return;
    done = true;
    event.waitUntil(sabotage());
  };
  return vscode.Disposable.from(
    vscode.workspace.onWillDeleteFiles(run),
    vscode.workspace.onWillRenameFiles(run),
    vscode.workspace.onWillCreateFiles(run),
  );
}

/** Undo and Redo act on the editor that has the focus. */
export async function undoIn(path: string, command: "undo" | "redo" = "undo"): Promise<void> {
  await show(path);
  await vscode.commands.executeCommand(command);
}

export async function discard(path: string): Promise<void> {
  await show(path);
  await vscode.commands.executeCommand("workbench.action.files.revert");
}
