// Saves a conversation as a file, as Markdown for people or as a bundle that can be replayed: with the model's reasoning
// or without it, under a name derived from its title.
import * as vscode from "vscode";
import type { Conversation } from "../../../conversation/state.ts";
import type { ConversationSummary } from "../../../store/conversation-summary.ts";
import type { Library } from "../../../store/library.ts";
import { commands } from "../../manifest.ts";
import { saveAs } from "../../ui/documents.ts";
import { type ConversationsView, titleOf } from "../conversations-view.ts";
import { toMarkdown } from "../export-markdown.ts";

interface ExportDeps {
  readonly view: Pick<ConversationsView, "chosen">;
  readonly library: Pick<Library, "exportBundle">;
  /** Reads a conversation as it is shown. */
  read(id: string): Promise<Conversation>;
  /** The conversation that is meant, or that is picked. */
  which(argument: unknown, title: string): Promise<ConversationSummary | undefined>;
}

export function createExportCommands({ view, library, read, which }: ExportDeps) {
  const t = vscode.l10n.t;

  async function exportMarkdown(argument: unknown): Promise<void> {
    // The menu of the chat passes no row of the list: it refers to the current conversation.
    const about = view.chosen(argument) === undefined ? "current" : argument;
    const summary = await which(about, t("Export Conversation as Markdown"));
    if (summary === undefined) return;
    const reasoning = await pickReasoning();
    if (reasoning === undefined) return;
    const conversation = await read(summary.id);
    const text = toMarkdown(conversation, { title: titleOf(summary), reasoning });
    await saveAs(`${fileName(summary)}.md`, Buffer.from(text));
  }

  async function exportBundle(argument: unknown): Promise<void> {
    const summary = await which(argument, t("Export Replayable Bundle"));
    if (summary === undefined) return;
    const reasoning = await pickReasoning();
    if (reasoning === undefined) return;
    const pieces: Uint8Array[] = [];
    for await (const piece of library.exportBundle(summary.id, { reasoning })) pieces.push(piece);
    await saveAs(`${fileName(summary)}.patchbay.jsonl`, Buffer.concat(pieces));
  }

  return {
    [commands.exportConversation]: exportMarkdown,
    [commands.exportBundle]: exportBundle,
  };
}

async function pickReasoning(): Promise<boolean | undefined> {
  const items = [
    { label: vscode.l10n.t("Without the model's reasoning"), reasoning: false },
    { label: vscode.l10n.t("With the model's reasoning"), reasoning: true },
  ];
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t("Export") }))?.reasoning;
}

/** A name that is valid on every file system. */
const fileName = (summary: ConversationSummary): string =>
  titleOf(summary)
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|(?<!-)-+$/g, "")
    .slice(0, 60) || "conversation";
