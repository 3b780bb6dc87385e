// How an answer travels: status, headers, body in frames, and how it begins and ends. `deliver` is the only
// place that writes an answer to a socket. Faults are functions from one delivery to another.
import { STATUS_CODES } from "node:http";
import type { Connection } from "./connection.ts";

export interface Frame {
  readonly bytes: Uint8Array;
  readonly pauseBefore?: number;
  /** The frame leaves only after this promise; a test holds the other end. */
  readonly gate?: Promise<void>;
}

export interface Delivery {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** One frame per event, or one for a whole body. A generator makes a body without end. */
  readonly frames: readonly Frame[] | (() => Generator<Frame>);
  readonly start: "answer" | "reset" | "close" | "hang";
  readonly pauseBeforeHead: number;
  /** Bytes of status and headers that are sent; all of them when absent. After fewer comes the ending, without a body. */
  readonly headBytes?: number;
  /** `until-close` sends neither a length nor chunks. A number is a Content-Length, right or wrong. */
  readonly framing: "chunked" | "length" | "until-close" | number;
  /** `close`, `reset` and `hang` come after the last frame, without any end marker of HTTP. */
  readonly ending: "finish" | "close" | "reset" | "hang";
  /** Bytes behind the end of the message. */
  readonly trailing: Uint8Array;
  /** The next request on this connection is answered by a reset. */
  readonly thenStale: boolean;
}

export function plainDelivery(
  status: number,
  contentType: string,
  frames: readonly Frame[],
  framing: Delivery["framing"] = "length",
): Delivery {
  return {
    status,
    headers: contentType === "" ? [] : [["content-type", contentType]],
    frames,
    start: "answer",
    pauseBeforeHead: 0,
    framing,
    ending: "finish",
    trailing: new Uint8Array(),
    thenStale: false,
  };
}

/** True when the connection may carry another request. */
export async function deliver(delivery: Delivery, connection: Connection): Promise<boolean> {
  await connection.pause(delivery.pauseBeforeHead);
  if (delivery.start === "hang") return false;
  if (delivery.start === "reset") await connection.reset();
  if (delivery.start === "close") connection.end();
  if (delivery.start !== "answer") return false;
  const noBody = delivery.status === 204 || delivery.status === 304;
  await connection.write(head(delivery, noBody).subarray(0, delivery.headBytes));
  if (delivery.headBytes !== undefined) return finish(delivery, connection);
  const chunked = delivery.framing === "chunked" && !noBody;
  const frames = typeof delivery.frames === "function" ? delivery.frames() : delivery.frames;
  const last = Array.isArray(frames) && delivery.ending === "finish" ? frames.at(-1) : undefined;
  for (const frame of frames) {
    await connection.pause(frame.pauseBefore ?? 0);
    if (frame.gate !== undefined) await connection.until(frame.gate);
    if (!connection.open) return false;
    const bytes = chunked ? chunk(frame.bytes) : frame.bytes;
    // A client may leave at the last record; the end of the message travels with it, so that this is no early close.
    const end = frame === last ? messageEnd(delivery, chunked) : nothing;
    if (bytes.length + end.length > 0) await connection.write(Buffer.concat([bytes, end]));
  }
  if (last === undefined && delivery.ending === "finish")
    await connection.write(messageEnd(delivery, chunked));
  return finish(delivery, connection);
}

async function finish(delivery: Delivery, connection: Connection): Promise<boolean> {
  if (delivery.ending === "hang") return false;
  if (delivery.ending === "reset") await connection.reset();
  if (delivery.ending === "close") connection.end();
  if (delivery.ending !== "finish") return false;
  if (delivery.framing === "until-close" || typeof delivery.framing === "number") {
    connection.end();
    return false;
  }
  connection.stale = delivery.thenStale;
  return connection.open;
}

const nothing = new Uint8Array();

function messageEnd(delivery: Delivery, chunked: boolean): Uint8Array {
  return Buffer.concat([Buffer.from(chunked ? "0\r\n\r\n" : ""), delivery.trailing]);
}

function head(delivery: Delivery, noBody: boolean): Buffer {
  const lines = [`HTTP/1.1 ${delivery.status} ${STATUS_CODES[delivery.status] ?? "Unknown"}`];
  for (const [name, value] of delivery.headers) lines.push(`${name}: ${value}`);
  if (!noBody) lines.push(...framingHeaders(delivery));
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "utf8");
}

function framingHeaders({ framing, frames }: Delivery): string[] {
  if (framing === "chunked") return ["transfer-encoding: chunked"];
  if (framing === "until-close" || typeof frames === "function") return ["connection: close"];
  if (typeof framing === "number") return [`content-length: ${framing}`];
  return [`content-length: ${frames.reduce((sum, frame) => sum + frame.bytes.length, 0)}`];
}

function chunk(bytes: Uint8Array): Uint8Array {
  // An empty chunk would end the message.
  if (bytes.length === 0) return nothing;
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}
