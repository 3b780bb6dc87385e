// What a person can do about a request that was refused as it was (requirements E11, E12, B20, M5, M6): leave out of the
// history what only the service could read, or out of the question what was attached to it, or ask another model.
import type { Reply } from "../api/reply.ts";
import type { Problem, ProblemAction } from "../conversation/problem.ts";
import type { Ended } from "./reply-events.ts";
import { canBeSimpler, hasSearches } from "./simplify.ts";
import type { TurnRequest } from "./turn-request.ts";

export type Refused = Pick<TurnRequest, "model" | "attachments" | "prompt" | "form">;

/** `input`: the items that were refused; none where the operation takes none. */
export function withWaysOut(ended: Ended, request: Refused, input: readonly string[]): Ended {
  const { problem } = ended;
  if (problem === undefined) return ended;
  return { ...ended, problem: { ...problem, actions: [...waysOut(problem, request, input)] } };
}

function waysOut(problem: Problem, request: Refused, input: readonly string[]): readonly ProblemAction[] {
  const { actions } = problem;
  const bare = hasAttached(request) ? (["remove-attachments"] as const) : [];
  switch (problem.kind) {
    case "too-large":
      return [...bare, "choose-model", ...actions];
    // Requirements M6: a model may have gone, and the conversation goes on with another one.
    case "not-found":
      return ["choose-model", ...actions];
    case "bad-request":
      return [
        ...actions,
        ...(request.form !== "plain" && canBeSimpler(input) ? (["drop-reasoning"] as const) : []),
        ...bare,
        ...(isAboutModel(problem, request) ? (["choose-model"] as const) : []),
      ];
    default:
      return actions;
  }
}

const hasAttached = ({ prompt, attachments }: Refused): boolean =>
  prompt !== "" && attachments.some(({ kind }) => kind !== "instructions");

/** It is named in what the service said, or it may be one that takes no pictures (requirements B20). */
const isAboutModel = ({ message, detail = "" }: Problem, { model, attachments }: Refused): boolean =>
  `${message} ${detail}`.includes(model) || attachments.some(({ kind }) => kind === "image");

/**
 * The second step of the ladder (requirements E11), the one that nobody is asked about: searches are left out where
 * the history holds some, whatever the service says is wrong with it. The interface shows no such input item.
 */
export const mayRefuseSearches = (
  { status, problem }: Reply,
  { form }: TurnRequest,
  input: readonly string[],
): boolean =>
  form === "whole" && status === "failed" && problem?.kind === "bad-request" && hasSearches(input);
