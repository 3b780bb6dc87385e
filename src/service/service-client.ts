// The service as seen by the layers above: its four operations, the key test and the connection check. Nothing here
// throws: generating operations report their outcome in `ended`, the others in what they return.

import type { HistoryForm } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import type { Problem } from "../conversation/problem.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Log } from "../util/log.ts";
import { maskedText } from "../util/mask-secrets.ts";
import { wait } from "../util/timeouts.ts";
import {
  type Capabilities,
  CapabilityRegistry,
  type CapabilityStore,
  defaultCapabilities,
  withHistory,
  withoutSuspectedHistory,
} from "./capabilities.ts";
import { chatBody, responsesBody } from "./internal/body.ts";
import { type Call, type Clock, keyOf, readConnection } from "./internal/call.ts";
import { checkConnection, checkKey, type Notes, noNotes } from "./internal/connection-check.ts";
import { detectFeatures } from "./internal/detect-features.ts";
import { localProblem } from "./internal/fault-to-problem.ts";
import { chat, respond } from "./internal/generate.ts";
import { KeyHider } from "./internal/hide-key-in-replies.ts";
import { Network } from "./internal/http-agent.ts";
import { deleteFile, estimate } from "./internal/json-operations.ts";
import type { Environment } from "./internal/proxy.ts";
import { unsentReply } from "./internal/read-reply.ts";
import { maskedLog } from "./internal/trace.ts";
import type { Receipt, ReceiptBytes, ReplyEvent } from "./reply.ts";
import type {
  ChatRequest,
  CheckPlan,
  Composable,
  Composed,
  ConnectionReport,
  DeleteOutcome,
  EstimateOutcome,
  EstimateRequest,
  KeyCheck,
  ResponsesRequest,
} from "./request.ts";
import {
  type BodySettings,
  type ClientSettings,
  completeSettings,
  type EditorNetwork,
  type Settings,
} from "./settings.ts";
import { type Connect, type KeyWatcher, operationUrl, reportOutcome } from "./url-and-key.ts";

interface PreviewDeps {
  readonly address: { readonly url: string };
  readonly settings: BodySettings & Pick<Settings, "extraHeaders">;
  readonly found: Capabilities;
  /** Removes the key from a text, and nothing else. */
  hideKey(text: string): string;
}

/**
 * Shows how a request would be sent right now; nothing is sent. Uses the same builder as sending, so the bytes are
 * identical. The message says why nothing would be sent.
 */
function previewRequest(asked: Composable, deps: PreviewDeps): Composed | { readonly message: Message } {
  const body =
    asked.route === "responses"
      ? responsesBody(asked.request, deps.settings, deps.found)
      : chatBody(asked.request, deps.settings, deps.found);
  if (!body.ok) return { message: body.message };
  const path = asked.route === "responses" ? "/responses" : "/chat/completions";
  return {
    method: "POST",
    url: operationUrl(deps.address, path),
    headers: {
      accept: body.stream ? "text/event-stream" : "application/json",
      "content-type": "application/json",
      // Their values may be credentials.
      ...Object.fromEntries(Object.keys(deps.settings.extraHeaders).map((name) => [name, maskedText])),
    },
    body: deps.hideKey(body.json),
  };
}

export interface ClientDeps {
  connection: Connect;
  settings(): ClientSettings;
  readonly capabilities?: CapabilityStore;
  /** Where the bytes that receipts refer to are kept for a while. */
  readonly receiptBytes?: ReceiptBytes;
  readonly log: Log;
  /** Is told whether the service is reachable and accepts the key. */
  readonly keyWatcher?: KeyWatcher;
  /** For requests outside any turn; those of a turn are reported by events. */
  readonly notes?: Notes;
  now?(): number;
  /** From 0 to 1. */
  random?(): number;
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Proxy and certificate variables; defaults to the process's own. */
  readonly environment?: Environment;
  /** Present when running in an editor. */
  readonly editorNetwork?: EditorNetwork;
}

export interface ServiceClient extends Disposable {
  respond(request: ResponsesRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent, void>;
  chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent, void>;
  estimate(request: EstimateRequest, signal: AbortSignal): Promise<EstimateOutcome>;
  deleteFile(id: string, signal: AbortSignal): Promise<DeleteOutcome>;
  /**
   * Shows what would be sent right now, without sending it. Without an address or a key, as far as can be determined.
   */
  compose(asked: Composable): Promise<Composed | { readonly message: Message }>;
  /** Makes one token count to test whether the service is reachable and accepts the key. */
  checkKey(signal: AbortSignal): Promise<KeyCheck>;
  /** Sends nothing unless `ask` agrees to the plan. */
  checkConnection(
    ask: (plan: CheckPlan) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<ConnectionReport | "declined" | Problem>;
  /** The same, feature by feature: findings apply until they are detected again or reset. */
  detectFeatures(
    ask: (plan: CheckPlan) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<ConnectionReport | "declined" | Problem>;
  /** What the current origin was found to accept. */
  found(): Promise<Capabilities | undefined>;
  /** Reasoning efforts that the current origin has accepted; empty until a request was made in this window. */
  acceptedEfforts(): readonly string[];
  /** Records in which form an origin accepts its own output back; the whole form refutes earlier suspicions. */
  learnHistory(origin: string, form: HistoryForm): Promise<void>;
  /** Records how many tokens a model accepts, as stated in a refusal of the current origin. */
  learnWindow(model: string, tokens: number): Promise<void>;
  forgetFound(): Promise<void>;
  /** Opens a connection ahead of the first request, if there is a key. */
  warm(): void;
}

export function createServiceClient(deps: ClientDeps): ServiceClient {
  const network = new Network(deps.environment ?? process.env, deps.editorNetwork);
  const capabilities = new CapabilityRegistry(deps.capabilities, deps.log);
  const deletions = new Map<string, SharedDeletion>();
  const life = new AbortController();
  const notes = deps.notes ?? noNotes;
  const clock: Clock = {
    now: deps.now ?? Date.now,
    random: deps.random ?? Math.random,
    wait: deps.wait ?? wait,
  };

  /** The origin of the latest request. */
  let present: string | undefined;

  const prepare = async (): Promise<Call | Problem> => {
    const connection = await readConnection(deps.connection);
    if (!("address" in connection)) return connection;
    const { address } = connection;
    present = address.origin;
    const secret = keyOf(deps.connection, connection);
    const settings = completeSettings(deps.settings());
    const log = maskedLog(deps.log, secret.mask);
    const surroundings = {
      settings,
      network,
      capabilities,
      clock,
      log,
      receiptBytes: deps.receiptBytes,
      spend: undefined,
      observe: undefined,
    };
    return { address, ...secret, ...surroundings };
  };

  async function* generating(
    signal: AbortSignal,
    start: (call: Call, signal: AbortSignal) => AsyncGenerator<ReplyEvent, void>,
  ): AsyncGenerator<ReplyEvent, void> {
    const call = await prepare();
    const both = eitherSignal(signal, life.signal);
    const pause = createYieldPoint();
    try {
      const hider = new KeyHider("address" in call ? call.keys : () => []);
      for await (const event of "address" in call ? start(call, both.signal) : [unsentReply(call)]) {
        if (event.type === "ended") {
          if (event.reply.status !== "stopped") noteProblem(event.reply.problem);
          // The event contains the whole reply once more.
          await pause();
        }
        for (const hidden of hider.take(event)) yield hidden;
      }
    } finally {
      both.dispose();
    }
  }

  function noteProblem(problem: Problem | undefined): void {
    if (deps.keyWatcher !== undefined) reportOutcome(deps.keyWatcher, problem);
  }

  /** A stop is not a problem, but these operations must return something. */
  async function answering<T extends Outcome | "declined">(
    signal: AbortSignal,
    run: (call: Call, signal: AbortSignal) => Promise<T>,
    fail: (problem: Problem) => T,
  ): Promise<T> {
    const outcome = await answerOf(signal, run, fail);
    if (outcome === "declined") return outcome;
    noteProblem(problemOf(outcome));
    if (outcome.receipt !== undefined) notes.receipt(outcome.receipt);
    return outcome;
  }

  async function answerOf<T>(
    signal: AbortSignal,
    run: (call: Call, signal: AbortSignal) => Promise<T>,
    fail: (problem: Problem) => T,
  ): Promise<T> {
    const call = await prepare();
    if (!("address" in call)) return fail(call);
    const both = eitherSignal(signal, life.signal);
    try {
      return await run(call, both.signal);
    } catch (error) {
      if (both.signal.aborted) return fail(localProblem("refused-locally", message("problemStopped")));
      throw error;
    } finally {
      both.dispose();
    }
  }

  function startDeletion(id: string): SharedDeletion {
    const stop = new AbortController();
    const outcome = answering<DeleteOutcome>(
      stop.signal,
      (call, both) => deleteFile(call, id, both),
      (problem) => ({ status: "failed", problem }),
    ).finally(forget);
    const shared = { outcome, waiting: 0, stop: () => stop.abort(), forget };
    /** Another deletion may have begun since this one was stopped. */
    function forget(): void {
      if (deletions.get(id) === shared) deletions.delete(id);
    }
    deletions.set(id, shared);
    return shared;
  }

  return {
    respond: (request, signal) => generating(signal, (call, both) => respond(call, request, both)),
    chat: (request, signal) => generating(signal, (call, both) => chat(call, request, both)),
    estimate: (request, signal) =>
      answering<EstimateOutcome>(
        signal,
        (call, both) => estimate(call, request, both),
        (problem) => ({ problem }),
      ),
    deleteFile(id, signal) {
      // Faults 112: two simultaneous deletions of the same file are one request.
      const shared = deletions.get(id) ?? startDeletion(id);
      return joinDeletion(shared, signal);
    },
    async compose(asked) {
      const settings = completeSettings(deps.settings());
      const connection = await readConnection(deps.connection);
      if (!("address" in connection))
        return previewRequest(asked, {
          address: unknownAddress,
          settings,
          found: defaultCapabilities,
          hideKey: (text) => text,
        });
      const { address, key } = connection;
      const found = await capabilities.of(address.origin);
      return previewRequest(asked, {
        address,
        settings,
        found,
        hideKey: (text) => text.replaceAll(key, maskedText),
      });
    },
    checkKey: (signal) => answering<KeyCheck>(signal, checkKey, (problem) => ({ ok: false, problem })),
    checkConnection: (ask, signal) =>
      answering<ConnectionReport | "declined" | Problem>(
        signal,
        (call, both) => checkConnection(call, ask, both, notes),
        (problem) => problem,
      ),
    detectFeatures: (ask, signal) =>
      answering<ConnectionReport | "declined" | Problem>(
        signal,
        (call, both) => detectFeatures(call, ask, both, notes),
        (problem) => problem,
      ),
    async found() {
      const connection = await readConnection(deps.connection);
      if (!("address" in connection)) return undefined;
      present = connection.address.origin;
      return capabilities.of(present);
    },
    acceptedEfforts: () => (present === undefined ? [] : (capabilities.known(present)?.efforts ?? [])),
    async learnHistory(origin, form) {
      const found = await capabilities.of(origin);
      const learned =
        form === "whole" ? withoutSuspectedHistory(found) : withHistory(found, form, clock.now());
      if (learned !== found) await capabilities.learn(origin, learned);
    },
    async learnWindow(model, tokens) {
      const connection = await readConnection(deps.connection);
      if (!("address" in connection)) return;
      const { origin } = connection.address;
      const found = await capabilities.of(origin);
      const others = (found.windows ?? []).filter((each) => each.model !== model);
      await capabilities.learn(origin, { ...found, windows: [...others, { model, tokens }] });
    },
    async forgetFound() {
      const connection = await readConnection(deps.connection);
      if ("address" in connection) await capabilities.reset(connection.address.origin);
    },
    warm() {
      void prepare().then((call) => {
        if (!("address" in call) || life.signal.aborted) return;
        // Any obstacle will be reported by the request itself.
        network.warm(new URL(call.address.url), call.settings).catch(() => undefined);
      });
    },
    dispose() {
      life.abort();
      network.dispose();
    },
  };
}

/** One request for all who delete the same file; it is stopped when none of them waits for it any longer. */
interface SharedDeletion {
  readonly outcome: Promise<DeleteOutcome>;
  waiting: number;
  stop(): void;
  forget(): void;
}

function joinDeletion(shared: SharedDeletion, signal: AbortSignal): Promise<DeleteOutcome> {
  shared.waiting++;
  let forgetSignal = () => {};
  const stopped = new Promise<DeleteOutcome>((resolve) => {
    const leave = () => {
      shared.waiting--;
      if (shared.waiting > 0)
        return resolve({
          status: "failed",
          problem: localProblem("refused-locally", message("problemStopped")),
        });
      shared.forget();
      shared.stop();
    };
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    forgetSignal = () => signal.removeEventListener("abort", leave);
  });
  return Promise.race([shared.outcome, stopped]).finally(forgetSignal);
}

type Outcome = object & { readonly receipt?: Receipt };

/** The outcome of an operation is a problem, contains one, or is a success. */
function problemOf(outcome: object): Problem | undefined {
  if ("problem" in outcome) return outcome.problem as Problem | undefined;
  return "kind" in outcome ? (outcome as Problem) : undefined;
}

/** A placeholder while there is no address, or no key for it. */
const unknownAddress = { url: "https://base-address.invalid/v1" };

/** Aborts when either signal does. Must be disposed, because one of them lives as long as the client. */
function eitherSignal(one: AbortSignal, other: AbortSignal): { readonly signal: AbortSignal } & Disposable {
  const either = new AbortController();
  const abort = () => either.abort();
  const signals = [one, other];
  for (const signal of signals) signal.addEventListener("abort", abort, { once: true });
  if (one.aborted || other.aborted) abort();
  return {
    signal: either.signal,
    dispose() {
      for (const signal of signals) signal.removeEventListener("abort", abort);
    },
  };
}
