// Asks before a question that would send more uncached tokens than the user allows; what the service still has in its
// cache hardly counts. How far earlier estimates of the conversation were off widens the margin.

import { message } from "../conversation/messages.ts";
import type { Problem, ProblemAction } from "../conversation/problem.ts";
import type { Turn, Usage } from "../conversation/state.ts";
import { readUsage } from "../conversation/usage-totals.ts";
import type { Outgoing } from "../service/request.ts";
import { type LocalCount, type RequestPieces, widenMargin } from "../usage/local-estimate.ts";
import { decideSpending, type Rates, type SpendDecision } from "../usage/price.ts";
import { cacheLostBefore, warmth } from "../usage/prompt-cache.ts";
import { rowsInCache, tokensOfRun } from "../usage/usage-rows.ts";
import { type Spent, spentReason } from "./internal/reply-events.ts";
import { outgoingOf, type TurnRequest } from "./internal/turn-request.ts";

/** Estimates the tokens of whole requests locally and learns from what the service reports. */
export interface RequestCounts {
  aboutRequest(outgoing: Outgoing): LocalCount;
  learnRequest(outgoing: Outgoing, tokens: number): void;
}

/** Prices from the user's own table. */
export interface SpendPrices {
  /** `undefined` if the table does not contain this model. */
  rates(model: string): Rates | undefined;
  /** Formats an amount with its currency. */
  amount(sum: number): string;
}

interface SpendGuardDeps {
  readonly counts: RequestCounts;
  readonly prices: SpendPrices;
  /** `null`: the user does not want to be asked. */
  limit(): number | null;
  /** Tokens that one question may use; `null` or absent: any number. */
  runLimit?(): number | null;
  now(): number;
}

interface OutgoingRequest {
  readonly request: TurnRequest;
  readonly turns: readonly Turn[];
  /** This turn and everything after it are discarded for the request. */
  readonly insteadOf?: string | undefined;
  /** The request begins differently from earlier ones, so no cache contains it. */
  readonly isNew: boolean;
  /** Whether attachments can be left out of it. */
  readonly canTrim: boolean;
}

type Agreement =
  | { readonly kind: "send" | "keep" }
  /** Send without the attachments that have these labels. */
  | { readonly kind: "trim"; readonly labels: ReadonlySet<string> };

/** Longer requests are unlikely and not worth the time to scan them. */
const maxLearnt = 4_000_000;

export class SpendGuard {
  readonly #deps: SpendGuardDeps;

  constructor(deps: SpendGuardDeps) {
    this.#deps = deps;
  }

  async agree(leaving: OutgoingRequest, ask: AskPerson, signal: AbortSignal): Promise<Agreement> {
    const decision = this.#decide(leaving);
    if (decision.kind === "send") return decision;
    const answer = await ask(this.#questionOf(decision), signal);
    if (answer === "send-anyway") return { kind: "send" };
    return answer === "trim" ? { kind: "trim", labels: new Set(decision.trim) } : { kind: "keep" };
  }

  /** The same for a request outside of every conversation; `unknown` is the part of it that was not sent recently. */
  async agreeTo(
    outgoing: Outgoing,
    unknown: () => Outgoing,
    ask: AskPerson,
    signal: AbortSignal,
  ): Promise<boolean> {
    const limit = this.#deps.limit();
    const { model, route } = outgoing;
    if (limit === null || 3 * lengthOfRequest(outgoing) <= limit) return true;
    const count = this.#deps.counts.aboutRequest(outgoing);
    const fresh = this.#deps.counts.aboutRequest(unknown());
    const decision = decideSpending({
      ...count,
      warmth: { state: "warm", tokens: count.tokens - fresh.tokens, until: Number.POSITIVE_INFINITY },
      limit,
      rates: this.#deps.prices.rates(model),
      tier: route === "responses" ? "5m" : undefined,
      parts: [],
    });
    if (decision.kind === "send") return true;
    return (await ask(this.#questionOf(decision), signal)) === "send-anyway";
  }

  /** Whether tool outputs are so long that a person would have been asked before sending them. */
  isMuch(items: readonly string[], model: string): boolean {
    const limit = this.#deps.limit();
    if (limit === null || 3 * lengthOf({ input: items }) <= limit) return false;
    const request = { instructions: "", tools: [], input: items, cacheId: "", model };
    return this.#deps.counts.aboutRequest({ route: "responses", model, request }).tokens > limit;
  }

  /** What the question of a turn has used so far, if that is more than a person allows. */
  spent(turns: readonly Turn[], turn: string): Spent | undefined {
    const limit = this.#deps.runLimit?.() ?? null;
    if (limit === null) return undefined;
    const tokens = tokensOfRun(turns, turn, ({ reason }) => reason === spentReason);
    return tokens > limit ? { tokens, limit } : undefined;
  }

  /**
   * Learns from the token count a reply has reported for its request. Returns the previous estimate, which also stands
   * for what was not reported.
   */
  learn(outgoing: Outgoing, usage: Usage = {}): number | undefined {
    const { kind } = readUsage(usage);
    // A chat model reports nothing about its cache, but it does report the length of the input.
    const isReported = kind === "reported" || kind === "partial";
    const { input: reported = 0 } = usage;
    if (lengthOfRequest(outgoing) > maxLearnt) return undefined;
    const { counts } = this.#deps;
    const { tokens } = counts.aboutRequest(outgoing);
    if (isReported && reported > 0) counts.learnRequest(outgoing, reported);
    return tokens;
  }

  #decide({ request, turns, insteadOf, isNew, canTrim }: OutgoingRequest): SpendDecision {
    const limit = this.#deps.limit();
    const { model, route, frozen, history, items, attachments, limits } = request;
    const pieces = { instructions: frozen.instructions, tools: frozen.tools, input: [...history, ...items] };
    const length = lengthOf(pieces);
    // No tokenizer produces more tokens than bytes, and each UTF-16 unit has at most three bytes.
    if (limit === null || 3 * length <= limit) return { kind: "send" };
    const { tokens, margin } = this.#deps.counts.aboutRequest(outgoingOf(request));
    const rows = rowsInCache(turns, model);
    const now = this.#deps.now();
    const warm = warmth(rows, now, limits.cacheTtl);
    const lost = insteadOf === undefined ? 0 : cacheLostBefore(insteadOf, rows, now, limits.cacheTtl);
    const held = isNew || warm.state !== "warm" ? undefined : { ...warm, tokens: warm.tokens - lost };
    return decideSpending({
      tokens,
      margin: widenMargin(margin, turns),
      warmth: held ?? { state: "unknown" },
      limit,
      rates: this.#deps.prices.rates(model),
      tier: route === "responses" ? (limits.cacheTtl ?? "5m") : undefined,
      parts: canTrim
        ? attachments.map(({ label, bytes = 0 }) => ({ label, tokens: (tokens * bytes) / length }))
        : [],
    });
  }

  #questionOf({ uncached, most, limit, trim, cost }: Extract<SpendDecision, { kind: "ask" }>): Problem {
    const names = trim.join(", ");
    const amount = cost === undefined ? undefined : this.#deps.prices.amount(cost);
    const hints = [
      ...(amount === undefined ? [] : [message("questionSpendingCost", { cost: amount })]),
      ...(names === "" ? [] : [message("questionSpendingLess", { names })]),
    ];
    return {
      kind: "limit",
      // Without it, nobody would see why they are asked.
      message:
        Math.round(uncached) <= limit
          ? message("questionSpendingUpTo", { uncached: Math.round(uncached), most: Math.ceil(most), limit })
          : message("questionSpending", { uncached: Math.round(uncached), limit }),
      ...(hints.length > 0 && { hints }),
      actions: [...(names === "" ? [] : ["trim" as const]), "send-anyway", "keep-draft"],
    };
  }
}

const lengthOf = ({ instructions = "", tools = [], input }: RequestPieces): number =>
  [instructions, ...tools, ...input].reduce((sum, text) => sum + text.length, 0);

const lengthOfRequest = ({ route, request }: Outgoing): number =>
  route === "chat" ? JSON.stringify(request.messages).length : lengthOf(request);

/** A question, and the texts that it is about, where it shows only how they begin. */
export interface OpenQuestion extends Problem {
  /** An answer names the question that the person has read: another one may have taken its place. */
  readonly id: string;
  readonly texts?: readonly { readonly path: string; readonly text: string }[];
}

/** Asks a person to choose one of the question's actions; resolves with `undefined` if stopped. */
export type AskPerson = (
  question: Omit<OpenQuestion, "id">,
  signal: AbortSignal,
) => Promise<ProblemAction | undefined>;

interface Open {
  readonly question: OpenQuestion;
  readonly answer: (action: ProblemAction | undefined) => void;
}

/** In all conversations of this process. */
let asked = 0;

/**
 * Confirmations a person gives before a question is sent: one at a time, with a few possible answers. Meanwhile nothing
 * is sent, cut or stored; no response, or Stop, means that nothing is. Does not know why or what is asked.
 */
export class Confirmations {
  readonly #changed: () => void;
  #open: Open | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get question(): OpenQuestion | undefined {
    return this.#open?.question;
  }

  readonly ask: AskPerson = (question, signal) => {
    this.answer(undefined);
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const stop = () => this.answer(undefined);
      signal.addEventListener("abort", stop, { once: true });
      asked += 1;
      this.#open = {
        question: { ...question, id: String(asked) },
        answer: (action) => {
          signal.removeEventListener("abort", stop);
          resolve(action);
        },
      };
      this.#changed();
    });
  };

  /** Returns false if this question is not open, or the action is not one of its choices. */
  answer(action: ProblemAction | undefined, question = this.#open?.question.id): boolean {
    const open = this.#open;
    if (open === undefined || open.question.id !== question) return false;
    // Whoever reads first answers later.
    if (action === "read-whole") return false;
    if (action !== undefined && !open.question.actions.includes(action)) return false;
    this.#open = undefined;
    open.answer(action);
    this.#changed();
    return true;
  }
}
