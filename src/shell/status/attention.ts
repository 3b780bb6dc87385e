// Whoever looks elsewhere is told that a long response has ended, or that one waits for a decision; how many decisions wait
// always stands at the chat's icon. Pure: when and to whom is decided here, how it is shown is the editor's.

import type { ConversationEvent } from "../../core/conversation/events.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { asking } from "../../core/conversation/waiting-tools.ts";
import type { StatusWords } from "./status-text.ts";

export const notifyWhen = ["never", "unfocused", "always"] as const;
export type NotifyWhen = (typeof notifyWhen)[number];

export interface AttentionDeps {
  when(): NotifyWhen;
  /** Whether a person is in this window at all. */
  isFocused(): boolean;
  isChatVisible(): boolean;
  /** The last one of the conversation. */
  turn(): Turn | undefined;
  tell(sentence: string): void;
  /** 0: nothing waits. */
  badge(count: number): void;
  readonly words: Pick<StatusWords, "t" | "say">;
}

/** Who asks a short question stays to see the response. */
const long = 10_000;
const maxLetters = 60;

export interface Attention {
  /** Something has happened in the conversation. */
  take(event: ConversationEvent): void;
  /** Another conversation is there. */
  reset(): void;
}

export function createAttention(deps: AttentionDeps): Attention {
  const { t, say } = deps.words;
  let shown = 0;
  /** The turn that a person was told waits for them. */
  let notified: string | undefined;

  function mayTell(): boolean {
    const when = deps.when();
    if (when === "never") return false;
    return !deps.isFocused() || (when === "always" && !deps.isChatVisible());
  }

  function look(turn: Turn | undefined): void {
    const waiting = turn?.status === "running" ? asking(turn).length : 0;
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
