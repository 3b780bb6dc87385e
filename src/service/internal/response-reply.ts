// Assembles one reply from the Responses stream, or from a whole response. Precedence: final snapshot, item, done,
// deltas. Every name is optional, and the first end record counts. Independent of the transport.
import { isDeepStrictEqual } from "node:util";
import type { Usage } from "../../conversation/state.ts";
import {
  asArray,
  asCount,
  asObject,
  asString,
  isObject,
  type JsonObject,
  parseJson,
} from "../../util/json.ts";
import { present } from "../../util/present.ts";
import type { Reply, ReplyEvent, ToolCall } from "../reply.ts";
import {
  callsOf,
  duplicateCallIds,
  messagePart,
  rawAt,
  rawElements,
  runnableCalls,
} from "../response-items.ts";
import type { Echoed } from "./body.ts";
import { readServiceError } from "./fault.ts";
import {
  type End,
  ignoredRemark,
  objectIn,
  type Reduced,
  type ReplyReader,
  readUsage,
  type UsageNames,
} from "./read-reply.ts";
import { type ResponseEvent, readResponseEvent } from "./response-events.ts";
import { ResponseOutput } from "./response-output.ts";
import type { WireRecord } from "./stream-records.ts";
import { authority } from "./text-part.ts";

interface ResponseReplyDeps {
  /** Call ids that the history already holds. */
  readonly answered: ReadonlySet<string>;
  /** Maps a call to the tool it means, however its namespace is spelled. */
  resolve(call: ToolCall): ToolCall;
  /** What the response may repeat. */
  readonly sent: Echoed;
}

/** The text of the newest snapshot, and the key in it that holds the snapshot. */
interface Raw {
  readonly data: string;
  readonly key: "response" | undefined;
}

export class ResponseReply implements ReplyReader {
  readonly #answered: ReadonlySet<string>;
  readonly #resolve: (call: ToolCall) => ToolCall;
  readonly #sent: Echoed;
  readonly #output = new ResponseOutput();
  /** The newest snapshot; after the end, the final one. */
  #response: JsonObject = {};
  #raw: Raw = { data: "", key: undefined };
  #usage: Usage | undefined;
  readonly #kinds = new Set<string>();
  end: End | undefined;
  understood = 0;
  ignored = 0;
  torn = false;
  readonly awaitsUsage = false;

  constructor({ answered, resolve, sent }: ResponseReplyDeps) {
    this.#sent = sent;
    this.#answered = answered;
    this.#resolve = resolve;
  }

  get visible(): boolean {
    return this.#output.visible;
  }

  /** Requirements G6: an announced item counts as begun. */
  get began(): boolean {
    return this.visible || !this.#output.isEmpty;
  }

  get unfinished(): string | undefined {
    return asString(this.#response["status"]);
  }

  get vocabulary(): string {
    return [...this.#kinds].sort().join(", ");
  }

  accept(record: WireRecord): void {
    if (this.end !== undefined) return;
    const value = objectIn(record, this, { status: "cut" });
    if (value !== undefined) this.#act(readResponseEvent(value, record.name), record.data);
  }

  take(): ReplyEvent[] {
    return this.#output.take();
  }

  close(whole: boolean): void {
    // A document that is complete to its last brace but names no status. Requirements C3, E5: without a statement that
    // it is complete it is kept, and none of its calls runs.
    if (this.end === undefined && whole && this.#response["status"] === undefined && !this.#output.isEmpty) {
      this.#conclude(this.#response, this.#raw);
      this.end = { status: callsOf(this.#output.items()).length > 0 ? "incomplete" : "completed" };
    }
    // An interrupted text ends before half a character, a finished one in U+FFFD.
    if (this.end?.status === "completed") this.#output.close();
  }

  reduced(): Reduced {
    const items = this.#output.items();
    const ready = items.filter(({ view }) => view.kind === "call" && view.isReady);
    const refusal = this.#output.textOf("refusal");
    return present({
      id: asString(this.#response["id"]),
      model: asString(this.#response["model"]),
      text: this.#output.textOf("text"),
      refusal: refusal === "" ? undefined : refusal,
      items,
      calls: callsOf(items).map(this.#resolve),
      runnable:
        this.end?.status === "completed"
          ? runnableCalls(callsOf(ready), this.#answered).map(this.#resolve)
          : [],
      usage: this.#usage,
      cache: cacheOf(this.#response),
      milliseconds: durationOf(this.#response),
    });
  }

  remarks(): readonly string[] {
    return [
      ...ignoredRemark(this.ignored),
      ...echoRemarks(this.#response, this.#sent),
      ...timeRemarks(this.#response),
    ];
  }

  warnings(): readonly string[] {
    return duplicateCallIds(this.#output.items());
  }

  #act(event: ResponseEvent, data: string): void {
    if (event.kind === "ignored" && !event.known) this.ignored++;
    else {
      this.understood++;
      this.#kinds.add(event.kind);
    }
    switch (event.kind) {
      case "delta":
        this.#output.delta(event.at, event.family, event.delta, event.custom);
        return;
      case "text":
        if (event.name !== undefined) this.#output.name(event.at, event.name);
        this.#output.settle(event.at, event.family, event.text, authority.textDone, event.custom);
        return;
      case "part":
        this.#takePart(event);
        return;
      case "item":
        this.#output.item(event.item, rawAt(data, ["item"]) ?? "", event.index, event.done);
        return;
      case "search":
        this.#output.search(event.at, event.status);
        return;
      case "snapshot":
        this.#takeSnapshot(event, data);
        return;
      case "error":
        this.end = { status: "failed", error: readServiceError(event.error), named: false };
        return;
      case "ignored":
        return;
      default:
        event satisfies never;
    }
  }

  #takePart({ at, part, done, summary }: Extract<ResponseEvent, { kind: "part" }>): void {
    const level = done ? authority.partDone : authority.hint;
    const text = asString(part["text"]);
    if (part["type"] === "reasoning_text" || summary) {
      if (text !== undefined) this.#output.settle(at, summary ? "summary" : "raw", text, level);
      return;
    }
    const read = messagePart(part);
    if (read !== undefined) this.#output.settle(at, read.type, read.text, level);
  }

  #takeSnapshot({ response, key, named }: Extract<ResponseEvent, { kind: "snapshot" }>, data: string): void {
    this.#response = { ...this.#response, ...response };
    this.#usage = usageOf(response) ?? this.#usage;
    const status = endStatus(asString(response["status"]), named);
    this.#raw = { data, key };
    if (status === undefined) {
      this.#output.glimpse(asArray(response["output"]).filter(isObject));
      return;
    }
    this.#conclude(response, this.#raw);
    this.end = endOf(status, response);
  }

  #conclude(response: JsonObject, { data, key }: Raw): void {
    const output = asArray(response["output"]);
    if (output.length === 0) return;
    const raws = rawElements(rawAt(data, key === undefined ? ["output"] : [key, "output"]) ?? "");
    this.#output.conclude(
      output.flatMap((value, index) => (isObject(value) ? [{ value, raw: raws[index] ?? "" }] : [])),
    );
  }
}

const usageNames: UsageNames = {
  input: [["input_tokens"], ["prompt_tokens"]],
  cached: [
    ["input_tokens_details", "cached_tokens"],
    ["prompt_tokens_details", "cached_tokens"],
  ],
  cacheWrite: [["input_tokens_details", "cache_write_tokens"]],
  output: [["output_tokens"], ["completion_tokens"]],
  reasoning: [
    ["output_tokens_details", "reasoning_tokens"],
    ["completion_tokens_details", "reasoning_tokens"],
  ],
  total: [["total_tokens"]],
};

export const usageOf = (response: JsonObject): Usage | undefined => readUsage(response["usage"], usageNames);

/** Faults R1: the object's status takes precedence over the event's name. `undefined` unless it is an end. */
function endStatus(status: string | undefined, named: string | undefined): string | undefined {
  const final = status ?? named;
  if (final === undefined || final === "in_progress" || final === "queued" || final === "created")
    return undefined;
  if (final === "completed" || final === "incomplete" || final === "failed") return final;
  // An unknown status ends the reply only if the event itself is an end.
  return named === undefined || isEndName(named) ? final : undefined;
}

const isEndName = (named: string): boolean => !["created", "queued", "in_progress"].includes(named);

export function endOf(status: string, response: JsonObject): End {
  if (status === "completed") return { status };
  if (status === "incomplete") {
    return present({
      status: "incomplete" as const,
      reason: asString(asObject(response["incomplete_details"])?.["reason"]),
    });
  }
  const error = readServiceError(response["error"]);
  if (status === "failed") return { status, error, named: true };
  return { status: "failed", error, reason: status, named: true };
}

function cacheOf(response: JsonObject): Reply["cache"] {
  const options = asObject(response["prompt_cache_options"]);
  const ttl = asString(options?.["ttl"]);
  return ttl === undefined ? undefined : present({ mode: asString(options?.["mode"]), ttl });
}

/** Interface, "Response object": both are Unix seconds; completed_at is null unless completed or incomplete. */
function durationOf(response: JsonObject): number | undefined {
  const from = asCount(response["created_at"]);
  const to = asCount(response["completed_at"]);
  return from === undefined || to === undefined || to < from ? undefined : (to - from) * 1000;
}

/** Requirements C6: a completed response has a completion time. */
function timeRemarks({ status, completed_at: at }: JsonObject): string[] {
  const isOver = status === "completed" || status === "incomplete";
  return isOver && at === null ? [`completed_at is null although the response is ${status}`] : [];
}

/** Interface, "Response object": an "Echo of" both. Not authoritative; a difference is logged. */
function echoRemarks({ instructions, tools }: JsonObject, sent: Echoed): string[] {
  const remarks: string[] = [];
  if (typeof instructions === "string" && instructions !== (sent.instructions ?? ""))
    remarks.push("the echoed instructions are not those that were sent");
  if (Array.isArray(tools) && !isDeepStrictEqual(tools, (sent.tools ?? []).map(parseJson)))
    remarks.push("the echoed tools are not those that were sent");
  return remarks;
}
