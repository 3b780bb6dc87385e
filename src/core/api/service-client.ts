// The service as the layers above see it: its four operations, the key test and the connection check.
// Nothing here throws: generating operations tell their fate in `ended`, the others in what they return.

import type { Problem } from "../conversation/problem.ts";
import { type HistoryForm, plainer } from "../conversation/record.ts";
import { type Message, message } from "../messages/message.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Log } from "../util/log.ts";
import { maskedText } from "../util/mask.ts";
import { inSteps } from "../util/yield-to-event-loop.ts";
import { type Call, type Clock, keyOf, readConnection } from "./call.ts";
import { Capabilities, type CapabilityStore, type Found, nothingFound } from "./capabilities.ts";
import { type CheckPlan, type Notes, noNotes } from "./check-requests.ts";
import { checkConnection, checkKey } from "./connection-check.ts";
import type { ConnectionReport, KeyCheck } from "./connection-report.ts";
import { type DeleteOutcome, deleteFile } from "./delete-file.ts";
import { detectFeatures } from "./detect-features.ts";
import type { EditorNetwork } from "./editor-network.ts";
import { type EstimateOutcome, estimate } from "./estimate.ts";
import { localProblem } from "./fault-to-problem.ts";
import { chat, respond } from "./generate.ts";
import { KeyHider } from "./hide-key.ts";
import { Network } from "./network.ts";
import { previewRequest } from "./preview-request.ts";
import type { Environment } from "./proxy.ts";
import type { ReceiptBytes } from "./receipts.ts";
import type { Receipt, ReplyEvent } from "./reply.ts";
import { neverSent } from "./reply-end.ts";
import type { ChatRequest, Composable, Composed, EstimateRequest, ResponsesRequest } from "./request.ts";
import { type ClientSettings, completeSettings } from "./settings.ts";
import { maskedLog } from "./trace.ts";
import type { Connect } from "./url-and-key.ts";
import { hear, type KeyWatcher } from "./watch-key.ts";

export interface ClientDeps {
  connection: Connect;
  settings(): ClientSettings;
  readonly capabilities?: CapabilityStore;
  /** Where the exact bytes of what receipts are about are kept for a while. */
  readonly receiptBytes?: ReceiptBytes;
  readonly log: Log;
  /** Hears whether the service is there and takes the key. */
  readonly keyWatcher?: KeyWatcher;
  /** What belongs to a turn travels as events. */
  readonly notes?: Notes;
  now?(): number;
  /** From 0 to 1. */
  random?(): number;
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Proxy and certificate variables; the process's own unless given. */
  readonly environment?: Environment;
  /** Where there is an editor around. */
  readonly editorNetwork?: EditorNetwork;
}

export interface ServiceClient extends Disposable {
  respond(request: ResponsesRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent, void>;
  chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent, void>;
  estimate(request: EstimateRequest, signal: AbortSignal): Promise<EstimateOutcome>;
  deleteFile(id: string, signal: AbortSignal): Promise<DeleteOutcome>;
  /** What would be sent right now; nothing is. Without an address or a key, as far as it can be told. */
  compose(asked: Composable): Promise<Composed | { readonly message: Message }>;
  /** One token count: is the service there, and is the key accepted? */
  checkKey(signal: AbortSignal): Promise<KeyCheck>;
  /** Nothing is sent unless `ask` says yes to what it is told. */
  checkConnection(
    ask: (plan: CheckPlan) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<ConnectionReport | "declined" | Problem>;
  /** The same, feature by feature: what is found holds until it is detected again or forgotten. */
  detectFeatures(
    ask: (plan: CheckPlan) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<ConnectionReport | "declined" | Problem>;
  /** What the present origin was found to accept. */
  found(): Promise<Found | undefined>;
  /** Words for the effort that the present origin has answered to; none before anybody has asked it in this window. */
  acceptedEfforts(): readonly string[];
  /** An origin takes back what it has said itself in this form only. */
  learnHistory(origin: string, form: HistoryForm): Promise<void>;
  /** A refusal of the present origin has said how many tokens a model takes. */
  learnWindow(model: string, tokens: number): Promise<void>;
  forgetFound(): Promise<void>;
  /** Opens a connection ahead of the first request, if there is a key. */
  warm(): void;
}

export function createServiceClient(deps: ClientDeps): ServiceClient {
  const network = new Network(deps.environment ?? process.env, deps.editorNetwork);
  const capabilities = new Capabilities(deps.capabilities, deps.log);
  const deletions = new Map<string, Promise<DeleteOutcome>>();
  const life = new AbortController();
  const notes = deps.notes ?? noNotes;
  const clock: Clock = {
    now: deps.now ?? Date.now,
    random: deps.random ?? Math.random,
    wait: deps.wait ?? wait,
  };

  /** The origin that was last to be asked. */
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
    const pause = inSteps();
    try {
      const hider = new KeyHider("address" in call ? call.keys : () => []);
      for await (const event of "address" in call ? start(call, both.signal) : [neverSent(call)]) {
        if (event.type === "ended") {
          if (event.reply.status !== "stopped") noteProblem(event.reply.problem);
          // It holds the whole reply once more.
          await pause();
        }
        for (const hidden of hider.take(event)) yield hidden;
      }
    } finally {
      both.dispose();
    }
  }

  function noteProblem(problem: Problem | undefined): void {
    if (deps.keyWatcher !== undefined) hear(deps.keyWatcher, problem);
  }

  /** Stopping is nobody's problem, but these operations must answer something. */
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
      // Faults 112: the same deletion twice at once is one request.
      const running = deletions.get(id);
      if (running !== undefined) return running;
      const started = answering<DeleteOutcome>(
        signal,
        (call, both) => deleteFile(call, id, both),
        (problem) => ({ status: "failed", problem }),
      ).finally(() => deletions.delete(id));
      deletions.set(id, started);
      return started;
    },
    async compose(asked) {
      const settings = completeSettings(deps.settings());
      const connection = await readConnection(deps.connection);
      if (!("address" in connection))
        return previewRequest(asked, {
          address: unknownAddress,
          settings,
          found: nothingFound,
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
      await capabilities.learn(origin, { ...found, history: plainer(found.history, form) });
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
        // Whatever is in the way is told of by the request itself.
        network.warm(new URL(call.address.url), call.settings).catch(() => undefined);
      });
    },
    dispose() {
      life.abort();
      network.dispose();
    },
  };
}

type Outcome = object & { readonly receipt?: Receipt };

/** What an operation answers is a problem, has one, or went well. */
function problemOf(outcome: object): Problem | undefined {
  if ("problem" in outcome) return outcome.problem as Problem | undefined;
  return "kind" in outcome ? (outcome as Problem) : undefined;
}

/** Stands for the address while there is none, or no key for it. */
const unknownAddress = { url: "https://base-address.invalid/v1" };

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

/** Aborted when either is. Let go of by `dispose`, since one of them lives as long as the client. */
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
