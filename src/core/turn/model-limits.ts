// What a person has said of a model against what is about to be sent to it. The service tells neither context windows nor
// which models see pictures (interface, "Limits"), so nothing is checked that nobody has set.

import type { Model } from "../conversation/models.ts";
import type { Problem } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";
import type { Outgoing } from "./service-request.ts";

/** A question for the person, or nothing to ask. `tokens`: about how many the whole request has, counted on demand. */
export function beyondModel(
  outgoing: Outgoing,
  model: Model | undefined,
  tokens: () => number | undefined,
): Problem | undefined {
  if (model === undefined) return undefined;
  const { label, contextWindow, vision } = model;
  if (vision === false && holdsPicture(outgoing))
    return question(message("problemPicture", { model: label }));
  if (contextWindow === undefined) return undefined;
  const about = tokens() ?? 0;
  if (about <= contextWindow) return undefined;
  return question(message("problemWindow", { tokens: about, limit: contextWindow, model: label }));
}

const question = (what: Message): Problem => ({
  kind: "limit",
  message: what,
  actions: ["send-anyway", "keep-draft"],
});

function holdsPicture(outgoing: Outgoing): boolean {
  if (outgoing.route === "responses")
    return outgoing.request.input.some((raw) => raw.includes('"type":"input_image"'));
  return outgoing.request.messages.some(
    ({ content }) => typeof content !== "string" && content.some(({ type }) => type === "image_url"),
  );
}
