// A turn's request in the words of the client: what is sent, and what would be. Pure.
import type { ChatRequest, Outgoing, ResponsesRequest } from "../api/request.ts";
import { jsonFormat } from "../api/undocumented-names.ts";
import { toMessages } from "./history.ts";
import { inForm } from "./plain-history.ts";
import type { TurnRequest } from "./turn-request.ts";

/** `input`: everything said so far, in this turn too. */
export function responsesRequest(
  { model, frozen, limits, form, compacts, stream = true }: TurnRequest,
  input: readonly string[],
): ResponsesRequest & { readonly tools: readonly string[] } {
  const { instructions, tools, cacheId } = frozen;
  const { outputTokens, effort, cacheTtl, json } = limits;
  return {
    model,
    input: inForm(form, input),
    instructions,
    tools,
    cacheId,
    include: ["web_search_call.action.sources", "web_search_call.results"],
    ...(outputTokens !== undefined && { maxOutputTokens: outputTokens }),
    ...(effort !== undefined && { effort }),
    // A summary is text for a model.
    ...(json && !compacts && { text: { format: jsonFormat } }),
    ...(cacheTtl !== undefined && { cacheTtl }),
    ...(!stream && { stream }),
  };
}

export const outgoingOf = (request: TurnRequest): Outgoing => {
  const { model, route, history, items } = request;
  return route === "responses"
    ? { route: "responses", model, request: responsesRequest(request, [...history, ...items]) }
    : { route: "chat", model, request: chatRequest(request) };
};

export const chatRequest = ({ model, frozen, history, items, stream = true }: TurnRequest): ChatRequest => ({
  model,
  messages: toMessages(frozen.instructions, [...history, ...items]),
  ...(!stream && { stream }),
});
