// Service URL and key: what may be one, and where the operations are.
// Its sentences never say what the key was: they are shown and may be logged.

import type { Problem } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";
import { trimEnd } from "../util/trim-end.ts";

export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
  /** A person has agreed to send the key to this address unencrypted. */
  readonly plainHttp?: boolean;
}

/** Asked for each request, so that a changed key or address is used at once. */
export type Connect = () => Promise<Connection | Problem>;

export type AddressReading =
  /** `url` ends in "/v1"; `origin` is what a key is bound to. */
  | { readonly ok: true; readonly url: string; readonly origin: string }
  /** `unconfirmed`: this origin in a private network is allowed once a person has said so. */
  | { readonly ok: false; readonly message: Message; readonly unconfirmed?: string };

/** `plainHttp`: whether a person has agreed to send the key to this origin unencrypted. */
export function readBaseUrl(typed: string, plainHttp = (_origin: string): boolean => false): AddressReading {
  const text = typed.trim();
  if (text === "") return refused(message("addressMissing"));
  if (/\s/.test(text) || !URL.canParse(text)) return refused(message("addressInvalid"));
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return refused(message("addressNoHttps"));
  }
  const isOpen = url.protocol === "http:" && !isLoopback(url.hostname);
  if (isOpen && !isPrivate(url.hostname)) {
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
  if (isOpen && !plainHttp(url.origin)) {
    const { origin } = url;
    return { ok: false, message: message("addressUnconfirmed", { origin }), unconfirmed: origin };
  }
  return { ok: true, url: url.origin + withVersion(url.pathname), origin: url.origin };
}

/** What people leave out where they name a host. */
export function completeUrl(typed: string): string {
  const text = typed.trim();
  return text === "" || /^[a-z][a-z\d+.-]*:\//i.test(text) ? text : `https://${text}`;
}

/** `path` follows "/v1", such as "/responses". */
export const operationUrl = (base: { readonly url: string }, path: string): string => base.url + path;

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Addresses that are routed in no public network (RFC 1918, 3927, 4193, 4291, 6598), and names that no public server
 * answers for (RFC 6762, 8375, ICANN's "internal"), or that only a resolver of the house completes.
 */
function isPrivate(hostname: string): boolean {
  const name = hostname.toLowerCase();
  if (name.startsWith("[")) return /^\[f([cd]|e[89ab])/.test(name);
  const bytes = /^\d+(\.\d+){3}$/.test(name) ? name.split(".").map(Number) : [];
  const [first = 0, second = 0] = bytes;
  if (bytes.length === 4) {
    if (first === 10 || (first === 192 && second === 168) || (first === 169 && second === 254)) return true;
    return (first === 172 && (second & 0xf0) === 16) || (first === 100 && (second & 0xc0) === 64);
  }
  return !name.includes(".") || /\.(local|internal|home\.arpa|lan|localdomain)$/.test(name);
}

/** Interface, "Versioning" 1: the version is the path prefix of every operation, so exactly one is there. */
function withVersion(pathname: string): string {
  const path = trimEnd(pathname, "/");
  return path.endsWith("/v1") ? path : `${path}/v1`;
}

const refused = (message: Message): AddressReading => ({ ok: false, message });

export type KeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly message: Message };

export function readKey(typed: string): KeyReading {
  const key = typed.trim();
  if (key === "") return refusedKey(message("keyEmpty"));
  if (/[\r\n]/.test(key)) return refusedKey(message("keyLines"));
  if (/\s/.test(key)) return refusedKey(message("keySpace"));
  // RFC 9110: a header value outside visible ASCII would be changed or refused on its way.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return refusedKey(message("keyLetter"));
  }
  return { ok: true, key };
}

const refusedKey = (message: Message): KeyReading => ({ ok: false, message });
