// A small HTTP/1.1 server on raw sockets: it reads requests one after the other per connection and leaves
// every byte of the answer to others, so that broken answers are as easy to write as good ones.
import { createServer, type Server, type Socket } from "node:net";
import { Connection } from "./connection.ts";

export interface HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** Answers one request; true when the connection may carry another. */
export type Answerer = (request: HttpRequest, connection: Connection) => Promise<boolean>;

export interface HttpServer {
  readonly port: number;
  /** Stops listening and drops every connection; the port then refuses. */
  down(): Promise<void>;
  /** Listens again, on the same port. */
  up(): Promise<void>;
}

export async function startHttpServer(
  port: number,
  answer: Answerer,
  /** Called for bytes that are no request. */
  unreadable: () => void,
): Promise<HttpServer> {
  const connections = new Set<Connection>();
  let server = createServer(accept);

  function accept(socket: Socket): void {
    const connection = new Connection(socket);
    connections.add(connection);
    void connection.closed.then(() => connections.delete(connection));
    serve(socket, connection, answer, unreadable);
  }

  const bound = await listen(server, port);
  return {
    port: bound,
    async down() {
      const closing = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.destroy();
      await closing;
    },
    async up() {
      server = createServer(accept);
      await listen(server, bound);
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function serve(socket: Socket, connection: Connection, answer: Answerer, unreadable: () => void): void {
  const waiting = new Inbox();
  let busy = false;

  const next = async (): Promise<void> => {
    if (busy || !connection.open) return;
    const read = waiting.take();
    if (read === "more") return;
    if (read === "bad") {
      unreadable();
      await connection.write(
        Buffer.from("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
      );
      connection.end();
      return;
    }
    busy = true;
    const again = await answer(read, connection);
    busy = false;
    if (again) await next();
  };

  socket.on("data", (bytes) => {
    if (connection.stale) {
      void connection.reset();
      return;
    }
    waiting.add(bytes);
    void next();
  });
}

/** Bytes that have arrived. A large body is put together once, not at every packet. */
class Inbox {
  #pieces: Buffer[] = [];
  #size = 0;
  #needed = 1;

  add(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
  }

  take(): HttpRequest | "more" | "bad" {
    if (this.#size < this.#needed) return "more";
    const bytes = Buffer.concat(this.#pieces);
    const read = readRequest(bytes);
    if (read === "bad") return "bad";
    const rest = "request" in read ? bytes.subarray(read.length) : bytes;
    this.#pieces = [rest];
    this.#size = rest.length;
    this.#needed = "request" in read ? 1 : read.needed;
    return "request" in read ? read.request : "more";
  }
}

type Unfinished = { readonly needed: number } | "bad";

function readRequest(bytes: Buffer): { readonly request: HttpRequest; readonly length: number } | Unfinished {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return bytes.length > 65_536 ? "bad" : { needed: bytes.length + 1 };
  const [first = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const match = /^([A-Z]+) (\S+) HTTP\/1\.[01]$/.exec(first);
  if (match === null) return "bad";
  const headers: [string, string][] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) return "bad";
    headers.push([line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]);
  }
  const body = readBody(bytes, headEnd + 4, headers);
  if (body === "bad" || "needed" in body) return body;
  const [, method = "", target = ""] = match;
  return { request: { method, target, headers, body: body.body }, length: body.end };
}

type Body = { readonly body: Buffer; readonly end: number } | Unfinished;

function readBody(bytes: Buffer, start: number, headers: HttpRequest["headers"]): Body {
  const header = (name: string) => headers.find(([key]) => key === name)?.[1];
  if (header("transfer-encoding")?.toLowerCase() === "chunked") return readChunks(bytes, start);
  const length = Number(header("content-length") ?? "0");
  if (!Number.isSafeInteger(length) || length < 0) return "bad";
  if (bytes.length < start + length) return { needed: start + length };
  return { body: bytes.subarray(start, start + length), end: start + length };
}

function readChunks(bytes: Buffer, start: number): Body {
  const pieces: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return { needed: bytes.length + 1 };
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (!(size >= 0)) return "bad";
    const dataStart = lineEnd + 2;
    if (bytes.length < dataStart + size + 2) return { needed: dataStart + size + 2 };
    if (size === 0) return { body: Buffer.concat(pieces), end: dataStart + 2 };
    pieces.push(bytes.subarray(dataStart, dataStart + size));
    at = dataStart + size + 2;
  }
}
