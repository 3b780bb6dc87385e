// One HTTP request and the bytes of its reply, with our own timers: connect, first byte, idle. Whatever was received is
// delivered before the error that followed it. Follows no redirects, does not retry and does not interpret the content.
import type { Dispatcher } from "undici";
import { type Digested, ReplyDigest } from "../reply.ts";
import { ChunkQueue, type Decoder, decoderFor, type Flow } from "./byte-stream.ts";
import { ApiError, faultOf, type HeaderReader } from "./fault.ts";
import type { Network, NetworkSettings } from "./http-agent.ts";

export interface HttpRequest {
  readonly method: "POST" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly connectSeconds: number;
  readonly firstByteMilliseconds: number;
  readonly idleMilliseconds: number;
  /** Count the bytes of the reply into a digest. */
  readonly digest: boolean;
}

/**
 * A dispatcher and the number of connections it has opened: a failure without a new one occurred on a kept connection.
 */
export interface Transport {
  readonly dispatcher: Pick<Dispatcher, "dispatch" | "close" | "destroy">;
  connections: number;
  /** The connection that the data being parsed came from. */
  reading?: Flow;
  /** The name of the proxy in use. */
  readonly proxy?: string;
  /** Headers for a proxy that receives the request itself instead of a tunnel. */
  readonly forwarded?: Readonly<Record<string, string>>;
  /** Absent behind a proxy, which would learn of a request that may never be made. */
  warm?(target: URL): void;
}

export interface Exchange {
  readonly status: number;
  readonly header: HeaderReader;
  /** All headers as received. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The headers came so long after the request was sent that the service may have worked on it. */
  readonly late: boolean;
  readonly body: ReplyBody;
}

export interface ReplyBody {
  /** The next bytes; "end" at a clean end; "late" when `within` passes first. Throws ApiError. */
  next(within?: number): Promise<Uint8Array | "end" | "late">;
  /** Returns the connection to the pool if the body ends soon, otherwise closes it. */
  release(): void;
  /** Closes the connection. */
  close(): void;
  digest(): Digested | undefined;
}

/** A connection that was closed meanwhile fails at once; one that fails later has delivered the request. */
const staleMilliseconds = 2_000;

/** How long, and for how many bytes, a body may continue after the end of its reply. */
const releaseLimits = { milliseconds: 250, bytes: 64 * 1024 };

/** Sends a request on the way that the network has for it now. Throws ApiError or Stopped. */
export async function send(
  request: HttpRequest,
  network: Network,
  settings: NetworkSettings,
  signal: AbortSignal,
): Promise<Exchange> {
  const { way, afterRefusal } = await network.wayTo(request.url, settings, signal);
  try {
    return await sendOn(way, request, signal);
  } catch (error) {
    const other = afterRefusal(error);
    if (other === undefined) throw error;
    return sendOn(other, request, signal);
  }
}

/** A proxy that receives the request itself, or that the editor uses, may refuse in place of the service. */
async function sendOn(way: Transport, request: HttpRequest, signal: AbortSignal): Promise<Exchange> {
  const exchange = await dispatch(way, request, signal);
  const { proxy } = way;
  if (proxy === undefined || exchange.status !== 407) return exchange;
  exchange.body.close();
  throw new ApiError({ at: "proxy", by: "status", status: exchange.status, proxy });
}

function dispatch(way: Transport, request: HttpRequest, signal: AbortSignal): Promise<Exchange> {
  const { url, method, headers, body } = request;
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(request, way, signal, resolve, reject);
    if (signal.aborted) return receiver.close();
    const { origin, pathname, href } = url;
    const path = way.forwarded === undefined ? pathname : href;
    const all = way.forwarded === undefined ? headers : { ...headers, ...way.forwarded };
    try {
      way.dispatcher.dispatch({ origin, path, method, headers: all, body: body ?? null }, receiver);
    } catch (error) {
      receiver.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)));
    }
  });
}

/** The person stopped the request. Not an error, only a way to unwind. */
export class StoppedByUser extends Error {}

class Receiver implements Dispatcher.DispatchHandler, ReplyBody {
  readonly #request: HttpRequest;
  readonly #way: Transport;
  readonly #connectionsBefore: number;
  readonly #began = performance.now();
  readonly #resolve: (exchange: Exchange) => void;
  readonly #reject: (error: Error) => void;
  readonly #digest: ReplyDigest | undefined;
  readonly #forgetSignal: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  /** When the request began to be sent on a connection. */
  #sent: number | undefined;
  /** The connection, while its data belongs to this reply. */
  #flow: Flow | undefined;
  #decoder: Decoder | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The number of signs of life received. */
  #signs = 0;
  #headersCame = false;
  readonly #queue = new ChunkQueue(() => this.#resume());
  #released: number | undefined;
  #whole = false;
  #lost: Error | undefined;

  constructor(
    request: HttpRequest,
    way: Transport,
    signal: AbortSignal,
    resolve: (exchange: Exchange) => void,
    reject: (error: Error) => void,
  ) {
    this.#request = request;
    this.#way = way;
    this.#connectionsBefore = way.connections;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#digest = request.digest ? new ReplyDigest() : undefined;
    const stop = () => this.close();
    signal.addEventListener("abort", stop, { once: true });
    this.#forgetSignal = () => signal.removeEventListener("abort", stop);
    this.#arm("first-byte", request.firstByteMilliseconds);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#sent = performance.now();
    if (this.#queue.hasEnded) controller.abort(new StoppedByUser());
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Exchange["headers"],
  ): void {
    if (status < 200 || this.#queue.hasEnded) return;
    this.#headersCame = true;
    this.#flow = this.#way.reading ?? controller;
    this.#signs += 1;
    const header = (name: string) => {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    this.#decoder = decoderFor(header("content-encoding"), {
      data: (bytes) => this.#receive(bytes),
      end: () => this.#end(this.#lost),
      fail: (error) => this.#end(this.#lost ?? error),
    });
    this.#arm("idle", this.#request.idleMilliseconds);
    this.#resolve({ status, header, headers, late: this.#isLate(performance.now()), body: this });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#signs += 1;
    this.#timer?.refresh();
    if (this.#released !== undefined) {
      this.#released += chunk.length;
      if (this.#released > releaseLimits.bytes) this.close();
    }
    this.#digest?.update(chunk);
    if (this.#decoder === undefined) this.#receive(chunk);
    else this.#decoder.write(chunk);
  }

  onResponseEnd(): void {
    this.#whole = true;
    this.#letGo();
    if (this.#decoder === undefined) this.#end(undefined);
    else this.#decoder.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#letGo();
    if (this.#decoder === undefined || error instanceof StoppedByUser) {
      this.#end(error);
      return;
    }
    // Received data may still be in decompression; it is delivered before the error.
    this.#lost = error;
    this.#decoder.end();
  }

  next(within?: number): Promise<Uint8Array | "end" | "late"> {
    return this.#queue.next(within);
  }

  release(): void {
    if (this.#queue.hasEnded || this.#released !== undefined) return;
    this.#released = 0;
    this.#queue.clear();
    this.#resume();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), releaseLimits.milliseconds);
  }

  close(): void {
    if (this.#queue.hasEnded) return;
    this.#queue.clear();
    this.#end(new StoppedByUser());
    this.#controller?.abort(new StoppedByUser());
  }

  digest(): Digested | undefined {
    return this.#digest?.result(this.#whole);
  }

  #receive(bytes: Uint8Array): void {
    if (this.#released !== undefined || this.#queue.hasEnded) return;
    if (!this.#queue.push(bytes)) this.#pause();
  }

  #end(error: Error | undefined): void {
    if (this.#queue.hasEnded) return;
    this.#disarm();
    this.#forgetSignal();
    this.#decoder?.stop();
    const failure = error === undefined || error instanceof StoppedByUser ? error : this.#apiError(error);
    if (!this.#headersCame && failure !== undefined) this.#reject(failure);
    this.#queue.end(failure);
  }

  #apiError(error: Error): ApiError {
    const { connections, proxy } = this.#way;
    const isKept = connections > 0 && connections === this.#connectionsBefore;
    const now = performance.now();
    const reused = isKept && now - this.#began < staleMilliseconds;
    const fault = faultOf(error, this.#headersCame, reused, this.#isLate(now));
    const seconds = this.#request.connectSeconds;
    const timed = fault.at === "timeout" && fault.seconds === 0 ? { ...fault, seconds } : fault;
    return new ApiError(proxy === undefined ? timed : { ...timed, proxy }, { cause: error });
  }

  #isLate(now: number): boolean {
    return this.#sent !== undefined && now - this.#sent >= staleMilliseconds;
  }

  #arm(phase: "first-byte" | "idle", milliseconds: number): void {
    this.#disarm();
    if (milliseconds === 0) return;
    const timer = setTimeout(() => {
      const before = this.#signs;
      // After the thread was blocked, or the machine slept, timers fire before pending data is read. Only the next
      // round of the event loop shows whether there was any.
      setImmediate(() => {
        if (this.#timer !== timer || this.#signs !== before) return;
        this.#end(new ApiError({ at: "timeout", phase, seconds: milliseconds / 1000 }));
        this.#controller?.abort(new StoppedByUser());
      });
    }, milliseconds);
    this.#timer = timer;
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** A slow reader must not make the service appear silent. */
  #pause(): void {
    this.#disarm();
    this.#flow?.pause();
    this.#decoder?.pause();
  }

  #resume(): void {
    if (!this.#queue.hasEnded) this.#arm("idle", this.#request.idleMilliseconds);
    this.#decoder?.resume();
    this.#flow?.resume();
  }

  /** In the next task the connection may belong to another reply. */
  #letGo(): void {
    this.#flow?.resume();
    this.#flow = undefined;
  }
}
