// Pending changes in VS Code's Refactor Preview, a list with a checkbox for each, which is accessible to keyboards and
// screen readers. VS Code edits copies; what was selected is read from the copies and accepted through the review
// model, so that all safeguards of edits apply.

import * as vscode from "vscode";
import type { LineEdit } from "../../../patch/model.ts";
import type { ReviewModel } from "./review-model.ts";
import { allHunksOf, type ReviewSet, type WaitingFile } from "./review-targets.ts";

interface State {
  readonly at: number;
  readonly taken: boolean;
  readonly before: State | undefined;
}

/**
 * Determines which of several replacements were made in a copy of a text, as far as the result shows it: one result per
 * replacement; `undefined` if something else was changed. Pure.
 */
export function appliedEdits(
  base: string,
  edits: readonly LineEdit[],
  result: string,
): boolean[] | undefined {
  let states: State[] = [{ at: 0, taken: false, before: undefined }];
  let from = 0;
  for (const { start, end, text } of edits) {
    const gap = base.slice(from, start);
    const next = new Map<number, State>();
    for (const state of states) {
      if (!result.startsWith(gap, state.at)) continue;
      const at = state.at + gap.length;
      for (const [taken, words] of [[true, text] as const, [false, base.slice(start, end)] as const])
        if (result.startsWith(words, at) && !next.has(at + words.length))
          next.set(at + words.length, { at: at + words.length, taken, before: state });
    }
    states = [...next.values()];
    from = end;
  }
  const rest = base.slice(from);
  const found = states.find(({ at }) => result.slice(at) === rest);
  return found && choices(found, edits.length);
}

function choices(last: State, count: number): boolean[] {
  const taken: boolean[] = [];
  let state: State | undefined = last;
  for (; taken.length < count && state !== undefined; state = state.before) taken.push(state.taken);
  return taken.reverse();
}

const previewScheme = "patchbay-preview";
/** VS Code keeps a copy for minutes after its preview, so that the next preview needs copies of other names. */
let previews = 0;

/**
 * File system for `patchbay-preview:`, in memory: copies that VS Code's Refactor Preview edits, so that the user's
 * selection can be read from them. None of the user's files are touched.
 */
export class ScratchFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Uint8Array>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  #registered: vscode.Disposable | undefined;

  readonly onDidChangeFile = this.#changed.event;

  has(uri: vscode.Uri): boolean {
    return this.#files.has(uri.toString());
  }

  put(uri: vscode.Uri, text: string): void {
    // With a byte order mark VS Code decodes it as UTF-8, whatever encoding is set for other files.
    this.#files.set(uri.toString(), Buffer.from(`\uFEFF${text}`));
  }

  /** Registered on demand: only previews need this file system. */
  register(): void {
    const options = { isCaseSensitive: true };
    this.#registered ??= vscode.workspace.registerFileSystemProvider(previewScheme, this, options);
  }

  clear(): void {
    this.#files.clear();
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.#files.get(uri.toString());
    if (file !== undefined) return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: file.byteLength };
    const below = `${uri.path.replace(/\/$/, "")}/`;
    const isFolder = [...this.#files.keys()].some((name) => vscode.Uri.parse(name).path.startsWith(below));
    if (!isFolder) throw vscode.FileSystemError.FileNotFound(uri);
    return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const file = this.#files.get(uri.toString());
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#files.set(uri.toString(), content);
  }

  delete(uri: vscode.Uri): void {
    this.#files.delete(uri.toString());
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    const file = this.readFile(from);
    this.#files.delete(from.toString());
    this.#files.set(to.toString(), file);
  }

  createDirectory(): void {
    // Folders exist implicitly.
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  dispose(): void {
    this.#registered?.dispose();
    this.#changed.dispose();
  }
}

/** A change applied to a copy. */
interface Trial {
  readonly file: WaitingFile;
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
}

/** False if nothing was accepted: the preview was closed, or nothing was selected. */
export async function previewFiles(
  files: readonly WaitingFile[],
  reviewModel: ReviewModel,
  scratch: ScratchFiles,
): Promise<boolean> {
  scratch.register();
  previews += 1;
  const edit = new vscode.WorkspaceEdit();
  const trials: Trial[] = [];
  try {
    for (const file of files)
      if (file.pending.problem === undefined) trials.push(await writePreview(file, edit, scratch));
    if (trials.length === 0 || !(await vscode.workspace.applyEdit(edit))) return false;
    const taken = new Map<ReviewSet, string[]>();
    for (const trial of trials) {
      const { set } = trial.file;
      taken.set(set, [...(taken.get(set) ?? []), ...(await takenOf(trial, scratch))]);
    }
    let isAny = false;
    for (const [set, hunks] of taken)
      if (hunks.length > 0) isAny = (await reviewModel.accept({ set, hunks })) || isAny;
    return isAny;
  } finally {
    await forget(scratch);
  }
}

async function writePreview(
  file: WaitingFile,
  edit: vscode.WorkspaceEdit,
  scratch: ScratchFiles,
): Promise<Trial> {
  const { address, path, to: name, change } = file;
  const uri = (of: string) =>
    vscode.Uri.from({ scheme: previewScheme, path: `/${of}`, query: `${address}&${previews}` });
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

/** The hunks that were applied to the copy. */
async function takenOf({ file, from, to }: Trial, scratch: ScratchFiles): Promise<readonly string[]> {
  const { change, pending } = file;
  const all = allHunksOf(file).hunks;
  if (change.kind === "add") return scratch.has(from) ? all : [];
  if (change.kind === "delete") return scratch.has(from) ? [] : all;
  // If the move was deselected, its edits are not accepted either: they were not shown for the old path.
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
