// A request as it would go out right now, for whoever wants to look at it: the same builder that sends makes its bytes.
// Sends nothing and holds no key.
import type { Message } from "../messages/message.ts";
import { maskedText } from "../util/mask.ts";
import { operationUrl } from "./address.ts";
import { type BodySettings, chatBody, responsesBody } from "./body.ts";
import type { Found } from "./capabilities.ts";
import type { ChatRequest, ResponsesRequest } from "./request.ts";
import type { Settings } from "./settings.ts";

export type Composable =
  | { readonly route: "responses"; readonly request: ResponsesRequest }
  | { readonly route: "chat"; readonly request: ChatRequest };

export interface Composed {
  readonly method: "POST";
  readonly url: string;
  /** Without the key: who shows them writes `Authorization` as they like. */
  readonly headers: Readonly<Record<string, string>>;
  /** Exactly what would be sent, unless the key stands in it: that is masked. */
  readonly body: string;
}

export interface ComposeDeps {
  readonly address: { readonly url: string };
  readonly settings: BodySettings & Pick<Settings, "extraHeaders">;
  readonly found: Found;
  /** Takes the key out of a text, and nothing else. */
  hideKey(text: string): string;
}

/** The sentence says why nothing would be sent. */
export function compose(asked: Composable, deps: ComposeDeps): Composed | { readonly message: Message } {
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
