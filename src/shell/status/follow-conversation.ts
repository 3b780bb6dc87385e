// What the editor shows of conversations outside their pages: of the one in use the context keys that commands depend on
// and the status bar; of all that are open the number at the chat's icon, and a word to whoever looks elsewhere.
import * as vscode from "vscode";
import type { SessionSource } from "../../chat-surface.ts";
import type { ConversationEvent } from "../../core/conversation/events.ts";
import type { Session } from "../../core/session/session.ts";
import type { SessionRegistry } from "../../core/session/session-registry.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { contextKeys } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import { type AttentionDeps, createAttention } from "./attention.ts";

export interface FollowDeps extends Pick<AttentionDeps, "when" | "isChatVisible" | "badge"> {
  /** The one in use. */
  readonly surfaces: SessionSource;
  readonly registry: Pick<SessionRegistry, "follow" | "onChange" | "sessions">;
  /** Shows the chat with this conversation. */
  open(conversation: string): Promise<void>;
  /** What the status bar shows is different. */
  statusChanged(): void;
  /** What a person has asked for cannot be done. */
  report(error: unknown): void;
}

/** Text that arrives changes no state; the status bar counts it by the second. */
const growing: ReadonlySet<ConversationEvent["type"]> = new Set(["text", "reasoning", "refusal"]);

export function followConversation(deps: FollowDeps) {
  const { surfaces, registry, open } = deps;
  /** As VS Code knows them: telling it is a message, and a response that arrives is many events. */
  const known = new Map<string, boolean>();
  /** Decisions that wait, and where. */
  const waiting = new Map<Session, number>();

  /** For as long as it is open, in sight or not. */
  function attend(session: Session): void {
    const attention = createAttention({
      ...deps,
      isFocused: () => vscode.window.state.focused,
      turn: () => session.state.turns.at(-1),
      tell: (sentence) => void tellElsewhere(sentence, () => open(session.id)).catch(deps.report),
      badge(count) {
        waiting.set(session, count);
        deps.badge([...waiting.values()].reduce((sum, each) => sum + each, 0));
        if (count === 0) waiting.delete(session);
      },
      words: { t: vscode.l10n.t, say: inReaderLanguage },
    });
    session.onEvent((event) => {
      if (!growing.has(event.type)) attention.take(event);
    });
    session.onReread(attention.reset);
    attention.reset();
  }

  function show(): void {
    for (const [key, value] of Object.entries(keysOf(surfaces.session, registry.sessions))) {
      if (known.get(key) === value) continue;
      known.set(key, value);
      void vscode.commands.executeCommand("setContext", key, value);
    }
    deps.statusChanged();
  }

  const listening = vscode.Disposable.from(
    registry.follow(attend),
    registry.onChange(show),
    surfaces.follow((session) => {
      show();
      return vscode.Disposable.from(
        session.onEvent(({ type }) => {
          if (!growing.has(type)) show();
        }),
        session.onChange(show),
      );
    }),
  );
  return {
    /** Something else that the status bar shows is different. */
    refresh: show,
    dispose: () => listening.dispose(),
  };
}

function keysOf(session: Session, sessions: readonly Session[]): Readonly<Record<string, boolean>> {
  const last = session.state.turns.at(-1);
  const running = last?.status === "running";
  return {
    [contextKeys.canStop]: running && session.isRunning,
    [contextKeys.anyRunning]: sessions.some(({ isRunning }) => isRunning),
    [contextKeys.hasTurns]: last !== undefined,
    [contextKeys.isTask]: session.isTask,
    [contextKeys.startAnswered]: last?.status === "done",
    [contextKeys.startReviewed]:
      last?.parts.some((part) => part.type === "patch" && part.status === "applied") === true,
    [contextKeys.canRegenerate]: last !== undefined && !running,
    [contextKeys.lastIncomplete]: last?.status === "incomplete" || last?.status === "interrupted",
    [contextKeys.hasDraft]: session.draft.contents.length > 0,
    [contextKeys.responses]: session.choices.route === "responses",
  };
}

async function tellElsewhere(sentence: string, showChat: () => Thenable<unknown>): Promise<void> {
  const show = vscode.l10n.t("Show Chat");
  if ((await showInformation(sentence, show)) === show) await showChat();
}
