// Figures of usage and how each wire spells them.
import type { JsonObject } from "./json.ts";

export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  readonly reasoning: number;
  readonly total: number;
}

export function responsesUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.written },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.total,
  };
}

/** Cached tokens stand where the form says: at the top level, in the details, or in both. */
export function chatUsage(usage: Usage, where: "top" | "details" | "both"): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.total,
    ...(where === "details" ? {} : { cached_tokens: usage.cached }),
    ...(where === "top" ? {} : { prompt_tokens_details: { cached_tokens: usage.cached } }),
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
