// What both routes do with a record: one reader per request, fed record by record, that says what became
// visible, when the reply ended and what it came to. Knows no transport.

import type { Usage } from "../conversation/usage.ts";
import { asCount, asObject, isObject, type JsonObject, parseJson } from "../util/json.ts";
import type { WireRecord } from "./record-reader.ts";
import type { OutputItem, Reply, ReplyEvent, ToolCall } from "./reply.ts";
import type { ServiceError } from "./service-error.ts";
import { endMarker } from "./undocumented-names.ts";

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

export interface ReplyReader {
  accept(record: WireRecord): void;
  /** What became visible since the last call. */
  take(): ReplyEvent[];
  /** Set by the first end record; nothing after it counts. */
  readonly end: End | undefined;
  /** A chat reply has ended, but its usage may follow. */
  readonly awaitsUsage: boolean;
  /** Something was shown or received whole. */
  readonly visible: boolean;
  /** The model is at work, though it may only think: what it costs must not be spent again unasked. */
  readonly began: boolean;
  /** Records with a meaning for us, and without one. */
  readonly understood: number;
  readonly ignored: number;
  /** The body ended inside a record. */
  readonly torn: boolean;
  /** The status of a snapshot that is no end. */
  readonly unfinished: string | undefined;
  /** Which words the service used, for people. */
  readonly vocabulary: string;
  /** Nothing more comes. `whole` when the body was JSON that is there to its last brace, instead of a stream. */
  close(whole: boolean): void;
  reduced(): Reduced;
  /** For the log: what was odd and changes nothing. */
  remarks(): readonly string[];
  /** What was wrong and was passed over. */
  warnings(): readonly string[];
}

export const ignoredRemark = (records: number): readonly string[] =>
  records === 0 ? [] : [`${records} records were not understood`];

/** What a reader keeps about records that are no objects. */
export interface Tally {
  end: End | undefined;
  torn: boolean;
  ignored: number;
}

/**
 * The object in a record, if that is what it holds; everything else is noted. Faults R7: only the exact marker is one; a
 * record that is not JSON damages the reply; other JSON is ignored. `atMarker`: what an end marker means.
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
  // Half an object needs no parser, and no exception, to be told from a whole one.
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

/** The first path that holds a count. Absent numbers stay absent; usage without any was not reported. */
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
