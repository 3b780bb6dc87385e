// What a person attaches from the editor: picked after `@`, dropped into the page, or sent there by a command.
// Only wishes are made here; what may be read, and how much of it goes out, is decided in the core when it is sent.
import * as vscode from "vscode";
import type { AttachKind } from "../../bridge/view-state.ts";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { ConversationSummary } from "../../core/store/summary.ts";
import type { FileSuggestions } from "../../core/suggestions/file-suggestions.ts";
import { titleOf } from "../conversations/conversations-view.ts";
import { editorInUse } from "../editors.ts";
import { attachDropped, attachNamed } from "./attach-uri.ts";
import { pickDiff } from "./pick-diff.ts";
import { enterImageUrl, pickFiles, pickFolder, pickImages, pickSymbol } from "./pick-in-workspace.ts";
import { selectionOf } from "./selection-of.ts";
import type { ReadTerminal } from "./terminal-text.ts";

export const attachKinds = [
  "file",
  "folder",
  "symbol",
  "selection",
  "terminal",
  "diff",
  "conversation",
  "image",
  "image-url",
] as const satisfies readonly AttachKind[];

export interface Attach {
  pick(kind: AttachKind): Promise<readonly Attachment[]>;
  dropped(uris: readonly string[]): Promise<readonly Attachment[]>;
  openEditors(): Promise<readonly Attachment[]>;
}

export interface AttachDeps {
  list(): Promise<readonly ConversationSummary[]>;
  readonly readTerminal: ReadTerminal;
  /** Files of the workspace by what is typed of their names. */
  readonly suggest: FileSuggestions["suggest"];
}

export function createAttach({ list, readTerminal, suggest }: AttachDeps): Attach {
  return {
    dropped: attachDropped,
    async pick(kind) {
      switch (kind) {
        case "file":
          return pickFiles(suggest);
        case "folder":
          return pickFolder();
        case "symbol":
          return pickSymbol();
        case "selection":
          return [selection()];
        case "problems":
          return [{ kind }];
        case "terminal":
          return [(await readTerminal()).attachment];
        case "diff":
          return pickDiff();
        case "conversation":
          return pickConversation(list);
        case "image":
          return pickImages();
        case "image-url":
          return enterImageUrl();
        default:
          return kind satisfies never;
      }
    },
    async openEditors() {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
      return attachNamed(uris);
    },
  };
}

/** The selected lines of the editor that was used last, or the whole of it where nothing is selected. */
function selection(): Attachment {
  const editor = editorInUse();
  if (editor === undefined) throw new HumanError(vscode.l10n.t("No editor is open."));
  return selectionOf(editor);
}

async function pickConversation(
  list: () => Promise<readonly ConversationSummary[]>,
): Promise<readonly Attachment[]> {
  const items = (await list()).map((summary) => ({ label: titleOf(summary), summary }));
  const title = vscode.l10n.t("Add Earlier Conversation");
  const picked = await vscode.window.showQuickPick(items, { title });
  return picked === undefined
    ? []
    : [{ kind: "conversation", id: picked.summary.id, name: titleOf(picked.summary) }];
}
