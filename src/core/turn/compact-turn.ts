// The turn that asks for a hand-over text. Until that is there the history is what it was: stopped, refused or cut off, such
// a turn changes nothing. The same promises as every turn; what the model calls for in it is not run.
import type { Reply } from "../api/reply.ts";
import { message } from "../messages/message.ts";
import { askChat } from "./chat-turn.ts";
import { attachedIn, handOverForms, handOverItems, isTooLong } from "./hand-over.ts";
import { HistoryFallback } from "./history-fallback.ts";
import { toEnded } from "./reply-events.ts";
import { ask, beginning } from "./responses-turn.ts";
import { ensureOneEnd, type TurnOutput } from "./turn-guarantees.ts";
import type { TurnDeps, TurnRequest } from "./turn-request.ts";

export const compactTurn = (
  request: TurnRequest,
  deps: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> =>
  ensureOneEnd(request.turn, handOver(request, deps, signal), deps, signal);

async function* handOver(
  request: TurnRequest,
  deps: TurnDeps,
  signal: AbortSignal,
): AsyncGenerator<TurnOutput, void> {
  const { turn, route, history, items } = request;
  const { client, now, fits, turns } = deps;
  yield* beginning(request, route, now());
  const forms = handOverForms(history, fits);
  for (const [step, form] of forms.entries()) {
    const input = [...form, ...items];
    const fallback = new HistoryFallback(request, client.learnHistory);
    const reply: Reply =
      route === "chat"
        ? yield* askChat(request, step, input, deps, signal)
        : yield* fallback.ask(
            input,
            (plainer) => ask({ ...request, form: plainer }, step, input, deps, signal),
            signal,
          );
    if (signal.aborted) return;
    // Nobody knew how much of it the model takes: the next try is shorter.
    if (isTooLong(reply.problem) && step < forms.length - 1) continue;
    if (reply.status !== "completed") return yield toEnded(turn, reply, now());
    if (reply.text.trim() === "") {
      const problem = {
        kind: "protocol" as const,
        message: message("problemNoHandOver"),
        actions: ["retry" as const],
      };
      return yield { type: "ended", turn, at: now(), ending: "failed", problem };
    }
    yield { type: "replay", turn, items: handOverItems(reply.text, attachedIn(turns())) };
    return yield { type: "ended", turn, at: now(), ending: "done" };
  }
}
