// A connection to the service through an HTTP proxy: reaching the proxy, its answer to CONNECT and TLS to the service
// are one attempt with one deadline. Knows nothing of what goes through it, nor of the proxy's dialects of login.
import { ClientRequest } from "node:http";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext } from "node:tls";
import type { buildConnector } from "undici";
import { ApiError, certificateCode, codeOf } from "./fault.ts";
import type { ProxyServer } from "./proxy.ts";

export interface Trust {
  readonly rejectUnauthorized: true;
  readonly secureContext?: SecureContext;
}

/** `secure` makes TLS of an open connection. */
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
      // A plain request is told to the proxy itself: it opens tunnels to secure ports only.
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
  // Not `request`: editors change that function, and it would look for a proxy to reach the proxy.
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

/** What went wrong on the way to the proxy, which is not the service. */
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

  /** Whose end is the attempt's, and what it means. */
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
