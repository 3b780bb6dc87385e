// The bytes of a reply between the connection and its reader: queued, decoded, and held back while the reader is busy.

import type { Socket } from "node:net";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from "node:zlib";
import type { buildConnector } from "undici";
import { ApiError } from "./fault.ts";

/** From this size on the sender is asked to wait. */
const maxBytes = 256 * 1024;

type Taken = Uint8Array | "end" | "late";

/** A bounded queue of bytes between receiver and reader; the end comes last. Independent of HTTP. */
export class ChunkQueue {
  readonly #onLow: () => void;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isFull = false;
  #waiting: ((whenNone: "late" | undefined) => void) | undefined;
  #end: { readonly error: Error | undefined } | undefined;

  /** `onLow` is called when there is room again after `push` returned false. */
  constructor(onLow: () => void) {
    this.#onLow = onLow;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** False when the sender should wait. */
  push(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= maxBytes) this.#isFull = true;
    this.#wake();
    return !this.#isFull;
  }

  /** Takes effect after everything that was pushed. The first call counts. */
  end(error: Error | undefined): void {
    this.#end ??= { error };
    this.#wake();
  }

  clear(): void {
    this.#chunks = [];
    this.#bytes = 0;
    this.#isFull = false;
  }

  /** Returns one promise per chunk: for a stream of small events this is most of the cost of reading. */
  next(within?: number): Promise<Taken> {
    return new Promise((resolve, reject) => {
      if (this.#take(resolve, reject, undefined)) return;
      const waiting = (whenNone: "late" | undefined) => {
        clearTimeout(timer);
        this.#take(resolve, reject, whenNone);
      };
      // A timer may fire before data that arrived in time is read; one more round of the event loop reads it.
      const late = () => this.#waiting === waiting && this.#wake("late");
      const timer = within === undefined ? undefined : setTimeout(() => setImmediate(late), within);
      this.#waiting = waiting;
    });
  }

  #take(
    resolve: (taken: Taken) => void,
    reject: (error: Error) => void,
    whenNone: "late" | undefined,
  ): boolean {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#drained(chunk.length);
      resolve(chunk);
    } else if (this.#end !== undefined) {
      if (this.#end.error === undefined) resolve("end");
      else reject(this.#end.error);
    } else if (whenNone !== undefined) resolve(whenNone);
    else return false;
    return true;
  }

  #drained(bytes: number): void {
    this.#bytes -= bytes;
    if (!this.#isFull || this.#bytes >= maxBytes) return;
    this.#isFull = false;
    this.#onLow();
  }

  #wake(whenNone?: "late"): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(whenNone);
  }
}

/**
 * Decodes gzip, deflate and Brotli bodies. We request none of them, but gateways send them. Whatever was decoded before
 * a fault is delivered before the fault; pausing keeps a decompression bomb from filling memory.
 */
export interface Decoder {
  write(bytes: Uint8Array): void;
  end(): void;
  pause(): void;
  resume(): void;
  stop(): void;
}

interface Decoded {
  data(bytes: Uint8Array): void;
  end(): void;
  fail(error: Error): void;
}

/** `undefined` when the body is not compressed. */
export function decoderFor(encoding: string | undefined, decoded: Decoded): Decoder | undefined {
  const names = (encoding ?? "").split(",").map((each) => each.trim().toLowerCase());
  const [name, ...more] = names.filter((each) => each !== "" && each !== "identity");
  if (name === undefined) return undefined;
  if (more.length > 0) return unreadable(decoded);
  if (name === "gzip" || name === "x-gzip") return through(createGunzip(), gunzipSync, decoded);
  if (name === "br") return through(createBrotliDecompress(), undefined, decoded);
  if (name === "deflate") return eitherDeflate(decoded);
  return unreadable(decoded);
}

function unreadable(decoded: Decoded): Decoder {
  const fail = () => decoded.fail(new ApiError({ at: "damaged" }));
  return { write: fail, end: fail, pause() {}, resume() {}, stop() {} };
}

type UnzipSync = (input: Uint8Array, options: { finishFlush: number; maxOutputLength: number }) => Buffer;
type Unzip = ReturnType<typeof createGunzip> | ReturnType<typeof createBrotliDecompress>;

/**
 * A fault discards what was decoded in the same step, which may be all of a small body. Within these limits, the body is
 * decoded again up to the fault.
 */
const rescuable = { input: 64 * 1024, output: 2 ** 20 };

function through(unzip: Unzip, again: UnzipSync | undefined, decoded: Decoded): Decoder {
  let input: Uint8Array[] = [];
  let inputBytes = 0;
  let outputBytes = 0;
  unzip.on("data", (bytes: Buffer) => {
    outputBytes += bytes.length;
    decoded.data(bytes);
  });
  unzip.on("end", () => decoded.end());
  unzip.on("error", (error) => {
    const lost = again && rescue(Buffer.concat(input), again).subarray(outputBytes);
    if (lost !== undefined && lost.length > 0) decoded.data(lost);
    decoded.fail(error);
  });
  return {
    write(bytes) {
      inputBytes += bytes.length;
      if (inputBytes > rescuable.input) input = [];
      else input.push(bytes);
      unzip.write(bytes);
    },
    end: () => void unzip.end(),
    pause: () => void unzip.pause(),
    resume: () => void unzip.resume(),
    stop: () => void unzip.destroy(),
  };
}

/** Decodes the longest readable beginning. */
function rescue(input: Uint8Array, again: UnzipSync): Uint8Array {
  let output: Uint8Array = new Uint8Array();
  let [from, to] = [0, input.length];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    try {
      const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: rescuable.output };
      output = again(input.subarray(0, middle), options);
      from = middle;
    } catch {
      to = middle - 1;
    }
  }
  return output;
}

/** "deflate" means the zlib format, but some send it raw; the first byte distinguishes them. */
function eitherDeflate(decoded: Decoded): Decoder {
  let chosen: Decoder | undefined;
  return {
    write(bytes) {
      chosen ??=
        (bytes[0] ?? 0) % 16 === 8
          ? through(createInflate(), inflateSync, decoded)
          : through(createInflateRaw(), inflateRawSync, decoded);
      chosen.write(bytes);
    },
    end() {
      if (chosen === undefined) decoded.end();
      else chosen.end();
    },
    pause: () => chosen?.pause(),
    resume: () => chosen?.resume(),
    stop: () => chosen?.stop(),
  };
}

/** The receiving side of one connection. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/**
 * Lets the reader of a reply apply backpressure to its connection. undici's own pausing cannot be used: if a connection
 * ends while its parser is paused, undici throws an uncatchable error, or reports a complete reply as cut, and the
 * request never ends (nodejs/undici#5360; fixed in a version that VS Code's Node is too old for). Here the bytes stay
 * in the connection, which does not end before they are read. `onRead` receives the connection from which everything
 * parsed until the end of the current task was read.
 */
export const withBackpressure =
  (connect: buildConnector.connector, onRead: (from: Flow) => void): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...connected) => {
      const [, socket] = connected;
      if (socket) guard(socket, onRead);
      callback(...connected);
    });

function guard(socket: Socket, onRead: (from: Flow) => void): void {
  const read = socket.read.bind(socket);
  let isHeld = false;
  const flow: Flow = {
    pause() {
      isHeld = true;
    },
    resume() {
      if (!isHeld) return;
      isHeld = false;
      // Deferred, because the caller may be the parser itself.
      queueMicrotask(() => socket.emit("readable"));
    },
  };
  socket.read = (size) => {
    if (isHeld) return null;
    onRead(flow);
    return read(size);
  };
}
