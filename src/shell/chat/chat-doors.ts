// The ways into the chat from the rest of the editor: show it, with a conversation, with what was picked, with a prompt
// that a link brought, or with something for its page to do.
import * as vscode from "vscode";
import type { PageAct } from "../../bridge/protocol.ts";
import type { Assistant } from "../../core/assistant.ts";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { Emitter } from "../../core/util/emitter.ts";
import type { Places } from "../../places.ts";
import { focusOf } from "../manifest.ts";
import type { LinkNeeds } from "./open-link.ts";

export interface ChatDoorNeeds {
  /** Asked at each use. */
  service(): {
    readonly assistant: Pick<Assistant, "attach" | "newConversation">;
    readonly places: Pick<Places, "tab" | "open">;
  };
  /** The chat view that this VS Code has. */
  readonly view: string;
}

export function createChatDoors({ service, view }: ChatDoorNeeds) {
  const acts = new Emitter<PageAct>();
  const assistant = () => service().assistant;
  /** Where the conversation is that is in use. */
  async function show(preserveFocus = false): Promise<void> {
    const { tab } = service().places;
    if (tab === undefined) await vscode.commands.executeCommand(focusOf(view), { preserveFocus });
    else tab.show(preserveFocus);
  }
  return {
    /** What pages are asked to do. */
    acts,
    show: () => show(),
    /** The focus stays where it is. */
    showBeside: () => show(true),
    async inPage(act: PageAct): Promise<void> {
      await show();
      acts.fire(act);
    },
    here: (act: PageAct) => acts.fire(act),
    async open(conversation: string): Promise<void> {
      await service().places.open(conversation);
      await show();
    },
    async bring(attachments: readonly Attachment[]): Promise<void> {
      for (const each of attachments) assistant().attach(each);
      if (attachments.length > 0) await show();
    },
    async fill({ prompt, files }: Parameters<LinkNeeds["fill"]>[0]): Promise<void> {
      await assistant().newConversation(prompt);
      for (const path of files) assistant().attach({ kind: "file", path });
      await show();
    },
  };
}
