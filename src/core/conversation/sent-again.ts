// What of a turn goes out again with later questions, as far as its end tells: the rules of the history, in one place, for
// whoever sends it and for the page that says so. Pure.
import type { Problem } from "./problem.ts";
import type { Turn } from "./state.ts";

/**
 * `whole`: all of it. `marked`: with a word on how it ended, because it is over and nobody should go on with it by
 * themselves. `cut`: the same, without what the service has refused. `nothing`: refused as a whole, never begun, or left
 * out by a person.
 */
export type SentAgain = "whole" | "marked" | "cut" | "nothing";

export function sentAgain(turn: Turn): SentAgain {
  if (turn.excluded === true) return "nothing";
  if (turn.status === "stopped" || turn.status === "interrupted") return "marked";
  if (turn.status !== "failed") return "whole";
  // Notes are ours; whatever else there is the service has begun.
  const isBegun = turn.parts.some(({ type }) => type !== "note");
  if (!isBegun) return isTurnedAway(turn.problem) ? "nothing" : "marked";
  return isAboutContent(turn.problem) ? "cut" : "marked";
}

/** A person can have it left out from now on. */
export const isExcludable = (turn: Turn): boolean =>
  turn.compacts !== true && ["marked", "cut"].includes(sentAgain(turn));

const unbegun: ReadonlySet<Problem["kind"]> = new Set([
  "not-configured",
  "no-key",
  "auth",
  "bad-request",
  "not-found",
  "busy",
  "quota",
  "redirect",
  "refused-locally",
  "too-large",
  "network",
]);

/** It reached nobody, or was not taken. Where nobody knows whether it was, it is told. */
function isTurnedAway(problem: Problem | undefined): boolean {
  if (problem === undefined) return false;
  const { kind, status = 0, message } = problem;
  if (status >= 400 && status < 500) return true;
  if (message.code === "problemCut" || message.code === "problemSize") return false;
  return unbegun.has(kind) || message.code === "problemNoConnection";
}

/** The same again would be refused again. */
const isAboutContent = (problem: Problem | undefined): boolean =>
  problem !== undefined &&
  (problem.kind === "bad-request" || problem.kind === "too-large") &&
  problem.message.code !== "problemSize";
