// What a person has said of a model against what is about to be sent to it. The service tells neither context windows nor
// which models see pictures (interface, "Limits"), so nothing is checked that nobody has set.
import type { Model } from "../conversation/models.ts";
import type { Problem } from "../conversation/problem.ts";
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
    return question(`This holds a picture, and you have set that ${label} takes none.`);
  if (contextWindow === undefined) return undefined;
  const about = tokens() ?? 0;
  if (about <= contextWindow) return undefined;
  return question(
    `This and what goes with it are about ${figure(about)} tokens, more than the context window of ${figure(contextWindow)} that you have set for ${label}.`,
  );
}

const question = (message: string): Problem => ({
  kind: "limit",
  message,
  actions: ["send-anyway", "keep-draft"],
});

const figure = (count: number): string => count.toLocaleString("en");

function holdsPicture(outgoing: Outgoing): boolean {
  if (outgoing.route === "responses")
    return outgoing.request.input.some((raw) => raw.includes('"type":"input_image"'));
  return outgoing.request.messages.some(
    ({ content }) => typeof content !== "string" && content.some(({ type }) => type === "image_url"),
  );
}
