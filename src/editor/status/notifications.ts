// What the editor shows of conversations outside of their pages: for the one in use, the context keys and the status
// bar; for all open ones, the badge of the chat and notifications.

import * as vscode from "vscode";
import type { ConversationEvent } from "../../conversation/events.ts";
import { waitingTools } from "../../conversation/reduce.ts";
import type { Turn } from "../../conversation/state.ts";
import type { SessionSource } from "../../host/shown-conversation.ts";
import type { Session } from "../../session/session.ts";
import type { SessionRegistry } from "../../session/session-registry.ts";
import { localize } from "../localize.ts";
import { contextKeys } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import type { StatusWords } from "./status-text.ts";

export const notifyWhen = ["never", "unfocused", "always"] as const;
export type NotifyWhen = (typeof notifyWhen)[number];

interface AttentionDeps {
  when(): NotifyWhen;
  /** Whether this window has the focus. */
  isFocused(): boolean;
  isChatVisible(): boolean;
  /** The last turn of the conversation. */
  turn(): Turn | undefined;
  /** Whether it asks something before it goes on, such as whether instructions of a folder may be sent. */
  isAsking(): boolean;
  tell(sentence: string): void;
  /** 0: no badge. */
  badge(count: number): void;
  readonly words: Pick<StatusWords, "t" | "say">;
}

/** Milliseconds: after a short question, users stay to see the response. */
const long = 10_000;
const maxLetters = 60;

interface Attention {
  /** Call for each event of the conversation. */
  take(event: ConversationEvent): void;
  /** Call when the conversation was reread, or may have begun or ceased to ask. */
  reset(): void;
}

/**
 * Decides when to notify users who are elsewhere: a long response has ended, or one needs a decision. Also counts the
 * pending decisions for the badge. Pure: the editor displays the result.
 */
export function createAttention(deps: AttentionDeps): Attention {
  const { t, say } = deps.words;
  let shown = 0;
  /** The turn the user was notified about. */
  let notified: string | undefined;

  function mayTell(): boolean {
    const when = deps.when();
    if (when === "never") return false;
    return !deps.isFocused() || (when === "always" && !deps.isChatVisible());
  }

  function look(turn: Turn | undefined): void {
    const asked = turn?.status === "running" && deps.isAsking() ? 1 : 0;
    const waiting = turn === undefined ? 0 : waitingTools(turn).length + asked;
    if (waiting !== shown) deps.badge(waiting);
    shown = waiting;
    if (waiting === 0 || turn === undefined) notified = undefined;
    else if (notified !== turn.id) {
      notified = turn.id;
      if (mayTell()) deps.tell(t("The response to “{0}” needs your decision.", firstLine(turn.prompt)));
    }
  }

  function tellEnd(turn: Turn, { at, ending, problem }: Extract<ConversationEvent, { type: "ended" }>): void {
    if (ending === "stopped" || at - turn.at < long || !mayTell()) return;
    const question = firstLine(turn.prompt);
    if (problem === undefined) deps.tell(t("The response to “{0}” is ready.", question));
    else deps.tell(t("The response to “{0}” is incomplete: {1}", question, say(problem.message)));
  }

  return {
    take(event) {
      const turn = deps.turn();
      look(turn);
      if (event.type === "ended" && turn?.id === event.turn) tellEnd(turn, event);
    },
    reset: () => look(deps.turn()),
  };
}

function firstLine(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > maxLetters ? `${line.slice(0, maxLetters - 1)}…` : line;
}

export interface FollowDeps extends Pick<AttentionDeps, "when" | "isChatVisible" | "badge"> {
  /** The conversation in use. */
  readonly surfaces: SessionSource;
  readonly registry: Pick<SessionRegistry, "follow" | "onChange" | "sessions">;
  /** Shows the chat with this conversation. */
  open(conversation: string): Promise<void>;
  /** Called when the content of the status bar has changed. */
  statusChanged(): void;
  /** Reports that a request of the user failed. */
  report(error: unknown): void;
}

/** Streamed text changes no state; the status bar counts it once a second. */
const growing: ReadonlySet<ConversationEvent["type"]> = new Set(["text", "reasoning", "refusal"]);

export function followConversation(deps: FollowDeps) {
  const { surfaces, registry, open } = deps;
  /** Context keys as last set: setting one is a message to VS Code, and streaming causes many events. */
  const known = new Map<string, boolean>();
  /** Number of pending decisions by open session. */
  const waiting = new Map<Session, number>();
  let badge = 0;

  /** A conversation may be left and closed while its question is still open. */
  function countWaiting(): void {
    const open = new Set(registry.sessions);
    for (const [session, count] of waiting) if (count === 0 || !open.has(session)) waiting.delete(session);
    const sum = [...waiting.values()].reduce((all, count) => all + count, 0);
    if (sum !== badge) deps.badge(sum);
    badge = sum;
  }

  /** Follows a session as long as it is open, visible or not. */
  function attend(session: Session): void {
    const attention = createAttention({
      ...deps,
      isFocused: () => vscode.window.state.focused,
      turn: () => session.state.turns.at(-1),
      // A task asks in notifications of its own.
      isAsking: () => session.question !== undefined && !session.isTask,
      tell: (sentence) => void tellElsewhere(sentence, () => open(session.id)).catch(deps.report),
      badge(count) {
        waiting.set(session, count);
        countWaiting();
      },
      words: { t: vscode.l10n.t, say: localize },
    });
    session.onEvent((event) => {
      if (!growing.has(event.type)) attention.take(event);
    });
    session.onReread(attention.reset);
    session.onChange(attention.reset);
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
    registry.onChange(() => {
      countWaiting();
      show();
    }),
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
    /** Call when something else in the status bar has changed. */
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
