// Commands about whole conversations: open, find, rename, archive, delete, export, import. Each works from the list
// and, by asking which one, from the command palette.
import * as vscode from "vscode";
import { MessageError } from "../../conversation/english.ts";
import { message } from "../../conversation/messages.ts";
import type { Conversation } from "../../conversation/state.ts";
import type { ConversationSummary } from "../../store/conversation-summary.ts";
import { largestBundle, tooLarge } from "../../store/journal-records.ts";
import type { Library } from "../../store/library.ts";
import { ago } from "../../util/numbers-and-times.ts";
import { withoutIcons } from "../../util/text.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import { type ConversationsView, titleOf } from "./conversations-view.ts";
import { createExportCommands } from "./internal/export-to-file.ts";
import { searchConversations } from "./internal/search-conversations.ts";

interface ConversationCommandDeps {
  readonly view: Pick<ConversationsView, "chosen">;
  readonly library: Library;
  /** Id of the conversation in use. */
  current(): string | undefined;
  /** Opens it in the chat and shows the chat, at a turn if one is given. */
  open(id: string, turn?: string): Promise<void>;
  /** Replaces it by an empty conversation wherever it is open. */
  leave(id: string): Promise<void>;
  /** Number of its pending changes. */
  waiting(id: string): Promise<number>;
  /** Stops its running turn. */
  stop(id: string): void;
  /** Reads a conversation as it is shown. */
  read(id: string): Promise<Conversation>;
}

export function createConversationCommands(deps: ConversationCommandDeps) {
  const t = vscode.l10n.t;

  const current = async () => {
    const id = deps.current();
    return id === undefined ? undefined : deps.library.find(id);
  };

  /**
   * The conversation a command was called on, or the open one if called from the chat itself; otherwise the one that is
   * picked.
   */
  async function which(argument: unknown, title: string): Promise<ConversationSummary | undefined> {
    const chosen = argument === "current" ? await current() : deps.view.chosen(argument);
    if (chosen !== undefined) return chosen;
    const summaries = await deps.library.list();
    if (summaries.length === 0) {
      void showInformation(t("There are no conversations yet."));
      return undefined;
    }
    const items = summaries.map((summary) => ({
      label: withoutIcons(titleOf(summary)),
      description: summary.id === deps.current() ? t("open") : ago(summary.updatedAt, vscode.env.language),
      summary,
    }));
    const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
    return picked?.summary;
  }

  /** Our links pass ids of a conversation and a turn. Both are looked up, since anyone may write such a link. */
  async function open(argument: unknown, turn?: unknown): Promise<void> {
    const isNamed = typeof argument === "string" && argument !== "current";
    const summary = isNamed
      ? await deps.library.find(argument)
      : await which(argument, t("Open Conversation"));
    if (summary === undefined && isNamed) throw new MessageError(message("keptGone"));
    if (summary === undefined) return;
    if (typeof turn === "string") await deps.open(summary.id, turn);
    else await deps.open(summary.id);
  }

  async function rename(argument: unknown): Promise<void> {
    const chosen = deps.view.chosen(argument) ?? (await current());
    const summary = chosen ?? (await which(argument, t("Rename Conversation")));
    if (summary === undefined) return;
    const title = await vscode.window.showInputBox({
      title: t("Rename Conversation"),
      value: titleOf(summary),
      validateInput: (text) => (text.trim() === "" ? t("Enter a name.") : undefined),
    });
    if (title !== undefined) await deps.library.rename(summary.id, title.trim());
  }

  async function archive(argument: unknown, archived: boolean): Promise<void> {
    const title = archived ? t("Archive Conversation") : t("Unarchive Conversation");
    const summary = await which(argument, title);
    if (summary === undefined) return;
    if (archived) await deps.leave(summary.id);
    await deps.library.archive(summary.id, archived);
  }

  async function remove(argument: unknown): Promise<void> {
    const summary = await which(argument, t("Delete Conversation"));
    if (summary === undefined) return;
    const yes = t("Delete");
    const waiting = await deps.waiting(summary.id);
    const detail = [
      t("It will be permanently deleted from this computer."),
      ...(waiting === 0 ? [] : [lossOf(waiting)]),
    ].join(" ");
    const question = t("Delete “{0}”?", titleOf(summary));
    const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, yes);
    if (chosen !== yes) return;
    await deps.leave(summary.id);
    await deps.library.remove(summary.id);
  }

  async function importBundle(): Promise<void> {
    const filters = { [t("Patchbay bundle")]: ["jsonl"] };
    const [chosen] = (await vscode.window.showOpenDialog({ filters, title: t("Import Conversation") })) ?? [];
    if (chosen === undefined) return;
    const { size } = await vscode.workspace.fs.stat(chosen);
    const bytes = size > largestBundle ? undefined : await vscode.workspace.fs.readFile(chosen);
    if (bytes === undefined) throw tooLarge();
    await deps.open(await deps.library.importBundle(inPieces(bytes)));
  }

  async function search(): Promise<void> {
    const hit = await searchConversations(deps.library);
    if (hit !== undefined) await deps.open(hit.conversation, hit.turn);
  }

  return {
    [commands.openConversation]: open,
    [commands.stopConversation](argument: unknown) {
      const summary = deps.view.chosen(argument);
      if (summary !== undefined) deps.stop(summary.id);
    },
    [commands.renameConversation]: rename,
    [commands.archiveConversation]: (argument: unknown) => archive(argument, true),
    [commands.unarchiveConversation]: (argument: unknown) => archive(argument, false),
    [commands.deleteConversation]: remove,
    ...createExportCommands({ ...deps, which }),
    [commands.importBundle]: importBundle,
    [commands.searchConversations]: search,
  };
}

const lossOf = (waiting: number): string =>
  waiting === 1
    ? vscode.l10n.t("1 unreviewed change will be discarded.")
    : vscode.l10n.t("{0} unreviewed changes will be discarded.", waiting);

const piece = 1024 * 1024;

/** In pieces, so that a defect in a file is found before all of it was parsed. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += piece) yield bytes.subarray(from, from + piece);
}
