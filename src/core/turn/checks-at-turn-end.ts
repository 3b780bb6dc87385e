// The model is done with what it proposes: the person's own checks run on that, as a row of the turn, and what they find goes
// back to the model, twice at most. Then the turn ends with what is true.
import { reportOf, resultsInShort } from "../checks/report.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { findingsItem } from "./history.ts";
import type { TurnProof } from "./turn-request.ts";

export const maxRepairs = 2;

/** Answers with the item that tells the model; nothing where there is nothing for it to mend. */
export async function* checkAtTurnEnd(
  turn: string,
  step: number,
  proof: TurnProof | undefined,
  mayRepair: boolean,
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, string | undefined> {
  if (proof === undefined) return undefined;
  if (proof.isDue()) {
    const row = {
      type: "tool",
      turn,
      id: `${step}/checks`,
      call: "",
      name: "run_checks",
      summary: "",
    } as const;
    yield { ...row, status: "running" };
    const results = await proof.run(signal);
    if (signal.aborted) return undefined;
    yield { ...row, status: "done", message: resultsInShort(results), output: reportOf(results) };
  }
  const news = mayRepair ? proof.takeNews() : [];
  return news.length === 0 ? undefined : findingsItem(reportOf(news));
}
