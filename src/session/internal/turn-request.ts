// The request of a turn, the turn while it runs, and the request of the client that follows from it.

import type { HistoryForm } from "../../conversation/events.ts";
import type { Message } from "../../conversation/messages.ts";
import type { Route } from "../../conversation/models.ts";
import type { AttachmentView, RequestCause } from "../../conversation/state.ts";
import type { Reply } from "../../service/reply.ts";
import {
  type ChatMessage,
  type ChatRequest,
  jsonFormat,
  type Outgoing,
  type ResponsesRequest,
} from "../../service/request.ts";
import type { Log } from "../../util/log.ts";
import type { ConversationState } from "./conversation-state.ts";
import { inHistoryForm, toMessages } from "./history.ts";
import type { TurnOutput } from "./recorder.ts";
import type { Ended } from "./reply-events.ts";
import type { ToolDeps } from "./run-tool-call.ts";
import { type CallsInText, formWithMark } from "./text-calls.ts";

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
  /** What its requests count as; absent: an answer, or a summary. */
  readonly cause?: RequestCause | undefined;
}

/** The same bytes for the whole life of a conversation: a change means a new cache prefix (requirements B7). */
export interface FrozenPrefix {
  readonly instructions: string;
  /** Raw JSON. */
  readonly tools: readonly string[];
  /** One value for a whole conversation improves the cache hit rate. */
  readonly cacheId: string;
  /** How tools are called by a model that is sent none. */
  readonly inText?: CallsInText | undefined;
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

/** A turn while it runs. */
export interface RunningTurn {
  readonly conversation: ConversationState;
  readonly request: TurnRequest;
  readonly tools: Omit<ToolDeps, "log" | "timesAsked" | "readBefore">;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The context window found for the model, for a summary. */
  readonly window?: number | undefined;
  /** What a stop leaves for the end of the turn, where the calls without an output get theirs in their order. */
  readonly stopped: {
    /** The ids of calls that had not begun. */
    readonly unrun: Set<string>;
    /** Items that follow the outputs. */
    readonly last: string[];
  };
  now(): number;
  /** Resolves once the event is taken and saved. After a stop most events are dropped. */
  emit(output: TurnOutput): Promise<void>;
  /** Sends one request of the turn. `input`: everything said so far, including this turn. */
  send(step: number, input: readonly string[], form: HistoryForm): Promise<Reply>;
}

/** Runs a turn up to its end; after a stop, what is returned does not matter. */
export type TurnSteps = (turn: RunningTurn) => Promise<Ended | undefined>;

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
  messages: chatMessages(frozen, [...history, ...items]),
  ...(!stream && { stream }),
});

export const chatMessages = (
  { instructions, inText }: FrozenPrefix,
  items: readonly string[],
): ChatMessage[] => toMessages(instructions, items, inText && formWithMark(inText.mark));
