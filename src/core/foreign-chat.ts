// One request for somebody else: asked through VS Code's own language models, answered by our client, written into our
// ledger because the editor has no place for figures. They run their tools themselves, so a call ends the request.
import type { Reply } from "./api/reply.ts";
import type { ServiceClient } from "./api/service-client.ts";
import { readArguments, runnableCalls } from "./api/tool-calls.ts";
import type { Problem } from "./conversation/problem.ts";
import type { Usage } from "./conversation/usage.ts";
import { type NoteNeeds, noteReply } from "./ledger/note-reply.ts";
import { type Message, message } from "./messages/message.ts";
import { type ForeignCall, ForeignReplies } from "./turn/foreign-replies.ts";
import { areToolsText, type ForeignQuestion, foreignRequest } from "./turn/foreign-request.ts";
import { problemOf } from "./turn/reply-events.ts";
import { inForm } from "./turn/simplify.ts";
import { type ReadCalls, TextCalls } from "./turn/text-calls.ts";
import { isObject, parseJson } from "./util/json.ts";

export type ForeignEvent =
  | { readonly type: "text"; readonly text: string }
  /** What the model thinks; what is of one `part` belongs together. */
  | { readonly type: "reasoning"; readonly part: string; readonly text: string }
  | ({ readonly type: "call" } & ForeignCall)
  | { readonly type: "usage"; readonly usage: Usage }
  /** The last one; without a problem the answer is whole. */
  | { readonly type: "ended"; readonly problem?: Problem };

export interface ForeignChat {
  /** Leaving early closes the connection. */
  ask(question: ForeignQuestion, signal: AbortSignal): AsyncGenerator<ForeignEvent, void>;
}

export interface ForeignChatNeeds extends NoteNeeds {
  readonly client: Pick<ServiceClient, "respond" | "chat" | "found">;
}

/** Where a call is asked for and none comes, or one that cannot be read, it is asked for once more. */
const maxAttempts = 2;

export function createForeignChat(needs: ForeignChatNeeds): ForeignChat {
  const { client, newId } = needs;
  const replies = new ForeignReplies(newId());

  async function* respond(question: ForeignQuestion, signal: AbortSignal) {
    const { place, ...asked } = await foreignRequest(question, replies, signal);
    // What a person has agreed to for this address holds for others, too: they cannot be asked.
    const { history = "whole" } = (await client.found()) ?? {};
    const events =
      asked.route === "responses"
        ? client.respond({ ...asked.request, input: inForm(history, asked.request.input) }, signal)
        : client.chat(asked.request, signal);
    for await (const event of noteReply(events, needs)) {
      if (event.type === "ended" && event.reply.status === "completed")
        replies.keep(place, event.reply.items);
      yield event;
    }
  }

  return {
    async *ask(question, signal) {
      const { mustCall = false } = question;
      let unreadAnswer: string | undefined;
      for (let attempt = 1; ; attempt++) {
        const written = areToolsText(question) ? new TextCalls(question.tools) : undefined;
        // Whoever wants a call has no use for what is said instead of it.
        const held: string[] = [];
        const asked = unreadAnswer === undefined ? question : { ...question, unread: unreadAnswer };
        for await (const event of respond(asked, signal)) {
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
          const calls = [
            ...callsIn(reply),
            ...(isWhole ? inText.map((call) => ({ id: `call-${newId()}`, ...call })) : []),
          ];
          if (reply.usage !== undefined) yield { type: "usage", usage: reply.usage };
          const isMissing = mustCall && calls.length === 0 && isWhole;
          const isWrong = isUnread && isWhole;
          if ((isMissing || isWrong) && attempt < maxAttempts) {
            unreadAnswer = isWrong ? reply.text : undefined;
            break;
          }
          const rest = held.join("");
          if (rest !== "" && (!mustCall || calls.length > 0)) yield { type: "text", text: rest };
          for (const call of calls) yield { type: "call", ...call };
          const problem = isWrong ? unread : isMissing ? notCalled : problemIn(reply, calls);
          yield problem === undefined ? { type: "ended" } : { type: "ended", problem };
          return;
        }
      }
    },
  };
}

const nothingWritten: ReadCalls = { calls: [], isUnread: false, text: "" };

/** An id that the conversation has had before is nothing wrong: whoever holds it knows to which reply each belongs. */
function callsIn({ status, calls, items }: Reply): ForeignCall[] {
  if (status !== "completed") return [];
  const ready = new Set(
    items.flatMap(({ raw, view }) => (view.kind === "call" && isReady(raw) ? [view.id] : [])),
  );
  return runnableCalls(calls, new Set()).flatMap(({ item, callId: id, name, input }) => {
    const read = ready.has(item) ? readArguments(input) : undefined;
    return read === undefined ? [] : [{ id, name, input: read }];
  });
}

/** Interface: a call is complete, and its arguments are a "string holding JSON"; anything else is not guessed at. */
function isReady(raw: string): boolean {
  const item = parseJson(raw);
  if (!isObject(item)) return false;
  const { status = "completed", arguments: given = "" } = item;
  return status === "completed" && typeof given === "string";
}

/** Whoever asked sees text and calls alone: what has neither is no answer, and a call that cannot be read is no call. */
function problemIn(reply: Reply, read: readonly ForeignCall[]): Problem | undefined {
  const known = reply.problem ?? problemOf(reply);
  if (known !== undefined) return known;
  const unread = reply.calls.find(({ callId }) => !read.some(({ id }) => id === callId));
  if (unread !== undefined) return retryable(message("problemCallUnread", { name: unread.name }));
  const isNothing = `${reply.text}${reply.refusal ?? ""}`.trim() === "" && read.length === 0;
  return isNothing ? retryable(message("problemNothing")) : undefined;
}

const retryable = (message: Message): Problem => ({ kind: "protocol", message, actions: ["retry"] });

const unread = retryable(message("problemCallBlock"));
const notCalled = retryable(message("problemNotCalled"));
