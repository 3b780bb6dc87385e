// What the editor shows of the open conversation outside its page: the context keys that commands depend on, the status
// bar, the number at the chat's icon, and a word to whoever looks elsewhere.
import * as vscode from "vscode";
import type { Assistant } from "../../core/assistant.ts";
import type { ConversationEvent } from "../../core/conversation/events.ts";
import { contextKeys } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import { type AttentionNeeds, createAttention } from "./attention.ts";

export interface FollowNeeds extends Pick<AttentionNeeds, "when" | "isChatVisible" | "badge"> {
  readonly assistant: Assistant;
  showChat(): Thenable<unknown>;
  /** What the status bar shows is different. */
  statusChanged(): void;
}

/** Text that arrives changes no state; the status bar counts it by the second. */
const growing: ReadonlySet<ConversationEvent["type"]> = new Set(["text", "reasoning", "refusal"]);

export function followConversation(needs: FollowNeeds) {
  const { assistant, showChat } = needs;
  /** As VS Code knows them: telling it is a message, and an answer that arrives is many events. */
  const told = new Map<string, boolean>();
  const attention = createAttention({
    ...needs,
    isFocused: () => vscode.window.state.focused,
    turn: () => assistant.conversation.turns.at(-1),
    tell: (sentence) => void tellElsewhere(sentence, showChat),
    words: { t: vscode.l10n.t, language: vscode.env.language },
  });

  function show(): void {
    for (const [key, value] of Object.entries(keysOf(assistant))) {
      if (told.get(key) === value) continue;
      told.set(key, value);
      void vscode.commands.executeCommand("setContext", key, value);
    }
    needs.statusChanged();
  }

  const listening = vscode.Disposable.from(
    assistant.onEvent((event) => {
      if (growing.has(event.type)) return;
      attention.take(event);
      show();
    }),
    assistant.onReset(() => {
      attention.reset();
      show();
    }),
    assistant.onChange(show),
  );
  show();
  return {
    /** Something else that the status bar shows is different. */
    refresh: show,
    dispose: () => listening.dispose(),
  };
}

function keysOf(assistant: Assistant): Readonly<Record<string, boolean>> {
  const last = assistant.conversation.turns.at(-1);
  const running = last?.status === "running";
  return {
    [contextKeys.canStop]: running,
    [contextKeys.hasTurns]: last !== undefined,
    [contextKeys.canRegenerate]: last !== undefined && !running,
    [contextKeys.lastIncomplete]: last?.status === "incomplete" || last?.status === "interrupted",
    [contextKeys.hasDraft]: assistant.draftContents.length > 0,
    [contextKeys.responses]: assistant.route === "responses",
  };
}

async function tellElsewhere(sentence: string, showChat: () => Thenable<unknown>): Promise<void> {
  const show = vscode.l10n.t("Show Chat");
  if ((await showInformation(sentence, show)) === show) await showChat();
}
