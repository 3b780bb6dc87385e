// The service as the layers above see it: its four operations, the key test and the connection check.
// Nothing here throws: generating operations tell their fate in `ended`, the others in what they return.
import type { Problem } from "../conversation/problem.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Log } from "../util/log.ts";
import { createMask } from "../util/mask.ts";
import { readBaseUrl } from "./address.ts";
import type { Call, Clock } from "./call.ts";
import { Capabilities, type CapabilityStore, type Found } from "./capabilities.ts";
import { chat } from "./chat.ts";
import { localProblem } from "./errors.ts";
import { type EstimateOutcome, estimate } from "./estimate.ts";
import { type DeleteOutcome, deleteFile } from "./files.ts";
import { readKey } from "./key.ts";
import { maskedLog } from "./masked-log.ts";
import { Network } from "./network.ts";
import type { Environment } from "./proxy.ts";
import type { ReplyEvent } from "./reply.ts";
import { neverSent } from "./reply-end.ts";
import type { ChatRequest, EstimateRequest, ResponsesRequest } from "./request.ts";
import { respond } from "./responses.ts";
import { type ClientSettings, completeSettings } from "./settings.ts";

export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
}

export interface ClientNeeds {
  /** Asked for each operation, so that a changed key or address is used at once. */
  connection(): Promise<Connection | Problem>;
  settings(): ClientSettings;
  readonly capabilities?: CapabilityStore;
  readonly log: Log;
  now?(): number;
  /** From 0 to 1. */
  random?(): number;
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Proxy and certificate variables; the process's own unless given. */
  readonly environment?: Environment;
}

export interface ServiceClient extends Disposable {
  respond(request: ResponsesRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent, void>;
  chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent, void>;
  estimate(request: EstimateRequest, signal: AbortSignal): Promise<EstimateOutcome>;
  deleteFile(id: string, signal: AbortSignal): Promise<DeleteOutcome>;
  /** What the present origin was found to accept. */
  found(): Promise<Found | undefined>;
  forgetFound(): Promise<void>;
  /** Opens a connection ahead of the first request, if there is a key. */
  warm(): void;
}

export function createServiceClient(needs: ClientNeeds): ServiceClient {
  const network = new Network(needs.environment ?? process.env);
  const capabilities = new Capabilities(needs.capabilities, needs.log);
  const deletions = new Map<string, Promise<DeleteOutcome>>();
  const clock: Clock = {
    now: needs.now ?? Date.now,
    random: needs.random ?? Math.random,
    wait: needs.wait ?? wait,
  };

  const prepare = async (): Promise<Call | Problem> => {
    const connection = await readConnection(needs);
    if (!("address" in connection)) return connection;
    const { address, key } = connection;
    const mask = createMask(key);
    const settings = completeSettings(needs.settings());
    return {
      address,
      key,
      mask,
      settings,
      network,
      capabilities,
      clock,
      log: maskedLog(needs.log, mask),
      spend: undefined,
    };
  };

  async function* generating(
    start: (call: Call) => AsyncGenerator<ReplyEvent, void>,
  ): AsyncGenerator<ReplyEvent, void> {
    const call = await prepare();
    if ("address" in call) yield* start(call);
    else yield neverSent(call);
  }

  return {
    respond: (request, signal) => generating((call) => respond(call, request, signal)),
    chat: (request, signal) => generating((call) => chat(call, request, signal)),
    async estimate(request, signal) {
      const call = await prepare();
      return "address" in call
        ? answering(
            () => estimate(call, request, signal),
            signal,
            (problem) => ({ problem }),
          )
        : { problem: call };
    },
    deleteFile(id, signal) {
      // Faults 112: the same deletion twice at once is one request.
      const running = deletions.get(id);
      if (running !== undefined) return running;
      const started = (async (): Promise<DeleteOutcome> => {
        const call = await prepare();
        if (!("address" in call)) return { status: "failed", problem: call };
        return answering(
          () => deleteFile(call, id, signal),
          signal,
          (problem) => ({ status: "failed", problem }),
        );
      })().finally(() => deletions.delete(id));
      deletions.set(id, started);
      return started;
    },
    async found() {
      const connection = await readConnection(needs);
      return "address" in connection ? capabilities.of(connection.address.origin) : undefined;
    },
    async forgetFound() {
      const connection = await readConnection(needs);
      if ("address" in connection) await capabilities.reset(connection.address.origin);
    },
    warm() {
      void prepare().then((call) => {
        if ("address" in call) network.warm(new URL(call.address.url), call.settings);
      });
    },
    dispose: () => network.dispose(),
  };
}

async function readConnection(
  needs: ClientNeeds,
): Promise<{ readonly address: Call["address"]; readonly key: string } | Problem> {
  const connection = await needs.connection();
  if (!("baseUrl" in connection)) return connection;
  const address = readBaseUrl(connection.baseUrl);
  if (!address.ok) return localProblem("not-configured", address.message, ["set-base-url"]);
  const key = readKey(connection.key);
  return key.ok ? { address, key: key.key } : localProblem("no-key", key.message, ["set-key"]);
}

/** Stopping is no problem of anyone's, but these operations must answer something. */
async function answering<T>(
  run: () => Promise<T>,
  signal: AbortSignal,
  fail: (problem: Problem) => T,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (signal.aborted) return fail(localProblem("refused-locally", "Stopped."));
    throw error;
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    signal.addEventListener("abort", over, { once: true });
  });
}
