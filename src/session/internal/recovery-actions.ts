// What a person can do about a refused request: leave something out of it, shorten the conversation, choose another model.
import { type Message, message } from "../../conversation/messages.ts";
import { type Problem, type ProblemAction, sentencesOf } from "../../conversation/problem.ts";
import { isTooLong } from "./compaction.ts";
import { canBeSimpler } from "./history.ts";
import type { Ended } from "./reply-events.ts";
import type { TurnRequest } from "./turn-request.ts";

interface Refused extends Pick<TurnRequest, "model" | "attachments" | "prompt" | "form"> {
  /** The items before the question. */
  readonly history?: readonly string[];
  /** Whether some of it was made under another key or URL. */
  readonly isForeign?: boolean;
}

/**
 * Adds what a person can do about a refused request (requirements E11, E12, B20, M5, M6): send the history without its
 * encrypted reasoning, the question without its attachments, or all of it to another model. `input`: the refused items;
 * empty for chat completions.
 */
export function withRecoveryActions(ended: Ended, request: Refused, input: readonly string[]): Ended {
  const { problem } = ended;
  if (problem === undefined) return ended;
  const actions = [...recoveryActionsFor(problem, request, input)];
  // Only if something can be done about it.
  const isWhy = request.isForeign === true && actions.includes("drop-reasoning");
  const found = [...whereItStands(problem, request), ...(isWhy ? [message("foreignItems")] : [])];
  const hints = [...(problem.hints ?? []), ...found];
  return { ...ended, problem: { ...problem, actions, ...(hints.length > 0 && { hints }) } };
}

/** Chat completions take no output limit, so ours was not reached, and a higher one would not be sent. */
export function withoutLimit(ended: Ended): Ended {
  const { problem } = ended;
  if (problem === undefined) return ended;
  const actions = problem.actions.filter((action) => action !== "raise-limit");
  return { ...ended, problem: { ...problem, actions } };
}

const aboutBreakpoints: ReadonlySet<string> = new Set(["problemBreakpoint", "holdsBreakpoint"]);

/**
 * Requirements B18: names the attachments that contain the words the service may have refused, so that they can be
 * removed.
 */
function whereItStands(problem: Problem, { attachments }: Refused): readonly Message[] {
  const isAbout = sentencesOf(problem).some(({ code }) => aboutBreakpoints.has(code));
  if (problem.kind !== "bad-request" || !isAbout) return [];
  const names = attachments
    .filter(({ notes = [] }) => notes.some(({ code }) => code === "noteBreakpoint"))
    .map(({ label }) => label);
  return names.length === 0 ? [] : [message("standsIn", { names: names.join(", ") })];
}

function recoveryActionsFor(
  problem: Problem,
  request: Refused,
  input: readonly string[],
): readonly ProblemAction[] {
  const { actions } = problem;
  const bare = hasAttached(request) ? (["remove-attachments"] as const) : [];
  switch (problem.kind) {
    case "too-large":
      return [...shorter(problem, request), ...bare, "choose-model", ...actions];
    // Requirements M6: a model may no longer exist; the conversation can continue with another one.
    case "not-found":
      return ["choose-model", ...actions];
    case "bad-request": {
      const simpler = request.form !== "plain" && canBeSimpler(input) ? (["drop-reasoning"] as const) : [];
      const others = [...bare, ...(isAboutModel(problem, request) ? (["choose-model"] as const) : [])];
      // What is most likely to help comes first.
      return request.isForeign === true
        ? [...simpler, ...actions, ...others]
        : [...actions, ...simpler, ...others];
    }
    default:
      return actions;
  }
}

/** If automatic summarization did not happen or did not help, a person can request it. */
const shorter = (problem: Problem, { history = [] }: Refused): readonly ProblemAction[] =>
  isTooLong(problem) && history.length > 0 ? ["compact"] : [];

const hasAttached = ({ prompt, attachments }: Refused): boolean =>
  prompt !== "" && attachments.some(({ kind }) => kind !== "instructions");

/** Whether the model may be the reason: the service names it, or it may not accept images (requirements B20). */
const isAboutModel = ({ detail = "" }: Problem, { model, attachments }: Refused): boolean =>
  detail.includes(model) || attachments.some(({ kind }) => kind === "image");
