// The list of uploaded files and its commands: add ids to the list, delete, remove from the list, copy.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import { localize } from "../../editor/localize.ts";
import { commands } from "../../editor/manifest.ts";
import { showInformation } from "../../editor/notify.ts";
import type { ReadOnlyDocuments } from "../../editor/ui/documents.ts";
import { showProblem, withProgress } from "../../editor/ui/show-problem.ts";
import type { FileEntry } from "../file-ledger.ts";
import type { AddedFiles, FileUse, UploadedFiles } from "../uploaded-files.ts";
import { canBeRetried, type FilesDialog, nativeFilesDialog, reportOf } from "./internal/deletion-dialogs.ts";
import { createFilesView, type FilesView, stateWords } from "./internal/files-view.ts";

const maxBytes = 4 * 1024 * 1024;

/**
 * Reads text with file ids from the clipboard, a text file or the user's input. The room `uploaded-files` decides what
 * is an id.
 */
async function textWithIds(): Promise<string | undefined> {
  const t = vscode.l10n.t;
  const sources = [
    { label: `$(edit) ${t("Type or paste IDs…")}`, read: typed },
    { label: `$(clippy) ${t("All IDs in the clipboard")}`, read: clipboard },
    { label: `$(file) ${t("All IDs in a text file…")}`, read: fromFile },
  ];
  const title = t("Add File IDs");
  const placeHolder = t("The service doesn't list files, so add the IDs you know.");
  return (await vscode.window.showQuickPick(sources, { title, placeHolder }))?.read();
}

async function typed(): Promise<string | undefined> {
  const t = vscode.l10n.t;
  const text = await vscode.window.showInputBox({
    title: t("Add File IDs"),
    prompt: t("One or more IDs, separated by spaces or commas."),
    ignoreFocusOut: true,
    validateInput: (entered) => (entered.trim() === "" ? t("Enter at least one ID.") : undefined),
  });
  // The clipboard is read only if the input looks like several ids run together.
  if (text === undefined || !/file[-_]\S*file[-_]/i.test(text)) return text;
  return withItsLines(text, await vscode.env.clipboard.readText());
}

/** An input box drops the line breaks of pasted text, so that two ids would become one. */
export function withItsLines(entered: string, clipboard: string): string {
  const pasted = clipboard.trim();
  return /\r|\n/.test(pasted) && pasted.replace(/[\r\n]+/g, "") === entered.trim() ? pasted : entered;
}

async function clipboard(): Promise<string> {
  return vscode.env.clipboard.readText();
}

async function fromFile(): Promise<string | undefined> {
  const title = vscode.l10n.t("Add File IDs");
  const [chosen] = (await vscode.window.showOpenDialog({ title })) ?? [];
  if (chosen === undefined) return undefined;
  const bytes = await vscode.workspace.fs.readFile(chosen);
  return new TextDecoder().decode(bytes.subarray(0, maxBytes));
}

interface FilesCommandDeps {
  readonly view: Pick<FilesView, "chosen" | "conversationOf">;
  readonly files: UploadedFiles;
  readonly documents: ReadOnlyDocuments;
  openConversation(id: string): Promise<void>;
  /** Defaults to native dialogs. */
  readonly dialog?: FilesDialog;
  readText?(): Promise<string | undefined>;
}

/** Creates the commands. Each works from the list and, by asking which, from the command palette. */
export function createFilesCommands(deps: FilesCommandDeps) {
  const t = vscode.l10n.t;
  const { files, view, dialog = nativeFilesDialog, readText = textWithIds } = deps;

  async function add(): Promise<void> {
    const text = await readText();
    if (text === undefined) return;
    const added = await files.add(text);
    void showInformation(addedSentence(added));
  }

  /** Those a command was called on, otherwise those that are picked. */
  async function which(
    [argument, all]: readonly [unknown, unknown],
    { title, many, isOffered = () => true }: Picking,
  ): Promise<readonly string[]> {
    const chosen = view.chosen(argument, all);
    if (chosen.length > 0) return chosen.map(({ id }) => id);
    const entries = await files.list();
    if (entries.length === 0) throw new HumanError(t("The list has no file IDs. Add one first."));
    const offered = entries.filter(isOffered);
    if (offered.length === 0) throw new HumanError(t("All files on the list have been deleted."));
    return pickFiles(offered, title, many);
  }

  async function remove(argument: unknown, all: unknown, many: boolean): Promise<void> {
    const title = many ? t("Delete Uploaded Files") : t("Delete Uploaded File");
    const ids = await which([argument, all], { title, many, isOffered: isThere });
    if (ids.length === 0) return;
    const { uses, areAll } = await usesOf(files, ids);
    if (await dialog.agreeToDelete(ids, uses, areAll)) await deleteAll(ids);
  }

  async function deleteAll(ids: readonly string[]): Promise<void> {
    const outcomes = await withProgress(t("Deleting uploaded files…"), (signal, report) =>
      files.delete(ids, ({ done, total }) => report(t("{0} of {1}", done, total), done / total), signal),
    );
    const refusal = outcomes.find(({ problem }) => problem?.kind === "auth" || problem?.kind === "no-key");
    if (refusal?.problem !== undefined) {
      void showProblem(refusal.problem);
      // If something was deleted before the refusal, report the outcomes as well.
      if (!outcomes.some(({ outcome }) => outcome !== "failed" && outcome !== "not-tried")) return;
    }
    const wish = await dialog.tellOutcome(outcomes);
    if (wish === "retry") await deleteAll(canBeRetried(outcomes));
    if (wish === "report") await deps.documents.show(t("Deleted files"), "txt", reportOf(outcomes));
  }

  async function forget(argument: unknown, all: unknown): Promise<void> {
    const ids = await which([argument, all], { title: t("Remove From List"), many: true });
    if (ids.length > 0) await files.forget(ids);
  }

  async function copyId(argument: unknown, all: unknown): Promise<void> {
    const ids = await which([argument, all], { title: t("Copy File ID"), many: true });
    if (ids.length > 0) await vscode.env.clipboard.writeText(ids.join("\n"));
  }

  return {
    [commands.addFiles]: add,
    [commands.deleteFile]: (argument: unknown, all: unknown) => remove(argument, all, false),
    [commands.deleteFiles]: (argument: unknown, all: unknown) => remove(argument, all, true),
    [commands.forgetFile]: forget,
    [commands.copyFileId]: copyId,
    [commands.openFileUse]: async (argument: unknown) => {
      const conversation = view.conversationOf(argument);
      if (conversation !== undefined) await deps.openConversation(conversation);
    },
  };
}

interface Picking {
  readonly title: string;
  readonly many: boolean;
  isOffered?(entry: FileEntry): boolean;
}

/** As far as is known. */
const isThere = ({ state }: FileEntry): boolean => state !== "deleted" && state !== "absent";

async function pickFiles(
  entries: readonly FileEntry[],
  title: string,
  many: boolean,
): Promise<readonly string[]> {
  const items = entries.map((entry) => ({
    label: entry.id,
    description: stateWords(entry),
    id: entry.id,
  }));
  const options = { title, matchOnDescription: true };
  const picked = many
    ? await vscode.window.showQuickPick(items, { ...options, canPickMany: true })
    : [await vscode.window.showQuickPick(items, options)];
  return (picked ?? []).flatMap((item) => (item === undefined ? [] : [item.id]));
}

/** Limit, so that a question about many files need not wait for as many searches. */
const maxSearched = 20;

async function usesOf(
  files: UploadedFiles,
  ids: readonly string[],
): Promise<{ readonly uses: readonly FileUse[]; readonly areAll: boolean }> {
  const signal = AbortSignal.timeout(5_000);
  const found = await Promise.all(ids.slice(0, maxSearched).map((id) => files.usesOf(id, signal)));
  const uses = [...new Map(found.flat().map((use) => [use.conversation, use])).values()];
  return { uses, areAll: ids.length <= maxSearched && !signal.aborted };
}

function addedSentence({ added, ids, refused, tooMany }: AddedFiles): string {
  const t = vscode.l10n.t;
  const [first] = refused;
  const known = ids.length - added;
  return [
    ids.length === 0 && first === undefined ? t("No file ID found.") : addedCount(added),
    ...(known === 0
      ? []
      : [known === 1 ? t("1 was on the list already.") : t("{0} were on the list already.", known)]),
    ...(first === undefined ? [] : [refusedCount(refused.length, localize(first.message))]),
    ...(tooMany ? [t("The text has too many IDs.")] : []),
  ].join(" ");
}

const addedCount = (count: number): string =>
  count === 1 ? vscode.l10n.t("1 file ID added.") : vscode.l10n.t("{0} file IDs added.", count);

const refusedCount = (count: number, why: string): string =>
  count === 1
    ? vscode.l10n.t("1 isn't a valid ID: {0}", why)
    : vscode.l10n.t("{0} aren't valid IDs: {1}", count, why);

export function createFiles(deps: Pick<FilesCommandDeps, "files" | "documents" | "openConversation">) {
  const view = createFilesView(deps.files);
  const following = deps.files.onDidChange(view.refresh);
  return {
    commands: createFilesCommands({ ...deps, view }),
    dispose: () => vscode.Disposable.from(following, view).dispose(),
  };
}
