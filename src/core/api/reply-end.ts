// How one reply ended: from what was read and what went wrong to the last event of every reply.
import type { Problem } from "../conversation/problem.ts";
import { cutBeforeWord, type Mask, maskedWords } from "../util/mask.ts";
import { plainText } from "../util/plain-text.ts";
import { present } from "../util/present.ts";
import type { Fault } from "./fault.ts";
import { maxUnread } from "./record-reader.ts";
import type { Reply, ReplyEvent, ReplyStatus, UnreadBody } from "./reply.ts";
import type { ReplyReader } from "./reply-reader.ts";
import { withoutOpaque } from "./trace.ts";

export type Outcome =
  | { readonly at: "ended" }
  | { readonly at: "stopped" }
  | { readonly at: "fault"; readonly fault: Fault; readonly unread?: UnreadBody };

/** Nothing came of it: the request was not sent, or is not worth a word more. */
export function neverSent(problem: Problem, requests = 0): ReplyEvent {
  const nothing = { text: "", items: [], calls: [], runnable: [] };
  return { type: "ended", reply: { status: "failed", ...nothing, requests, problem } };
}

export function ended(
  outcome: Outcome,
  reader: ReplyReader,
  { requests, by, problem, askedTtl }: Pick<Reply, "requests" | "by" | "problem" | "askedTtl">,
): Extract<ReplyEvent, { type: "ended" }> {
  const status = statusOf(outcome, reader);
  const { usage, ...reduced } = reader.reduced();
  const reported =
    reader.end?.status === "completed" ||
    reader.end?.status === "incomplete" ||
    reader.end?.status === "failed";
  const reply: Reply = present({
    status,
    ...reduced,
    runnable: status === "completed" ? reduced.runnable : [],
    usage: reported ? usage : undefined,
    reason: reader.end !== undefined && "reason" in reader.end ? reader.end.reason : undefined,
    problem,
    by,
    askedTtl,
    unread: outcome.at === "fault" ? outcome.unread : undefined,
    requests,
  });
  return { type: "ended", reply };
}

/** Where nobody looks at what comes before its end. */
export async function lastReply(events: AsyncGenerator<ReplyEvent, void>): Promise<Reply> {
  for await (const event of events) if (event.type === "ended") return event.reply;
  throw new Error("A reply has one last event.");
}

function statusOf(outcome: Outcome, reader: ReplyReader): ReplyStatus {
  if (outcome.at === "stopped") return "stopped";
  if (outcome.at === "ended") return reader.end?.status === "incomplete" ? "incomplete" : "completed";
  return beganToAnswer(outcome.fault) ? "interrupted" : "failed";
}

/** Interrupted is its own outcome: the service had begun, and nobody said how it ended. */
function beganToAnswer(fault: Fault): boolean {
  switch (fault.at) {
    case "cut":
    case "empty":
    case "gibberish":
    case "damaged":
    case "too-large":
    case "unfinished":
      return true;
    case "timeout":
      return fault.phase === "idle";
    default:
      return false;
  }
}

/** To be looked at. */
export function unreadBody(
  { beginning, bytes }: { readonly beginning: string; readonly bytes: number },
  contentType: string | undefined,
  mask: Mask,
): UnreadBody {
  // A secret that begins just before the cut would not be known for one.
  const whole = beginning.length < maxUnread ? beginning : cutBeforeWord(beginning);
  const named = plainText(contentType?.split(";")[0]?.trim() ?? "", 100);
  return { contentType: named, bytes, text: maskedWords(mask, withoutOpaque(whole), maxUnread) };
}
