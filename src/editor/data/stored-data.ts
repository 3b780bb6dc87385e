// Commands that show and delete the data kept on this machine. Deleting first closes everything, so that nothing is
// written again, and then reloads the window.
import * as vscode from "vscode";
import { folderSize, nodeFileSystem } from "../../store/file-system.ts";
import { runAll } from "../../util/disposables.ts";
import { markdownTable } from "../../util/markdown-table.ts";
import type { AnonymousId } from "../connection/credentials.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { ReadOnlyDocuments } from "../ui/documents.ts";

interface DataDeps extends DeleteDataDeps {
  readonly documents: ReadOnlyDocuments;
}

interface DeleteDataDeps {
  /** The extension's own storage folder. */
  readonly storage: vscode.Uri;
  /** Ends and closes everything; nothing is written afterwards. */
  close(): Promise<void>;
  forgetKeys(): Promise<void>;
  readonly anonymousId: Pick<AnonymousId, "forget">;
}

/** Labels for the files in the storage folder. */
const kinds = (): Readonly<Record<string, string>> => ({
  conversations: vscode.l10n.t("Conversations, their drafts and attachments"),
  usage: vscode.l10n.t("Usage of every request, without content"),
  receipts: vscode.l10n.t("Receipts of signed responses"),
  "files.json": vscode.l10n.t("IDs of uploaded files"),
  comparisons: vscode.l10n.t("Comparisons of models"),
  capabilities: vscode.l10n.t("Detected capabilities of each service"),
});

export function createDataCommands(deps: DataDeps) {
  const { storage, documents } = deps;
  const t = vscode.l10n.t;

  async function show(): Promise<void> {
    const folder = storage.fsPath;
    const words = kinds();
    const names = [...(await nodeFileSystem.list(folder))].sort();
    const rows = await Promise.all(
      names.map(async (name) => {
        const found = await nodeFileSystem.stat(`${folder}/${name}`);
        const bytes = found?.folder ? await folderSize(nodeFileSystem, `${folder}/${name}`) : found?.size;
        return [name, words[name] ?? "", t("{0} KB", Math.ceil((bytes ?? 0) / 1024))];
      }),
    );
    const text = [
      `# ${t("Stored data")}`,
      `\`${folder}\``,
      markdownTable([t("Name"), t("Content"), t("Size")], rows, "words"),
      t(
        "The API key is in VS Code's secret storage, settings are in VS Code's settings, and the anonymous ID is in VS Code's state.",
      ),
      t("To delete it, choose “Delete All Local Data…” in the menu of the Conversations view."),
      "",
    ].join("\n\n");
    await documents.show(t("Stored data"), "md", text);
    const open = t("Open Folder");
    if ((await showInformation(t("Everything is in one folder."), open)) === open)
      await vscode.commands.executeCommand("revealFileInOS", storage);
  }

  return { [commands.showData]: show, [commands.deleteData]: () => deleteAllData(deps) };
}

async function deleteAllData(deps: DeleteDataDeps): Promise<void> {
  const t = vscode.l10n.t;
  const yes = t("Delete Everything");
  const detail = [
    t(
      "This permanently deletes conversations, drafts, usage, receipts, the list of file IDs, API keys and the anonymous ID from this computer.",
    ),
    t("Settings and uploaded files are kept. Close other windows first; this one reloads."),
  ].join("\n\n");
  const question = t("Delete all local data of Patchbay?");
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
  await eraseAllData(deps);
  await vscode.commands.executeCommand("workbench.action.reloadWindow");
}

export async function eraseAllData({
  storage,
  close,
  forgetKeys,
  anonymousId,
}: DeleteDataDeps): Promise<void> {
  // Unsaved data is about to be deleted anyway.
  await close().catch(() => undefined);
  // A file that another program holds must not keep the keys.
  await runAll([() => nodeFileSystem.remove(storage.fsPath), forgetKeys, () => anonymousId.forget()]);
}
