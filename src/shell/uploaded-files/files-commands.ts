// What a person does with the ids of uploaded files: put them on the list, delete them for good, take them off it,
// copy them. Each works from the list and, by asking which, from the command palette.
import * as vscode from "vscode";
import type { FileEntry } from "../../core/ledger/file-ledger.ts";
import type { Added, UploadedFiles, Use } from "../../core/ledger/uploaded-files.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import { showProblem } from "../show-problem.ts";
import { withProgress } from "../with-progress.ts";
import { canBeRetried, type FilesDialog, nativeFilesDialog, reportOf } from "./ask-about-files.ts";
import { type FilesView, stateWords } from "./files-view.ts";
import { textWithIds } from "./text-with-ids.ts";

export interface FilesCommandDeps {
  readonly view: Pick<FilesView, "chosen" | "conversationOf">;
  readonly files: UploadedFiles;
  readonly documents: ReadOnlyDocuments;
  openConversation(id: string): Promise<void>;
  /** The editor's own dialogs unless given. */
  readonly dialog?: FilesDialog;
  readText?(): Promise<string | undefined>;
}

export function createFilesCommands(deps: FilesCommandDeps) {
  const t = vscode.l10n.t;
  const { files, view, dialog = nativeFilesDialog, readText = textWithIds } = deps;

  async function add(): Promise<void> {
    const text = await readText();
    if (text === undefined) return;
    const added = await files.add(text);
    void showInformation(addedSentence(added));
  }

  /** The ones a command was called on, else those that are picked. */
  async function which(
    [argument, all]: readonly [unknown, unknown],
    { title, many }: { readonly title: string; readonly many: boolean },
  ): Promise<readonly string[]> {
    const chosen = view.chosen(argument, all);
    if (chosen.length > 0) return chosen.map(({ id }) => id);
    const entries = await files.list();
    if (entries.length === 0) throw new HumanError(t("The list has no file IDs. Add one first."));
    return pickFiles(entries, title, many);
  }

  async function remove(argument: unknown, all: unknown, many: boolean): Promise<void> {
    const title = many ? t("Delete Uploaded Files") : t("Delete Uploaded File");
    const ids = await which([argument, all], { title, many });
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
      // What was done until then is done.
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

/** A question about a thousand files is not held up by a thousand searches. */
const maxSearched = 20;

async function usesOf(
  files: UploadedFiles,
  ids: readonly string[],
): Promise<{ readonly uses: readonly Use[]; readonly areAll: boolean }> {
  const signal = AbortSignal.timeout(5_000);
  const found = await Promise.all(ids.slice(0, maxSearched).map((id) => files.usesOf(id, signal)));
  const uses = [...new Map(found.flat().map((use) => [use.conversation, use])).values()];
  return { uses, areAll: ids.length <= maxSearched && !signal.aborted };
}

function addedSentence({ added, ids, refused, tooMany }: Added): string {
  const t = vscode.l10n.t;
  const [first] = refused;
  return [
    ids.length === 0 && first === undefined ? t("No file ID found.") : t("{0} file IDs added.", added),
    ...(ids.length > added ? [t("{0} were on the list already.", ids.length - added)] : []),
    ...(first === undefined
      ? []
      : [t("{0} aren't valid IDs: {1}", refused.length, inReaderLanguage(first.message))]),
    ...(tooMany ? [t("The text has too many IDs.")] : []),
  ].join(" ");
}
