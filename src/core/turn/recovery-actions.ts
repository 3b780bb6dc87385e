// What a person can do about a request that was refused as it was (requirements E11, E12, B20, M5, M6): leave out of the
// history what only the service could read, or out of the question what was attached to it, or ask another model.

import { type Problem, type ProblemAction, sentencesOf } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";
import { isTooLong } from "./hand-over.ts";
import { canBeSimpler } from "./plain-history.ts";
import type { Ended } from "./reply-events.ts";
import type { TurnRequest } from "./turn-request.ts";

export interface Refused extends Pick<TurnRequest, "model" | "attachments" | "prompt" | "form"> {
  /** What was said before it. */
  readonly history?: readonly string[];
  /** Some of it was made under another key or address. */
  readonly isForeign?: boolean;
}

/** `input`: the items that were refused; none where the operation takes none. */
export function withWaysOut(ended: Ended, request: Refused, input: readonly string[]): Ended {
  const { problem } = ended;
  if (problem === undefined) return ended;
  const actions = [...waysOut(problem, request, input)];
  // Only where something can be done about it.
  const isWhy = request.isForeign === true && actions.includes("drop-reasoning");
  const found = [...whereItStands(problem, request), ...(isWhy ? [message("foreignItems")] : [])];
  const hints = [...(problem.hints ?? []), ...found];
  return { ...ended, problem: { ...problem, actions, ...(hints.length > 0 && { hints }) } };
}

const aboutBreakpoints: ReadonlySet<string> = new Set(["problemBreakpoint", "holdsBreakpoint"]);

/** Requirements B18: what holds the words that the service may have refused can be left out. */
function whereItStands(problem: Problem, { attachments }: Refused): readonly Message[] {
  const isAbout = sentencesOf(problem).some(({ code }) => aboutBreakpoints.has(code));
  if (problem.kind !== "bad-request" || !isAbout) return [];
  const names = attachments
    .filter(({ notes = [] }) => notes.some(({ code }) => code === "noteBreakpoint"))
    .map(({ label }) => label);
  return names.length === 0 ? [] : [message("standsIn", { names: names.join(", ") })];
}

function waysOut(problem: Problem, request: Refused, input: readonly string[]): readonly ProblemAction[] {
  const { actions } = problem;
  const bare = hasAttached(request) ? (["remove-attachments"] as const) : [];
  switch (problem.kind) {
    case "too-large":
      return [...shorter(problem, request), ...bare, "choose-model", ...actions];
    // Requirements M6: a model may have gone, and the conversation goes on with another one.
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

/** Where it was not summarized by itself, or in vain, a person can have it done. */
const shorter = (problem: Problem, { history = [] }: Refused): readonly ProblemAction[] =>
  isTooLong(problem) && history.length > 0 ? ["compact"] : [];

const hasAttached = ({ prompt, attachments }: Refused): boolean =>
  prompt !== "" && attachments.some(({ kind }) => kind !== "instructions");

/** It is named in what the service said, or it may be one that takes no pictures (requirements B20). */
const isAboutModel = ({ detail = "" }: Problem, { model, attachments }: Refused): boolean =>
  detail.includes(model) || attachments.some(({ kind }) => kind === "image");
