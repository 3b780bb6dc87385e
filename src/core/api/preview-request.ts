// How a request would go out right now, for a person to look at; nothing is sent. The builder of the body is the one that
// sends, so that its bytes are the same.
import type { Message } from "../messages/message.ts";
import { maskedText } from "../util/mask.ts";
import { chatBody, responsesBody } from "./body.ts";
import type { Found } from "./capabilities.ts";
import type { Composable, Composed } from "./request.ts";
import type { BodySettings, Settings } from "./settings.ts";
import { operationUrl } from "./url-and-key.ts";

export interface PreviewDeps {
  readonly address: { readonly url: string };
  readonly settings: BodySettings & Pick<Settings, "extraHeaders">;
  readonly found: Found;
  /** Takes the key out of a text, and nothing else. */
  hideKey(text: string): string;
}

/** The sentence says why nothing would be sent. */
export function previewRequest(
  asked: Composable,
  deps: PreviewDeps,
): Composed | { readonly message: Message } {
  const body =
    asked.route === "responses"
      ? responsesBody(asked.request, deps.settings, deps.found)
      : chatBody(asked.request, deps.settings, deps.found);
  if (!body.ok) return { message: body.message };
  const path = asked.route === "responses" ? "/responses" : "/chat/completions";
  return {
    method: "POST",
    url: operationUrl(deps.address, path),
    headers: {
      accept: body.stream ? "text/event-stream" : "application/json",
      "content-type": "application/json",
      // Their values may open something.
      ...Object.fromEntries(Object.keys(deps.settings.extraHeaders).map((name) => [name, maskedText])),
    },
    body: deps.hideKey(body.json),
  };
}
