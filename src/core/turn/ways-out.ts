// What a person can do about a request that was refused as it was (requirements E11, E12, B20, M5, M6): leave out of the
// history what only the service could read, or out of the question what was attached to it, or ask another model.
import type { Problem, ProblemAction } from "../conversation/problem.ts";
import { breakpointNote, breakpointWord } from "../tools/read-attachment.ts";
import type { Ended } from "./reply-events.ts";
import { canBeSimpler } from "./simplify.ts";
import type { TurnRequest } from "./turn-request.ts";

export interface Refused extends Pick<TurnRequest, "model" | "attachments" | "prompt" | "form"> {
  /** Some of it was made under another key or address. */
  readonly isForeign?: boolean;
}

/** Stands behind the service's own words where that may be why. */
export const foreignItems =
  "Part of what was said earlier was made with another key or at another address, and may not be readable with this one.";

/** `input`: the items that were refused; none where the operation takes none. */
export function withWaysOut(ended: Ended, request: Refused, input: readonly string[]): Ended {
  const { problem } = ended;
  if (problem === undefined) return ended;
  const actions = [...waysOut(problem, request, input)];
  // Only where something can be done about it.
  const isWhy = request.isForeign === true && actions.includes("drop-reasoning");
  const message = [problem.message, ...whereItStands(problem, request), ...(isWhy ? [foreignItems] : [])];
  return { ...ended, problem: { ...problem, message: message.join(" "), actions } };
}

/** Requirements B18: what holds the words that the service may have refused can be left out. */
function whereItStands({ kind, message }: Problem, { attachments }: Refused): readonly string[] {
  if (kind !== "bad-request" || !message.includes(breakpointWord)) return [];
  const names = attachments
    .filter(({ note = "" }) => note.includes(breakpointNote))
    .map(({ label }) => label);
  return names.length === 0 ? [] : [`It stands in ${names.join(", ")}.`];
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
    case "bad-request": {
      const retold = request.form !== "plain" && canBeSimpler(input) ? (["drop-reasoning"] as const) : [];
      const others = [...bare, ...(isAboutModel(problem, request) ? (["choose-model"] as const) : [])];
      // What is most likely to help comes first.
      return request.isForeign === true
        ? [...retold, ...actions, ...others]
        : [...actions, ...retold, ...others];
    }
    default:
      return actions;
  }
}

const hasAttached = ({ prompt, attachments }: Refused): boolean =>
  prompt !== "" && attachments.some(({ kind }) => kind !== "instructions");

/** It is named in what the service said, or it may be one that takes no pictures (requirements B20). */
const isAboutModel = ({ message, detail = "" }: Problem, { model, attachments }: Refused): boolean =>
  `${message} ${detail}`.includes(model) || attachments.some(({ kind }) => kind === "image");
