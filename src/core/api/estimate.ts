// Estimate token count: how many tokens a chat-style input has. A failure is an answer without a number; it is
// asked again at most once and never stands in the way of sending.
import * as z from "zod/mini";
import type { Problem } from "../conversation/problem.ts";
import { isObject, parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";
import { estimateBody } from "./body.ts";
import type { Call } from "./call.ts";
import { localProblem, toProblem } from "./errors.ts";
import { callJson } from "./json-call.ts";
import type { Receipt } from "./reply.ts";
import { readServiceError, type ServiceError } from "./reply-reader.ts";
import type { EstimateRequest } from "./request.ts";

export type EstimateOutcome =
  | { readonly tokens: number; readonly receipt?: Receipt }
  | { readonly problem: Problem; readonly receipt?: Receipt };

const Result = z.object({ data: z.object({ total_tokens: z.int().check(z.minimum(0)) }) });

type Read = { readonly tokens: number } | { readonly error: ServiceError };

export async function estimate(
  call: Call,
  request: EstimateRequest,
  signal: AbortSignal,
): Promise<EstimateOutcome> {
  const body = estimateBody(request);
  if (!body.ok) return { problem: localProblem("refused-locally", body.message) };
  const outcome = await callJson(
    call,
    {
      method: "POST",
      path: "/tokenizers/estimate-token-count",
      body: Buffer.from(body.json),
      requests: 2,
      model: request.model,
      read,
    },
    signal,
  );
  const { receipt } = outcome;
  const context = { mask: call.mask, visible: false, host: new URL(call.address.url).host };
  if (!outcome.ok) {
    return present({ problem: toProblem(outcome.fault, { ...context, retryAt: outcome.retryAt }), receipt });
  }
  const { value } = outcome;
  if ("tokens" in value) return present({ tokens: value.tokens, receipt });
  return present({ problem: toProblem({ at: "service", by: "body", error: value.error }, context), receipt });
}

/** Interface: "When the body has no `error` field, `data.total_tokens` is the result", whatever the status. */
function read(status: number, text: string): Read | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  if ("error" in value) return status < 300 ? { error: readServiceError(value) } : undefined;
  const result = Result.safeParse(value);
  return result.success ? { tokens: result.data.data.total_tokens } : undefined;
}
