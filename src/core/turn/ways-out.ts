// What a person can do about a request that was refused as it was (requirements E11, E12, B20): leave out of the
// history what only the service could read, or out of the question what was attached to it.
import type { Reply } from "../api/reply.ts";
import type { Ended } from "./reply-events.ts";
import { canBeSimpler, hasSearches } from "./simplify.ts";
import type { TurnRequest } from "./turn-request.ts";

/** `input`: the items that were refused; none where the operation takes none. */
export function withWaysOut(
  ended: Ended,
  { attachments, prompt, form }: TurnRequest,
  input: readonly string[],
): Ended {
  const { problem } = ended;
  if (problem?.kind !== "bad-request") return ended;
  const hasAttached = prompt !== "" && attachments.some(({ kind }) => kind !== "instructions");
  const actions = [
    ...problem.actions,
    ...(form !== "plain" && canBeSimpler(input) ? ["drop-reasoning" as const] : []),
    ...(hasAttached ? ["remove-attachments" as const] : []),
  ];
  return { ...ended, problem: { ...problem, actions } };
}

/** The service named its own searches as what it does not take back (requirements E11): the one thing left out unasked. */
export const refusesSearches = (
  { status, problem }: Reply,
  { form }: TurnRequest,
  input: readonly string[],
): boolean =>
  form === "whole" &&
  status === "failed" &&
  problem?.kind === "bad-request" &&
  /web_search_call/.test(problem.detail ?? problem.message) &&
  hasSearches(input);
