// The way to the service: one undici dispatcher for the current proxy, certificates and connect timeout. undici
// is imported by deep paths, because loading it as a whole replaces the process-wide dispatcher, which every extension
// in this process shares. Its own timers are off in favour of ours.

import type { Socket } from "node:net";
import type * as tls from "node:tls";
import type { buildConnector } from "undici";
import connector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import type { Disposable } from "../../util/disposables.ts";
import type { EditorNetwork } from "../settings.ts";
import { withBackpressure } from "./byte-stream.ts";
import { ApiError } from "./fault.ts";
import { StoppedByUser, type Transport } from "./http.ts";
import {
  EditorDispatcher,
  type Environment,
  type ProxyRoute,
  type ProxyServer,
  type ProxySettings,
  proxyName,
  proxyRoute,
  readProxy,
  type Trust,
  tunnelThrough,
} from "./proxy.ts";
import { addedCertificates, type CertificateSettings, trusting } from "./trusted-authorities.ts";

export interface NetworkSettings {
  readonly connectSeconds: number;
  readonly proxy: ProxySettings;
  readonly certificates: CertificateSettings;
}

/** How requests for one service get there. */
type Decided = Exclude<ProxyRoute, { via: "undecided" | "unreadable" }>;

/** How long an idle connection is kept, so that it can be reused to send a tool's result. */
const keepAliveMilliseconds = 60_000;

/** Headers that gateways add to a reply do not fit into undici's limit of 16 KiB. */
const maxHeaderBytes = 64 * 1024;

export class Network implements Disposable {
  readonly #environment: Environment;
  readonly #editor: EditorNetwork | undefined;
  #ways = new Map<string, Transport>();
  /** Proxies that require a login which the editor has, or asks for. */
  readonly #logins = new Set<string>();
  #disposed = false;
  #secure: { readonly key: string; readonly context: tls.SecureContext | undefined } | undefined;

  constructor(environment: Environment, editor?: EditorNetwork) {
    this.#environment = environment;
    this.#editor = editor;
  }

  /** The way for a request, and another one if this is refused with that error. Throws ApiError or Stopped. */
  async wayTo(
    url: URL,
    settings: NetworkSettings,
    signal: AbortSignal,
  ): Promise<{ readonly way: Transport; afterRefusal(error: unknown): Transport | undefined }> {
    const route = await this.#route(url, settings, signal);
    return {
      way: this.#wayOn(route, url, settings),
      afterRefusal: (error) =>
        this.#editorKnowsLogin(error, route, url) ? this.#openByEditor(route, settings, 0) : undefined,
    };
  }

  /** Opens a connection for the next request. Sends nothing but the handshake. */
  async warm(target: URL, settings: NetworkSettings): Promise<void> {
    const { way } = await this.wayTo(target, settings, new AbortController().signal);
    way.warm?.(target);
  }

  dispose(): void {
    this.#disposed = true;
    for (const way of this.#ways.values()) void way.dispatcher.destroy();
    this.#ways.clear();
  }

  async #route(target: URL, settings: NetworkSettings, signal: AbortSignal): Promise<Decided> {
    const route = proxyRoute(target, settings.proxy, this.#environment);
    const found = route.via === "undecided" ? await this.#systemRoute(target, settings, signal) : route;
    const isReadable = found.via === "direct" || (found.via === "proxy" && this.#canReach(found, target));
    if (!isReadable) throw new ApiError({ at: "proxy", by: "setting" });
    return found as Decided;
  }

  async #systemRoute(target: URL, settings: NetworkSettings, signal: AbortSignal): Promise<ProxyRoute> {
    if (this.#editor === undefined) return { via: "direct" };
    // Only the origin: the path must not leak, and the editor caches its responses by origin.
    const asking = this.#editor.proxyFor(`${target.origin}/`).catch(() => undefined);
    const found = await within(asking, settings.connectSeconds, signal);
    return found === undefined ? { via: "direct" } : readProxy(found, settings.proxy);
  }

  /** Only the editor supports SOCKS, and only for HTTPS services. */
  #canReach(proxy: ProxyServer, target: URL): boolean {
    return /^https?:/.test(proxy.url) || (this.#editor !== undefined && target.protocol === "https:");
  }

  #wayOn(route: Decided, target: URL, settings: NetworkSettings): Transport {
    if (this.#disposed) throw new ApiError({ at: "unsent" });
    const byEditor =
      route.via === "proxy" && (!/^https?:/.test(route.url) || this.#logins.has(loginKey(route)));
    const { connectSeconds, certificates } = settings;
    const key = JSON.stringify([route, byEditor, target.protocol, connectSeconds, certificates]);
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    // The settings have changed; running requests finish on the old connection.
    for (const way of this.#ways.values()) void way.dispatcher.close();
    const way = byEditor
      ? this.#openByEditor(route, settings, connectSeconds * 1000)
      : openWay(route, target, connectSeconds * 1000, this.#trust(target, certificates));
    this.#ways = new Map([[key, way]]);
    return way;
  }

  /**
   * A login from the settings is tried first. One that the editor has, or a person types, can only be used by the
   * editor.
   */
  #editorKnowsLogin(error: unknown, route: Decided, { protocol }: URL): route is ProxyServer {
    const isRefused =
      error instanceof ApiError &&
      error.fault.at === "proxy" &&
      error.fault.by === "status" &&
      error.fault.status === 407;
    if (!isRefused || route.via !== "proxy" || protocol !== "https:" || this.#editor === undefined)
      return false;
    if (this.#logins.has(loginKey(route))) return false;
    this.#logins.add(loginKey(route));
    return true;
  }

  #openByEditor(
    proxy: ProxyServer,
    { certificates }: NetworkSettings,
    connectMilliseconds: number,
  ): Transport {
    const request = this.#editor?.request;
    if (request === undefined) throw new ApiError({ at: "proxy", by: "setting" });
    const trust = this.#trust(undefined, certificates);
    const dispatcher = new EditorDispatcher(request, trust, connectMilliseconds);
    return { dispatcher, connections: 0, proxy: proxyName(proxy) };
  }

  /**
   * `rejectUnauthorized` is explicit, because an environment variable, which any extension of this process may set,
   * could disable the check.
   */
  #trust(target: URL | undefined, settings: CertificateSettings): Trust {
    const secureContext = target?.protocol === "http:" ? undefined : this.#secureContext(settings);
    return { rejectUnauthorized: true, ...(secureContext && { secureContext }) };
  }

  /**
   * Created once, and only for TLS. Starts from the certificates that Node has already read; reading them again takes
   * tens of milliseconds.
   */
  #secureContext(settings: CertificateSettings): tls.SecureContext | undefined {
    const key = JSON.stringify(settings);
    if (this.#secure?.key !== key) {
      const added = addedCertificates(settings, this.#environment);
      this.#secure = { key, context: added.length > 0 ? trusting(added) : undefined };
    }
    return this.#secure?.context;
  }
}

const loginKey = ({ url, authorization = "" }: ProxyServer): string => `${url} ${authorization}`;

function openWay(route: Decided, target: URL, milliseconds: number, trust: Trust): Transport {
  const connectTarget = connector({ timeout: milliseconds, ...trust });
  const doors =
    route.via === "direct"
      ? warmable(connectTarget)
      : { connect: tunnelThrough(route, milliseconds, trust, connectTarget) };
  const dispatcher = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMilliseconds,
    keepAliveMaxTimeout: 10 * keepAliveMilliseconds,
    maxHeaderSize: maxHeaderBytes,
    connect: withBackpressure(doors.connect, (from) => {
      way.reading = from;
    }),
  });
  const login = route.via === "proxy" ? route.authorization : undefined;
  const way: Transport = {
    dispatcher,
    connections: 0,
    ...(route.via === "proxy" && { proxy: proxyName(route) }),
    ...(route.via === "proxy" &&
      target.protocol === "http:" && {
        forwarded: login === undefined ? {} : { "proxy-authorization": login },
      }),
    ...("warm" in doors && { warm: doors.warm }),
  };
  dispatcher.on("connect", () => {
    way.connections++;
  });
  return way;
}

/** Rejects when it takes too long or is aborted. */
function within<T>(asked: Promise<T>, seconds: number, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => over(() => reject(new StoppedByUser()));
    const late = () => over(() => reject(new ApiError({ at: "proxy", by: "lookup", seconds })));
    const timer = setTimeout(late, seconds * 1000);
    const over = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      end();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    void asked.then((value) => over(() => resolve(value)));
  });
}

/** Wraps a connector so that a connection can be opened in advance; the first request for the same origin uses it. */
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
