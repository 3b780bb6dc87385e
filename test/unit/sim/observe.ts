// A client that judges nothing: sends one request over a socket and reports the very bytes and how they ended.
import { connect } from "node:net";
import type { Simulator } from "../../sim/simulator.ts";

export interface Observed {
  readonly head: string;
  readonly body: Buffer;
  /** Pieces as they arrived, head included. */
  readonly pieces: readonly Buffer[];
  readonly end: "closed" | "reset" | "still open";
}

const hello = { model: "svc-k3", input: "Hello?", stream: true };

/** Resolves when the connection ends, or as soon as `enough` says so. */
export function observe(
  sim: Simulator,
  enough: (bytes: Buffer) => boolean = () => false,
  body: object = hello,
): Promise<Observed> {
  const { port } = new URL(sim.url);
  const text = JSON.stringify(body);
  const request = [
    "POST /v1/responses HTTP/1.1",
    "host: localhost",
    `authorization: Bearer ${sim.key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    const pieces: Buffer[] = [];
    const finish = (end: Observed["end"]) => {
      socket.destroy();
      const bytes = Buffer.concat(pieces);
      const split = bytes.indexOf("\r\n\r\n");
      const head = bytes.toString("latin1", 0, Math.max(split, 0));
      resolve({ head, body: bytes.subarray(split < 0 ? bytes.length : split + 4), pieces, end });
    };
    socket.on("data", (piece) => {
      pieces.push(piece);
      if (enough(Buffer.concat(pieces))) finish("still open");
    });
    socket.on("end", () => finish("closed"));
    socket.on("error", () => finish("reset"));
    socket.write(`${request.join("\r\n")}\r\n\r\n${text}`);
  });
}

/** The payload of a chunked body and whether its last chunk arrived. */
export function dechunked(body: Buffer): {
  readonly payload: Buffer;
  readonly complete: boolean;
  readonly sizes: readonly number[];
} {
  const payload: Buffer[] = [];
  const sizes: number[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf("\r\n", at);
    if (lineEnd < 0) return { payload: Buffer.concat(payload), complete: false, sizes };
    const size = Number.parseInt(body.toString("latin1", at, lineEnd), 16);
    if (size === 0) return { payload: Buffer.concat(payload), complete: true, sizes };
    payload.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    sizes.push(size);
    at = lineEnd + 2 + size + 2;
  }
}
