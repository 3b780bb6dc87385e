// Decides whether and when a request is repeated. One policy for every operation: only while nothing is visible, at
// most three requests, never where it cannot help, and for billed operations only if nothing can have been generated.
// Pure; the caller provides the clock.
import { type Message, message } from "../../conversation/messages.ts";
import {
  errorClass,
  type Fault,
  type HeaderReader,
  isOffline,
  isRequestFault,
  type ServiceError,
} from "./fault.ts";
import { parseWait } from "./wait-in-error-text.ts";

// The interface does not name the headers of the retry time; these are what servers and proxies commonly send.

const forbidsRetry = (headers: HeaderReader): boolean =>
  headers("x-should-retry")?.trim().toLowerCase() === "false";

/** In milliseconds. */
function waitInHeaders(headers: HeaderReader, now: number): number | undefined {
  const milliseconds = positiveNumber(headers("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const text = headers("retry-after")?.trim() ?? "";
  const seconds = positiveNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  if (!/[a-z]/i.test(text)) return undefined;
  // Measured against the service's own clock if it is reported, since either clock may be wrong.
  const sent = Date.parse(headers("date") ?? "");
  const wait = Date.parse(text) - (Number.isNaN(sent) ? now : sent);
  return wait > 0 ? wait : undefined;
}

/** Zero adds nothing to our own delay. */
function positiveNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text.trim())) return undefined;
  const value = Number(text);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}

type RetryPlan =
  | { readonly again: true; readonly milliseconds: number; readonly reason: Message }
  /** `retryAt`: the service named a time too far ahead to wait for. */
  | { readonly again: false; readonly retryAt?: number };

interface RetryClock {
  readonly now: number;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * What a repetition may waste: nothing if repeating is harmless; a billed generation from its sending on if not streamed.
 * The headers of a stream come early, so that a connection that fails at once before them has generated nothing.
 */
type RetryRisk = "nothing" | "stream" | "whole";

export const maxRequests = 3;
const longestWait = 60_000;

export function planRetry(fault: Fault, made: number, stake: RetryRisk, clock: RetryClock): RetryPlan {
  const kind = mayBeGenerated(fault, stake) ? undefined : retryable(fault);
  if (kind === undefined) return { again: false };
  const asked = askedWait(fault, clock.now);
  // Whether to wait longer is up to the person.
  if (asked !== undefined && asked > longestWait) return laterAt(clock.now + asked);
  if (made >= kind.requests) return { again: false };
  if (asked !== undefined) {
    const jitter = clock.random * Math.min(asked / 4, 500);
    return { again: true, milliseconds: Math.round(asked + jitter), reason: kind.reason };
  }
  const atOnce = (fault.at === "network" || fault.at === "hung-up") && fault.reused && made === 1;
  return { again: true, milliseconds: atOnce ? 0 : backOff(made, clock.random), reason: kind.reason };
}

/** Omits a time beyond the range of dates. */
const laterAt = (retryAt: number): RetryPlan =>
  Number.isNaN(new Date(retryAt).getTime()) ? { again: false } : { again: false, retryAt };

/** 0.5 · 2ⁿ seconds, at most 8, ± 25 %. */
const backOff = (made: number, random: number): number =>
  Math.round(Math.min(500 * 2 ** (made - 1), 8_000) * (0.75 + random / 2));

/**
 * A service that was reached and then lost, or that timed out, may have generated something that was never received.
 */
function mayBeGenerated(fault: Fault, stake: RetryRisk): boolean {
  if (stake === "nothing") return false;
  switch (fault.at) {
    case "cut":
    case "empty":
      return true;
    case "timeout":
      return fault.phase !== "connect";
    case "hung-up":
      // A kept connection that was closed meanwhile did not deliver the request.
      return fault.late === true || (stake === "whole" && !fault.reused);
    case "network":
      return !unreached.has(fault.code) && (fault.late === true || (stake === "whole" && !fault.reused));
    case "status":
      // The interface names no status of a generation but 400. These are commonly a gateway's, which timed out or lost the
      // service; if they come at once, they tell that it could not be reached.
      return (
        (fault.late === true && lostByGateway.has(fault.status)) ||
        (stake === "whole" && timedOutInGateway.has(fault.status))
      );
    default:
      return false;
  }
}

const timedOutInGateway: ReadonlySet<number> = new Set([408, 504, 524]);
const lostByGateway: ReadonlySet<number> = new Set([...timedOutInGateway, 502, 520]);

/** The request cannot have arrived, because there was no connection to the service. */
export function isUndelivered(fault: Fault): boolean {
  if (fault.at === "timeout") return fault.phase === "connect";
  return fault.at === "tls" || fault.at === "proxy" || (fault.at === "network" && unreached.has(fault.code));
}

/** No connection was established. */
const unreached = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ETIMEDOUT"]);

function retryable(fault: Fault): { readonly requests: number; readonly reason: Message } | undefined {
  const thrice = (reason: Message) => ({ requests: maxRequests, reason });
  switch (fault.at) {
    case "status":
      return retryableStatus(fault);
    case "network":
      // Reported immediately.
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
  if (status >= 500 && words !== undefined && isRequestFault(words)) return undefined;
  return { requests: maxRequests, reason: message(status === 429 ? "waitingBusy" : "waitingStatus") };
}

/** An error inside a stream has no status. A failed response is repeated only if it hit a rate limit. */
function retryableError({ error, by }: Extract<Fault, { at: "service" }>): boolean {
  const kind = errorClass(error, undefined);
  return by !== "body" && (kind === "busy" || (kind === "server" && by === "record"));
}

function askedWait(fault: Fault, now: number): number | undefined {
  if (fault.at === "service") return waitOf(fault.error);
  if (fault.at !== "status") return undefined;
  const inWords = busyStatuses.has(fault.status) ? waitOf(fault.words) : undefined;
  return waitInHeaders(fault.headers, now) ?? inWords;
}

function waitOf(words: ServiceError | undefined): number | undefined {
  if (words?.seconds !== undefined) return words.seconds * 1000;
  return parseWait(words?.message ?? "");
}

/** With other statuses, a number of seconds means something else. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503, 529]);
