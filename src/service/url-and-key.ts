// The service URL and the key: their validation, and the URLs of operations. Messages never contain the key, because
// they are shown and may be logged.
import { type Message, message } from "../conversation/messages.ts";
import type { Problem, ProblemAction, ProblemKind } from "../conversation/problem.ts";
import { parsedUrl } from "../util/parsed-url.ts";
import { trimEnd } from "../util/text.ts";

export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
  /** A person has agreed to send the key to this address unencrypted. */
  readonly plainHttp?: boolean;
}

/** Called for each request, so that a changed key or address takes effect immediately. */
export type Connect = () => Promise<Connection | Problem>;

type AddressReading =
  /** `url` ends in "/v1"; `origin` is what a key is bound to. */
  | { readonly ok: true; readonly url: string; readonly origin: string }
  /** `unconfirmed`: an origin in a private network that is allowed once a person has agreed. */
  | { readonly ok: false; readonly message: Message; readonly unconfirmed?: string };

/** `plainHttp`: whether a person has agreed to send the key to this origin unencrypted. */
export function readBaseUrl(typed: string, plainHttp = (_origin: string): boolean => false): AddressReading {
  const text = typed.trim();
  if (text === "") return refused(message("addressMissing"));
  const url = /\s/.test(text) ? undefined : parsedUrl(text);
  if (url === undefined) return refused(message("addressInvalid"));
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

/** Adds the scheme that people omit. Servers on this computer hardly ever have a certificate. */
export function completeUrl(typed: string): string {
  const text = typed.trim();
  if (text === "" || /^[a-z][a-z\d+.-]*:\//i.test(text)) return text;
  const plain = `http://${text}`;
  return isLoopback(parsedUrl(plain)?.hostname ?? "") ? plain : `https://${text}`;
}

/** `path` follows "/v1", such as "/responses". */
export const operationUrl = (base: { readonly url: string }, path: string): string => base.url + path;

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Addresses that are not routed in public networks (RFC 1918, 3927, 4193, 4291, 6598), and names that no public server
 * has (RFC 6762, 8375, ICANN's "internal") or that only a local resolver completes.
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

/** Interface, "Versioning" 1: the version is the path prefix of every operation, so it occurs exactly once. */
function withVersion(pathname: string): string {
  const path = trimEnd(pathname, "/");
  return path.endsWith("/v1") ? path : `${path}/v1`;
}

const refused = (message: Message): AddressReading => ({ ok: false, message });

type KeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly message: Message };

export function readKey(typed: string): KeyReading {
  const key = typed.trim();
  if (key === "") return refusedKey(message("keyEmpty"));
  if (/[\r\n]/.test(key)) return refusedKey(message("keyLines"));
  if (/\s/.test(key)) return refusedKey(message("keySpace"));
  // RFC 9110: a header value with other than visible ASCII would be changed or refused in transit.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return refusedKey(message("keyLetter"));
  }
  return { ok: true, key };
}

const refusedKey = (message: Message): KeyReading => ({ ok: false, message });

/** Why the text cannot be an id: it becomes a single path segment and must not change the path. */
export function refuseFileId(id: string): Message | undefined {
  if (id.trim() === "") return message("fileIdEmpty");
  if (/^\.+$/.test(id)) return message("fileIdDots");
  if (id.length > 256) return message("fileIdLong");
  return /\p{Cc}/u.test(id) || !id.isWellFormed() ? message("fileIdLetters") : undefined;
}

/**
 * Reports from every operation whether the service is reachable and accepts the key (requirements A8). The operations'
 * own results are not affected.
 */
export interface KeyWatcher {
  refused(problem: Problem): void;
  accepted(): void;
  /** Called for each outcome: why the service cannot be reached, or undefined if it can. */
  reached(problem: Problem | undefined): void;
  /** Whether the service does what it is asked; false while it is unreachable, busy or failing. */
  answers(isThere: boolean): void;
}

/** Temporary problems that are unrelated to the request. */
const outages: ReadonlySet<ProblemKind> = new Set(["network", "timeout", "server", "busy"]);

export const isOutage = (problem: Problem | undefined): boolean =>
  problem !== undefined && outages.has(problem.kind);

/** Actions that help to reach the service. */
const mending: ReadonlySet<ProblemAction> = new Set(["connection-check", "proxy-help"]);

/** Problems that are found here, without a word from the service; a stop is one of them. */
const local: ReadonlySet<ProblemKind> = new Set(["refused-locally", "no-key", "not-configured"]);

/** Reports an outcome to the watcher. A problem of another kind says nothing about the key. */
export function reportOutcome(watcher: KeyWatcher, problem: Problem | undefined): void {
  if (problem !== undefined && local.has(problem.kind)) return;
  watcher.reached(unreached(problem));
  if (problem === undefined || isOutage(problem)) watcher.answers(problem === undefined);
  if (problem === undefined) watcher.accepted();
  else if (problem.kind === "auth" && isOfKey(problem)) watcher.refused(problem);
}

/** A 403 does not always concern the key: it may be about a model, a region or a firewall. */
const isOfKey = ({ status, detail = "" }: Problem): boolean =>
  status !== 403 ||
  /\b(api[ _-]?key|key|credentials?|unauthorized|authenticat\w+|access token)\b/i.test(detail);

/**
 * The problem with only the actions that help to reach the service; undefined if there are none, as after a connection
 * that was cut within a reply.
 */
function unreached(problem: Problem | undefined): Problem | undefined {
  if (problem?.kind !== "network" && problem?.kind !== "timeout") return undefined;
  const { kind, message } = problem;
  const actions = problem.actions.filter((action) => mending.has(action));
  return actions.length === 0 ? undefined : { kind, message, actions };
}
