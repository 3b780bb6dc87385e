// The editor's own network where an extension runs in one: which proxy the system has, and requests that the editor
// itself dials, with the logins it knows or asks a person for. Slower than ours, so used only where ours cannot.
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Dispatcher } from "undici";
import { ApiError, certificateCode, codeOf } from "./fault.ts";
import type { Trust } from "./tunnel.ts";

export interface EditorNetwork {
  /** The system's proxy for this URL, by PAC file or else; `undefined` for none. */
  proxyFor(url: string): Promise<string | undefined>;
  /** `https.request` as extensions get it. */
  request(options: RequestOptions): ClientRequest;
}

export class EditorDispatcher {
  readonly #request: EditorNetwork["request"];
  readonly #trust: Trust;
  readonly #connectMilliseconds: number;
  readonly #running = new Set<ClientRequest>();

  /** No time for connecting where a person may be typing a password: 0. */
  constructor(request: EditorNetwork["request"], trust: Trust, connectMilliseconds: number) {
    this.#request = request;
    this.#trust = trust;
    this.#connectMilliseconds = connectMilliseconds;
  }

  dispatch(
    { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const { hostname, port } = new URL(String(origin));
    const request = this.#request({
      protocol: "https:",
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port: port || 443,
      path,
      method,
      headers: headers as RequestOptions["headers"],
      ...this.#trust,
    });
    this.#running.add(request);
    const receiving = new Receiving(request, handler);
    const within = this.#connectMilliseconds;
    const late = new ApiError({ at: "proxy", by: "time", seconds: within / 1000 });
    const timer = within > 0 ? setTimeout(() => receiving.abort(late), within) : undefined;
    request
      .on("socket", () => clearTimeout(timer))
      .on("close", () => {
        clearTimeout(timer);
        this.#running.delete(request);
      });
    handler.onRequestStart?.(receiving, {});
    request.end(body ?? undefined);
    return true;
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {
    for (const request of this.#running) request.destroy();
  }
}

/** One request of the editor's as undici tells of its own. */
class Receiving implements Dispatcher.DispatchController {
  readonly #request: ClientRequest;
  readonly #handler: Dispatcher.DispatchHandler;
  #response: IncomingMessage | undefined;
  #proxyError: unknown;
  #over = false;
  aborted = false;
  paused = false;
  reason: Error | null = null;

  constructor(request: ClientRequest, handler: Dispatcher.DispatchHandler) {
    this.#request = request;
    this.#handler = handler;
    request
      .on("response", (response) => this.#receive(response))
      .on("error", (error) => this.#fail(error))
      // The editor says on the request why a proxy could not be used, and throws something else.
      .on("proxy", (event?: { readonly error?: unknown }) => {
        this.#proxyError = event?.error;
      });
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.#fail(reason);
    this.#request.destroy();
  }

  pause(): void {
    this.paused = true;
    this.#response?.pause();
  }

  resume(): void {
    this.paused = false;
    this.#response?.resume();
  }

  #receive(response: IncomingMessage): void {
    this.#response = response;
    response
      .on("data", (chunk: Buffer) => this.#handler.onResponseData?.(this, chunk))
      .on("error", (error) => this.#fail(error))
      .on("end", () => {
        if (this.#over) return;
        this.#over = true;
        this.#handler.onResponseEnd?.(this, {});
      });
    this.#handler.onResponseStart?.(this, response.statusCode ?? 0, response.headers);
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#handler.onResponseError?.(this, this.#response === undefined ? this.#meaning(error) : error);
  }

  #meaning(error: Error): Error {
    if (this.#proxyError === undefined || error instanceof ApiError) return error;
    const code = codeOf(this.#proxyError) || "EPROXY";
    const by = certificateCode(code) ? "certificate" : "network";
    return new ApiError({ at: "proxy", by, code }, { cause: error });
  }
}
