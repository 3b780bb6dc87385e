// Connections by undici, whose own timers are off in favour of ours. It is imported by deep paths, because loading it as a
// whole replaces the process-wide dispatcher, which every extension in this process shares. A file of its own in the
// extension, loaded with the first connection: undici is more than a tenth of what would be read at first use.

import type { Socket } from "node:net";
import type { buildConnector } from "undici";
import connector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { withBackpressure } from "./byte-stream.ts";
import type { Transport } from "./http.ts";
import { type DecidedRoute, proxyName, type Trust, tunnelThrough } from "./proxy.ts";

/** How long an idle connection is kept, so that it can be reused to send a tool's result. */
const keepAliveMilliseconds = 60_000;

/** Headers that gateways add to a reply do not fit into undici's limit of 16 KiB. */
const maxHeaderBytes = 64 * 1024;

/** The way on a route, by undici's pool of connections. */
export function openWay(route: DecidedRoute, target: URL, milliseconds: number, trust: Trust): Transport {
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
