// Chat completion chunks, or a whole completion → one reply. The interface shows `choices[0].delta.content` and
// `choices[0].message.content`; everything else is read where it is there. Knows no transport.
import type { Usage } from "../conversation/usage.ts";
import { asArray, asCount, asObject, asString, isObject, type JsonObject, parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";
import { ChatCalls } from "./chat-calls.ts";
import type { WireRecord } from "./record-reader.ts";
import type { ReplyEvent } from "./reply.ts";
import {
  type End,
  ignoredRemark,
  objectIn,
  type Reduced,
  type ReplyReader,
  readUsage,
  type UsageNames,
} from "./reply-reader.ts";
import { textsOf } from "./response-items.ts";
import { readServiceError } from "./service-error.ts";
import { authority, type Correction, TextPart } from "./text-part.ts";
import { runnableCalls } from "./tool-calls.ts";
import { cutFinishes, endMarker, reasoningKeys } from "./undocumented-names.ts";

const usageNames: UsageNames = {
  input: [["prompt_tokens"], ["input_tokens"]],
  cached: [["prompt_tokens_details", "cached_tokens"], ["cached_tokens"]],
  cacheWrite: [["prompt_tokens_details", "cache_write_tokens"]],
  output: [["completion_tokens"], ["output_tokens"]],
  reasoning: [["completion_tokens_details", "reasoning_tokens"]],
  total: [["total_tokens"]],
};

type Family = "text" | "refusal" | "raw";

export class ChatReply implements ReplyReader {
  readonly #texts: Readonly<Record<Family, TextPart>> = {
    text: new TextPart(),
    refusal: new TextPart(),
    raw: new TextPart(),
  };
  readonly #calls = new ChatCalls();
  #events: ReplyEvent[] = [];
  #id: string | undefined;
  #model: string | undefined;
  #finish: string | undefined;
  #usage: Usage | undefined;
  /** Told with the end or after it; what came before was counted on the way. */
  #isUsageFinal = false;
  #marked = false;
  #hasMessage = false;
  end: End | undefined;
  visible = false;
  understood = 0;
  ignored = 0;
  torn = false;
  readonly unfinished = undefined;
  readonly vocabulary = "chunks";

  get began(): boolean {
    return this.visible;
  }

  /** Faults R2: after the end record the usage chunk gets a moment, nothing else counts. */
  get awaitsUsage(): boolean {
    return this.#finish !== undefined && !this.#isUsageFinal && !this.#marked;
  }

  accept(record: WireRecord): void {
    if (this.#marked || this.end?.status === "failed") return;
    this.#marked = record.data === endMarker;
    if (this.end !== undefined) {
      const value = this.#isUsageFinal ? undefined : parseJson(record.data);
      if (isObject(value)) this.#takeUsage(value, firstChoice(value));
      return;
    }
    const chunk = objectIn(record, this, { status: "completed" });
    if (chunk !== undefined) this.#takeChunk(chunk, record.name === "error");
  }

  take(): ReplyEvent[] {
    const events = [...this.#events, ...this.#calls.take()];
    this.#events = [];
    return events;
  }

  close(whole: boolean): void {
    // One document that is there to its last brace and names no finish_reason.
    if (this.end === undefined && whole && this.#hasMessage) this.end = { status: "completed" };
    if (this.end?.status !== "completed") return;
    for (const family of ["text", "refusal", "raw"] as const) {
      this.#show(family, { type: "more", delta: this.#texts[family].close() });
    }
  }

  reduced(): Reduced {
    const completed = this.end?.status === "completed";
    // Nothing tells where a call ends but the end of the reply.
    const calls = completed ? this.#calls.all() : [];
    const refusal = this.#texts.refusal.text;
    return present({
      id: this.#id,
      model: this.#model,
      text: this.#texts.text.text,
      refusal: refusal === "" ? undefined : refusal,
      items: [],
      calls,
      runnable: runnableCalls(completed ? this.#calls.wellFormed() : [], new Set()),
      usage: this.#usage,
      finish: this.#finish,
    });
  }

  remarks(): readonly string[] {
    return ignoredRemark(this.ignored);
  }

  warnings(): readonly string[] {
    return [];
  }

  #takeChunk(chunk: JsonObject, isNamedError: boolean): void {
    const error = chunk["error"] ?? firstChoice(chunk)?.["error"];
    if (isObject(error) || (typeof error === "string" && error !== "") || isBareError(chunk, isNamedError)) {
      this.end = { status: "failed", error: readServiceError(error ?? chunk), named: false };
      return;
    }
    if (!("choices" in chunk) && !isObject(chunk["usage"])) {
      this.ignored++;
      return;
    }
    this.understood++;
    this.#id ??= asString(chunk["id"]);
    this.#model ??= asString(chunk["model"]);
    const choice = firstChoice(chunk);
    this.#takeUsage(chunk, choice);
    if (choice === undefined) return;
    const delta = asObject(choice["delta"]);
    const message = asObject(choice["message"]);
    if (delta !== undefined) this.#takeDelta(delta);
    else if (message !== undefined) this.#takeMessage(message);
    this.#takeFinish(asString(choice["finish_reason"]));
  }

  #takeDelta(delta: JsonObject): void {
    this.#append("raw", firstString(delta, reasoningKeys));
    const { content } = delta;
    this.#append("text", Array.isArray(content) ? textsOf(content).join("") : asString(content));
    this.#append("refusal", asString(delta["refusal"]));
    this.#takeCalls(delta);
  }

  #takeMessage(message: JsonObject): void {
    this.#hasMessage = true;
    this.#settle("raw", firstString(message, reasoningKeys));
    const content = message["content"];
    this.#settle("text", Array.isArray(content) ? textsOf(content).join("") : asString(content));
    this.#settle("refusal", asString(message["refusal"]));
    this.#takeCalls(message);
  }

  #takeCalls(message: JsonObject): void {
    for (const call of asArray(message["tool_calls"])) if (isObject(call)) this.#calls.add(call);
    const alone = message["function_call"];
    // The form of old has no id to answer under: it is shown, and does not run.
    if (isObject(alone)) this.#calls.add({ index: 0, function: alone });
    this.visible ||= this.#calls.any;
  }

  /** A chat reply ends by a finish_reason; an unknown one is kept verbatim and ends it too. */
  #takeFinish(finish: string | undefined): void {
    if (finish === undefined || finish === "") return;
    this.#finish = finish;
    if (finish === "error") {
      // Gateways end a reply so that they could not finish.
      this.end = { status: "failed", error: { message: "", code: finish }, named: false };
      return;
    }
    this.end = cutFinishes.has(finish) ? { status: "incomplete", reason: finish } : { status: "completed" };
  }

  #takeUsage(chunk: JsonObject, choice: JsonObject | undefined): void {
    const message = asObject(choice?.["delta"]) ?? asObject(choice?.["message"]);
    const usage = asObject(chunk["usage"]) ?? asObject(choice?.["usage"]) ?? message?.["usage"];
    const read = readUsage(usage, usageNames);
    if (read === undefined) return;
    this.#usage = read;
    const finish = asString(choice?.["finish_reason"]) ?? "";
    this.#isUsageFinal = this.end !== undefined || finish !== "";
  }

  #append(family: Family, delta: string | undefined): void {
    if (delta !== undefined) this.#show(family, { type: "more", delta: this.#texts[family].append(delta) });
  }

  #settle(family: Family, text: string | undefined): void {
    if (text !== undefined) this.#show(family, this.#texts[family].settle(text, authority.item));
  }

  #show(family: Family, correction: Correction | undefined): void {
    if (correction === undefined || (correction.type === "more" && correction.delta === "")) return;
    this.visible = true;
    const part = `choice/${family}`;
    if (correction.type === "replace") this.#events.push({ type: "replace", part, text: correction.text });
    else if (family === "raw") {
      this.#events.push({ type: "reasoning", part, delta: correction.delta, form: "raw" });
    } else this.#events.push({ type: family, part, delta: correction.delta });
  }
}

/** Other choices were not asked for. */
function firstChoice({ choices }: JsonObject): JsonObject | undefined {
  for (const choice of asArray(choices)) {
    if (isObject(choice) && (asCount(choice["index"]) ?? 0) === 0) return choice;
  }
  return undefined;
}

const isBareError = (chunk: JsonObject, isNamed: boolean): boolean =>
  chunk["object"] === "error" ||
  (!("choices" in chunk) && !("object" in chunk) && (isNamed || typeof chunk["message"] === "string"));

function firstString(from: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = from[key];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
