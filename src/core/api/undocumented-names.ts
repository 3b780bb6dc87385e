// Every name the interface leaves open, with what we assume and why; headers are in response-headers.ts. A literal of this
// kind anywhere else in core/api is a mistake: when the service documents one of them, this is the only place to look at.

/** "Field names of these two … not shown." What clients of this kind of service send; settable, left out once refused. */
export const defaultCacheKeyField = "prompt_cache_key";
export const defaultUserIdField = "safety_identifier";

/** "The framing and end marker of chat completion chunks: not shown." Exactly this text and nothing like it. */
export const endMarker = "[DONE]";

/** "`text`: Output text configuration", which "produces text or JSON output": what asks for JSON is not shown. */
export const jsonFormat = { type: "json_object" } as const;

/**
 * "The set of values of `type` and `code`: not shown." Statuses decide first; these only keep a request from
 * being repeated in vain, or let an error inside a stream, which has no status, be repeated at all.
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
  tooLong: new Set(["context_length_exceeded", "context_window_exceeded", "string_above_max_length"]),
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
  tooLongText: /context (length|window)|maximum context|token length|model token limit|prompt is too long/i,
} as const;

/** "`web_search_call.results` (image search results)": where one may say where its picture lies and what it is called. */
export const imageFields = {
  url: ["image_url", "content_url", "url", "original", "thumbnail_url"],
  title: ["title", "caption", "alt", "name"],
} as const;

/** Item types that hold a tool call, once a vendor's slug is removed. `custom` is the interface's own word. */
export const customCallTypes = new Set(["custom_tool_call", "custom", "apply_patch_call"]);

/** Where a custom call may keep its text; the first string counts. */
export const customInputFields = ["input", "arguments", "patch", "content"] as const;

/** Keys of a chat message that may hold what the model thought; the first string counts. */
export const reasoningKeys = ["reasoning_content", "reasoning", "reasoning_details"] as const;

/** finish_reason values that mean the reply was cut; every other one ends it normally. */
export const cutFinishes = new Set(["length", "content_filter", "max_tokens"]);
