// One request for somebody else: asked through VS Code's own language models, answered by our client, written into our
// ledger because the editor has no place for figures. They run their tools themselves, so a call ends the request.
import type { Reply } from "../api/reply.ts";
import type { ServiceClient } from "../api/service-client.ts";
import { readArguments, runnableCalls } from "../api/tool-calls.ts";
import type { Problem } from "../conversation/problem.ts";
import type { Usage } from "../conversation/usage.ts";
import { type NoteDeps, noteReply } from "../ledger/note-reply.ts";
import { type Message, message } from "../messages/message.ts";
import { type LanguageModelCall, LanguageModelReplies } from "../turn/language-model-replies.ts";
import {
  areToolsText,
  type LanguageModelQuestion,
  languageModelRequest,
} from "../turn/language-model-request.ts";
import { inForm } from "../turn/plain-history.ts";
import { problemOf } from "../turn/reply-events.ts";
import { type ReadCalls, TextCalls } from "../turn/text-calls.ts";
import type { TurnLimits } from "../turn/turn-request.ts";
import { present } from "../util/present.ts";
import type { AskPerson } from "./confirmations.ts";
import type { SpendGuard } from "./spend-guard.ts";

export type LanguageModelEvent =
  | { readonly type: "text"; readonly text: string }
  /** What the model thinks; what is of one `part` belongs together. */
  | { readonly type: "reasoning"; readonly part: string; readonly text: string }
  | ({ readonly type: "call" } & LanguageModelCall)
  | { readonly type: "usage"; readonly usage: Usage }
  /** The last one; without a problem the answer is whole. */
  | { readonly type: "ended"; readonly problem?: Problem };

export interface LanguageModelChat {
  /** Leaving early closes the connection. `person` is asked before much is sent that no cache may hold. */
  ask(
    question: LanguageModelQuestion,
    person: AskPerson,
    signal: AbortSignal,
  ): AsyncGenerator<LanguageModelEvent, void>;
}

export interface LanguageModelChatDeps extends NoteDeps {
  readonly client: Pick<ServiceClient, "respond" | "chat" | "found">;
  /** As a person has set them for this model, wherever it is asked. */
  limits(): Pick<TurnLimits, "outputTokens" | "effort" | "cacheTtl">;
  readonly spending: Pick<SpendGuard, "agreeTo">;
}

/** For so long what was sent once is not asked about again: the next request of an agent begins with all of it. */
const recently = 5 * 60_000;
const maxConversations = 100;

/** Where a call is asked for and none comes, or one that cannot be read, it is asked for once more. */
const maxAttempts = 2;

export function createLanguageModelChat(deps: LanguageModelChatDeps): LanguageModelChat {
  const { client, newId, now, spending } = deps;
  const replies = new LanguageModelReplies(newId());
  /** By conversation: how many tokens its last request had. */
  const sent = new Map<string, { readonly tokens: number; readonly at: number }>();

  function knownOf(conversation: string): number {
    const last = sent.get(conversation);
    return last !== undefined && now() - last.at < recently ? last.tokens : 0;
  }

  function note(conversation: string, tokens: number): void {
    // The last one that was used stands at the end.
    sent.delete(conversation);
    sent.set(conversation, { tokens, at: now() });
    const [oldest] = sent.keys();
    if (sent.size > maxConversations && oldest !== undefined) sent.delete(oldest);
  }

  /** Without an end where nothing was sent. */
  async function* respond(question: LanguageModelQuestion, person: AskPerson, signal: AbortSignal) {
    const { place, conversation, ...asked } = await languageModelRequest(question, replies, signal);
    const estimate = await spending.agreeTo(asked, knownOf(conversation), person, signal);
    if (estimate === undefined) return;
    // What a person has agreed to for this address holds for others, too: they cannot be asked.
    const { history = "whole" } = (await client.found()) ?? {};
    const events =
      asked.route === "responses"
        ? client.respond({ ...asked.request, input: inForm(history, asked.request.input) }, signal)
        : client.chat(asked.request, signal);
    for await (const event of noteReply(events, deps)) {
      if (event.type === "ended") note(conversation, event.reply.usage?.input ?? estimate);
      if (event.type === "ended" && event.reply.status === "completed")
        replies.keep(place, event.reply.items);
      yield event;
    }
  }

  /** What it is asked once more with; nothing once the last event was told. */
  async function* attempt(
    question: LanguageModelQuestion,
    isLast: boolean,
    person: AskPerson,
    signal: AbortSignal,
  ): AsyncGenerator<LanguageModelEvent, Pick<LanguageModelQuestion, "unread"> | undefined> {
    const { mustCall = false } = question;
    const written = areToolsText(question) ? new TextCalls(question.tools) : undefined;
    // Whoever wants a call has no use for what is said instead of it.
    const held: string[] = [];
    for await (const event of respond(question, person, signal)) {
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
      if (isWhole && isUnread && !isLast) return { unread: reply.text };
      const isMissing = isWhole && mustCall && calls.length === 0;
      if (isMissing && !isUnread && !isLast) return {};
      const rest = held.join("");
      if (rest !== "" && (!mustCall || calls.length > 0)) yield { type: "text", text: rest };
      const wrong = isWhole && isUnread ? unread : isMissing ? notCalled : undefined;
      const problem = wrong ?? problemIn(reply, calls);
      // Whoever asked may run a call as it arrives: of a reply that is an error none is run.
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

/** Whoever asks may want something else of the model, but no more output than a person allows. */
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

const nothingWritten: ReadCalls = { calls: [], isUnread: false, text: "" };

/** An id that the conversation has had before is nothing wrong: whoever holds it knows to which reply each belongs. */
function callsIn({ status, calls, items, runnable }: Reply): LanguageModelCall[] {
  if (status !== "completed") return [];
  const ready = new Set(items.flatMap(({ view }) => (view.kind === "call" && view.isReady ? [view.id] : [])));
  // A chat reply has no items: of its calls those may run that are whole.
  const whole =
    items.length === 0 ? runnable : runnableCalls(calls, new Set()).filter(({ item }) => ready.has(item));
  return whole.flatMap(({ callId: id, name, input }) => {
    const read = readArguments(input);
    return read === undefined ? [] : [{ id, name, input: read }];
  });
}

/** Whoever asked sees text and calls alone: what has neither is no answer, and a call that cannot be read is no call. */
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
