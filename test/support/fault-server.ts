// A server on raw sockets, for answers that no HTTP library would send: half headers, wrong lengths, resets, black
// holes. It plays one answer per request, in order; the last one again and again.

import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";
import { request } from "undici";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Which connection it came on, from 0. */
  readonly connection: number;
}

/** Plays one answer. The socket stays open unless the answer ends it. */
export type Answer = (socket: Socket, request: SeenRequest) => void | Promise<void>;

export interface FaultServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Connections that are open now. */
  readonly open: number;
  readonly connections: number;
  /** Resolves when every connection has been closed. */
  idle(): Promise<void>;
}

/**
 * undici makes one timer for all of its own, with its first request: if that timer is a mocked one, it never fires again
 * in this process. To be called before timers are mocked.
 */
export async function startTimersOfUndici(): Promise<void> {
  await using server = await startFaultServer((socket) => {
    socket.end("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
  });
  await request(server.url);
}

export async function startFaultServer(...answers: Answer[]): Promise<FaultServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let waiting: (() => void)[] = [];
  const server: Server = createServer((socket) => {
    const connection = connections++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    });
    readRequests(socket, connection, (request) => {
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      void answer?.(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get open() {
      return sockets.size;
    },
    get connections() {
      return connections;
    },
    idle: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readRequests(socket: Socket, connection: number, onRequest: (request: SeenRequest) => void): void {
  let held = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const headEnd = held.indexOf("\r\n\r\n");
      if (headEnd === -1) return;
      const [first = "", ...rawHeaders] = held.subarray(0, headEnd).toString("latin1").split("\r\n");
      const headers = new Map(
        rawHeaders.map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
        }),
      );
      const length = Number(headers.get("content-length") ?? 0);
      if (held.length < headEnd + 4 + length) return;
      const body = held.subarray(headEnd + 4, headEnd + 4 + length).toString("utf8");
      held = held.subarray(headEnd + 4 + length);
      const [method = "", path = ""] = first.split(" ");
      onRequest({ method, path, headers, rawHeaders, body, connection });
    }
  });
}

/** A head that lets the body end with the connection. */
export function head(status: number, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ "content-type": "text/event-stream", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status} Some Words`, ...lines, "connection: close", "", ""].join("\r\n");
}

/** A whole answer that ends cleanly. */
export const answer =
  (status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Answer =>
  (socket) => {
    socket.write(head(status, headers));
    socket.end(body);
  };

/** The same as chunks of a kept connection, where a reset cannot be taken for the end. */
export const chunked =
  (
    bytes: Uint8Array,
    end: "clean" | "reset",
    status = 200,
    headers: Readonly<Record<string, string>> = {},
  ): Answer =>
  async (socket) => {
    const hasBody = status !== 204;
    const framing = hasBody ? { "transfer-encoding": "chunked" } : {};
    const told = Object.entries({ "content-type": "text/event-stream", ...headers, ...framing });
    const lines = [
      `HTTP/1.1 ${status} Some Words`,
      ...told.map(([name, value]) => `${name}: ${value}`),
      "",
      "",
    ];
    socket.write(lines.join("\r\n"));
    if (hasBody && bytes.length > 0) {
      socket.write(`${bytes.length.toString(16)}\r\n`);
      socket.write(bytes);
      await new Promise((resolve) => socket.write("\r\n", resolve));
    }
    if (end === "reset") await resetOnceRead(socket);
    else if (hasBody) socket.write("0\r\n\r\n");
  };

export const json = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer => answer(status, JSON.stringify(value), { "content-type": "application/json", ...headers });

/** `bytes` arrive, then the connection is reset. */
export const reset =
  (bytes: string | Uint8Array = ""): Answer =>
  async (socket) => {
    if (bytes.length > 0) await new Promise((resolve) => socket.write(bytes, resolve));
    await resetOnceRead(socket);
  };

/** A reset throws away what has not been read: the peer has some time for it, and, being in this process, some rounds. */
async function resetOnceRead(socket: Socket): Promise<void> {
  await setTimeout(20);
  for (let round = 0; round < 3; round++) await setImmediate();
  socket.resetAndDestroy();
}

/** An answer at the server's own pace: a silence after each piece, then a clean end. The silence is the fault. */
export const paced =
  (silenceMilliseconds: number, pieces: readonly string[]): Answer =>
  async (socket) => {
    for (const piece of pieces) {
      socket.write(piece);
      await setTimeout(silenceMilliseconds);
    }
    socket.end();
  };

/** Events as an SSE body. */
export const sse = (...events: unknown[]): string =>
  events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join("");
