// The way to the service: one undici dispatcher for the present proxy, certificates and connect time. undici is
// imported by deep paths, because loading the whole of it replaces the process-wide dispatcher, which every
// extension in this process shares. Its own timers are off: ours are the ones that speak.
import type { Socket } from "node:net";
import * as tls from "node:tls";
import type { buildConnector, Dispatcher } from "undici";
import connect from "undici/lib/api/api-connect.js";
import connector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import type { Disposable } from "../util/disposables.ts";
import { type CertificateSettings, trustedCertificates } from "./certificates.ts";
import { ApiError } from "./fault.ts";
import { type Environment, type ProxyRoute, type ProxySettings, proxyRoute } from "./proxy.ts";

export interface NetworkSettings {
  readonly connectSeconds: number;
  readonly proxy: ProxySettings;
  readonly certificates: CertificateSettings;
}

/** A dispatcher, and how many connections it has opened: a failure without a new one was on a kept one. */
export interface Way {
  readonly dispatcher: Dispatcher;
  connections: number;
  /** Not through a proxy: it would learn of a request that may never come. */
  warm?(target: URL): void;
}

/** An idle connection is kept this long, so that a tool's result finds it warm. */
const keepAliveMilliseconds = 60_000;

export class Network implements Disposable {
  readonly #environment: Environment;
  #ways = new Map<string, Way>();
  #disposed = false;
  #secure: { readonly key: string; readonly context: tls.SecureContext | undefined } | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  wayTo(target: URL, settings: NetworkSettings): Way {
    if (this.#disposed) throw new ApiError({ at: "unsent" });
    const route = proxyRoute(target, settings.proxy, this.#environment);
    if (route.via === "unreadable") throw new ApiError({ at: "proxy" });
    const key = JSON.stringify([route, settings.connectSeconds, settings.certificates]);
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    // The settings have changed; running requests finish on the old way.
    for (const way of this.#ways.values()) void way.dispatcher.close();
    const secureContext =
      target.protocol === "https:" ? this.#secureContext(settings.certificates) : undefined;
    const way = openWay(route, settings.connectSeconds * 1000, secureContext);
    this.#ways = new Map([[key, way]]);
    return way;
  }

  /** Opens a connection that the next request finds ready. Nothing is sent but the handshake. */
  warm(target: URL, settings: NetworkSettings): void {
    this.wayTo(target, settings).warm?.(target);
  }

  dispose(): void {
    this.#disposed = true;
    for (const way of this.#ways.values()) void way.dispatcher.destroy();
    this.#ways.clear();
  }

  /** Reading some hundred certificates takes tens of milliseconds: once, and only for TLS. */
  #secureContext(settings: CertificateSettings): tls.SecureContext | undefined {
    const key = JSON.stringify(settings);
    if (this.#secure?.key !== key) {
      const ca = trustedCertificates(settings, this.#environment);
      this.#secure = { key, context: ca && tls.createSecureContext({ ca: [...ca] }) };
    }
    return this.#secure?.context;
  }
}

function openWay(
  route: Exclude<ProxyRoute, { via: "unreadable" }>,
  timeout: number,
  secureContext: tls.SecureContext | undefined,
): Way {
  // Said outright: by default an environment variable, which any extension of this process may set, ends the checking.
  const checked = { rejectUnauthorized: true };
  const trust = secureContext === undefined ? checked : { ...checked, secureContext };
  const options = {
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMilliseconds,
    keepAliveMaxTimeout: 10 * keepAliveMilliseconds,
  };
  if (route.via === "proxy") {
    const { url: uri, authorization } = route;
    const token = authorization === undefined ? {} : { token: authorization };
    const connection = { timeout, ...trust };
    // Only the whole of undici gives its dispatchers their methods; the proxy needs one of them.
    const clientFactory = (origin: URL, pool: object) =>
      Object.assign(new Pool(origin, pool), { connect: connectOnce });
    const tunnel = { uri, ...token, clientFactory, requestTls: connection, proxyTls: connection };
    return { dispatcher: new ProxyAgent({ ...options, ...tunnel }), connections: 0 };
  }
  const doors = warmable(connector({ timeout, ...trust }));
  const agent = new Agent({ ...options, connect: doors.connect });
  const way: Way = { dispatcher: agent, connections: 0, warm: doors.warm };
  agent.on("connect", () => {
    way.connections++;
  });
  return way;
}

/**
 * A proxy that hangs up without a word is an error like a reset: under its own code the library would take it for a kept
 * connection that died, and ask again at once, without end.
 */
function connectOnce(
  this: Dispatcher,
  options: Dispatcher.ConnectOptions,
): Promise<Dispatcher.ConnectData<unknown>> {
  return connect.call(this, options).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "UND_ERR_SOCKET") throw error;
    throw Object.assign(new Error("The proxy hung up.", { cause: error }), { code: "ECONNRESET" });
  });
}

/** A connector that may be asked ahead; what it opened then goes to the first request for the same origin. */
function warmable(connect: buildConnector.connector) {
  let ahead: { readonly key: string; readonly socket: Promise<Socket | undefined> } | undefined;
  const open = (options: buildConnector.Options) =>
    new Promise<Socket | undefined>((resolve) =>
      connect(options, (_, socket) => resolve(socket ?? undefined)),
    );
  return {
    warm({ protocol, hostname, host, port }: URL): void {
      const key = `${protocol}//${host}`;
      if (ahead?.key === key) return;
      const socket = open({ protocol, hostname: hostname.replace(/^\[|\]$/g, ""), host, port });
      ahead = { key, socket };
      const forget = () => {
        if (ahead?.socket === socket) ahead = undefined;
      };
      void socket.then((opened) => (opened === undefined ? forget() : opened.once("close", forget)));
      setTimeout(() => {
        if (ahead?.socket === socket) void socket.then((opened) => opened?.destroy());
        forget();
      }, keepAliveMilliseconds).unref();
    },
    connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
      const key = `${options.protocol}//${options.host ?? options.hostname}`;
      if (ahead?.key !== key) {
        connect(options, callback);
        return;
      }
      const { socket } = ahead;
      ahead = undefined;
      void socket.then((opened) => {
        if (opened === undefined || opened.destroyed) connect(options, callback);
        else callback(null, opened);
      });
    },
  };
}
