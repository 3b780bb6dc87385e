// The operations whose response is one small JSON document: counting tokens and deleting a file.

import * as z from "zod/mini";
import { type Message, message } from "../../conversation/messages.ts";
import { isObject, parseJson } from "../../util/json.ts";
import { present } from "../../util/present.ts";
import { looksLikeHtml } from "../../util/text.ts";
import type { CapabilityRegistry } from "../capabilities.ts";
import type { Receipt } from "../reply.ts";
import type { DeleteOutcome, EstimateOutcome, EstimateRequest } from "../request.ts";
import { refuseFileId } from "../url-and-key.ts";
import { estimateBody } from "./body.ts";
import {
  type Attempt,
  type Call,
  type CallResponse,
  prepareAttempt,
  readText,
  receiptFor,
  requireSuccess,
} from "./call.ts";
import { ApiError, type Fault, readErrorBody, readServiceError, type ServiceError } from "./fault.ts";
import { localProblem, toProblem } from "./fault-to-problem.ts";
import { hideKeys } from "./hide-key-in-replies.ts";
import { send } from "./http.ts";
import { isUndelivered, maxRequests, planRetry } from "./plan-retry.ts";

interface JsonOperation<T> extends Omit<Attempt, "accept"> {
  readonly requests: number;
  readonly model?: string;
  /** Interprets the response; `undefined` when it is not a valid one, so that its status decides. */
  read(status: number, text: string): T | undefined;
}

type JsonOutcome<T> =
  | { readonly ok: true; readonly value: T; readonly receipt: Receipt | undefined }
  | {
      readonly ok: false;
      readonly receipt: Receipt | undefined;
      readonly fault: Fault;
      readonly retryAt: number | undefined;
      /** An earlier attempt may have succeeded although its response never arrived. */
      readonly lostBefore: boolean;
    };

const maxTextBytes = 2 ** 20;
const textMilliseconds = 60_000;

/**
 * Handles the attempts and the waiting of an operation, then passes on the text of its response. Throws only Stopped.
 */
async function callJson<T>(
  call: Call,
  operation: JsonOperation<T>,
  signal: AbortSignal,
): Promise<JsonOutcome<T>> {
  let lostBefore = false;
  for (let requests = 1; ; requests++) {
    const outcome = await once(call, operation, signal);
    if (!("fault" in outcome)) return { ok: true, ...outcome };
    const { fault, receipt } = outcome;
    const { clock } = call;
    const plan = planRetry(fault, requests, "nothing", { now: clock.now(), random: clock.random() });
    const retryAt = plan.again ? undefined : plan.retryAt;
    if (!plan.again || requests >= operation.requests)
      return { ok: false, fault, retryAt, lostBefore, receipt };
    lostBefore ||= fault.at === "status" ? fault.status >= 500 : !isUndelivered(fault);
    await clock.wait(plan.milliseconds, signal);
    signal.throwIfAborted();
  }
}

async function once<T>(
  call: Call,
  operation: JsonOperation<T>,
  signal: AbortSignal,
): Promise<({ value: T } | { fault: Fault }) & { receipt: Receipt | undefined }> {
  try {
    const { request, received } = await prepareAttempt(call, { ...operation, accept: "application/json" });
    const answer = received(await send(request, call.network, call.settings, signal));
    if (answer.status >= 300 && answer.status < 400) await requireSuccess(answer, 0);
    const body = await readText(answer.body, maxTextBytes, textMilliseconds);
    const text = body && hideKeys(body, call.keys());
    signal.throwIfAborted();
    const value = text === undefined ? undefined : operation.read(answer.status, text);
    const receipt = receiptFor(call, operation, answer, { model: operation.model });
    if (value !== undefined) return { value, receipt };
    return { fault: faultOfText(answer, text, operation.body?.length ?? 0), receipt };
  } catch (error) {
    signal.throwIfAborted();
    const fault: Fault = error instanceof ApiError ? error.fault : { at: "bug", message: String(error) };
    return { fault, receipt: undefined };
  }
}

function faultOfText(
  { status, header: headers }: CallResponse,
  text: string | undefined,
  sentBytes: number,
): Fault {
  if (text === undefined)
    return status < 300
      ? { at: "too-large" }
      : { at: "status", status, words: undefined, headers, sentBytes };
  const words = readErrorBody(text);
  if (status >= 300) return { at: "status", status, words, page: looksLikeHtml(text), headers, sentBytes };
  if (text.trim() === "") return { at: "empty" };
  return /^\s*</.test(text) ? { at: "html" } : { at: "damaged" };
}

const Result = z.object({ data: z.object({ total_tokens: z.int().check(z.minimum(0)) }) });

type Read = { readonly tokens: number } | { readonly error: ServiceError };

/** Origins that refuse a tool's result in the form the interface shows, for the lifetime of the client. */
const textOnly = new WeakMap<CapabilityRegistry, Set<string>>();

/**
 * Estimates the token count of a chat-style input. On failure the outcome has no number; a request is repeated at most
 * once in the same form, and a failure never prevents sending. A Responses request is counted as a chat, because the
 * interface calls its input "almost identical". The interface shows no field that links a tool's result to its call. If
 * a service requires one, the result is counted as text.
 */
export async function estimate(
  call: Call,
  request: EstimateRequest,
  signal: AbortSignal,
): Promise<EstimateOutcome> {
  const { capabilities, address } = call;
  const asText = toolsAsText(request);
  if (asText === undefined) return count(call, request, signal);
  const known = textOnly.get(capabilities);
  if (known?.has(address.origin)) return count(call, asText, signal);
  const outcome = await count(call, request, signal);
  if (!("problem" in outcome) || outcome.problem.kind !== "bad-request") return outcome;
  const again = await count(call, asText, signal);
  if ("problem" in again) return outcome;
  textOnly.set(capabilities, new Set([...(known ?? []), address.origin]));
  return again;
}

/** `undefined` when there is no tool message. */
function toolsAsText(request: EstimateRequest): EstimateRequest | undefined {
  const { messages } = request;
  if (!messages.some(({ role }) => role === "tool")) return undefined;
  const asText = messages.map((each) => (each.role === "tool" ? { ...each, role: "user" as const } : each));
  return { ...request, messages: asText };
}

async function count(call: Call, request: EstimateRequest, signal: AbortSignal): Promise<EstimateOutcome> {
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

const DeletionReply = z.object({ id: z.string(), object: z.optional(z.string()), deleted: z.boolean() });
type DeletionReply = z.infer<typeof DeletionReply>;

/**
 * Deletes a file permanently. It counts as deleted only when the service confirms this very file. Repeating a deletion
 * is harmless, so it is retried like everything else (architecture §13).
 */
export async function deleteFile(call: Call, id: string, signal: AbortSignal): Promise<DeleteOutcome> {
  const refusal = refuseFileId(id);
  if (refusal !== undefined) return { status: "failed", problem: localProblem("refused-locally", refusal) };
  const outcome = await callJson(
    call,
    {
      method: "DELETE",
      path: `/files/${encodeURIComponent(id)}`,
      body: undefined,
      requests: maxRequests,
      read: (status, text) => (status === 200 ? DeletionReply.safeParse(parseJson(text)).data : undefined),
    },
    signal,
  );
  const result = outcome.ok ? confirmed(call, id, outcome.value) : refused(call, outcome);
  return present({ ...result, receipt: outcome.receipt });
}

function confirmed(call: Call, id: string, result: DeletionReply): DeleteOutcome {
  if (!result.deleted) return { ...failed(message("deletedNot")), denied: true };
  if (result.id !== id) return failed(message("deletedOther"));
  if (result.object !== "file")
    call.log.warn(`The deletion result is an object of kind ${String(result.object)}`);
  return { status: "deleted" };
}

const failed = (what: Message): DeleteOutcome => ({
  status: "failed",
  problem: localProblem("protocol", what, ["retry"]),
});

function refused(call: Call, outcome: Extract<JsonOutcome<DeletionReply>, { ok: false }>): DeleteOutcome {
  const { fault, lostBefore, retryAt } = outcome;
  const host = new URL(call.address.url).host;
  const problem = toProblem(fault, { mask: call.mask, visible: false, retryAt, host });
  if (fault.at !== "status" || fault.status !== 404) return { status: "failed", problem };
  if (lostBefore) return { status: "gone" };
  return { status: "not-found", problem: { ...problem, message: message("deletedBefore"), actions: [] } };
}
