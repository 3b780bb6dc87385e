// An operation that answers with one small JSON document: attempts and waiting, then what its reader makes of the
// text. Throws only Stopped.
import { looksLikeHtml } from "../util/plain-text.ts";
import {
  type Answer,
  type Attempt,
  attempt,
  type Call,
  readText,
  receiptFor,
  requireSuccess,
} from "./call.ts";
import { ApiError, type Fault } from "./fault.ts";
import { hideKeys } from "./hide-key.ts";
import type { Receipt } from "./reply.ts";
import { planRetry } from "./retry.ts";
import { readErrorBody } from "./service-error.ts";

export interface JsonOperation<T> extends Omit<Attempt, "accept"> {
  readonly requests: number;
  readonly model?: string;
  /** What the answer means; `undefined` when it is not one, so that its status decides. */
  read(status: number, text: string): T | undefined;
}

export type JsonOutcome<T> =
  | { readonly ok: true; readonly value: T; readonly receipt: Receipt | undefined }
  | {
      readonly ok: false;
      readonly receipt: Receipt | undefined;
      readonly fault: Fault;
      readonly retryAt: number | undefined;
      /** An earlier attempt may have been carried out although its answer never came. */
      readonly lostBefore: boolean;
    };

const maxTextBytes = 2 ** 20;
const textMilliseconds = 60_000;

export async function callJson<T>(
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
    lostBefore ||= fault.at !== "status" || fault.status >= 500;
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
    const answer = await attempt(call, { ...operation, accept: "application/json" }, signal);
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
  { status, header: headers }: Answer,
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
