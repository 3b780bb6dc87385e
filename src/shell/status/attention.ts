// Whoever looks elsewhere is told that a long answer has ended, or that one waits for a decision; how many decisions wait
// always stands at the chat's icon. Pure: when and to whom is decided here, how it is shown is the editor's.
import { asking } from "../../core/conversation/asking.ts";
import type { ConversationEvent } from "../../core/conversation/events.ts";
import type { Turn } from "../../core/conversation/state.ts";
import type { StatusWords } from "./status-text.ts";

export const notifyWhen = ["never", "unfocused", "always"] as const;
export type NotifyWhen = (typeof notifyWhen)[number];

export interface AttentionNeeds {
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

/** Who asks a short question stays to see the answer. */
const long = 10_000;
const mostLetters = 60;

export interface Attention {
  /** Something has happened in the conversation. */
  take(event: ConversationEvent): void;
  /** Another conversation is there. */
  reset(): void;
}

export function createAttention(needs: AttentionNeeds): Attention {
  const { t, say } = needs.words;
  let shown = 0;
  /** The turn that a person was told waits for them. */
  let told: string | undefined;

  function mayTell(): boolean {
    const when = needs.when();
    if (when === "never") return false;
    return !needs.isFocused() || (when === "always" && !needs.isChatVisible());
  }

  function look(turn: Turn | undefined): void {
    const waiting = turn?.status === "running" ? asking(turn).length : 0;
    if (waiting !== shown) needs.badge(waiting);
    shown = waiting;
    if (waiting === 0 || turn === undefined) told = undefined;
    else if (told !== turn.id) {
      told = turn.id;
      if (mayTell()) needs.tell(t("The response to “{0}” needs your decision.", firstLine(turn.prompt)));
    }
  }

  function tellEnd(turn: Turn, { at, ending, problem }: Extract<ConversationEvent, { type: "ended" }>): void {
    if (ending === "stopped" || at - turn.at < long || !mayTell()) return;
    const question = firstLine(turn.prompt);
    if (problem === undefined) needs.tell(t("The response to “{0}” is ready.", question));
    else needs.tell(t("The response to “{0}” is incomplete: {1}", question, say(problem.message)));
  }

  return {
    take(event) {
      const turn = needs.turn();
      look(turn);
      if (event.type === "ended" && turn?.id === event.turn) tellEnd(turn, event);
    },
    reset: () => look(needs.turn()),
  };
}

function firstLine(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0] ?? "";
  return line.length > mostLetters ? `${line.slice(0, mostLetters - 1)}…` : line;
}
