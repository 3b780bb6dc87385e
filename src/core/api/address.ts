// What may be the service URL, and where its operations are.
import { type Message, message } from "../messages/message.ts";
import { trimEnd } from "../util/trim-end.ts";

export type AddressReading =
  /** `url` ends in "/v1"; `origin` is what a key is bound to. */
  | { readonly ok: true; readonly url: string; readonly origin: string }
  | { readonly ok: false; readonly message: Message };

export function readBaseUrl(typed: string): AddressReading {
  const text = typed.trim();
  if (text === "") return refused(message("addressMissing"));
  if (/\s/.test(text) || !URL.canParse(text)) return refused(message("addressInvalid"));
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refused(message("addressNoHttps"));
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return refused(message("addressNotHere"));
  }
  if (url.username !== "" || url.password !== "") {
    return refused(message("addressNamesUser"));
  }
  if (url.search !== "" || text.includes("?")) {
    return refused(message("addressHasQuery"));
  }
  if (url.hash !== "" || text.includes("#")) {
    return refused(message("addressHasFragment"));
  }
  return { ok: true, url: url.origin + withVersion(url.pathname), origin: url.origin };
}

/** `path` follows "/v1", such as "/responses". */
export const operationUrl = (base: { readonly url: string }, path: string): string => base.url + path;

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Interface, "Versioning" 1: the version is the path prefix of every operation, so exactly one is there. */
function withVersion(pathname: string): string {
  const path = trimEnd(pathname, "/");
  return path.endsWith("/v1") ? path : `${path}/v1`;
}

const refused = (message: Message): AddressReading => ({ ok: false, message });
