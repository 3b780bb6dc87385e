// A Responses reply, from its stream or as a whole response (interface, "Response object", "Output items", "Events"). A
// stream sends snapshots of the response, the first of them in progress, and between them its output items as they
// grow; the final snapshot counts most, then a complete item, then a complete text, then deltas. Every name is optional,
// and the first end counts. The events are read in response-events.ts, repaired in gateway-repairs.ts, and what they
// say is put together in reply-output.ts. Independent of the transport.
import { isDeepStrictEqual } from "node:util";
import type { Usage } from "../../conversation/state.ts";
import { asArray, asCount, asObject, asString, type JsonObject, parseJson } from "../../util/json.ts";
import { present } from "../../util/present.ts";
import type { Reply, ReplyEvent, ToolCall } from "../reply.ts";
import { customCallTypes } from "../request.ts";
import {
  callInput,
  callsOf,
  duplicateCallIds,
  itemType,
  messageParts,
  rawAt,
  runnableCalls,
  searchAction,
  textsOf,
  viewItem,
} from "../response-items.ts";
import type { Echoed } from "./body.ts";
import { readServiceError } from "./fault.ts";
import { type PlacedEvent, type PlacedItem, ResponseRepairs } from "./gateway-repairs.ts";
import {
  type End,
  ignoredRemark,
  objectIn,
  type Reduced,
  type ReplyReader,
  readUsage,
  type UsageNames,
} from "./read-reply.ts";
import { type LiveItem, ReplyOutput, type TextFamily } from "./reply-output.ts";
import { readResponseEvent } from "./response-events.ts";
import type { WireRecord } from "./stream-records.ts";
import { type Authority, authority } from "./text-part.ts";

interface ResponseReplyDeps {
  /** Call ids that the history already holds. */
  readonly answered: ReadonlySet<string>;
  /** Maps a call to the tool it means, however its namespace is spelled. */
  resolve(call: ToolCall): ToolCall;
  /** What the response may repeat. */
  readonly sent: Echoed;
}

/** The record that holds the newest snapshot, and the key in it that the snapshot has. */
interface Raw {
  readonly data: string;
  readonly key: "response" | undefined;
}

export class ResponseReply implements ReplyReader {
  readonly #answered: ReadonlySet<string>;
  readonly #resolve: (call: ToolCall) => ToolCall;
  readonly #sent: Echoed;
  readonly #output = new ReplyOutput();
  readonly #repairs = new ResponseRepairs(this.#output);
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
    return this.visible || this.#output.items.length > 0;
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
    if (value === undefined) return;
    const event = readResponseEvent(value, record.name);
    if (event.kind === "ignored" && !event.known) this.ignored++;
    else {
      this.understood++;
      this.#kinds.add(event.kind);
    }
    this.#take(this.#repairs.place(event, record.data), record.data);
  }

  take(): ReplyEvent[] {
    return this.#output.take();
  }

  #take(event: PlacedEvent, data: string): void {
    switch (event.kind) {
      case "delta":
        this.#output.append(event.part, event.delta);
        return;
      case "text": {
        const { named, part, text, level } = event;
        if (named !== undefined) this.#output.call(named.item, named.name, "");
        this.#output.settle(part, text, level);
        return;
      }
      case "item":
        if (event.done) this.#finishItem(event, authority.item);
        else this.#takeItem(event, authority.hint);
        return;
      case "search":
        this.#output.search(event.item, { status: event.status });
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

  #takeSnapshot({ response, key, named }: Extract<PlacedEvent, { kind: "snapshot" }>, data: string): void {
    this.#response = { ...this.#response, ...response };
    this.#raw = { data, key };
    this.#usage = usageOf(response) ?? this.#usage;
    const status = endStatus(asString(response["status"]), named);
    if (status === undefined) {
      // For display, until a source comes that counts more.
      for (const placed of this.#repairs.interim(response["output"])) this.#takeItem(placed, authority.hint);
      return;
    }
    this.#takeFinal(response);
    this.end = endOf(status, response);
  }

  #takeFinal({ output }: JsonObject): void {
    const { data, key } = this.#raw;
    const json = rawAt(data, key === undefined ? ["output"] : [key, "output"]) ?? "";
    const items = new Set<LiveItem>();
    for (const placed of this.#repairs.final(output, json)) {
      items.add(placed.item);
      this.#finishItem(placed, authority.snapshot);
    }
    if (asArray(output).length > 0) this.#output.keep(items);
  }

  #finishItem(placed: PlacedItem, level: Authority): void {
    this.#takeItem(placed, level);
    this.#output.finish(placed.item, placed.value, placed.raw);
  }

  /** What an output item contains, by its type. */
  #takeItem({ item, value }: PlacedItem, level: Authority): void {
    switch (item.kind) {
      case "message":
        this.#takeMessage(item, value, level);
        return;
      case "reasoning":
        this.#takeTexts(item, "summary", textsOf(value["summary"]), level);
        this.#takeTexts(item, "raw", textsOf(value["content"]), level);
        return;
      case "call": {
        const view = viewItem(value, "");
        if (view.kind === "call") this.#output.call(item, view.name, view.callId);
        const input = callInput(value, customCallTypes.has(itemType(value)));
        if (input !== undefined) this.#output.settle(this.#output.part(item, "input", 0), input, level);
        return;
      }
      case "search": {
        const { query, sources, images } = searchAction(value);
        this.#output.search(item, { status: asString(value["status"]), query }, sources, images);
        return;
      }
      case "other":
        return;
      default:
        item.kind satisfies never;
    }
  }

  #takeTexts(item: LiveItem, family: TextFamily, texts: readonly string[], level: Authority): void {
    for (const [index, text] of texts.entries())
      this.#output.settle(this.#output.part(item, family, index), text, level);
  }

  #takeMessage(item: LiveItem, value: JsonObject, level: Authority): void {
    const parts = messageParts(value);
    // Only strings count: for an item without any, the deltas remain.
    if (parts.length === 0) return;
    for (const [index, { type, text }] of parts.entries())
      this.#output.settle(this.#output.part(item, type, index), text, level);
    if (level < authority.item) return;
    this.#output.blank(item, ({ index, family }) => parts[index]?.type !== family);
    for (const [index, { type, citations }] of parts.entries())
      if (type === "text") this.#output.cite(this.#output.part(item, "text", index), citations);
  }

  close(whole: boolean): void {
    // A document that is complete to its last brace but names no status. Requirements C3, E5: without a statement that
    // it is complete it is kept, and none of its calls runs.
    const isUnnamed = this.#response["status"] === undefined && this.#output.items.length > 0;
    if (this.end === undefined && whole && isUnnamed) {
      this.#takeFinal(this.#response);
      this.end = { status: callsOf(this.#output.complete()).length > 0 ? "incomplete" : "completed" };
    }
    // An interrupted text ends before half a character, a finished one in U+FFFD.
    if (this.end?.status === "completed") this.#output.close();
  }

  reduced(): Reduced {
    const items = this.#output.complete();
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
    return duplicateCallIds(this.#output.complete());
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

const usageOf = (response: JsonObject): Usage | undefined => readUsage(response["usage"], usageNames);

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

function endOf(status: string, response: JsonObject): End {
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
