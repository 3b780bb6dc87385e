// Reads one answer: its bytes as events, and the final event that follows from what was read and what went wrong.

import type { Problem } from "../../conversation/problem.ts";
import type { Usage } from "../../conversation/state.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import { asCount, asObject, isObject, type JsonObject, parseJson } from "../../util/json.ts";
import { cutBeforeWord, type Mask, maskedWords } from "../../util/mask-secrets.ts";
import { present } from "../../util/present.ts";
import { plainText } from "../../util/text.ts";
import type { OutputItem, Reply, ReplyEvent, ReplyStatus, ToolCall, UnreadBody } from "../reply.ts";
import { endMarker } from "../request.ts";
import { ApiError, type Fault, type ServiceError } from "./fault.ts";
import type { ReplyBody } from "./http.ts";
import { maxUnread, type RecordReader, ReplyTooLarge, type WireRecord } from "./stream-records.ts";
import { withoutOpaque } from "./trace.ts";

/** Faults R2: a usage chunk may follow the end of a chat reply. */
const usageGraceMilliseconds = 1_000;
/** Further documents may follow a document; a server that only keeps its connection open sends nothing more. */
const wholeGraceMilliseconds = 250;
/** A receipt's digest also needs the last bytes after the end. */
const digestGraceMilliseconds = 200;
/** How many events of one chunk are yielded between pauses. */
const atOnce = 50;

/** Reads the bytes of one answer as events, until the reply or the body ends. Returns the fault, if there was one. */
export async function* readReply(
  body: ReplyBody,
  records: RecordReader,
  reader: ReplyReader,
  signal: AbortSignal,
  digest: boolean,
): AsyncGenerator<ReplyEvent, Fault | undefined> {
  let fault: Fault | undefined;
  let deadline: number | undefined;
  // Between chunks of a body that has already arrived, the event loop would get no turn.
  const pause = createYieldPoint();
  while (fault === undefined && (reader.end === undefined || reader.awaitsUsage)) {
    if (reader.end !== undefined) deadline ??= performance.now() + usageGraceMilliseconds;
    await pause();
    const step = await takeChunk(body, records, deadline);
    // Interpreting a large record may take as long again.
    await pause();
    for (const [at, event] of reader.take().entries()) {
      if (at % atOnce === atOnce - 1) await pause();
      if (signal.aborted) return undefined;
      yield event;
    }
    if (step === "over") break;
    // Faults after the end record are ignored.
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

/** The fault for a body that ended cleanly before its reply did. */
function cutFault(records: RecordReader, reader: ReplyReader, isWhole: boolean): Fault {
  if (records.bytes === 0) return { at: "empty" };
  if (records.framing === "html") return { at: "html" };
  if (reader.unfinished !== undefined && isWhole) return { at: "unfinished", status: reader.unfinished };
  // A readable document that is not a reply.
  if (isWhole && records.count === 1 && !reader.torn && !reader.visible) return { at: "gibberish" };
  // JSON that is neither a record nor a reply: null, a string, a number.
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
    // The reply is complete; faults of its connection no longer matter.
  }
}

export type End =
  | { readonly status: "completed" | "incomplete"; readonly reason?: string }
  | {
      readonly status: "failed";
      readonly error: ServiceError;
      readonly reason?: string;
      readonly named: boolean;
    }
  /** The end marker of a stream that had not ended. */
  | { readonly status: "cut" }
  /** A record that cannot be read. */
  | { readonly status: "damaged" };

export interface Reduced
  extends Pick<Reply, "id" | "model" | "text" | "refusal" | "usage" | "cache" | "milliseconds" | "finish"> {
  readonly items: readonly OutputItem[];
  readonly calls: readonly ToolCall[];
  readonly runnable: readonly ToolCall[];
}

/**
 * The interface of both routes' readers: one per request, fed record by record. It reports what became visible, when
 * the reply ended, and its final content. Independent of the transport.
 */
export interface ReplyReader {
  accept(record: WireRecord): void;
  /** What became visible since the last call. */
  take(): ReplyEvent[];
  /** Set by the first end record; nothing after it counts. */
  readonly end: End | undefined;
  /** A chat reply has ended, but its usage may follow. */
  readonly awaitsUsage: boolean;
  /** Something was shown or received completely. */
  readonly visible: boolean;
  /** The model has started, even if it only reasons: its cost must not be incurred again without asking. */
  readonly began: boolean;
  /** The number of records that were understood, and of those that were not. */
  readonly understood: number;
  readonly ignored: number;
  /** The body ended inside a record. */
  readonly torn: boolean;
  /** The status of a snapshot that is not final. */
  readonly unfinished: string | undefined;
  /** The vocabulary of the service, for display. */
  readonly vocabulary: string;
  /** Nothing more follows. `whole`: the body was JSON that is complete to its last brace, not a stream. */
  close(whole: boolean): void;
  reduced(): Reduced;
  /** Oddities without effect, for the log. */
  remarks(): readonly string[];
  /** Errors that were ignored. */
  warnings(): readonly string[];
}

export const ignoredRemark = (records: number): readonly string[] =>
  records === 0 ? [] : [`${records} records were not understood`];

/** What a reader records about records that are not objects. */
interface Tally {
  end: End | undefined;
  torn: boolean;
  ignored: number;
}

/**
 * Returns the object in a record, if it contains one, and records everything else. Faults R7: only the exact end marker
 * counts; a record that is not JSON damages the reply; other JSON is ignored. `atMarker` is the end that the marker
 * stands for.
 */
export function objectIn(
  { name, data, torn }: WireRecord,
  tally: Tally,
  atMarker: End,
): JsonObject | undefined {
  if (data === endMarker) {
    tally.end = atMarker;
    return undefined;
  }
  // An incomplete object is recognized without the cost of a parser exception.
  const value = torn && !/[}\]]\s*$/.test(data.slice(-8)) ? undefined : parseJson(data);
  if (isObject(value)) return value;
  if (value === undefined && torn) tally.torn = true;
  else if (name === "error" && (value === undefined || typeof value === "string"))
    tally.end = { status: "failed", error: { message: value ?? data }, named: false };
  else if (value === undefined) tally.end = { status: "damaged" };
  else tally.ignored++;
  return undefined;
}

export type UsageNames = { readonly [K in keyof Required<Usage>]: readonly (readonly string[])[] };

/** Takes the first path that holds a count. Absent numbers stay absent; usage without any counts as not reported. */
export function readUsage(usage: unknown, names: UsageNames): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const found: { -readonly [K in keyof Usage]: number } = {};
  for (const [key, paths] of Object.entries(names) as [keyof Usage, readonly (readonly string[])[]][]) {
    const count = paths.map((path) => countAt(usage, path)).find((value) => value !== undefined);
    if (count !== undefined) found[key] = count;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

function countAt(usage: JsonObject, path: readonly string[]): number | undefined {
  let value: unknown = usage;
  for (const step of path) value = asObject(value)?.[step];
  return asCount(value);
}

export type Outcome =
  | { readonly at: "ended" }
  | { readonly at: "stopped" }
  | { readonly at: "fault"; readonly fault: Fault; readonly unread?: UnreadBody };

/** The final event for a request that was not sent; `requests` counts those sent before it. */
export function unsentReply(problem: Problem, requests = 0): ReplyEvent {
  const nothing = { text: "", items: [], calls: [], runnable: [] };
  return { type: "ended", reply: { status: "failed", ...nothing, requests, problem } };
}

/** Derives the final event of a reply from what was read and what went wrong. */
export function endedEvent(
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

function statusOf(outcome: Outcome, reader: ReplyReader): ReplyStatus {
  if (outcome.at === "stopped") return "stopped";
  if (outcome.at === "ended") return reader.end?.status === "incomplete" ? "incomplete" : "completed";
  return beganToAnswer(outcome.fault) ? "interrupted" : "failed";
}

/** Whether the reply counts as interrupted instead of failed: the service had begun, but did not say how it ended. */
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

/** The unread body, for a person to look at. */
export function unreadBody(
  { beginning, bytes }: { readonly beginning: string; readonly bytes: number },
  contentType: string | undefined,
  mask: Mask,
): UnreadBody {
  // A secret that begins just before the cut would not be recognized.
  const whole = beginning.length < maxUnread ? beginning : cutBeforeWord(beginning);
  const named = plainText(contentType?.split(";")[0]?.trim() ?? "", 100);
  return { contentType: named, bytes, text: maskedWords(mask, withoutOpaque(whole), maxUnread) };
}
