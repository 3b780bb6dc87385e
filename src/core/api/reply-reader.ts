// What both routes do with a record: one reader per request, fed record by record, that says what became
// visible, when the reply ended and what it came to. Knows no transport.

import type { Usage } from "../conversation/usage.ts";
import { asCount, asObject, isObject, type JsonObject } from "../util/json.ts";
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

export type ReadRecord =
  | { readonly kind: "object"; readonly value: JsonObject }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "end-marker" | "damaged" | "torn" | "ignored" };

/** Faults R7: only the exact marker is one; a record that is not JSON damages the reply; other JSON is ignored. */
export function readRecord({ name, data, torn }: WireRecord): ReadRecord {
  if (data === endMarker) return { kind: "end-marker" };
  // Half an object needs no parser, and no exception, to be told from a whole one.
  if (torn && !/[}\]]\s*$/.test(data.slice(-8))) return { kind: "torn" };
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    if (torn) return { kind: "torn" };
    return name === "error" ? { kind: "error", message: data } : { kind: "damaged" };
  }
  if (isObject(value)) return { kind: "object", value };
  return name === "error" && typeof value === "string"
    ? { kind: "error", message: value }
    : { kind: "ignored" };
}

/** What a reader keeps about records that are no objects. */
export interface Tally {
  end: End | undefined;
  torn: boolean;
  ignored: number;
}

/** The object in a record, if that is what it holds; everything else is noted. `atMarker`: what an end marker means. */
export function objectIn(record: WireRecord, tally: Tally, atMarker: End): JsonObject | undefined {
  const read = readRecord(record);
  switch (read.kind) {
    case "object":
      return read.value;
    case "error":
      tally.end = { status: "failed", error: { message: read.message }, named: false };
      return undefined;
    case "end-marker":
      tally.end = atMarker;
      return undefined;
    case "damaged":
      tally.end = { status: "damaged" };
      return undefined;
    case "torn":
      tally.torn = true;
      return undefined;
    case "ignored":
      tally.ignored++;
      return undefined;
    default:
      return read satisfies never;
  }
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
