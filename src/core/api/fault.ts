// Everything that can go wrong between a request and its reply, as data. Thrown only below the operations
// (architecture §8): each of them turns it into a problem. Carries no key and no body.
import type { Problem } from "../conversation/problem.ts";
import type { ServiceError } from "./reply-reader.ts";

export type Fault =
  /** An answer other than 2xx. `words` are the service's own, if it gave any. */
  | {
      readonly at: "status";
      readonly status: number;
      readonly words: ServiceError | undefined;
      readonly headers: HeaderReader;
      readonly sentBytes: number;
    }
  | { readonly at: "redirect"; readonly status: number }
  /** DNS, refused, reset, unreachable: no header of an answer came. */
  | { readonly at: "network"; readonly code: string; readonly reused: boolean }
  | { readonly at: "tls"; readonly code: string }
  | { readonly at: "proxy"; readonly status?: number; readonly code?: string }
  | { readonly at: "timeout"; readonly phase: "connect" | "first-byte" | "idle"; readonly seconds: number }
  | { readonly at: "not-http" }
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
  const proxy = /^Proxy response \((\d+)\)/.exec(message);
  if (proxy !== null) return { at: "proxy", status: Number(proxy[1]) };
  if (code.startsWith("UND_ERR_SOCKS5")) return { at: "proxy", code };
  if (code === "UND_ERR_CONNECT_TIMEOUT") return { at: "timeout", phase: "connect", seconds: 0 };
  if (code === "UND_ERR_PRX_TLS" || isTlsCode(code)) return { at: "tls", code };
  const isForeign = error instanceof Error && error.name === "HTTPParserError";
  if (isForeign || code === "UND_ERR_HEADERS_OVERFLOW") return { at: "not-http" };
  if (code === "" || code === "UND_ERR_INVALID_ARG" || code.startsWith("ERR_")) return { at: "bug", message };
  return { at: "network", code, reused };
}

/** zlib's and Brotli's words for bytes that are not theirs; a body that only ends early is a cut one. */
const isDecodingCode = (code: string): boolean => code === "Z_DATA_ERROR" || code.startsWith("ERR_");

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** OpenSSL's verification codes have no common prefix; these are all that end a handshake. */
function isTlsCode(code: string): boolean {
  return (
    /CERT|ERR_TLS_|ERR_SSL_|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED/.test(
      code,
    ) || code === "EPROTO"
  );
}
