// Reads a body from memory the way the client reads it from a socket, and keeps what was shown. No HTTP: thousands
// of cuts in a second.
import { ChatReply } from "../../src/service/internal/chat-reply.ts";
import { ApiError } from "../../src/service/internal/fault.ts";
import type { ReplyBody } from "../../src/service/internal/http.ts";
import { endedEvent, readReply } from "../../src/service/internal/read-reply.ts";
import { ResponseReply } from "../../src/service/internal/response-reply.ts";
import { RecordReader } from "../../src/service/internal/stream-records.ts";
import type { Reply, ReplyEvent } from "../../src/service/reply.ts";
import type { Expected, Route } from "./stream-case.ts";

export interface Played {
  readonly reply: Reply;
  readonly events: readonly ReplyEvent[];
  /** What a person has read, put together from the events alone. */
  readonly shown: Shown;
  readonly fault: string | undefined;
  /** Whether the request could be repeated unasked. */
  readonly visible: boolean;
}

export interface Shown {
  readonly text: string;
  readonly refusal: string;
  readonly reasoning: string;
  readonly searches: readonly string[];
  readonly sources: readonly string[];
}

export async function play(
  route: Route,
  chunks: readonly Uint8Array[],
  end: "clean" | "reset",
): Promise<Played> {
  const reader =
    route === "chat"
      ? new ChatReply()
      : new ResponseReply({ answered: new Set(), resolve: (call) => call, sent: {} });
  const events: ReplyEvent[] = [];
  const records = new RecordReader((record) => reader.accept(record));
  const reading = readReply(memoryBody(chunks, end), records, reader, new AbortController().signal, false);
  for (;;) {
    const step = await reading.next();
    if (step.done !== true) {
      events.push(step.value);
      continue;
    }
    const fault = step.value;
    const last = endedEvent(fault === undefined ? { at: "ended" } : { at: "fault", fault }, reader, {
      requests: 1,
    });
    if (last.type !== "ended") throw new Error("A reply has one last event.");
    return { reply: last.reply, events, shown: show(events), fault: fault?.at, visible: reader.visible };
  }
}

function memoryBody(chunks: readonly Uint8Array[], end: "clean" | "reset"): ReplyBody {
  let at = 0;
  return {
    async next() {
      const chunk = chunks[at++];
      if (chunk !== undefined) return chunk;
      if (end === "reset") throw new ApiError({ at: "cut" });
      return "end";
    },
    release() {},
    close() {},
    digest: () => undefined,
  };
}

/** The same bookkeeping as a view's, without the view. */
export function show(events: readonly ReplyEvent[]): Shown {
  const parts = new Map<string, { type: "text" | "refusal" | "reasoning"; text: string }>();
  const searches: string[] = [];
  const sources: string[] = [];
  for (const event of events) {
    switch (event.type) {
      case "text":
      case "refusal":
      case "reasoning": {
        const part = parts.get(event.part) ?? { type: event.type, text: "" };
        parts.set(event.part, { ...part, text: part.text + event.delta });
        break;
      }
      case "replaced": {
        const part = parts.get(event.part);
        if (part !== undefined) parts.set(event.part, { ...part, text: event.text });
        break;
      }
      case "search":
        if (event.query !== undefined && !searches.includes(event.query)) searches.push(event.query);
        for (const { url } of event.sources) if (!sources.includes(url)) sources.push(url);
        break;
      default:
        break;
    }
  }
  const all = (type: string) =>
    [...parts.values()].flatMap((part) => (part.type === type ? [part.text] : [])).join("");
  return { text: all("text"), refusal: all("refusal"), reasoning: all("reasoning"), searches, sources };
}

/** What a reply came to, in the words of the corpus. */
export function summary(reply: Reply): Omit<Expected, "problem"> {
  const { status, text, refusal, calls, runnable, usage, reason } = reply;
  return {
    status,
    text,
    ...(refusal === undefined ? {} : { refusal }),
    calls: calls.map(({ name, callId, input, namespace }) =>
      namespace === undefined ? [name, callId, input] : [name, callId, input, namespace],
    ),
    runnable: runnable.map((call) => call.callId),
    ...(usage === undefined ? {} : { usage }),
    ...(reason === undefined ? {} : { reason }),
  };
}
