// Token counts by the service: one request at a time, and each count requested only once. Requests without a click are
// made only where a person allowed drafts to be sent. Nothing depends on the result.
import { createHash } from "node:crypto";
import { message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import type {
  ChatMessage,
  ContentPart,
  EstimateOutcome,
  EstimateRequest,
  ResponsesRequest,
} from "../../service/request.ts";
import { itemKind, itemType } from "../../service/response-items.ts";
import type { Disposable } from "../../util/disposables.ts";
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../../util/json.ts";

interface ServiceEstimateDeps {
  estimate(request: EstimateRequest, signal: AbortSignal): Promise<EstimateOutcome>;
  /** Requirements I5: checked before every request that nobody pressed a button for. */
  mayAskUnasked(): boolean;
  /** Also the opportunity to improve the local estimate. */
  onCount(request: EstimateRequest, tokens: number): void;
  /** Why there will be no more automatic counts. */
  onPaused(problem: Problem): void;
}

export type ServiceCount = { readonly tokens: number } | { readonly problem: Problem };

/** Requirements I6: a pause in typing, not between two letters. */
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

  /** An earlier count of exactly this request. */
  known(request: EstimateRequest): number | undefined {
    return this.#known.size === 0 ? undefined : this.#known.get(keyOf(request));
  }

  /**
   * Sets the current draft and cancels the request for the previous one. `undefined` when there is nothing to count.
   */
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

  /** Counts because a person asked. Nothing is counted twice, and an automatic request is cancelled first. */
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

  /** Stops automatic counts after a 429, or after repeated failures. */
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

/** Cached, because pictures are megabytes and the same ones occur at every keystroke. */
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

export interface EstimateOf {
  readonly request: EstimateRequest;
  readonly leftOut: readonly OmittedPart[];
}

export type OmittedPart = "tools" | "reasoning" | "search" | "other";

export function estimateOf(model: string, request: ResponsesRequest): EstimateOf {
  const leftOut = new Set<OmittedPart>();
  if ((request.tools ?? []).length > 0) leftOut.add("tools");
  const messages = request.input.flatMap((raw) => messagesOf(asObject(parseJson(raw)) ?? {}, leftOut));
  const system: ChatMessage[] = request.instructions
    ? [{ role: "system", content: request.instructions }]
    : [];
  return { request: { model, messages: [...system, ...messages] }, leftOut: [...leftOut] };
}

function messagesOf(item: JsonObject, leftOut: Set<OmittedPart>): ChatMessage[] {
  const type = itemType(item);
  if (type.endsWith("_output")) return chatMessage("tool", asString(item["output"]) ?? "");
  switch (itemKind(type)) {
    case "message":
      return chatMessage(roleOf(item), contentOf(item["content"]));
    case "call": {
      const input = asString(item["arguments"]) ?? asString(item["input"]) ?? "";
      return chatMessage("assistant", `${asString(item["name"]) ?? ""}\n${input}`.trim());
    }
    case "reasoning":
      leftOut.add("reasoning");
      return [];
    case "search":
      leftOut.add("search");
      return [];
    case "other":
      leftOut.add("other");
      return [];
  }
}

function roleOf(item: JsonObject): ChatMessage["role"] {
  const role = item["role"];
  if (role === "assistant" || role === "user") return role;
  return role === "system" || role === "developer" ? "system" : "assistant";
}

function contentOf(content: unknown): string | readonly ContentPart[] {
  if (typeof content === "string") return content;
  const parts = asArray(content).filter(isObject).flatMap(partOf);
  // Without a picture it is a single text.
  return parts.some((part) => part.type === "image_url")
    ? parts
    : parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function partOf(part: JsonObject): ContentPart[] {
  const url = asString(part["image_url"]);
  if (url !== undefined) return [{ type: "image_url", image_url: { url } }];
  const text = asString(part["text"]) ?? asString(part["refusal"]);
  return text === undefined || text === "" ? [] : [{ type: "text", text }];
}

/** Interface, "Chat message": content "Must not be empty". */
const chatMessage = (role: ChatMessage["role"], content: ChatMessage["content"]): ChatMessage[] =>
  content.length === 0 ? [] : [{ role, content }];
