// The response object: what every snapshot of a stream and a whole reply carry. Pure.
import { isObject, type JsonObject } from "./json.ts";
import { finalItem, type ItemContext, number } from "./response-items.ts";
import type { Turn } from "./turn.ts";
import { responsesUsage, type Usage } from "./usage.ts";

export interface ReplyContext extends ItemContext {
  /** Unix seconds. */
  readonly createdAt: number;
  readonly completedAt: number;
  readonly request: JsonObject;
  readonly usage: Usage | null;
}

/** Interface, "Limits": generation ends there when a request names no limit. */
export const defaultOutputLimit = 131_072;

/** Fields that differ between snapshots come on top. */
export function snapshot(context: ReplyContext, changes: JsonObject): JsonObject {
  const { request } = context;
  return {
    id: `resp_${number(context.serial)}`,
    object: "response",
    created_at: context.createdAt,
    completed_at: null,
    status: "in_progress",
    background: false,
    conversation: null,
    error: null,
    incomplete_details: null,
    instructions: request["instructions"] ?? null,
    max_output_tokens: request["max_output_tokens"] ?? defaultOutputLimit,
    metadata: isObject(request["metadata"]) ? request["metadata"] : {},
    model: request["model"],
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_options: appliedCacheOptions(request),
    reasoning: { effort: null, summary: null, ...objectAt(request, "reasoning") },
    service_tier: "default",
    store: false,
    temperature: 1,
    text: { format: { type: "text" }, ...objectAt(request, "text") },
    tool_choice: "auto",
    tools: request["tools"] ?? [],
    top_p: 1,
    usage: null,
    ...changes,
  };
}

/** Interface, "Response object": the options actually applied, defaults filled in. */
function appliedCacheOptions(request: JsonObject): JsonObject {
  return { mode: "implicit", ttl: "5m", ...objectAt(request, "prompt_cache_options") };
}

function objectAt(request: JsonObject, key: string): JsonObject {
  const value = request[key];
  return isObject(value) ? value : {};
}

export function finalOutput(turn: Turn, context: ItemContext): readonly JsonObject[] {
  const last = turn.pieces.length - 1;
  return turn.pieces.map((piece, index) =>
    finalItem(
      piece,
      index,
      context,
      turn.ending.kind !== "completed" && index === last ? "incomplete" : "completed",
    ),
  );
}

/** The snapshot that ends a reply, streamed or whole. */
export function finalSnapshot(turn: Turn, context: ReplyContext): JsonObject {
  const { ending } = turn;
  const usage = context.usage === null ? {} : { usage: responsesUsage(context.usage) };
  const output = finalOutput(turn, context);
  switch (ending.kind) {
    case "completed":
      return snapshot(context, { status: "completed", completed_at: context.completedAt, output, ...usage });
    case "incomplete":
      return snapshot(context, {
        status: "incomplete",
        completed_at: context.completedAt,
        incomplete_details: { reason: ending.reason },
        output,
        ...usage,
      });
    case "failed":
    case "error":
      return snapshot(context, {
        status: "failed",
        error: { code: ending.code, message: ending.message },
        output,
      });
    default:
      return ending satisfies never;
  }
}
