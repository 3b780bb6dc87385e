// Asks before a question that would send more than the user wants to send unasked; what the service still has in its
// cache hardly counts. How far estimates of the conversation were off widens what "about" means.

import type { Outgoing } from "../api/request.ts";
import type { Problem } from "../conversation/problem.ts";
import type { Turn } from "../conversation/state.ts";
import type { Usage } from "../conversation/usage.ts";
import { readUsage } from "../conversation/usage-totals.ts";
import { message } from "../messages/message.ts";
import { givenUpBefore, warmth } from "../tokens/cache-warmth.ts";
import type { LocalCount } from "../tokens/calibration.ts";
import { widened } from "../tokens/estimate-error.ts";
import type { Rates } from "../tokens/price.ts";
import type { RequestPieces } from "../tokens/request-features.ts";
import { decideSpending, type SpendDecision } from "../tokens/spend-limit.ts";
import { rowsInCache } from "../tokens/usage-rows.ts";
import { outgoingOf } from "../turn/service-request.ts";
import type { TurnRequest } from "../turn/turn-request.ts";
import type { AskPerson } from "./confirmations.ts";

/** Counts whole requests here and now, and learns from what the service counted. */
export interface RequestCounts {
  aboutRequest(outgoing: Outgoing): LocalCount;
  learnRequest(outgoing: Outgoing, tokens: number): void;
}

/** By the user's own table. */
export interface SpendPrices {
  /** `undefined`: it says nothing about this model. */
  rates(model: string): Rates | undefined;
  /** With its currency. */
  amount(sum: number): string;
}

export interface SpendGuardDeps {
  readonly counts: RequestCounts;
  readonly prices: SpendPrices;
  /** `null`: the user wants not to be asked. */
  limit(): number | null;
  now(): number;
}

export interface Leaving {
  readonly request: TurnRequest;
  readonly turns: readonly Turn[];
  /** This turn and what followed it are given up for it. */
  readonly insteadOf?: string | undefined;
  /** It begins otherwise than the requests before it: no cache knows it. */
  readonly isNew: boolean;
  /** Whether attachments can be left out of it. */
  readonly canTrim: boolean;
}

export type Agreement =
  | { readonly kind: "send" | "keep" }
  /** Without the attachments of these labels. */
  | { readonly kind: "trim"; readonly labels: ReadonlySet<string> };

/** More is neither sent by anybody nor worth the moment that scanning it takes. */
const maxLearnt = 4_000_000;

export class SpendGuard {
  readonly #deps: SpendGuardDeps;

  constructor(deps: SpendGuardDeps) {
    this.#deps = deps;
  }

  async agree(leaving: Leaving, ask: AskPerson, signal: AbortSignal): Promise<Agreement> {
    const decision = this.#decide(leaving);
    if (decision.kind === "send") return decision;
    const answer = await ask(this.#questionOf(decision), signal);
    if (answer === "send-anyway") return { kind: "send" };
    return answer === "trim" ? { kind: "trim", labels: new Set(decision.trim) } : { kind: "keep" };
  }

  /**
   * The same of a request outside of every conversation; `known` of its tokens were sent a moment ago, too. Resolves with
   * about how many it has, where they are enough to be counted; with nothing when it is not to be sent.
   */
  async agreeTo(
    outgoing: Outgoing,
    known: number,
    ask: AskPerson,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const limit = this.#deps.limit();
    const { model, route } = outgoing;
    if (limit === null || 3 * lengthOfRequest(outgoing) <= limit) return 0;
    const count = this.#deps.counts.aboutRequest(outgoing);
    const decision = decideSpending({
      ...count,
      warmth: { state: "warm", tokens: known, until: Number.POSITIVE_INFINITY },
      limit,
      rates: this.#deps.prices.rates(model),
      tier: route === "responses" ? "5m" : undefined,
      parts: [],
    });
    const isAgreed =
      decision.kind === "send" || (await ask(this.#questionOf(decision), signal)) === "send-anyway";
    return isAgreed ? count.tokens : undefined;
  }

  /** Whether so much has come of tools that a person would have been asked before it was sent. */
  isMuch(items: readonly string[], model: string): boolean {
    const limit = this.#deps.limit();
    if (limit === null || 3 * lengthOf({ input: items }) <= limit) return false;
    const request = { instructions: "", tools: [], input: items, cacheId: "", model };
    return this.#deps.counts.aboutRequest({ route: "responses", model, request }).tokens > limit;
  }

  /** A reply has told how many tokens its request had; answers what they were estimated at before. */
  learn(outgoing: Outgoing, usage: Usage = {}): number | undefined {
    const { kind } = readUsage(usage);
    // A chat model says nothing of its cache, and how long its input was all the same.
    const isReported = kind === "reported" || kind === "partial";
    const { input: reported = 0 } = usage;
    if (!isReported || reported === 0 || lengthOfRequest(outgoing) > maxLearnt) return undefined;
    const { counts } = this.#deps;
    const { tokens } = counts.aboutRequest(outgoing);
    counts.learnRequest(outgoing, reported);
    return tokens;
  }

  #decide({ request, turns, insteadOf, isNew, canTrim }: Leaving): SpendDecision {
    const limit = this.#deps.limit();
    const { model, route, frozen, history, items, attachments, limits } = request;
    const pieces = { instructions: frozen.instructions, tools: frozen.tools, input: [...history, ...items] };
    const length = lengthOf(pieces);
    // No tokenizer makes more of a text than it has bytes, three for each of these at most.
    if (limit === null || 3 * length <= limit) return { kind: "send" };
    const { tokens, margin } = this.#deps.counts.aboutRequest(outgoingOf(request));
    const rows = rowsInCache(turns, model);
    const now = this.#deps.now();
    const warm = warmth(rows, now, limits.cacheTtl);
    const lost = insteadOf === undefined ? 0 : givenUpBefore(insteadOf, rows, now, limits.cacheTtl);
    const held = isNew || warm.state !== "warm" ? undefined : { ...warm, tokens: warm.tokens - lost };
    return decideSpending({
      tokens,
      margin: widened(margin, turns),
      warmth: held ?? { state: "unknown" },
      limit,
      rates: this.#deps.prices.rates(model),
      tier: route === "responses" ? (limits.cacheTtl ?? "5m") : undefined,
      parts: canTrim
        ? attachments.map(({ label, bytes = 0 }) => ({ label, tokens: (tokens * bytes) / length }))
        : [],
    });
  }

  #questionOf({ uncached, limit, trim, cost }: Extract<SpendDecision, { kind: "ask" }>): Problem {
    const names = trim.join(", ");
    const amount = cost === undefined ? undefined : this.#deps.prices.amount(cost);
    const hints = [
      ...(amount === undefined ? [] : [message("questionSpendingCost", { cost: amount })]),
      ...(names === "" ? [] : [message("questionSpendingLess", { names })]),
    ];
    return {
      kind: "limit",
      message: message("questionSpending", { uncached: Math.round(uncached), limit }),
      ...(hints.length > 0 && { hints }),
      actions: [...(names === "" ? [] : ["trim" as const]), "send-anyway", "keep-draft"],
    };
  }
}

const lengthOf = ({ instructions = "", tools = [], input }: RequestPieces): number =>
  [instructions, ...tools, ...input].reduce((sum, text) => sum + text.length, 0);

const lengthOfRequest = ({ route, request }: Outgoing): number =>
  route === "chat" ? JSON.stringify(request.messages).length : lengthOf(request);
