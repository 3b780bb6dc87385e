// Connections that do not go to the service directly: which proxy a request uses, tunnels through it, and the editor's
// own network.

import { ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import type { buildConnector, Dispatcher } from "undici";
import { parsedUrl } from "../../util/parsed-url.ts";
import type { EditorNetwork } from "../settings.ts";
import { isLoopback } from "../url-and-key.ts";
import { ApiError, certificateCode, codeOf } from "./fault.ts";

export interface ProxySettings {
  /** `http.proxySupport` is "off": extensions must not use a proxy. */
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
  /** Neither settings nor environment name one, but the system may. */
  | { readonly via: "undecided" }
  | { readonly via: "unreadable" };

/** How requests for one service get there. */
export type DecidedRoute = Exclude<ProxyRoute, { via: "undecided" | "unreadable" }>;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Determines the proxy for a request: the editor's setting, otherwise the environment's, unless the host is excepted;
 * if neither is set, the editor is asked for the system's. Gives the same results as VS Code does for its own requests.
 */
export function proxyRoute(target: URL, settings: ProxySettings, environment: Environment): ProxyRoute {
  if (settings.off === true || isLoopback(target.hostname)) return { via: "direct" };
  // Exceptions in the settings replace the environment's.
  const own = settings.except ?? [];
  const exceptions = own.length > 0 ? own : split(either(environment, "no_proxy"));
  if (exceptions.some((pattern) => matches(target, pattern))) return { via: "direct" };
  const typed = settings.url?.trim() || proxyOf(target, environment);
  return typed === undefined || typed === "" ? { via: "undecided" } : readProxy(typed, settings);
}

/** Parses a proxy as typed by a person, or as resolved by the editor. */
export function readProxy(typed: string, { authorization }: ProxySettings): ProxyRoute {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  const url = parsedUrl(text);
  if (url === undefined || !/^(https?|socks[45]?[ah]?):$/.test(url.protocol)) return { via: "unreadable" };
  return { via: "proxy", url: url.href, authorization: authorization || loginOf(url) };
}

/** The display name, without a login that the address may contain. */
export function proxyName({ url }: ProxyServer): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? "443" : protocol === "http:" ? "80" : "1080")}`;
}

function loginOf({ username, password }: URL): string | undefined {
  if (username === "") return undefined;
  const login = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(login).toString("base64")}`;
}

/** Decodes a password, which may have been typed with a literal percent sign. */
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

/** "*", "host", ".domain", "*.domain", "host:port"; a name also matches all its subdomains. */
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

export interface Trust {
  readonly rejectUnauthorized: true;
  readonly secureContext?: SecureContext;
}

/**
 * A connection to the service through an HTTP proxy: connecting to the proxy, its answer to CONNECT and TLS to the
 * service are one attempt with one deadline. Independent of what is sent through it and of the proxy's authentication
 * scheme. `secure` establishes TLS on an open connection.
 */
export function tunnelThrough(
  proxy: ProxyServer,
  milliseconds: number,
  trust: Trust,
  secure: buildConnector.connector,
): buildConnector.connector {
  return (options, callback) => {
    const attempt = new Attempt(milliseconds, callback);
    const socket = openProxy(proxy, trust);
    attempt.hold(socket, (error) => byProxy(error));
    const isSecure = options.protocol === "https:";
    socket.once(isTls(proxy) ? "secureConnect" : "connect", () => {
      // A plain HTTP request is sent to the proxy itself, which opens tunnels to secure ports only.
      if (!isSecure) return attempt.succeed(socket);
      const { hostname } = options;
      const host = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${options.port || "443"}`;
      askForTunnel(socket, host, proxy.authorization, (error) => {
        if (error !== undefined) return attempt.fail(error);
        attempt.hold(socket, (cause) => cause);
        secure({ ...options, httpSocket: socket }, (cause, opened) =>
          cause === null ? attempt.succeed(opened) : attempt.fail(cause),
        );
      });
    });
  };
}

const isTls = ({ url }: ProxyServer): boolean => url.startsWith("https:");

function openProxy(proxy: ProxyServer, trust: Trust): Socket {
  const { hostname, port } = new URL(proxy.url);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (!isTls(proxy)) return connectPlain({ host, port: Number(port || 80) });
  return connectTls({ host, port: Number(port || 443), servername: isIP(host) === 0 ? host : "", ...trust });
}

function askForTunnel(
  socket: Socket,
  host: string,
  authorization: string | undefined,
  done: (error?: Error) => void,
): void {
  const login = authorization === undefined ? {} : { "proxy-authorization": authorization };
  const headers = { host, connection: "keep-alive", "proxy-connection": "keep-alive", ...login };
  // Not `request`: editors patch that function, and it would look for a proxy to reach the proxy.
  const asking = new ClientRequest({
    method: "CONNECT",
    path: host,
    headers,
    createConnection: () => socket,
  });
  asking.once("connect", ({ statusCode: status = 0 }, _, head) => {
    if (status < 200 || status > 299) return done(new ApiError({ at: "proxy", by: "status", status }));
    if (head.length > 0) socket.unshift(head);
    done();
  });
  asking.once("error", (error) => done(byProxy(error)));
  asking.end();
}

/** An error in reaching the proxy, as opposed to the service. */
function byProxy(error: Error): ApiError {
  const code = codeOf(error) || error.name;
  const by = certificateCode(code) ? "certificate" : "network";
  return new ApiError({ at: "proxy", by, code }, { cause: error });
}

class Attempt {
  readonly #callback: buildConnector.Callback;
  readonly #timer: NodeJS.Timeout;
  #socket: Socket | undefined;
  #over = false;

  constructor(milliseconds: number, callback: buildConnector.Callback) {
    this.#callback = callback;
    const seconds = milliseconds / 1000;
    this.#timer = setTimeout(
      () => this.fail(new ApiError({ at: "proxy", by: "time", seconds })),
      milliseconds,
    );
  }

  /** Makes this socket's failure that of the attempt; `meaning` converts its error. */
  hold(socket: Socket, meaning: (error: Error) => Error): void {
    this.#socket = socket;
    socket.removeAllListeners("error").on("error", (error) => this.fail(meaning(error)));
  }

  succeed(socket: Socket): void {
    if (this.#finish()) this.#callback(null, socket);
  }

  fail(error: Error): void {
    if (!this.#finish()) return;
    this.#socket?.destroy();
    this.#callback(error, null);
  }

  #finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#timer);
    return true;
  }
}

/**
 * The editor's own network, if the extension runs in an editor: the system's proxy, and requests that the editor itself
 * makes, with logins that it knows or asks a person for. Slower than ours, so it is used only where ours cannot work.
 */
export class EditorDispatcher {
  readonly #request: EditorNetwork["request"];
  readonly #trust: Trust;
  readonly #connectMilliseconds: number;
  readonly #running = new Set<ClientRequest>();

  /** `connectMilliseconds` is 0, for no limit, when a person may have to type a password. */
  constructor(request: EditorNetwork["request"], trust: Trust, connectMilliseconds: number) {
    this.#request = request;
    this.#trust = trust;
    this.#connectMilliseconds = connectMilliseconds;
  }

  dispatch(
    { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const { hostname, port } = new URL(String(origin));
    const request = this.#request({
      protocol: "https:",
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port: port || 443,
      path,
      method,
      headers: headers as RequestOptions["headers"],
      ...this.#trust,
    });
    this.#running.add(request);
    const receiving = new Receiving(request, handler);
    const within = this.#connectMilliseconds;
    const late = new ApiError({ at: "proxy", by: "time", seconds: within / 1000 });
    const timer = within > 0 ? setTimeout(() => receiving.abort(late), within) : undefined;
    request
      .on("socket", () => clearTimeout(timer))
      .on("close", () => {
        clearTimeout(timer);
        this.#running.delete(request);
      });
    handler.onRequestStart?.(receiving, {});
    request.end(body ?? undefined);
    return true;
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {
    for (const request of this.#running) request.destroy();
  }
}

/** Adapts one request of the editor to undici's dispatch events. */
class Receiving implements Dispatcher.DispatchController {
  readonly #request: ClientRequest;
  readonly #handler: Dispatcher.DispatchHandler;
  #response: IncomingMessage | undefined;
  #proxyError: unknown;
  #over = false;
  aborted = false;
  paused = false;
  reason: Error | null = null;

  constructor(request: ClientRequest, handler: Dispatcher.DispatchHandler) {
    this.#request = request;
    this.#handler = handler;
    request
      .on("response", (response) => this.#receive(response))
      .on("error", (error) => this.#fail(error))
      // The editor reports on the request why a proxy could not be used, and throws another error.
      .on("proxy", (event?: { readonly error?: unknown }) => {
        this.#proxyError = event?.error;
      });
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.#fail(reason);
    this.#request.destroy();
  }

  pause(): void {
    this.paused = true;
    this.#response?.pause();
  }

  resume(): void {
    this.paused = false;
    this.#response?.resume();
  }

  #receive(response: IncomingMessage): void {
    this.#response = response;
    response
      .on("data", (chunk: Buffer) => this.#handler.onResponseData?.(this, chunk))
      .on("error", (error) => this.#fail(error))
      .on("end", () => {
        if (this.#over) return;
        this.#over = true;
        this.#handler.onResponseEnd?.(this, {});
      });
    this.#handler.onResponseStart?.(this, response.statusCode ?? 0, response.headers);
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#handler.onResponseError?.(this, this.#response === undefined ? this.#meaning(error) : error);
  }

  #meaning(error: Error): Error {
    if (this.#proxyError === undefined || error instanceof ApiError) return error;
    const code = codeOf(this.#proxyError) || "EPROXY";
    const by = certificateCode(code) ? "certificate" : "network";
    return new ApiError({ at: "proxy", by, code }, { cause: error });
  }
}
