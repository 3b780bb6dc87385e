// The data and services that both kinds of turn need, and the request of the client that follows from them.

import type { CheckResult } from "../../checks/check-result.ts";
import type { HistoryForm } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Model, Route } from "../../conversation/models.ts";
import type { Problem, ProblemAction } from "../../conversation/problem.ts";
import type { AttachmentView, Turn, Usage } from "../../conversation/state.ts";
import type { Exchange } from "../../inspect/exchanges.ts";
import { type ChatRequest, jsonFormat, type Outgoing, type ResponsesRequest } from "../../service/request.ts";
import type { ServiceClient } from "../../service/service-client.ts";
import type { Log } from "../../util/log.ts";
import { inHistoryForm, toMessages } from "./history.ts";
import type { TurnOutput } from "./recorder.ts";
import type { ToolDeps } from "./run-tool-call.ts";

export interface TurnRequest {
  readonly turn: string;
  readonly model: string;
  readonly route: Route;
  /** The question as shown. */
  readonly prompt: string;
  readonly attachments: readonly AttachmentView[];
  /** Continues the response before it. */
  readonly continues: boolean;
  /** Asks for a summary (compaction.ts). */
  readonly compacts?: boolean;
  /** An edit on its own: the turn ends once its patch fits and the same reply contains the explanation. */
  readonly endsWithPatch?: boolean;
  /** Notes shown to the person at its start. */
  readonly notes: readonly Message[];
  /** Raw items this turn adds before the request: attachments and the question. */
  readonly items: readonly string[];
  /** Everything before, as it was sent and received. */
  readonly history: readonly string[];
  /** How history and items are sent (history.ts). */
  readonly form: HistoryForm;
  /** The person was already told that this form is used. */
  readonly formNoted: boolean;
  /** The person has just agreed to the form after a refusal. */
  readonly formAgreed: boolean;
  /** The makers of the service's items in the history, as far as known (service/internal/call.ts). */
  readonly makers: ReadonlySet<string>;
  readonly frozen: FrozenPrefix;
  readonly limits: TurnLimits;
  /** False: without streaming, because the stream could not be understood. */
  readonly stream?: boolean;
}

/** The same bytes for the whole life of a conversation: a change means a new cache prefix (requirements B7). */
export interface FrozenPrefix {
  readonly instructions: string;
  /** Raw JSON. */
  readonly tools: readonly string[];
  /** One value for a whole conversation improves the cache hit rate. */
  readonly cacheId: string;
}

export interface TurnLimits {
  /** Maximum requests of one turn; then a person is asked whether to continue. */
  readonly steps: number;
  readonly outputTokens?: number;
  readonly effort?: string;
  /** Responses are JSON. */
  readonly json?: boolean;
  readonly cacheTtl?: "5m" | "1h";
}

/** The person's own checks of a turn's proposal. */
export interface TurnProof {
  /** Whether something was proposed that they have not checked. */
  isDue(): boolean;
  /** Whether one of them runs without asking a person first. */
  runsUnasked(): Promise<boolean>;
  run(signal: AbortSignal): Promise<readonly CheckResult[]>;
  /** Describes the results to the model. */
  report(results: readonly CheckResult[], signal: AbortSignal): Promise<string>;
  /** Findings the model has not been told yet. */
  takeNews(): readonly CheckResult[];
}

export interface TurnDeps {
  /** Saves and shows what the turn adds. */
  record(output: TurnOutput): Promise<void>;
  /** Absent: there are no checks. */
  readonly proof?: TurnProof | undefined;
  readonly client: ServiceClient;
  readonly tools: Omit<ToolDeps, "log" | "timesAsked" | "readBefore">;
  readonly log: Log;
  /** Items about decisions on earlier patches that these items do not report yet. */
  news(items: readonly string[]): readonly string[];
  /** Whether tools have produced so much in this turn that a person is asked before it is sent. */
  isMuch(items: readonly string[]): boolean;
  /** Whether a history of these items fits the context window; true if that is not known. */
  fits(items: readonly string[]): boolean;
  /** All turns of the conversation. */
  turns(): readonly Turn[];
  /** Called when a request got its reply. */
  exchanged(exchange: Exchange): void;
  /** Passes on the usage the service reported; returns the previous estimate of the input. */
  counted(outgoing: Outgoing, usage: Usage | undefined): number | undefined;
  now(): number;
}

/**
 * Converts a turn's request into a request of the client, for sending and for previews. `input`: everything said so
 * far, including this turn.
 */
function responsesRequest(
  { model, frozen, limits, form, compacts, stream = true }: TurnRequest,
  input: readonly string[],
): ResponsesRequest & { readonly tools: readonly string[] } {
  const { instructions, tools, cacheId } = frozen;
  const { outputTokens, effort, cacheTtl, json } = limits;
  return {
    model,
    input: inHistoryForm(form, input),
    instructions,
    tools,
    cacheId,
    include: ["web_search_call.action.sources", "web_search_call.results"],
    ...(outputTokens !== undefined && { maxOutputTokens: outputTokens }),
    ...(effort !== undefined && { effort }),
    // A summary is plain text for a model.
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

const chatRequest = ({ model, frozen, history, items, stream = true }: TurnRequest): ChatRequest => ({
  model,
  messages: toMessages(frozen.instructions, [...history, ...items]),
  ...(!stream && { stream }),
});

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
