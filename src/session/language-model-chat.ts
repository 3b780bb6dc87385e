// Answers requests of other extensions that come through VS Code's language model API. They are sent by our client and
// recorded in our ledger, because the editor has no place for usage figures. The callers run their tools themselves, so
// a call ends the request.
import { createHash } from "node:crypto";
import type { Content } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import type { Problem } from "../conversation/problem.ts";
import type { Usage } from "../conversation/state.ts";
import type { Reply } from "../service/reply.ts";
import { readArguments, runnableCalls } from "../service/response-items.ts";
import type { ServiceClient } from "../service/service-client.ts";
import { type NoteDeps, noteReply } from "../usage/ledger.ts";
import { present } from "../util/present.ts";
import { inHistoryForm } from "./internal/history.ts";
import {
  areToolsText,
  type LanguageModelCall,
  type LanguageModelQuestion,
  LanguageModelReplies,
  type LanguageModelRequest,
  languageModelRequest,
} from "./internal/language-model-request.ts";
import { problemOf } from "./internal/reply-events.ts";
import { type ReadCalls, TextCalls } from "./internal/text-calls.ts";
import type { TurnLimits } from "./internal/turn-request.ts";
import type { AskPerson, SpendGuard } from "./spend-guard.ts";

/** Agents send everything again with each request, and no cache keeps it longer by default. */
const recently = 5 * 60_000;
const maxKept = 20_000;

/**
 * Remembers the beginnings of recent requests, to estimate how much of the next one the service may still have in its
 * cache. Only an exact prefix counts, whoever sent it: a similar beginning says nothing about the rest.
 */
class RecentlySent {
  /** When each prefix, by its hash, was last sent, oldest first. */
  readonly #sent = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many of these pieces, from the beginning, were sent recently in this order. */
  knownOf(pieces: readonly string[]): number {
    const isKnown = (hash: string) => {
      const at = this.#sent.get(hash);
      return at !== undefined && this.#now() - at < recently;
    };
    return beginningsOf(pieces).findLastIndex(isKnown) + 1;
  }

  note(pieces: readonly string[]): void {
    for (const hash of beginningsOf(pieces)) {
      this.#sent.delete(hash);
      this.#sent.set(hash, this.#now());
    }
    for (const hash of this.#sent.keys()) {
      if (this.#sent.size <= maxKept) return;
      this.#sent.delete(hash);
    }
  }
}

function beginningsOf(pieces: readonly string[]): string[] {
  let hash = "";
  return pieces.map((piece) => {
    hash = createHash("sha256").update(hash).update(piece).digest("base64url");
    return hash;
  });
}

export type LanguageModelEvent =
  | { readonly type: "text"; readonly text: string }
  /** The model's reasoning; deltas with the same `part` belong together. */
  | { readonly type: "reasoning"; readonly part: string; readonly text: string }
  | ({ readonly type: "call" } & LanguageModelCall)
  | { readonly type: "usage"; readonly usage: Usage }
  /** The last event. The response is complete if there is no problem. */
  | { readonly type: "ended"; readonly problem?: Problem };

export interface LanguageModelChat {
  /** Returning early closes the connection. `person` is asked before much is sent that is unlikely to be cached. */
  ask(
    question: LanguageModelQuestion,
    person: AskPerson,
    signal: AbortSignal,
  ): AsyncGenerator<LanguageModelEvent, void>;
}

interface LanguageModelChatDeps extends NoteDeps {
  readonly client: Pick<ServiceClient, "respond" | "chat" | "found">;
  /** The person's settings for this model, whoever uses it. */
  limits(): Pick<TurnLimits, "outputTokens" | "effort" | "cacheTtl">;
  readonly spending: Pick<SpendGuard, "agreeTo">;
}

/** If a required call is missing or cannot be read, it is requested once more. */
const maxAttempts = 2;

export function createLanguageModelChat(deps: LanguageModelChatDeps): LanguageModelChat {
  const { client, newId, now, spending } = deps;
  const replies = new LanguageModelReplies(newId());
  const sent = new RecentlySent(now);

  /** Yields no end event if nothing was sent. */
  async function* respond(asked: LanguageModelRequest, person: AskPerson, signal: AbortSignal) {
    const { outgoing, place, pieces } = asked;
    const unknown = () => asked.rest(sent.knownOf(pieces));
    if (!(await spending.agreeTo(outgoing, unknown, person, signal))) return;
    // The history form a person agreed to for this address also applies to other extensions, which cannot be asked.
    const { history = "whole" } = (await client.found()) ?? {};
    const events =
      outgoing.route === "responses"
        ? client.respond(
            { ...outgoing.request, input: inHistoryForm(history, outgoing.request.input) },
            signal,
          )
        : client.chat(outgoing.request, signal);
    for await (const event of noteReply(events, deps, "extension")) {
      if (event.type === "ended") sent.note(pieces);
      if (event.type === "ended" && event.reply.status === "completed")
        replies.keep(place, event.reply.items);
      yield event;
    }
  }

  /** Returns what to retry with, or undefined once the last event was yielded. */
  async function* attempt(
    question: LanguageModelQuestion,
    isLast: boolean,
    person: AskPerson,
    signal: AbortSignal,
  ): AsyncGenerator<LanguageModelEvent, Pick<LanguageModelQuestion, "unread"> | undefined> {
    const { mustCall = false } = question;
    const request = await languageModelRequest(question, replies, signal);
    const written = areToolsText(question) ? new TextCalls(question.tools, request.mark) : undefined;
    // A caller that requires a call has no use for text that comes instead of it.
    const held: string[] = [];
    for await (const event of respond(request, person, signal)) {
      if (event.type === "text" || event.type === "refusal") {
        const text = written?.push(event.delta) ?? event.delta;
        if (mustCall) held.push(text);
        else if (text !== "") yield { type: "text", text };
      }
      if (event.type === "reasoning") yield { type: "reasoning", part: event.part, text: event.delta };
      if (event.type !== "ended") continue;
      const { reply } = event;
      const isWhole = reply.status === "completed";
      const { calls: inText, isUnread, text } = written?.end() ?? nothingWritten;
      held.push(text);
      const named = inText.map((call) => ({ id: `call-${newId()}`, ...call }));
      const calls = [...callsIn(reply), ...(isWhole ? named : [])];
      if (reply.usage !== undefined) yield { type: "usage", usage: reply.usage };
      const isLeft = written !== undefined && reply.calls.some(({ isWords }) => isWords);
      if (isWhole && (isUnread || isLeft) && !isLast) return { unread: reply.text };
      const isMissing = isWhole && mustCall && calls.length === 0;
      if (isMissing && !isUnread && !isLast) return {};
      const rest = held.join("");
      if (rest !== "" && (!mustCall || calls.length > 0)) yield { type: "text", text: rest };
      const wrong = isWhole && isUnread ? unread : isMissing ? notCalled : undefined;
      const problem = wrong ?? problemIn(reply, calls);
      // Callers may run a call as soon as it arrives, so none is passed on from a reply that is an error.
      if (problem === undefined) for (const call of calls) yield { type: "call", ...call };
      yield problem === undefined ? { type: "ended" } : { type: "ended", problem };
      return undefined;
    }
    yield { type: "ended", problem: notSent };
    return undefined;
  }

  return {
    async *ask(question, person, signal) {
      const limited = within(question, deps.limits());
      let asked = limited;
      for (let left = maxAttempts - 1; ; left--) {
        const again = yield* attempt(asked, left === 0, person, signal);
        if (again === undefined) return;
        asked = { ...limited, ...again };
      }
    },
  };
}

/** Callers may choose other parameters, but no more output than the person allows. */
function within(
  question: LanguageModelQuestion,
  { outputTokens, effort, cacheTtl }: ReturnType<LanguageModelChatDeps["limits"]>,
): LanguageModelQuestion {
  const most = Math.min(
    question.maxOutputTokens ?? Number.POSITIVE_INFINITY,
    outputTokens ?? Number.POSITIVE_INFINITY,
  );
  const maxOutputTokens = Number.isFinite(most) ? most : undefined;
  return { ...present({ effort, cacheTtl }), ...question, ...present({ maxOutputTokens }) };
}

const nothingWritten: ReadCalls = { calls: [], isUnread: false, isFenced: false, text: "" };

/** A call id may repeat an earlier one of the conversation: the caller knows which reply each belongs to. */
function callsIn({ status, calls, items, runnable }: Reply): LanguageModelCall[] {
  if (status !== "completed") return [];
  const ready = new Set(items.flatMap(({ view }) => (view.kind === "call" && view.isReady ? [view.id] : [])));
  // A chat reply has no items; its complete calls may run.
  const whole =
    items.length === 0 ? runnable : runnableCalls(calls, new Set()).filter(({ item }) => ready.has(item));
  return whole.flatMap(({ callId: id, name, input }) => {
    const read = readArguments(input);
    return read === undefined ? [] : [{ id, name, input: read }];
  });
}

/** Callers see only text and calls. A reply without either is a problem, and so is a call that cannot be read. */
function problemIn(reply: Reply, read: readonly LanguageModelCall[]): Problem | undefined {
  const known = reply.problem ?? problemOf(reply);
  if (known !== undefined) return known;
  const unread = reply.calls.find(({ callId }) => !read.some(({ id }) => id === callId));
  if (unread !== undefined) return retryable(message("problemCallUnread", { name: unread.name }));
  const isNothing = `${reply.text}${reply.refusal ?? ""}`.trim() === "" && read.length === 0;
  return isNothing ? retryable(message("problemNothing")) : undefined;
}

const retryable = (message: Message): Problem => ({ kind: "protocol", message, actions: ["retry"] });

const notSent: Problem = { kind: "limit", message: message("problemNotSent"), actions: [] };
const unread = retryable(message("problemCallBlock"));
const notCalled = retryable(message("problemNotCalled"));

export type LanguageModelPart =
  | Content
  | ({ readonly kind: "call" } & LanguageModelCall)
  | {
      readonly kind: "result";
      readonly id: string;
      readonly text: string;
      /** Data URLs. The output of a tool is text, so images follow it as user content. */
      readonly images?: readonly string[];
    };

export interface LanguageModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly parts: readonly LanguageModelPart[];
}

/** Only for models on the Responses route; the interface shows none of these for chat completions. */
export interface LanguageModelLimits {
  readonly maxOutputTokens?: number;
  /** Empty: the model's default. */
  readonly effort?: string;
  readonly cacheTtl?: "5m" | "1h";
  /** As the caller has set them. */
  readonly reasoning?: Readonly<Record<string, unknown>>;
  readonly text?: Readonly<Record<string, unknown>>;
}

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object | undefined;
}
