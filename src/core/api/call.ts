// One operation's surroundings, fixed at its start: a running turn keeps its address and settings although they change
// meanwhile, but not its key: that is read for each attempt. Sends one attempt and sorts the answers that are none.
import { createHmac, randomUUID } from "node:crypto";
import type { Problem } from "../conversation/problem.ts";
import { message } from "../messages/message.ts";
import { isObject, parseJson } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import { createMask, type Mask } from "../util/mask.ts";
import { looksLikeHtml } from "../util/plain-text.ts";
import type { Capabilities } from "./capabilities.ts";
import { ApiError, type HeaderReader } from "./fault.ts";
import { localProblem } from "./fault-to-problem.ts";
import type { Exchange, ReplyBody } from "./http.ts";
import type { Network } from "./network.ts";
import { type ReceiptBytes, receiptOf } from "./receipts.ts";
import type { Framing } from "./record-reader.ts";
import type { Receipt } from "./reply.ts";
import { maxErrorBytes, readErrorBody } from "./service-error.ts";
import type { Settings } from "./settings.ts";
import { createTrace } from "./trace.ts";
import { type Connect, operationUrl, readBaseUrl, readKey } from "./url-and-key.ts";

export interface Clock {
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Ends early when the signal does. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface Call {
  readonly address: { readonly url: string; readonly origin: string };
  /** As it is now. Throws ApiError when there is none any more. */
  key(): Promise<string>;
  /** Every one that it has been. */
  keys(): readonly string[];
  readonly mask: Mask;
  /** Who makes what is answered now (makerOf). */
  maker(conversation: string): string;
  readonly settings: Settings;
  readonly network: Network;
  readonly capabilities: Capabilities;
  readonly log: Log;
  readonly clock: Clock;
  readonly receiptBytes: ReceiptBytes | undefined;
  /** May refuse a request: the connection check has only so many. */
  readonly spend: (() => boolean) | undefined;
  /** A refusal is the answer: nothing is left out and asked again. */
  readonly probes?: boolean;
  /** Told how an answer was framed, for the connection check. */
  readonly observe: ((seen: Seen) => void) | undefined;
}

export interface Seen {
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
  /** All of the reply is generated before its first byte comes. */
  readonly whole?: boolean;
}

export interface Answer extends Exchange {
  readonly nonce: string | undefined;
}

/** An answer of any status. Throws ApiError or Stopped. */
export async function attempt(call: Call, request: Attempt, signal: AbortSignal): Promise<Answer> {
  const { address, settings, log, network } = call;
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
  const exchange = await network.send(
    {
      method: request.method,
      url,
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      connectSeconds: settings.connectSeconds,
      firstByteMilliseconds: 1000 * (request.whole ? settings.unstreamedSeconds : settings.firstByteSeconds),
      idleMilliseconds: settings.idleSeconds * 1000,
      digest: nonce !== undefined,
    },
    settings,
    signal,
  );
  log.debug(`${request.method} ${url.pathname}: ${exchange.status} after ${call.clock.now() - started} ms`);
  return { ...trace.reply(exchange), nonce };
}

/** Throws the fault of an answer that is not 2xx. Interface: success statuses are "not shown", so all 2xx are. */
export async function requireSuccess(answer: Answer, sentBytes: number): Promise<void> {
  const { status, header: headers, body } = answer;
  if (status >= 200 && status < 300) return;
  if (status < 400) {
    body.close();
    throw new ApiError({ at: "redirect", status });
  }
  const text = await readText(body, maxErrorBytes, errorBodyMilliseconds);
  const words = text === undefined ? undefined : readErrorBody(text);
  const page = text !== undefined && looksLikeHtml(text);
  throw new ApiError({ at: "status", status, words, page, headers, sentBytes });
}

const errorBodyMilliseconds = 5_000;

/**
 * `undefined` when it is larger than it may be, or nothing of it came in time. JSON that is there to its last brace is
 * the whole, whether or not the connection says so.
 */
export async function readText(body: ReplyBody, limit: number, within: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  const deadline = performance.now() + within;
  let size = 0;
  try {
    for (;;) {
      const chunk = await body.next(Math.max(0, deadline - performance.now()));
      if (chunk === "end" || (chunk === "late" && size > 0)) return textOf(chunks);
      if (chunk === "late" || size + chunk.length > limit) return undefined;
      size += chunk.length;
      chunks.push(chunk);
      const text = chunk.at(-1) === closingBrace ? textOf(chunks) : "";
      if (isObject(parseJson(text))) return text;
    }
  } catch (error) {
    // Half an error body still says something.
    if (error instanceof ApiError) return textOf(chunks);
    throw error;
  } finally {
    body.close();
  }
}

const closingBrace = 0x7d;
const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString("utf8");

/** What the service has signed about this request and its answer, if it has. */
export function receiptFor(
  call: Call,
  { method, path, body: sent }: Pick<Attempt, "method" | "path" | "body">,
  { nonce, header, body }: Answer,
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

/** Service URL and key at the start of an operation. */
export interface ReadConnection {
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

/** The key of one operation, what hides every key that it has had, and what the last of them makes. */
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
 * Tells what the service made under one key and address from what it made under others (requirements E12), within one
 * conversation: in the next it is another. Two bytes of a digest are kept, too few to find a key by.
 */
export const makerOf = (key: string, origin: string, conversation: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify([origin, conversation]))
    .digest("hex")
    .slice(0, 4);
