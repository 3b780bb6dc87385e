// What both kinds of turn are asked and what they need. Data and services; nothing here acts.

import type { Outgoing } from "../api/request.ts";
import type { ServiceClient } from "../api/service-client.ts";
import type { AttachmentView } from "../conversation/attachment.ts";
import type { CheckResult } from "../conversation/check-result.ts";
import type { Route } from "../conversation/models.ts";
import type { HistoryForm } from "../conversation/record.ts";
import type { Turn } from "../conversation/state.ts";
import type { Usage } from "../conversation/usage.ts";
import type { Exchange } from "../inspect/exchanges.ts";
import type { Message } from "../messages/message.ts";
import type { Log } from "../util/log.ts";
import type { ToolDeps } from "./run-call.ts";

export interface TurnRequest {
  readonly turn: string;
  readonly model: string;
  readonly route: Route;
  /** What is shown of the question. */
  readonly prompt: string;
  readonly attachments: readonly AttachmentView[];
  /** Goes on with the answer before it. */
  readonly continues: boolean;
  /** Asks for a hand-over text (hand-over.ts). */
  readonly compacts?: boolean;
  /** What the person is told at its start. */
  readonly notes: readonly Message[];
  /** Raw items that this turn adds before it asks: what was attached, and the question. */
  readonly items: readonly string[];
  /** Everything said before, as it was sent and received. */
  readonly history: readonly string[];
  /** How history and items are sent (plain-history.ts). */
  readonly form: HistoryForm;
  /** The person knows that it goes out in this form. */
  readonly formNoted: boolean;
  /** They have just agreed to it, after a refusal. */
  readonly formAgreed: boolean;
  /** Who made what the service has said in the history, as far as that is known (api/call.ts). */
  readonly makers: ReadonlySet<string>;
  readonly frozen: FrozenPrefix;
  readonly limits: TurnLimits;
  /** False: in one piece, because the stream could not be understood. */
  readonly stream?: boolean;
}

/** The same bytes for a conversation's whole life: a change would be a new cache prefix (requirements B7). */
export interface FrozenPrefix {
  readonly instructions: string;
  /** Raw JSON. */
  readonly tools: readonly string[];
  /** One value for a whole conversation improves the cache hit rate. */
  readonly cacheId: string;
}

export interface TurnLimits {
  /** Requests of one turn; then a person is asked whether it should go on. */
  readonly steps: number;
  readonly outputTokens?: number;
  readonly effort?: string;
  /** Responses are JSON. */
  readonly json?: boolean;
  readonly cacheTtl?: "5m" | "1h";
}

/** The person's own checks on what a turn has proposed. */
export interface TurnProof {
  /** There is something that they have not run on. */
  isDue(): boolean;
  run(signal: AbortSignal): Promise<readonly CheckResult[]>;
  /** What they have found that the model has not been told; none: nothing. */
  takeNews(): readonly CheckResult[];
}

export interface TurnDeps {
  /** Absent: there are no checks. */
  readonly proof?: TurnProof | undefined;
  readonly client: ServiceClient;
  readonly tools: Omit<ToolDeps, "log" | "timesAsked">;
  readonly log: Log;
  /** What a person has done with earlier patches that these items do not say yet, as raw items. */
  news(items: readonly string[]): readonly string[];
  /** So much has come of this turn's tools that a person is asked before it is sent. */
  isMuch(items: readonly string[]): boolean;
  /** Whether a history of these items fits into what the model takes; true where that is not known. */
  fits(items: readonly string[]): boolean;
  /** All that was said. */
  turns(): readonly Turn[];
  /** A request has had its reply. */
  exchanged(exchange: Exchange): void;
  /** The service has told what a request had; answers what its input was estimated at here, before that. */
  counted(outgoing: Outgoing, usage: Usage | undefined): number | undefined;
  now(): number;
}
