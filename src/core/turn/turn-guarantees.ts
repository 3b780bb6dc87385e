// What every turn promises, kept in one place for both routes: exactly one `ended` comes, last; nothing is thrown;
// after a stop nothing follows but `ended: stopped`; and every call of the turn has its one output by then.

import type { ConversationEvent } from "../conversation/events.ts";
import type { Replay } from "../conversation/record.ts";
import { message } from "../messages/message.ts";
import type { Log } from "../util/log.ts";
import { answerOpenCalls } from "./pending-calls.ts";
import type { Ended } from "./reply-events.ts";

export type TurnOutput = ConversationEvent | Replay;

export interface GuaranteeDeps {
  readonly log: Log;
  now(): number;
}

export async function* ensureOneEnd(
  turn: string,
  outputs: AsyncGenerator<TurnOutput, void>,
  { log, now }: GuaranteeDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> {
  const items: string[] = [];
  let ended: Ended | undefined;
  try {
    for await (const output of outputs) {
      if (output.type === "replay") for (const each of output.items) items.push(each);
      if (output.type === "ended") {
        ended = output;
        break;
      }
      if (!signal.aborted || outlivesStop(output)) yield output;
    }
  } catch (error) {
    if (!signal.aborted) log.error("A turn failed inside the extension.", error);
  }
  const end: Ended = signal.aborted
    ? { type: "ended", turn, at: now(), ending: "stopped" }
    : (ended ?? { type: "ended", turn, at: now(), ending: "failed", problem: bug });
  const late = answerOpenCalls(items, () => lateAnswers[end.ending]);
  if (late.length > 0) yield { type: "replay", turn, items: late };
  yield end;
}

/**
 * History is not for the eye, nor are the figures of what was asked before the stop. And a patch that was on its way into the
 * change set when the stop came waits there, or was refused: its row must not say anything else.
 */
const outlivesStop = (output: TurnOutput): boolean =>
  output.type === "replay" ||
  output.type === "usage" ||
  (output.type === "patch" && output.status !== "arriving");

const bug = {
  kind: "bug" as const,
  message: message("problemInside"),
  actions: ["retry" as const, "open-log" as const],
};

const lateAnswers: Record<Ended["ending"], string> = {
  done: "This call was not run.",
  incomplete: "This call was not run, because the reply was cut off before its end.",
  stopped: "The user stopped the turn before this call came to an end; nothing can be said about its result.",
  failed: "This call was not run, because the reply failed.",
  interrupted: "This call was not run, because the reply was cut off before its end.",
};
