// What a model does not take: a request beyond its context window, or a picture.
import { type Message, message } from "../../conversation/messages.ts";
import type { Model } from "../../conversation/models.ts";
import type { Problem, ProblemAction } from "../../conversation/problem.ts";
import type { Outgoing } from "../../service/request.ts";

/**
 * Checks a request against the model limits a person has set. The service reports neither context windows nor which
 * models accept images (interface, "Limits"), so nothing is checked unless somebody has set it. Returns a question for
 * the person, or undefined. `tokens`: estimates the whole request, called only when needed.
 */
export function modelLimitProblem(
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
  /** As the user has set it or the service has reported it. */
  readonly window?: number | undefined;
  /** Whether there is a history to summarize. */
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
