// The bytes of one answer → events, until the reply ends or the body does. Answers with the fault, if there was one.

import { present } from "../util/present.ts";
import { inSteps } from "../util/yield-to-event-loop.ts";
import { ApiError, type Fault } from "./fault.ts";
import type { ReplyBody } from "./http.ts";
import type { RecordReader } from "./record-reader.ts";
import type { ReplyEvent } from "./reply.ts";
import type { ReplyReader } from "./reply-reader.ts";
import { ReplyTooLarge } from "./reply-weight.ts";

/** Faults R2: a usage chunk may follow the end of a chat reply. */
const usageGraceMilliseconds = 1_000;
/** A document may be followed by others; a server that keeps its connection open says nothing more. */
const wholeGraceMilliseconds = 250;
/** A receipt's digest wants the last bytes after the end too. */
const digestGraceMilliseconds = 200;
/** In milliseconds. What is read on the way is consumed in the same turn of the event loop, and costs as much again. */
const slice = 10;
/** So many events of one chunk are handed on before others may go first. */
const atOnce = 50;

export async function* readReply(
  body: ReplyBody,
  records: RecordReader,
  reader: ReplyReader,
  signal: AbortSignal,
  digest: boolean,
): AsyncGenerator<ReplyEvent, Fault | undefined> {
  let fault: Fault | undefined;
  let deadline: number | undefined;
  // A body that is here already comes without a turn of the event loop between its chunks.
  const pause = inSteps(undefined, slice);
  while (fault === undefined && (reader.end === undefined || reader.awaitsUsage)) {
    if (reader.end !== undefined) deadline ??= performance.now() + usageGraceMilliseconds;
    await pause();
    const step = await takeChunk(body, records, deadline);
    // What a heavy record becomes may be as much work again.
    await pause();
    for (const [at, event] of reader.take().entries()) {
      if (at % atOnce === atOnce - 1) await pause();
      if (signal.aborted) return undefined;
      yield event;
    }
    if (step === "over") break;
    // What happens after the end record does not count.
    if (typeof step === "object" && reader.end === undefined) fault = step;
    else if (typeof step === "object") break;
  }
  if (digest && fault === undefined) await drain(body);
  const isWhole = records.framing === "document" || records.framing === "lines";
  reader.close(isWhole && fault === undefined && records.count === 1 && !reader.torn);
  for (const event of reader.take()) {
    if (signal.aborted) return undefined;
    yield event;
  }
  return reader.end === undefined ? (fault ?? cutFault(records, reader, isWhole)) : endFault(reader, isWhole);
}

async function takeChunk(
  body: ReplyBody,
  records: RecordReader,
  deadline: number | undefined,
): Promise<"more" | "over" | Fault> {
  try {
    const within = deadline === undefined ? undefined : Math.max(0, deadline - performance.now());
    const chunk = await body.next(within ?? (records.looksWhole ? wholeGraceMilliseconds : undefined));
    if (chunk === "late" && within !== undefined) return "over";
    if (chunk === "end" || chunk === "late") {
      records.end();
      return "over";
    }
    records.push(chunk);
    return "more";
  } catch (error) {
    if (error instanceof ReplyTooLarge) return { at: "too-large" };
    if (error instanceof ApiError) return error.fault;
    throw error;
  }
}

function endFault({ end }: ReplyReader, isWhole: boolean): Fault | undefined {
  switch (end?.status) {
    case "failed": {
      const { error, reason, named } = end;
      const by = isWhole ? ("body" as const) : named ? ("response" as const) : ("record" as const);
      return present({ at: "service" as const, by, error, reason });
    }
    case "cut":
      return { at: "cut" };
    case "damaged":
      return { at: "damaged" };
    default:
      return undefined;
  }
}

/** A clean end of the body that is no end of the reply. */
function cutFault(records: RecordReader, reader: ReplyReader, isWhole: boolean): Fault {
  if (records.bytes === 0) return { at: "empty" };
  if (records.framing === "html") return { at: "html" };
  if (reader.unfinished !== undefined && isWhole) return { at: "unfinished", status: reader.unfinished };
  // A document that can be read and is no reply.
  if (isWhole && records.count === 1 && !reader.torn && !reader.visible) return { at: "gibberish" };
  // JSON that is neither a record nor a reply: null, a text, a number.
  if (records.count === 0 && isBareJson(records.beginning)) return { at: "gibberish" };
  const strange = records.strangeLines + reader.ignored > 0;
  const isStrange = reader.understood === 0 && strange && !reader.torn;
  return isStrange ? { at: "gibberish", streamed: !isWhole } : { at: "cut" };
}

function isBareJson(text: string): boolean {
  return /^\s*(null|true|false|-?\d[\d.eE+-]{0,40}|"[^\n]*")\s*$/.test(text);
}

async function drain(body: ReplyBody): Promise<void> {
  const deadline = performance.now() + digestGraceMilliseconds;
  try {
    for (;;) {
      const chunk = await body.next(Math.max(0, deadline - performance.now()));
      if (chunk === "end" || chunk === "late") return;
    }
  } catch {
    // The reply is complete; what its connection does afterwards is of no interest.
  }
}
