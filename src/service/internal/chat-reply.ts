// Assembles one reply from chat completion chunks, or from a whole completion. The interface shows
// `choices[0].delta.content` and `choices[0].message.content`; everything else is read if present. Independent of the
// transport.
import type { Usage } from "../../conversation/state.ts";
import {
  asArray,
  asCount,
  asObject,
  asString,
  isObject,
  type JsonObject,
  parseJson,
  writeJson,
} from "../../util/json.ts";
import { present } from "../../util/present.ts";
import type { ReplyEvent, ToolCall } from "../reply.ts";
import { cutFinishes, endMarker, reasoningKeys } from "../request.ts";
import { runnableCalls, textsOf } from "../response-items.ts";
import { readServiceError } from "./fault.ts";
import { ChatRepairs } from "./gateway-repairs.ts";
import { type Marked, MarkedText } from "./marked-text.ts";
import {
  type End,
  ignoredRemark,
  objectIn,
  type Reduced,
  type ReplyReader,
  readUsage,
  type UsageNames,
} from "./read-reply.ts";
import { type LiveItem, type LivePart, ReplyOutput } from "./reply-output.ts";
import type { WireRecord } from "./stream-records.ts";
import { authority } from "./text-part.ts";

const usageNames: UsageNames = {
  input: [["prompt_tokens"], ["input_tokens"]],
  cached: [["prompt_tokens_details", "cached_tokens"], ["cached_tokens"]],
  cacheWrite: [["prompt_tokens_details", "cache_write_tokens"]],
  output: [["completion_tokens"], ["output_tokens"]],
  reasoning: [["completion_tokens_details", "reasoning_tokens"]],
  total: [["total_tokens"]],
};

type Family = "text" | "refusal" | "raw";

/** A chat reply has no output items: its choice is taken as a message, reasoning before it, and calls after it. */
const choice = { id: undefined, index: undefined } as const;

export class ChatReply implements ReplyReader {
  readonly #output = new ReplyOutput();
  readonly #repairs = new ChatRepairs(this.#output);
  readonly #marks = new MarkedText();
  #message: LiveItem | undefined;
  #reasoning: LiveItem | undefined;
  /** Calls whose arguments are not a string. */
  readonly #odd = new Set<LiveItem>();
  /** Calls that a server left in the text: a file that was quoted looks the same. */
  readonly #words = new Set<LiveItem>();
  #id: string | undefined;
  #model: string | undefined;
  #finish: string | undefined;
  #usage: Usage | undefined;
  /** Reported with the end or after it; earlier figures were counts in progress. */
  #isUsageFinal = false;
  #marked = false;
  #hasMessage = false;
  end: End | undefined;
  understood = 0;
  ignored = 0;
  torn = false;
  readonly unfinished = undefined;
  readonly vocabulary = "chunks";

  /** Some services report a failure first and its reason afterwards. */
  get #isFailureTold(): boolean {
    return this.end?.status === "failed" && this.end.error.message !== "";
  }

  get visible(): boolean {
    return this.#output.visible || this.#repairs.any;
  }

  get began(): boolean {
    return this.visible;
  }

  /** Faults R2: after the end record there is a short wait for the usage chunk; nothing else counts. */
  get awaitsUsage(): boolean {
    if (this.#marked || this.#isFailureTold) return false;
    return this.end?.status === "failed" || (this.#finish !== undefined && !this.#isUsageFinal);
  }

  accept(record: WireRecord): void {
    if (this.#marked || this.#isFailureTold) return;
    this.#marked = record.data === endMarker;
    if (this.end !== undefined) {
      const value = parseJson(record.data);
      if (!isObject(value)) return;
      if (this.#takeError(value, record.name === "error")) return;
      if (!this.#isUsageFinal) this.#takeUsage(value, firstChoice(value));
      return;
    }
    const chunk = objectIn(record, this, { status: "completed" });
    if (chunk !== undefined) this.#takeChunk(chunk, record.name === "error");
  }

  take(): ReplyEvent[] {
    return this.#output.take();
  }

  close(whole: boolean): void {
    // A document that is complete to its last brace but names no finish_reason.
    if (this.end === undefined && whole && this.#hasMessage) this.end = { status: "completed" };
    this.#takeMarked(this.#marks.end());
    if (this.end?.status === "completed") this.#output.close();
  }

  reduced(): Reduced {
    const completed = this.end?.status === "completed";
    // Only the end of the reply tells where a call ends.
    const calls = completed ? this.#repairs.calls() : [];
    const refusal = this.#output.textOf("refusal");
    return present({
      id: this.#id,
      model: this.#model,
      text: this.#output.textOf("text"),
      refusal: refusal === "" ? undefined : refusal,
      items: [],
      calls: calls.map((call) => ({ ...toolCall(call), ...(this.#words.has(call) && { isWords: true }) })),
      // Interface: arguments are a string; anything else is shown as it is, and the call does not run.
      runnable: runnableCalls(calls.filter((call) => this.#canRun(call)).map(toolCall), new Set()),
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
    if (this.#takeError(chunk, isNamedError)) return;
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
    const native = asString(choice["native_finish_reason"]) ?? "";
    // A gateway may report a stop although its own field says that it was an error.
    this.#takeFinish(/(?:^|_)error$/.test(native) ? native : asString(choice["finish_reason"]));
  }

  #takeError(chunk: JsonObject, isNamed: boolean): boolean {
    const error = chunk["error"] ?? firstChoice(chunk)?.["error"];
    const isTold = isObject(error) || (typeof error === "string" && error !== "");
    if (!isTold && !isBareError(chunk, isNamed)) return false;
    this.end = { status: "failed", error: readServiceError(error ?? chunk), named: false };
    this.#takeUsage(chunk, firstChoice(chunk));
    return true;
  }

  #takeDelta(delta: JsonObject): void {
    const { content } = delta;
    this.#append("raw", firstString(delta, reasoningKeys) ?? thoughtsOf(content));
    const text = Array.isArray(content) ? textsOf(content).join("") : asString(content);
    if (text !== undefined) this.#takeMarked(this.#marks.push(text));
    this.#append("refusal", asString(delta["refusal"]));
    this.#takeCalls(delta);
  }

  #takeMessage(message: JsonObject): void {
    this.#hasMessage = true;
    const content = message["content"];
    this.#settle("raw", firstString(message, reasoningKeys) ?? thoughtsOf(content));
    const text = Array.isArray(content) ? textsOf(content).join("") : asString(content);
    this.#settleMarked(text);
    this.#settle("refusal", asString(message["refusal"]));
    this.#takeCalls(message);
  }

  #canRun(call: LiveItem): boolean {
    return !this.#odd.has(call) && !this.#words.has(call);
  }

  #takeCalls(message: JsonObject): void {
    for (const call of asArray(message["tool_calls"])) if (isObject(call)) this.#takeCall(call);
    const alone = message["function_call"];
    // The legacy form has no id to answer under: it is shown, and does not run.
    if (isObject(alone)) this.#takeCall({ index: 0, function: alone });
  }

  /** A call may arrive in pieces or as a whole, and its name after its arguments. */
  #takeCall(piece: JsonObject, isWords = false): void {
    const id = asString(piece["id"]) ?? "";
    const call = this.#repairs.callAt(asCount(piece["index"]), id);
    if (isWords) this.#words.add(call);
    const details = asObject(piece["function"]) ?? asObject(piece["custom"]) ?? {};
    const given = details["arguments"];
    if (isObject(given) || Array.isArray(given)) this.#odd.add(call);
    const text = this.#odd.has(call)
      ? writeJson(given)
      : (asString(given) ?? asString(details["input"]) ?? "");
    this.#output.append(this.#output.part(call, "input", 0), text);
    this.#output.call(call, asString(details["name"]) ?? "", id);
  }

  /** A chat reply ends with a finish_reason; an unknown one is kept verbatim and ends it too. */
  #takeFinish(finish: string | undefined): void {
    if (finish === undefined || finish === "") return;
    this.#finish = finish;
    if (/(?:^|_)error$/.test(finish)) {
      // Gateways use these values for replies that they could not finish.
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
    if (delta !== undefined) this.#output.append(this.#part(family), delta);
  }

  #takeMarked({ text, thought, calls }: Marked): void {
    if (thought !== "") this.#append("raw", thought);
    if (text !== "") this.#append("text", text);
    for (const call of calls) this.#takeCall(call, true);
  }

  #settleMarked(text: string | undefined): void {
    if (text === undefined) return;
    const marks = new MarkedText();
    const { text: begun, thought, calls } = marks.push(text);
    const rest = marks.end();
    if (thought !== "" || rest.thought !== "") this.#settle("raw", thought + rest.thought);
    this.#settle("text", begun + rest.text);
    for (const call of [...calls, ...rest.calls]) this.#takeCall(call, true);
  }

  #settle(family: Family, text: string | undefined): void {
    if (text !== undefined) this.#output.settle(this.#part(family), text, authority.item);
  }

  #part(family: Family): LivePart {
    if (family === "raw") {
      this.#reasoning ??= this.#output.open({ ...choice, key: "reasoning", kind: "reasoning" });
      return this.#output.part(this.#reasoning, family, 0);
    }
    this.#message ??= this.#output.open({ ...choice, key: "message", kind: "message" });
    return this.#output.part(this.#message, family, 0);
  }
}

const toolCall = ({ key, call: { callId, name }, parts }: LiveItem): ToolCall => ({
  item: key,
  callId,
  name,
  kind: "function",
  input: parts.get("input")?.text.text ?? "",
});

/** `{type: "thinking", thinking: [{type: "text", text}]}` between the parts of a text. */
function thoughtsOf(content: unknown): string | undefined {
  const thoughts = asArray(content).flatMap((part) => textsOf(asObject(part)?.["thinking"]));
  return thoughts.length === 0 ? undefined : thoughts.join("");
}

/** Other choices were not requested. */
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
    const held = from[key];
    const text = isObject(held) ? held["text"] : held;
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}
