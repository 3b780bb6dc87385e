// Everything that can go wrong between a request and its reply, as data, and what the service's own words say about it.
// Thrown only below the operations (architecture §8), each of which turns it into a problem. Contains no key and no
// body.
import type { Problem } from "../../conversation/problem.ts";
import {
  asArray,
  asObject,
  asString,
  isObject,
  type JsonObject,
  parseJson,
  writeJson,
} from "../../util/json.ts";
import { looksLikeHtml, plainText } from "../../util/text.ts";
import { errorWords } from "../request.ts";
import { parseWait } from "./wait-in-error-text.ts";

/** `proxy` is the name of the proxy that the request went through. */
export type Fault = FaultAt & { readonly proxy?: string };

type FaultAt =
  /**
   * A response other than 2xx. `words` are the service's own, if any; `page` is set for a web page. `late`: it came so
   * long after the request was sent that the service may have worked on the request.
   */
  | {
      readonly at: "status";
      readonly status: number;
      readonly words: ServiceError | undefined;
      readonly page?: boolean;
      readonly headers: HeaderReader;
      readonly sentBytes: number;
      readonly late?: boolean;
    }
  | { readonly at: "redirect"; readonly status: number }
  /**
   * DNS, refused, reset, unreachable: no response header arrived. `reused`: it failed at once on a kept connection,
   * which therefore did not deliver the request. `late`: it failed so long after the request was sent that the service
   * may have accepted the request.
   */
  | { readonly at: "network"; readonly code: string; readonly reused: boolean; readonly late?: boolean }
  /** The connection was accepted, then closed or lost without a response. */
  | { readonly at: "hung-up"; readonly reused: boolean; readonly late?: boolean }
  | { readonly at: "tls"; readonly by: "certificate" | "handshake" | "no-tls"; readonly code: string }
  | ({ readonly at: "proxy" } & ProxyFault)
  | { readonly at: "timeout"; readonly phase: "connect" | "first-byte" | "idle"; readonly seconds: number }
  | { readonly at: "not-http" }
  | { readonly at: "large-headers" }
  | { readonly at: "html" }
  /** The body ended, cleanly or not, before the reply did. */
  | { readonly at: "cut" }
  | { readonly at: "empty" }
  /** Bytes arrived, but none were understood. `streamed`: an unstreamed reply might be. */
  | { readonly at: "gibberish"; readonly streamed?: boolean }
  | { readonly at: "damaged" }
  | { readonly at: "too-large" }
  /** A complete response whose status is not final; the interface has no way to request it again. */
  | { readonly at: "unfinished"; readonly status: string }
  /** The service ended the reply with an error: `record` in a stream, otherwise a failed response or an error body. */
  | {
      readonly at: "service";
      readonly by: "record" | "response" | "body";
      readonly error: ServiceError;
      readonly reason?: string;
    }
  /** The connection check has made all requests that were agreed to. */
  | { readonly at: "unsent" }
  /** The key or the address was removed while the operation was waiting. */
  | { readonly at: "unconnected"; readonly problem: Problem }
  | { readonly at: "bug"; readonly message: string };

/** This machine has no network, so neither another URL nor another attempt helps. */
export const isOffline = (code: string): boolean => /^(?:ENETUNREACH|ENETDOWN|ENONET)$/.test(code);

/** A fault of the proxy itself; `setting`: its setting could not be read. */
type ProxyFault =
  | { readonly by: "setting" }
  | { readonly by: "status"; readonly status: number }
  | { readonly by: "network" | "certificate"; readonly code: string }
  /** `lookup`: asking the system for the proxy took too long. */
  | { readonly by: "time" | "lookup"; readonly seconds: number };

export type HeaderReader = (name: string) => string | undefined;

export class ApiError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.at, options);
    this.name = "ApiError";
    this.fault = fault;
  }
}

/**
 * Classifies an error of Node or undici by its code. `headersCame` distinguishes a lost connection from a cut reply.
 */
export function faultOf(error: unknown, headersCame: boolean, reused: boolean, late = false): Fault {
  if (error instanceof ApiError) return error.fault;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : "";
  if (headersCame) return isDecodingCode(code) ? { at: "damaged" } : { at: "cut" };
  if (code === "UND_ERR_CONNECT_TIMEOUT") return { at: "timeout", phase: "connect", seconds: 0 };
  if (code === "UND_ERR_SOCKET") return { at: "hung-up", reused, late };
  if (certificateCode(code)) return { at: "tls", by: "certificate", code };
  if (code === "EPROTO" || /^ERR_(SSL|TLS)_/.test(code)) return { at: "tls", by: handshakeBy(error), code };
  if (code === "UND_ERR_HEADERS_OVERFLOW") return { at: "large-headers" };
  if (error instanceof Error && error.name === "HTTPParserError") return { at: "not-http" };
  if (code === "" || code === "UND_ERR_INVALID_ARG" || code.startsWith("ERR_")) return { at: "bug", message };
  if (isOfOpenConnection(error)) return { at: "hung-up", reused, late };
  return { at: "network", code, reused, late };
}

/** These codes usually mean that no connection was established, but an established one may be lost with them, too. */
const isOfOpenConnection = (error: unknown): boolean =>
  error instanceof Error &&
  "syscall" in error &&
  (error.syscall === "read" || error.syscall === "write") &&
  /^(?:ETIMEDOUT|EHOSTUNREACH)$/.test(codeOf(error));

/** The errors of zlib and Brotli for invalid data; a body that merely ends early is a cut one. */
const isDecodingCode = (code: string): boolean => code === "Z_DATA_ERROR" || code.startsWith("ERR_");

export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** OpenSSL's verification codes have no common prefix. An alert concerns our certificate, or none. */
export function certificateCode(code: string): boolean {
  if (code.includes("ALERT")) return false;
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED/.test(
    code,
  );
}

/** Bytes that are not TLS come from a port with another protocol. */
function handshakeBy(error: unknown): "handshake" | "no-tls" {
  const words = error instanceof Error ? `${codeOf(error)} ${error.message}` : "";
  return /wrong.version.number|packet.length.too.long|http.request/i.test(words) ? "no-tls" : "handshake";
}

// An error in the service's own words, from the body of a refusal or from a record, and whether it allows a retry. The
// interface shows `{error: {message, type?, code?}}`; gateways send many other shapes. HTML contains no usable words.

/** The service's own description of an error. */
export interface ServiceError {
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** The number of seconds after which it may be asked again. */
  readonly seconds?: number;
}

export const maxErrorBytes = 64 * 1024;
const maxWords = 2_000;
/** Spellings of an absent value that gateways use. */
const isNothing = (text: string): boolean => /^(|none|null|undefined)$/i.test(text.trim());

export function readErrorBody(body: string): ServiceError | undefined {
  const text = body.trim();
  if (text === "" || looksLikeHtml(text)) return undefined;
  const value = parseJson(text) ?? parseJson(dataOf(text));
  const error = value === undefined ? { message: messageOf(text) } : wordsOf(value);
  const message = plainText(error.message, maxWords);
  if (message === "" && error.code === undefined && error.type === undefined) return undefined;
  return { ...error, message };
}

/** The first line of a text; for a truncated document, its message if that is included. */
function messageOf(text: string): string {
  if (!text.startsWith("{")) return text.split("\n", 1)[0] ?? "";
  const [, quoted] = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  return asString(parseJson(quoted ?? "")) ?? "";
}

/** Some services refuse a stream with an event of a stream. */
const dataOf = (text: string): string => /^data:(.*)$/m.exec(text)?.[1] ?? "";

function wordsOf(value: unknown): ServiceError {
  if (Array.isArray(value) && isObject(value[0])) return wordsOf(value[0]);
  if (!isObject(value)) return { message: typeof value === "string" ? value : writeJson(value) };
  const detail = asArray(value["detail"]).map(asObject);
  const first = detail[0];
  // FastAPI: [{loc: ["body", "field"], msg}].
  if (first !== undefined) {
    const param = asArray(first["loc"])
      .filter((step) => step !== "body")
      .join(".");
    return { message: asString(first["msg"]) ?? "", ...(param === "" ? {} : { param }) };
  }
  const error = readServiceError(value);
  if (error.message !== "" || error.code !== undefined || error.type !== undefined) return error;
  const isEmpty = Object.keys(asObject(value["error"]) ?? value).every((key) => key === "message");
  return { message: isEmpty ? "" : writeJson(value) };
}

type ErrorClass = "busy" | "server" | "quota" | "too-long";

/** Statuses that can concern money; undefined for an error inside a stream, which has no status. */
const moneyStatuses: ReadonlySet<number | undefined> = new Set([402, 403, 429, undefined]);

/**
 * Classifies an error by its words. Elsewhere statuses decide first; requirements M2 allows no other use of these
 * words.
 */
export function errorClass(
  words: ServiceError | undefined,
  status: number | undefined,
): ErrorClass | undefined {
  if (words === undefined) return undefined;
  const names = [words.code, words.type].filter((word) => word !== undefined);
  if (names.some((name) => errorWords.quota.has(name))) return "quota";
  if (names.some((name) => errorWords.tooLong.has(name))) return "too-long";
  // A gateway puts its own code on an error that it passes on, so only the words show a lack of money.
  if (isAboutMoney(words.message, status)) return "quota";
  // A single request above a limit per minute never fits, whatever its code.
  if (errorWords.tooLongText.test(words.message)) return "too-long";
  for (const name of names) {
    if (errorWords.busy.has(name)) return "busy";
    if (errorWords.server.has(name) || /^5\d\d$/.test(name)) return "server";
  }
  return undefined;
}

/** A quota that renews automatically does not concern money. */
function isAboutMoney(text: string, status: number | undefined): boolean {
  if (status !== undefined && (status < 400 || status >= 500)) return false;
  if (errorWords.moneyText.test(text)) return true;
  if (!moneyStatuses.has(status) || !errorWords.quotaText.test(text)) return false;
  return !errorWords.rateText.test(text) && parseWait(text) === undefined;
}

/** Whether a refusal concerns the content: no other form of the request would have been accepted. */
export const isAboutContent = ({ message, type, code }: ServiceError): boolean =>
  [type, code].some((word) => word !== undefined && contentCode.test(word)) || contentWords.test(message);

const contentCode =
  /content[_ ]?(filter|policy|management)|moderation|responsible_?ai|sensitive|inspection|jailbreak|safety$|invalid_prompt|cyber_?policy|content_violation/i;
const contentWords =
  /content[ _-](filter|management|polic|moderation|safety)|\bmoderation\b|\b(usage|safety|acceptable use) polic|\b(flagged|sensitive|inappropriate|harmful|prohibited|objectionable|high risk|jailbreak|safety (system|check|filter|reasons?))\b|violat\w+ .{0,40}polic|敏感|违规|不当|审核|风险/i;

/** Whether the request is at fault, whatever the status: repeating it unchanged would be refused again. */
export const isRequestFault = ({ message }: ServiceError): boolean => requestFault.test(message);

const requestFault =
  /\bunsupported (param|tool|type|content|value|input|image)|\b(is|are) not (supported|accepted|implemented)\b|\bnot supported by\b|\bdoes(n't| not) support\b|endpoints found that support|\bjinja\b|\broles must alternate\b|NotImplementedError|\bvalidation errors?\b|unknown tool type|unexpected (message )?role/i;

/** A refusal reported in a stream of status 200 instead of by a 400. */
export const isRefusal = ({ code, type }: ServiceError): boolean =>
  [code, type].some((word) => word !== undefined && errorWords.refused.has(word));

/**
 * Reads flat or nested errors, with numeric codes, or a bare string; what a gateway was told itself is preferred to its
 * own words.
 */
export function readServiceError(error: unknown, depth = 0): ServiceError {
  if (typeof error === "string") return { message: error };
  const outer = asObject(error) ?? {};
  const inner = asObject(outer["error"]) ?? outer;
  const found: { message: string; type?: string; code?: string; param?: string } = {
    message: asString(inner["message"]) ?? asString(inner["detail"]) ?? asString(outer["error"]) ?? "",
  };
  for (const key of ["type", "code", "param"] as const) {
    const value = inner[key];
    // The type of the event is not the type of its error.
    if (key === "type" && (value === "error" || value === "response.error")) continue;
    if ((typeof value === "string" && !isNothing(value)) || typeof value === "number")
      found[key] = String(value);
  }
  const raw = asObject(inner["metadata"])?.["raw"] ?? objectInside(found.message);
  const told = depth < maxWrapped ? passedOn(raw, depth) : undefined;
  const seconds = secondsIn(inner) ?? secondsIn(outer);
  const own = seconds === undefined ? found : { ...found, seconds };
  return told === undefined ? own : { ...own, ...told };
}

/** The seconds until a retry, if the body names them. */
function secondsIn(error: JsonObject): number | undefined {
  for (const key of ["resets_in_seconds", "retry_after", "retry_after_seconds"]) {
    const value = error[key];
    if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
  }
  return undefined;
}

const maxWrapped = 3;

/** `OpenAIException - {"error":{"message":…}}`: some embed the whole body in their own words. */
function objectInside(text: string): JsonObject | undefined {
  const from = text.indexOf('{"');
  const to = text.lastIndexOf("}");
  return from > 0 && to > from ? asObject(parseJson(text.slice(from, to + 1))) : undefined;
}

/** Gateways keep the upstream answer as received: an error body, or a line of text. */
function passedOn(raw: unknown, depth: number): ServiceError | undefined {
  const value = typeof raw === "string" ? (parseJson(raw) ?? raw.split("\n", 1)[0]) : raw;
  if (typeof value !== "string" && !isObject(value)) return undefined;
  if (typeof value === "string" && looksLikeHtml(value)) return undefined;
  const told = readServiceError(value, depth + 1);
  return told.message === "" ? undefined : told;
}
