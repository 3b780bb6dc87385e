// The context of one operation, fixed at its start: a running turn keeps its address and settings even if they change.
// Only the key is read again for each attempt. Prepares one attempt and classifies failed answers.
import { createHmac, randomUUID } from "node:crypto";
import { message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import { isObject, parseJson } from "../../util/json.ts";
import type { Log } from "../../util/log.ts";
import { createMask, type Mask } from "../../util/mask-secrets.ts";
import { looksLikeHtml } from "../../util/text.ts";
import type { CapabilityRegistry } from "../capabilities.ts";
import { type Receipt, type ReceiptBytes, receiptOf } from "../reply.ts";
import type { Settings } from "../settings.ts";
import { type Connect, operationUrl, readBaseUrl, readKey } from "../url-and-key.ts";
import { ApiError, type HeaderReader, maxErrorBytes, readErrorBody } from "./fault.ts";
import { localProblem } from "./fault-to-problem.ts";
import type { Exchange, HttpRequest, ReplyBody } from "./http.ts";
import type { Network } from "./http-agent.ts";
import type { Framing } from "./stream-records.ts";
import { createTrace } from "./trace.ts";

export interface Clock {
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Ends early when the signal does. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface Call {
  readonly address: { readonly url: string; readonly origin: string };
  /** The current key. Throws ApiError if it was removed. */
  key(): Promise<string>;
  /** Every key used so far. */
  keys(): readonly string[];
  readonly mask: Mask;
  /** Identifies the origin and key that produce the current answer (makerOf). */
  maker(conversation: string): string;
  readonly settings: Settings;
  readonly network: Network;
  readonly capabilities: CapabilityRegistry;
  readonly log: Log;
  readonly clock: Clock;
  readonly receiptBytes: ReceiptBytes | undefined;
  /** May refuse a request: the connection check has a fixed number of them. */
  readonly spend: (() => boolean) | undefined;
  /** A refusal is the result: nothing is omitted, and the request is not repeated. */
  readonly probes?: boolean;
  /** Receives how a response was framed, for the connection check. */
  readonly observe: ((seen: ReplyObservation) => void) | undefined;
}

export interface ReplyObservation {
  readonly path: string;
  readonly framing: Framing;
  readonly records: number;
  readonly vocabulary: string;
  readonly header: HeaderReader;
}

export interface Attempt {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly body: Uint8Array | undefined;
  readonly accept: "text/event-stream" | "application/json";
  /** The whole reply is generated before its first byte arrives. */
  readonly whole?: boolean;
}

export interface CallResponse extends Exchange {
  readonly nonce: string | undefined;
}

interface PreparedAttempt {
  readonly request: HttpRequest;
  /** The response to it, of any status. */
  received(exchange: Exchange): CallResponse;
}

/** Throws ApiError if nothing can be sent. */
export async function prepareAttempt(call: Call, request: Attempt): Promise<PreparedAttempt> {
  const { address, settings, log } = call;
  const key = await call.key();
  if (call.spend?.() === false) throw new ApiError({ at: "unsent" });
  const url = new URL(operationUrl(address, request.path));
  // Interface, "Authentication" 3: exactly one non-empty value; a fresh one for every attempt.
  const nonce = settings.nonceHeader === "" ? undefined : randomUUID();
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    accept: request.accept,
    "accept-encoding": "identity",
    "user-agent": "Patchbay",
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    ...settings.extraHeaders,
    ...(nonce === undefined ? {} : { [settings.nonceHeader]: nonce }),
  };
  const started = call.clock.now();
  const trace = createTrace(settings.trace, log, call.mask);
  trace.request({
    ...request,
    path: url.pathname,
    headers,
    hidden: [settings.nonceHeader, ...Object.keys(settings.extraHeaders)],
  });
  return {
    request: {
      method: request.method,
      url,
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      connectSeconds: settings.connectSeconds,
      firstByteMilliseconds: 1000 * (request.whole ? settings.unstreamedSeconds : settings.firstByteSeconds),
      idleMilliseconds: settings.idleSeconds * 1000,
      digest: nonce !== undefined,
    },
    received(exchange) {
      const took = call.clock.now() - started;
      log.debug(`${request.method} ${url.pathname}: ${exchange.status} after ${took} ms`);
      return { ...trace.reply(exchange), nonce };
    },
  };
}

/** Throws the fault of a non-2xx answer. Interface: success statuses are "not shown", so all 2xx count. */
export async function requireSuccess(answer: CallResponse, sentBytes: number): Promise<void> {
  const { status, header: headers, late, body } = answer;
  if (status >= 200 && status < 300) return;
  if (status < 400) {
    body.close();
    throw new ApiError({ at: "redirect", status });
  }
  const text = await readText(body, maxErrorBytes, errorBodyMilliseconds);
  const words = text === undefined ? undefined : readErrorBody(text);
  const page = text !== undefined && looksLikeHtml(text);
  throw new ApiError({ at: "status", status, words, page, headers, sentBytes, late });
}

const errorBodyMilliseconds = 5_000;

/**
 * `undefined` when the body is too large, or nothing arrived in time. JSON that is complete to its last brace is the
 * whole body, whether or not the connection says so.
 */
export async function readText(body: ReplyBody, limit: number, within: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  const deadline = performance.now() + within;
  let size = 0;
  let looked = 0;
  const pause = createYieldPoint();
  try {
    for (;;) {
      if (chunks.length % atOnce === atOnce - 1) await pause();
      const chunk = await body.next(Math.max(0, deadline - performance.now()));
      if (chunk === "end" || (chunk === "late" && size > 0)) return textOf(chunks);
      if (chunk === "late" || size + chunk.length > limit) return undefined;
      size += chunk.length;
      chunks.push(chunk);
      if (chunk.at(-1) !== closingBrace || looked > maxLooked) continue;
      looked += size;
      const text = textOf(chunks);
      if (isObject(parseJson(text))) return text;
    }
  } catch (error) {
    // Even half an error body is informative.
    if (error instanceof ApiError) return textOf(chunks);
    throw error;
  } finally {
    body.close();
  }
}

const closingBrace = 0x7d;
/** Each look reads everything received so far: a body in very many pieces is read at its end. */
const maxLooked = 2 ** 19;
/** How many pieces are read between pauses. */
const atOnce = 256;
const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString("utf8");

/** The service's signature for this request and its response, if there is one. */
export function receiptFor(
  call: Call,
  { method, path, body: sent }: Pick<Attempt, "method" | "path" | "body">,
  { nonce, header, body }: CallResponse,
  { model, responseId }: { readonly model: string | undefined; readonly responseId?: string | undefined },
): Receipt | undefined {
  return receiptOf({
    operation: `${method} /v1${path}`,
    nonce,
    header,
    sent,
    received: body.digest(),
    keep: call.receiptBytes,
    model,
    responseId,
    at: call.clock.now(),
    keys: call.keys(),
  });
}

/** Reads the service URL and key at the start of an operation. */
interface ReadConnection {
  readonly address: Call["address"];
  readonly key: string;
}

export async function readConnection(connect: Connect): Promise<ReadConnection | Problem> {
  const connection = await connect().catch(() =>
    localProblem("no-key", message("problemKeyLost"), ["set-key"]),
  );
  if (!("baseUrl" in connection)) return connection;
  const address = readBaseUrl(connection.baseUrl, () => connection.plainHttp === true);
  if (!address.ok) return localProblem("not-configured", address.message, ["set-base-url"]);
  const key = readKey(connection.key);
  return key.ok ? { address, key: key.key } : localProblem("no-key", key.message, ["set-key"]);
}

/** The key of one operation, a mask for every key it has used, and the maker for the last of them. */
export function keyOf(
  connect: Connect,
  first: ReadConnection,
): Pick<Call, "key" | "keys" | "mask" | "maker"> {
  let last = first.key;
  const masks = new Map<string, Mask>([[first.key, createMask(first.key)]]);
  return {
    keys: () => [...masks.keys()],
    mask: (text, most) => [...masks.values()].reduce((masked, mask) => mask(masked, most), text),
    maker: (conversation) => makerOf(last, first.address.origin, conversation),
    async key() {
      const now = await readConnection(connect);
      if (!("address" in now)) throw new ApiError({ at: "unconnected", problem: now });
      // A key is bound to the origin it was entered for.
      if (now.address.origin !== first.address.origin)
        throw new ApiError({ at: "unconnected", problem: addressChanged });
      if (!masks.has(now.key)) masks.set(now.key, createMask(now.key));
      last = now.key;
      return last;
    },
  };
}

const addressChanged = localProblem("refused-locally", message("problemAddressChanged"), ["retry"]);

/**
 * Distinguishes what the service produced under one key and address from what it produced under others (requirements
 * E12), within one conversation; the value differs between conversations. Two bytes of a digest, too few to find a key
 * by.
 */
export const makerOf = (key: string, origin: string, conversation: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify([origin, conversation]))
    .digest("hex")
    .slice(0, 4);
