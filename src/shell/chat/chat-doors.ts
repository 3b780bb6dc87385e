// The ways into the chat from the rest of the editor: show it, with a conversation, with what was picked, with a prompt
// that a link brought, or with something for its page to do.
import * as vscode from "vscode";
import type { Act, PageAct } from "../../bridge/protocol.ts";
import type { ChatSurfaces } from "../../chat-surfaces.ts";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { Emitter } from "../../core/util/emitter.ts";
import { focusOf } from "../manifest.ts";
import type { LinkDeps } from "./open-link.ts";

export interface ChatDoorDeps {
  /** Asked at each use. */
  surfaces(): Pick<ChatSurfaces, "session" | "tab" | "open" | "newConversation">;
  /** The chat view that this VS Code has. */
  readonly view: string;
}

export function createChatDoors({ surfaces, view }: ChatDoorDeps) {
  const acts = new Emitter<Act>();
  /** Where the conversation is that is in use. */
  async function show(preserveFocus = false): Promise<void> {
    const { tab } = surfaces();
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
    /** At a turn of it, where one is meant. */
    async open(conversation: string, turn?: string): Promise<void> {
      await surfaces().open(conversation);
      await show();
      if (turn !== undefined) acts.fire({ turn });
    },
    async bring(attachments: readonly Attachment[]): Promise<void> {
      for (const each of attachments) surfaces().session.draft.attach(each);
      if (attachments.length > 0) await show();
    },
    async fill({ prompt, files }: Parameters<LinkDeps["fill"]>[0]): Promise<void> {
      await surfaces().newConversation(prompt);
      for (const path of files) surfaces().session.draft.attach({ kind: "file", path });
      await show();
    },
  };
}
