// Ways into the chat from the rest of the editor: show it, with a conversation, with attachments, with a text in its box,
// or with an action for its page.
import * as vscode from "vscode";
import type { Act, PageAct } from "../../bridge/protocol.ts";
import type { Attachment } from "../../conversation/state.ts";
import type { ChatSurfaces } from "../../host/chat-view-and-tabs.ts";
import { Emitter } from "../../util/emitter.ts";
import { focusOf } from "../manifest.ts";

interface ChatNavigationDeps {
  /** Read at each use. */
  surfaces(): Pick<ChatSurfaces, "session" | "tab" | "open" | "newConversation">;
  /** Id of the chat view that this version of VS Code shows. */
  readonly view: string;
}

export function createChatNavigation({ surfaces, view }: ChatNavigationDeps) {
  const acts = new Emitter<Act>();
  /** Shows the surface in use: the tab or the chat view. */
  async function show(preserveFocus = false): Promise<void> {
    const { tab } = surfaces();
    if (tab === undefined) await vscode.commands.executeCommand(focusOf(view), { preserveFocus });
    else tab.show(preserveFocus);
  }
  return {
    /** Actions for pages. */
    acts,
    show: () => show(),
    /** Does not move the focus. */
    showBeside: () => show(true),
    async inPage(act: PageAct): Promise<void> {
      await show();
      acts.fire(act);
    },
    async goTo(turn: string): Promise<void> {
      await show();
      acts.fire({ turn });
    },
    here: (act: PageAct) => acts.fire(act),
    /** Opens a conversation, scrolled to a turn if one is given. */
    async open(conversation: string, turn?: string): Promise<void> {
      await surfaces().open(conversation);
      await show();
      if (turn !== undefined) acts.fire({ turn });
    },
    async bring(attachments: readonly Attachment[]): Promise<void> {
      for (const each of attachments) surfaces().session.draft.attach(each);
      if (attachments.length > 0) await show();
    },
    /** Puts the text into the box of a new conversation: a draft stays in the conversation where it was written. */
    async fill(text: string): Promise<void> {
      await surfaces().newConversation(text);
      await show();
    },
  };
}
