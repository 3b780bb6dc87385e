// Token counts that the service makes: one request at a time, the newest question first, each asked once. It only
// asks by itself where a person allowed drafts to be sent; and whatever becomes of it, nothing waits for it.

import { createHash } from "node:crypto";
import type { EstimateOutcome } from "../api/estimate.ts";
import type { EstimateRequest } from "../api/request.ts";
import type { Problem } from "../conversation/problem.ts";
import { message } from "../messages/message.ts";
import type { Disposable } from "../util/disposables.ts";

export interface ServiceEstimateDeps {
  estimate(request: EstimateRequest, signal: AbortSignal): Promise<EstimateOutcome>;
  /** Requirements I5: asked before every request that nobody pressed a button for. */
  mayAskUnasked(): boolean;
  /** Also the moment to teach the local estimate. */
  onCount(request: EstimateRequest, tokens: number): void;
  /** Why there will be no more counts unless somebody asks for one. */
  onPaused(problem: Problem): void;
}

export type ServiceCount = { readonly tokens: number } | { readonly problem: Problem };

/** Requirements I6: a pause in typing, not a pause between letters. */
const quietTime = 800;
const maxFailures = 3;
const maxKnown = 500;

export class ServiceEstimate implements Disposable {
  readonly #needs: ServiceEstimateDeps;
  readonly #known = new Map<string, number>();
  #line: Promise<unknown> = Promise.resolve();
  #wish: { readonly key: string; readonly over: AbortController } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #paused = false;
  #ended = false;

  constructor(deps: ServiceEstimateDeps) {
    this.#needs = deps;
  }

  /** What the service has said of exactly this before. */
  known(request: EstimateRequest): number | undefined {
    return this.#known.size === 0 ? undefined : this.#known.get(keyOf(request));
  }

  /** The draft is this now; the request for what it was before is called off. `undefined`: nothing to count. */
  propose(request: EstimateRequest | undefined): void {
    if (request === undefined || this.#ended || this.#paused || !this.#needs.mayAskUnasked()) {
      this.#callOff();
      return;
    }
    const key = keyOf(request);
    if (key === this.#wish?.key) return;
    this.#callOff();
    if (this.#known.has(key)) return;
    const wish = { key, over: new AbortController() };
    this.#wish = wish;
    this.#timer = setTimeout(() => void this.#askUnasked(request, wish.over.signal), quietTime);
  }

  /** A person asked. Nothing is asked twice, and an automatic request makes way. */
  count(request: EstimateRequest, signal: AbortSignal): Promise<ServiceCount> {
    this.#callOff();
    return this.#inLine(request, signal);
  }

  dispose(): void {
    this.#ended = true;
    this.#callOff();
  }

  #callOff(): void {
    clearTimeout(this.#timer);
    this.#wish?.over.abort();
    this.#wish = undefined;
  }

  async #askUnasked(request: EstimateRequest, signal: AbortSignal): Promise<void> {
    const answer = await this.#inLine(request, signal);
    if (signal.aborted) return;
    this.#wish = undefined;
    if ("tokens" in answer) this.#failures = 0;
    else this.#refuse(answer.problem);
  }

  /** Whoever is told to slow down does not come back by itself; nor does who fails again and again. */
  #refuse(problem: Problem): void {
    this.#failures += 1;
    if (problem.status !== 429 && this.#failures < maxFailures) return;
    this.#paused = true;
    this.#needs.onPaused(problem);
  }

  #inLine(request: EstimateRequest, signal: AbortSignal): Promise<ServiceCount> {
    const asked = this.#line.then(() => this.#ask(request, signal));
    this.#line = asked;
    return asked;
  }

  async #ask(request: EstimateRequest, signal: AbortSignal): Promise<ServiceCount> {
    const key = keyOf(request);
    const tokens = this.#known.get(key);
    if (tokens !== undefined) return { tokens };
    if (signal.aborted) return { problem: calledOff };
    const outcome = await this.#needs.estimate(request, signal).catch(() => ({ problem: failed }));
    if ("problem" in outcome) return outcome;
    this.#remember(key, outcome.tokens);
    this.#needs.onCount(request, outcome.tokens);
    return { tokens: outcome.tokens };
  }

  #remember(key: string, tokens: number): void {
    this.#known.set(key, tokens);
    const oldest = this.#known.keys().next();
    if (this.#known.size > maxKnown && !oldest.done) this.#known.delete(oldest.value);
  }
}

const digest = (of: unknown): string => createHash("sha256").update(JSON.stringify(of)).digest("base64");

/** Pictures are megabytes, and the same ones at every key. */
const digests = new WeakMap<object, string>();

function digestOf(part: object): string {
  const known = digests.get(part) ?? digest(part);
  digests.set(part, known);
  return known;
}

const keyOf = ({ model, messages }: EstimateRequest): string =>
  digest([
    model,
    ...messages.map(({ role, content }) => [
      role,
      typeof content === "string" ? content : content.map(digestOf),
    ]),
  ]);

const calledOff: Problem = { kind: "refused-locally", message: message("countStopped"), actions: [] };
const failed: Problem = { kind: "bug", message: message("countFailed"), actions: ["open-log"] };
