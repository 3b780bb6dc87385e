// Everything that can go wrong between a request and its reply, as data. Thrown only below the operations
// (architecture §8): each of them turns it into a problem. Carries no key and no body.
import type { Problem } from "../conversation/problem.ts";
import type { ServiceError } from "./service-error.ts";

/** `proxy`: through which the request went. */
export type Fault = FaultAt & { readonly proxy?: string };

type FaultAt =
  /** An answer other than 2xx. `words` are the service's own, if it gave any; `page`: it was a web page. */
  | {
      readonly at: "status";
      readonly status: number;
      readonly words: ServiceError | undefined;
      readonly page?: boolean;
      readonly headers: HeaderReader;
      readonly sentBytes: number;
    }
  | { readonly at: "redirect"; readonly status: number }
  /** DNS, refused, reset, unreachable: no header of an answer came. */
  | { readonly at: "network"; readonly code: string; readonly reused: boolean }
  /** Accepted, and closed without a word. */
  | { readonly at: "hung-up"; readonly reused: boolean }
  | { readonly at: "tls"; readonly by: "certificate" | "handshake" | "no-tls"; readonly code: string }
  | ({ readonly at: "proxy" } & ProxyFault)
  | { readonly at: "timeout"; readonly phase: "connect" | "first-byte" | "idle"; readonly seconds: number }
  | { readonly at: "not-http" }
  | { readonly at: "large-headers" }
  | { readonly at: "html" }
  /** The body ended, cleanly or not, before the reply did. */
  | { readonly at: "cut" }
  | { readonly at: "empty" }
  /** Bytes came, and nothing in them was understood. */
  /** `streamed`: asked for in one piece it might be understood. */
  | { readonly at: "gibberish"; readonly streamed?: boolean }
  | { readonly at: "damaged" }
  | { readonly at: "too-large" }
  /** A whole response that is not finished; the interface has no way to ask for it again. */
  | { readonly at: "unfinished"; readonly status: string }
  /** The service ended the reply with an error: `record` in a stream, else by a failed response or an error body. */
  | {
      readonly at: "service";
      readonly by: "record" | "response" | "body";
      readonly error: ServiceError;
      readonly reason?: string;
    }
  /** The connection check has made all the requests that were agreed to. */
  | { readonly at: "unsent" }
  /** The key or the address went while the operation waited. */
  | { readonly at: "unconnected"; readonly problem: Problem }
  | { readonly at: "bug"; readonly message: string };

/** This machine has no network: neither another URL nor another try changes that. */
export const isOffline = (code: string): boolean => /^(?:ENETUNREACH|ENETDOWN|ENONET)$/.test(code);

/** What the proxy itself did; `setting`: it could not be read. */
type ProxyFault =
  | { readonly by: "setting" }
  | { readonly by: "status"; readonly status: number }
  | { readonly by: "network" | "certificate"; readonly code: string }
  /** `lookup`: the system was asked which one to use. */
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

/** What Node and undici throw, by its code. `headersCame` tells a lost connection from a cut reply. */
export function faultOf(error: unknown, headersCame: boolean, reused: boolean): Fault {
  if (error instanceof ApiError) return error.fault;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : "";
  if (headersCame) return isDecodingCode(code) ? { at: "damaged" } : { at: "cut" };
  if (code === "UND_ERR_CONNECT_TIMEOUT") return { at: "timeout", phase: "connect", seconds: 0 };
  if (code === "UND_ERR_SOCKET") return { at: "hung-up", reused };
  if (certificateCode(code)) return { at: "tls", by: "certificate", code };
  if (code === "EPROTO" || /^ERR_(SSL|TLS)_/.test(code)) return { at: "tls", by: handshakeBy(error), code };
  if (code === "UND_ERR_HEADERS_OVERFLOW") return { at: "large-headers" };
  if (error instanceof Error && error.name === "HTTPParserError") return { at: "not-http" };
  if (code === "" || code === "UND_ERR_INVALID_ARG" || code.startsWith("ERR_")) return { at: "bug", message };
  return { at: "network", code, reused };
}

/** zlib's and Brotli's words for bytes that are not theirs; a body that only ends early is a cut one. */
const isDecodingCode = (code: string): boolean => code === "Z_DATA_ERROR" || code.startsWith("ERR_");

export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** OpenSSL's codes of verification have no common prefix. An alert is about ours, or about none. */
export function certificateCode(code: string): boolean {
  if (code.includes("ALERT")) return false;
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED/.test(
    code,
  );
}

/** Bytes that are no TLS at all come from a port that speaks something else. */
function handshakeBy(error: unknown): "handshake" | "no-tls" {
  const words = error instanceof Error ? `${codeOf(error)} ${error.message}` : "";
  return /wrong.version.number|packet.length.too.long|http.request/i.test(words) ? "no-tls" : "handshake";
}
