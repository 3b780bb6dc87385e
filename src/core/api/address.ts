// What may be the service's base address, and where its operations are.
import { trimEnd } from "../util/trim-end.ts";

export type AddressReading =
  /** `url` ends in "/v1"; `origin` is what a key is bound to. */
  | { readonly ok: true; readonly url: string; readonly origin: string }
  | { readonly ok: false; readonly message: string };

export function readBaseUrl(typed: string): AddressReading {
  const text = typed.trim();
  if (text === "") return refused("The service's base address is not set.");
  if (/\s/.test(text) || !URL.canParse(text))
    return refused("The base address is not a valid address, such as https://host.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refused("The base address must begin with https://.");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return refused("The base address must begin with https://; http:// is for this machine only.");
  }
  if (url.username !== "" || url.password !== "") {
    return refused("The base address must not contain a user name or password.");
  }
  if (url.search !== "" || text.includes("?")) {
    return refused("The base address must not contain a query (?).");
  }
  if (url.hash !== "" || text.includes("#")) {
    return refused("The base address must not contain a fragment (#).");
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

const refused = (message: string): AddressReading => ({ ok: false, message });
