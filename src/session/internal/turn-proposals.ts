// The person's own checks run on a turn's proposals at its end, and the model is told what those have found.
import { summarizeProposalRun } from "../../checks/report.ts";
import { checksForModel } from "../../checks/session-checks.ts";
import type { ConversationState } from "./conversation-state.ts";
import { findingsItem } from "./history.ts";
import type { RunningTurn } from "./turn-request.ts";

/** How often the model may repair its proposal. */
const maxRepairs = 2;

/** Whether this turn has proposed something that the checks have not seen. */
export const areChecksDue = (conversation: ConversationState, turn: string): boolean =>
  conversation.checks?.isDue === true && conversation.patchesOf(turn).length > 0;

/**
 * Runs the person's own checks when the model has finished its proposal, shown as a row of the turn, and sends findings
 * back to the model, at most twice. Without new findings no request is made; the row shows the result. Returns the item
 * that tells the model about findings; undefined if there is nothing to repair or report. After the last repair the
 * model is asked to report remaining problems in a final text, because its earlier text described changes it believed
 * to be correct. `told`: how often findings were sent in this turn.
 */
export async function checkAtTurnEnd(
  { conversation, request: { turn }, signal, emit }: RunningTurn,
  { step, told, isLastStep }: { readonly step: number; readonly told: number; readonly isLastStep: boolean },
): Promise<string | undefined> {
  const { checks, requests } = conversation;
  if (checks === undefined) return undefined;
  const { report } = checksForModel(checks, async () => (await requests.world()).files);
  // Checks that all wait for a person have their links in the bar: nothing has run that a row could tell of.
  if (areChecksDue(conversation, turn) && !(await checks.runsUnasked())) await checks.run(signal);
  else if (areChecksDue(conversation, turn)) {
    const id = `${step}/checks`;
    const row = { type: "tool", turn, id, call: "", name: "run_checks", summary: "" } as const;
    await emit({ ...row, status: "running" });
    const results = await checks.run(signal);
    if (signal.aborted) return undefined;
    const output = await report(results, signal);
    await emit({ ...row, status: "done", message: summarizeProposalRun(results), output });
  }
  const isOver = told > maxRepairs || (told === maxRepairs && isLastStep);
  const news = isOver ? [] : checks.takeNews();
  if (news.length === 0) return undefined;
  return findingsItem(await report(news, signal), told < maxRepairs ? "mend" : "tell");
}
