// The way to the service: one dispatcher for the current proxy, certificates and connect timeout.
import type * as tls from "node:tls";
import type { Disposable } from "../../util/disposables.ts";
import type { EditorNetwork } from "../settings.ts";
import { ApiError } from "./fault.ts";
import { StoppedByUser, type Transport } from "./http.ts";
import {
  type DecidedRoute,
  EditorDispatcher,
  type Environment,
  type ProxyRoute,
  type ProxyServer,
  type ProxySettings,
  proxyName,
  proxyRoute,
  readProxy,
  type Trust,
} from "./proxy.ts";
import { addedCertificates, type CertificateSettings, trusting } from "./trusted-authorities.ts";

export interface NetworkSettings {
  readonly connectSeconds: number;
  readonly proxy: ProxySettings;
  readonly certificates: CertificateSettings;
}

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
    const { openWay } = await import("./open-connections.ts");
    return {
      way: this.#wayOn(route, url, settings, openWay),
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

  async #route(target: URL, settings: NetworkSettings, signal: AbortSignal): Promise<DecidedRoute> {
    const route = proxyRoute(target, settings.proxy, this.#environment);
    const found = route.via === "undecided" ? await this.#systemRoute(target, settings, signal) : route;
    const isReadable = found.via === "direct" || (found.via === "proxy" && this.#canReach(found, target));
    if (!isReadable) throw new ApiError({ at: "proxy", by: "setting" });
    return found as DecidedRoute;
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

  #wayOn(
    route: DecidedRoute,
    target: URL,
    settings: NetworkSettings,
    openWay: typeof import("./open-connections.ts").openWay,
  ): Transport {
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
  #editorKnowsLogin(error: unknown, route: DecidedRoute, { protocol }: URL): route is ProxyServer {
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
