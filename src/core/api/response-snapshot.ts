// A snapshot of the response object, field by field: whether it is an end, and what it reports beside its output.
// Knows no stream.
import { isDeepStrictEqual } from "node:util";
import type { Usage } from "../conversation/usage.ts";
import { asCount, asObject, asString, type JsonObject, parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";
import type { Echoed } from "./body.ts";
import type { Reply } from "./reply.ts";
import { type End, readServiceError, readUsage, type UsageNames } from "./reply-reader.ts";

const usageNames: UsageNames = {
  input: [["input_tokens"], ["prompt_tokens"]],
  cached: [
    ["input_tokens_details", "cached_tokens"],
    ["prompt_tokens_details", "cached_tokens"],
  ],
  cacheWrite: [["input_tokens_details", "cache_write_tokens"]],
  output: [["output_tokens"], ["completion_tokens"]],
  reasoning: [
    ["output_tokens_details", "reasoning_tokens"],
    ["completion_tokens_details", "reasoning_tokens"],
  ],
  total: [["total_tokens"]],
};

export const usageOf = (response: JsonObject): Usage | undefined => readUsage(response["usage"], usageNames);

/** Faults R1: the object's status wins over the event's name. `undefined` while it is not an end. */
export function endStatus(status: string | undefined, named: string | undefined): string | undefined {
  const final = status ?? named;
  if (final === undefined || final === "in_progress" || final === "queued" || final === "created")
    return undefined;
  if (final === "completed" || final === "incomplete" || final === "failed") return final;
  // An unknown status ends the reply only where the event itself is an end.
  return named === undefined || isEndName(named) ? final : undefined;
}

const isEndName = (named: string): boolean => !["created", "queued", "in_progress"].includes(named);

export function endOf(status: string, response: JsonObject): End {
  if (status === "completed") return { status };
  if (status === "incomplete") {
    return present({
      status: "incomplete" as const,
      reason: asString(asObject(response["incomplete_details"])?.["reason"]),
    });
  }
  const error = readServiceError(response["error"]);
  if (status === "failed") return { status, error, named: true };
  return { status: "failed", error, reason: status, named: true };
}

export function cacheOf(response: JsonObject): Reply["cache"] {
  const options = asObject(response["prompt_cache_options"]);
  const ttl = asString(options?.["ttl"]);
  return ttl === undefined ? undefined : present({ mode: asString(options?.["mode"]), ttl });
}

/** Interface, "Response object": both are Unix seconds; completed_at is null unless completed or incomplete. */
export function durationOf(response: JsonObject): number | undefined {
  const from = asCount(response["created_at"]);
  const to = asCount(response["completed_at"]);
  return from === undefined || to === undefined || to < from ? undefined : (to - from) * 1000;
}

/** Requirements C6: a response that is over has a time at which it was. */
export function timeRemarks({ status, completed_at: at }: JsonObject): string[] {
  const isOver = status === "completed" || status === "incomplete";
  return isOver && at === null ? [`completed_at is null although the response is ${status}`] : [];
}

/** Interface, "Response object": an "Echo of" both. Never the truth; that it differs is worth a line in the log. */
export function echoRemarks({ instructions, tools }: JsonObject, sent: Echoed): string[] {
  const remarks: string[] = [];
  if (typeof instructions === "string" && instructions !== (sent.instructions ?? ""))
    remarks.push("the echoed instructions are not those that were sent");
  if (Array.isArray(tools) && !isDeepStrictEqual(tools, (sent.tools ?? []).map(parseJson)))
    remarks.push("the echoed tools are not those that were sent");
  return remarks;
}
