// What the editor shows of conversations outside their pages: of the one in use the context keys that commands depend on
// and the status bar; of all that are open the number at the chat's icon, and a word to whoever looks elsewhere.
import * as vscode from "vscode";
import type { Assistant } from "../../core/assistant.ts";
import type { ConversationEvent } from "../../core/conversation/events.ts";
import type { Places } from "../../places.ts";
import { contextKeys } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import { type Attention, type AttentionNeeds, createAttention } from "./attention.ts";

export interface FollowNeeds extends Pick<AttentionNeeds, "when" | "isChatVisible" | "badge"> {
  /** Of the one in use. */
  readonly assistant: Assistant;
  readonly places: Pick<Places, "onHappening">;
  /** Shows the chat with this conversation. */
  open(conversation: string): Promise<void>;
  /** What the status bar shows is different. */
  statusChanged(): void;
}

/** Text that arrives changes no state; the status bar counts it by the second. */
const growing: ReadonlySet<ConversationEvent["type"]> = new Set(["text", "reasoning", "refusal"]);

export function followConversation(needs: FollowNeeds) {
  const { assistant, places, open } = needs;
  /** As VS Code knows them: telling it is a message, and an answer that arrives is many events. */
  const told = new Map<string, boolean>();
  /** Decisions that wait, and where. */
  const waiting = new Map<Assistant, number>();
  const attentions = new WeakMap<Assistant, Attention>();

  function attentionTo(whose: Assistant): Attention {
    const known = attentions.get(whose);
    if (known !== undefined) return known;
    const attention = createAttention({
      ...needs,
      isFocused: () => vscode.window.state.focused,
      turn: () => whose.conversation.turns.at(-1),
      tell: (sentence) => void tellElsewhere(sentence, () => open(whose.conversation.id)),
      badge(count) {
        waiting.set(whose, count);
        needs.badge([...waiting.values()].reduce((sum, each) => sum + each, 0));
        if (count === 0) waiting.delete(whose);
      },
      words: { t: vscode.l10n.t, language: vscode.env.language },
    });
    attentions.set(whose, attention);
    return attention;
  }

  function show(): void {
    for (const [key, value] of Object.entries(keysOf(assistant))) {
      if (told.get(key) === value) continue;
      told.set(key, value);
      void vscode.commands.executeCommand("setContext", key, value);
    }
    needs.statusChanged();
  }

  const listening = vscode.Disposable.from(
    places.onHappening(({ assistant: whose, event }) => {
      if (event === undefined) attentionTo(whose).reset();
      else if (!growing.has(event.type)) attentionTo(whose).take(event);
    }),
    assistant.onEvent(({ type }) => {
      if (!growing.has(type)) show();
    }),
    assistant.onReset(show),
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
