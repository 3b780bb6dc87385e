// Which way a request takes: the editor's proxy setting, else the environment's, unless the host is excepted; where
// nobody says anything, the editor is asked for the system's. The same answers as VS Code gives its own requests. Pure.
import { isLoopback } from "./url-and-key.ts";

export interface ProxySettings {
  /** `http.proxySupport` is "off": no proxy for extensions at all. */
  readonly off?: boolean;
  /** `http.proxy`. */
  readonly url?: string;
  /** `http.noProxy`. */
  readonly except?: readonly string[];
  /** `http.proxyAuthorization`, sent as it is. */
  readonly authorization?: string;
}

export interface ProxyServer {
  readonly via: "proxy";
  readonly url: string;
  readonly authorization: string | undefined;
}

export type ProxyRoute =
  | ProxyServer
  | { readonly via: "direct" }
  /** Neither settings nor environment say: the system may have one. */
  | { readonly via: "undecided" }
  | { readonly via: "unreadable" };

export type Environment = Readonly<Record<string, string | undefined>>;

export function proxyRoute(target: URL, settings: ProxySettings, environment: Environment): ProxyRoute {
  if (settings.off === true || isLoopback(target.hostname)) return { via: "direct" };
  // Exceptions of the settings replace the environment's.
  const own = settings.except ?? [];
  const exceptions = own.length > 0 ? own : split(either(environment, "no_proxy"));
  if (exceptions.some((pattern) => matches(target, pattern))) return { via: "direct" };
  const typed = settings.url?.trim() || proxyOf(target, environment);
  return typed === undefined || typed === "" ? { via: "undecided" } : readProxy(typed, settings);
}

/** A proxy as somebody has written it, or as the editor has resolved it. */
export function readProxy(typed: string, { authorization }: ProxySettings): ProxyRoute {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  if (!URL.canParse(text)) return { via: "unreadable" };
  const url = new URL(text);
  if (!/^(https?|socks[45]?[ah]?):$/.test(url.protocol)) return { via: "unreadable" };
  return { via: "proxy", url: url.href, authorization: authorization || loginOf(url) };
}

/** As people know it: without the login that its address may hold. */
export function proxyName({ url }: ProxyServer): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? "443" : protocol === "http:" ? "80" : "1080")}`;
}

function loginOf({ username, password }: URL): string | undefined {
  if (username === "") return undefined;
  const login = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(login).toString("base64")}`;
}

/** A password with a percent sign that was typed as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function proxyOf(target: URL, environment: Environment): string | undefined {
  const secure = target.protocol === "https:" ? either(environment, "https_proxy") : undefined;
  return secure ?? either(environment, "http_proxy") ?? either(environment, "all_proxy");
}

function either(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toUpperCase()] || undefined;
}

const split = (list: string | undefined): string[] =>
  (list ?? "").split(/[,\s]+/).filter((name) => name !== "");

/** "*", "host", ".domain", "*.domain", "host:port"; a name also stands for everything below it. */
function matches(target: URL, pattern: string): boolean {
  const rule = pattern.trim().toLowerCase();
  if (rule === "*") return true;
  const [, name = "", port = ""] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
  const own = target.port || (target.protocol === "https:" ? "443" : "80");
  if (port !== "" && port !== own) return false;
  const domain = name.replace(/^\*?\.?/, "");
  const host = target.hostname.toLowerCase();
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}
