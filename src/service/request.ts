// Requests to the service as the layers above make them, previews of what would be sent, and the names that the
// interface leaves open. Pieces that must survive byte for byte are raw JSON.

import type { Message } from "../conversation/messages.ts";
import type { Problem } from "../conversation/problem.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Gap } from "./internal/connection-report.ts";
import type { Receipt } from "./reply.ts";

export interface ResponsesRequest {
  /** `svc-k3` unless the user insists on another (interface: "Only `svc-k3` is supported"). */
  readonly model?: string;
  /** Raw JSON of each input item, in order: history, tool calls, tool results, the new message. */
  readonly input: readonly string[];
  readonly instructions?: string;
  /** Raw JSON of each tool definition. */
  readonly tools?: readonly string[];
  /** Tokens to generate, not input plus output. */
  readonly maxOutputTokens?: number;
  readonly effort?: string;
  /** Values for these two fields, set by the caller itself; the interface does not show their contents. */
  readonly reasoning?: Readonly<Record<string, unknown>>;
  readonly text?: Readonly<Record<string, unknown>>;
  readonly include?: readonly WebSearchInclude[];
  readonly cacheTtl?: "5m" | "1h";
  /** One value for a whole conversation improves the cache hit rate. */
  readonly cacheId?: string;
  /** True unless set. */
  readonly stream?: boolean;
}

export type WebSearchInclude = "web_search_call.action.sources" | "web_search_call.results";

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** True unless set. */
  readonly stream?: boolean;
}

export interface EstimateRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly ContentPart[];
  readonly name?: string;
}

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export type Composable =
  | { readonly route: "responses"; readonly request: ResponsesRequest }
  | { readonly route: "chat"; readonly request: ChatRequest };

/** What a question would send; for a turn with tools, its first request. */
export type Outgoing = Composable & { readonly model: string };

export interface Composed {
  readonly method: "POST";
  readonly url: string;
  /** Without the key: the caller displays `Authorization` as it likes. */
  readonly headers: Readonly<Record<string, string>>;
  /** Exactly what would be sent, except that an occurrence of the key is masked. */
  readonly body: string;
}

export interface DeleteOutcome {
  /** `gone`: the response to an earlier attempt was lost, and now the file does not exist. */
  readonly status: "deleted" | "gone" | "not-found" | "failed";
  /** The service itself said that this file was not deleted; after any other failure the outcome is unknown. */
  readonly denied?: true;
  readonly problem?: Problem;
  readonly receipt?: Receipt;
}

export type EstimateOutcome =
  | { readonly tokens: number; readonly receipt?: Receipt }
  | { readonly problem: Problem; readonly receipt?: Receipt };

export type KeyCheck = { readonly receipt?: Receipt } & (
  | { readonly ok: true; readonly model: string; readonly tokens: number; readonly milliseconds: number }
  | { readonly ok: false; readonly problem: Problem }
);

export interface Finding {
  readonly name: Message;
  readonly state: "yes" | "no" | "unknown";
  readonly detail: Message;
}

export interface ConnectionReport {
  readonly findings: readonly Finding[];
  readonly requests: number;
  /** Duration of the token count. */
  readonly milliseconds?: number;
  /** What is omitted or changed from now on. */
  readonly found: Capabilities;
  /** What is done where the interface is silent, and what applies here. */
  readonly gaps: readonly GapHere[];
  /** The current values, by the names of `patchbay.service.profile`. Contains no header values. */
  readonly profile: string;
  readonly problem?: Problem;
}

interface GapHere extends Pick<Gap, "gap" | "byDefault" | "learned" | "change"> {
  readonly here?: Message | undefined;
}

export interface CheckPlan {
  readonly steps: readonly Message[];
  /** At most; fewer when nothing is refused. */
  readonly requests: number;
  /** Approximate, input and output together. */
  readonly tokens: number;
}

// All names that the interface leaves open, with what we assume and why; headers are in internal/plan-retry.ts. There
// must be no such literal anywhere else in this room, so that this is the only place to change when the service documents
// one.

/**
 * "Field names of these two … not shown." The names that clients of similar services send; settable, and omitted once
 * refused.
 */
export const defaultCacheKeyField = "prompt_cache_key";
export const defaultUserIdField = "safety_identifier";

/** "The framing and end marker of chat completion chunks: not shown." Must match exactly. */
export const endMarker = "[DONE]";

/** "`text`: Output text configuration", which "produces text or JSON output": how JSON is requested is not shown. */
export const jsonFormat = { type: "json_object" } as const;

/**
 * "The set of values of `type` and `code`: not shown." Statuses decide first; these only prevent a request from being
 * repeated in vain, or allow a retry after an error inside a stream, which has no status.
 */
export const errorWords = {
  busy: new Set([
    "rate_limit_exceeded",
    "rate_limit_error",
    "rate_limit_reached_error",
    "too_many_requests",
    "engine_overloaded_error",
    "overloaded_error",
    "429",
  ]),
  server: new Set(["server_error", "model_error", "internal_error", "internal_server_error", "api_error"]),
  quota: new Set(["insufficient_quota", "exceeded_current_quota_error", "billing_hard_limit_reached"]),
  tooLong: new Set([
    "context_length_exceeded",
    "context_window_exceeded",
    "exceed_context_size_error",
    "string_above_max_length",
  ]),
  refused: new Set([
    "invalid_prompt",
    "invalid_request_error",
    "invalid_request",
    "invalid_image",
    "invalid_image_format",
    "invalid_base64_image",
    "invalid_image_url",
    "image_content_policy_violation",
    "unsupported_image_media_type",
  ]),
  quotaText: /\b(quota|balance|billing)\b/i,
  moneyText:
    /\b(insufficient|not enough|no|negative|low|out of|lacks?|exhausted) (\w+ )?(balance|credits?|funds)\b|\b(balance|credits?)\b.{0,20}\b(too low|insufficient|exhausted|depleted|negative|not enough)\b|\brequires? more credits\b|\bin arrears\b|payment required|余额不足|欠费|账户已停用/i,
  rateText: /\brate[ -]limit|\bper[ -](minute|second|hour|day)\b|\b(RPM|TPM|RPD|QPS)\b|too many requests/i,
  tooLongText:
    /context (length|window|size)|request too large|reduce (your|the) (message|prompt|input)|tokens must be reduced|maximum context|token length|model token limit|prompt is too long/i,
} as const;

/** "`web_search_call.results` (image search results)": possible fields for an image's address and title. */
export const imageFields = {
  url: ["image_url", "content_url", "url", "original", "thumbnail_url"],
  title: ["title", "caption", "alt", "name"],
} as const;

/** Item types that contain a tool call, once a vendor's slug is removed. `custom` is the interface's own word. */
export const customCallTypes = new Set(["custom_tool_call", "custom", "apply_patch_call"]);

/** Where a custom call may contain its text; the first string counts. */
export const customInputFields = ["input", "arguments", "patch", "content"] as const;

/** Keys of a chat message that may contain the model's reasoning; the first string counts. */
export const reasoningKeys = ["reasoning_content", "reasoning", "reasoning_details"] as const;

/** finish_reason values for a reply that was cut off; any other ends it normally. */
export const cutFinishes = new Set(["length", "content_filter", "max_tokens"]);
