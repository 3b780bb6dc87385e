// Whether a request is made again, and when. One policy for every operation: only while nothing is visible, at most three
// requests, never in vain, and of what costs only where nothing can have been generated. Pure; the clock is the caller's.
import { type Message, message } from "../messages/message.ts";
import { type Fault, isOffline } from "./fault.ts";
import { forbidsRetry, positiveNumber, waitInHeaders } from "./response-headers.ts";
import { errorClass } from "./service-error.ts";

export type RetryPlan =
  | { readonly again: true; readonly milliseconds: number; readonly reason: Message }
  /** `retryAt`: the service named a time that is too far off to wait for. */
  | { readonly again: false; readonly retryAt?: number };

export interface RetryClock {
  readonly now: number;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * What is lost with a reply: nothing where asking twice is harmless; a generation, which is billed, from its headers on
 * where it is streamed, and from its sending on where it comes whole.
 */
export type Stake = "nothing" | "stream" | "whole";

export const maxRequests = 3;
const longestWait = 60_000;

export function planRetry(fault: Fault, made: number, stake: Stake, clock: RetryClock): RetryPlan {
  const kind = mayBeGenerated(fault, stake) ? undefined : retryable(fault);
  if (kind === undefined) return { again: false };
  const asked = askedWait(fault, clock.now);
  // Waiting longer is the person's decision.
  if (asked !== undefined && asked > longestWait) return laterAt(clock.now + asked);
  if (made >= kind.requests) return { again: false };
  if (asked !== undefined) {
    const jitter = clock.random * Math.min(asked / 4, 500);
    return { again: true, milliseconds: Math.round(asked + jitter), reason: kind.reason };
  }
  const atOnce = (fault.at === "network" || fault.at === "hung-up") && fault.reused && made === 1;
  return { again: true, milliseconds: atOnce ? 0 : backOff(made, clock.random), reason: kind.reason };
}

/** A time that no calendar has is not told. */
const laterAt = (retryAt: number): RetryPlan =>
  Number.isNaN(new Date(retryAt).getTime()) ? { again: false } : { again: false, retryAt };

/** 0.5 · 2ⁿ seconds, at most 8, ± 25 %. */
const backOff = (made: number, random: number): number =>
  Math.round(Math.min(500 * 2 ** (made - 1), 8_000) * (0.75 + random / 2));

/** A service that was reached and lost, or that was waited for in vain, may have generated what nobody has seen. */
function mayBeGenerated(fault: Fault, stake: Stake): boolean {
  if (stake === "nothing") return false;
  switch (fault.at) {
    case "cut":
    case "empty":
      return true;
    case "timeout":
      return fault.phase !== "connect";
    case "hung-up":
      // A kept connection that died took nothing with it.
      return stake === "whole" && !fault.reused;
    case "network":
      return stake === "whole" && !fault.reused && !unreached.has(fault.code);
    case "status":
      // A gateway that did not wait for the end of it.
      return stake === "whole" && [408, 504, 524].includes(fault.status);
    default:
      return false;
  }
}

/** No connection came about. */
const unreached = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ETIMEDOUT"]);

function retryable(fault: Fault): { readonly requests: number; readonly reason: Message } | undefined {
  const thrice = (reason: Message) => ({ requests: maxRequests, reason });
  switch (fault.at) {
    case "status":
      return retryableStatus(fault);
    case "network":
      // Said at once.
      return isOffline(fault.code) ? undefined : thrice(message("waitingConnection"));
    case "hung-up":
      return thrice(message("waitingConnection"));
    case "proxy":
      return retryableProxy(fault) ? thrice(message("waitingProxy")) : undefined;
    case "timeout":
      if (fault.phase === "connect") return thrice(message("waitingTime"));
      return fault.phase === "first-byte" ? { requests: 2, reason: message("waitingAnswer") } : undefined;
    case "cut":
      return thrice(message("waitingCut"));
    case "empty":
      return { requests: 2, reason: message("waitingEmpty") };
    case "service":
      return retryableError(fault) ? thrice(message("waitingBusy")) : undefined;
    default:
      return undefined;
  }
}

function retryableProxy(fault: Extract<Fault, { at: "proxy" }>): boolean {
  return fault.by === "network" || fault.by === "time" || (fault.by === "status" && fault.status >= 500);
}

function retryableStatus(fault: Extract<Fault, { at: "status" }>) {
  const { status, words, headers } = fault;
  if (![408, 409, 429].includes(status) && status < 500) return undefined;
  if (forbidsRetry(headers)) return undefined;
  const kind = errorClass(words, status);
  if (kind === "quota" || kind === "too-long") return undefined;
  return { requests: maxRequests, reason: message(status === 429 ? "waitingBusy" : "waitingStatus") };
}

/** An error inside a stream has no status. A failed response is repeated only when it was about the rate. */
function retryableError({ error, by }: Extract<Fault, { at: "service" }>): boolean {
  const kind = errorClass(error, undefined);
  return by !== "body" && (kind === "busy" || (kind === "server" && by === "record"));
}

function askedWait(fault: Fault, now: number): number | undefined {
  if (fault.at === "status")
    return waitInHeaders(fault.headers, now) ?? waitInWords(fault.words?.message, fault.status);
  return fault.at === "service" ? waitInWords(fault.error.message, 429) : undefined;
}

/** "Please try again in 11.054s." */
function waitInWords(text: string | undefined, status: number): number | undefined {
  if (status !== 429 || text === undefined) return undefined;
  const found = /try again in (\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|sec|seconds?|m|min|minutes?)\b/i.exec(
    text,
  );
  const amount = positiveNumber(found?.[1]);
  if (amount === undefined) return undefined;
  const unit = found?.[2]?.toLowerCase() ?? "s";
  return unit.startsWith("ms") || unit.startsWith("milli")
    ? amount
    : unit.startsWith("m")
      ? amount * 60_000
      : amount * 1000;
}
