// What a person has said of a model against what is about to be sent to it. The service tells neither context windows nor
// which models see pictures (interface, "Limits"), so nothing is checked that nobody has set.

import type { Outgoing } from "../api/request.ts";
import type { Model } from "../conversation/models.ts";
import type { Problem, ProblemAction } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";

/** A question for the person, or nothing to ask. `tokens`: about how many the whole request has, counted on demand. */
export function beyondModel(
  outgoing: Outgoing,
  model: Model | undefined,
  tokens: () => number,
  { window = model?.contextWindow, isCompactable = false }: Window = {},
): Problem | undefined {
  if (model === undefined) return undefined;
  const { label, vision } = model;
  if (vision === false && holdsPicture(outgoing))
    return question(message("problemPicture", { model: label }));
  if (window === undefined) return undefined;
  const about = tokens();
  if (about <= window) return undefined;
  const tooLong = message("problemWindow", { tokens: about, limit: window, model: label });
  return question(tooLong, isCompactable ? ["compact"] : []);
}

interface Window {
  /** As the user has set it, or the service has said it. */
  readonly window?: number | undefined;
  /** There is a history to summarize. */
  readonly isCompactable?: boolean;
}

const question = (what: Message, first: readonly ProblemAction[] = []): Problem => ({
  kind: "limit",
  message: what,
  actions: [...first, "send-anyway", "keep-draft"],
});

function holdsPicture(outgoing: Outgoing): boolean {
  if (outgoing.route === "responses")
    return outgoing.request.input.some((raw) => raw.includes('"type":"input_image"'));
  return outgoing.request.messages.some(
    ({ content }) => typeof content !== "string" && content.some(({ type }) => type === "image_url"),
  );
}
