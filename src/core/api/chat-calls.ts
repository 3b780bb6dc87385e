// Tool calls of a chat reply, put together from their pieces. An index may be missing, reused or interleaved, the
// whole call may come at once, the name after the arguments (wire §7).
import { asCount, asObject, asString, type JsonObject } from "../util/json.ts";
import type { ReplyEvent, ToolCall } from "./reply.ts";
import { TextPart } from "./text-part.ts";

interface LiveCall {
  readonly key: string;
  readonly index: number | undefined;
  id: string;
  name: string;
  announced: boolean;
  readonly input: TextPart;
}

export class ChatCalls {
  readonly #calls: LiveCall[] = [];
  #events: ReplyEvent[] = [];

  get any(): boolean {
    return this.#calls.length > 0;
  }

  add(piece: JsonObject): void {
    const id = asString(piece["id"]) ?? "";
    const call = this.#find(asCount(piece["index"]), id);
    if (call.id === "") call.id = id;
    const details = asObject(piece["function"]) ?? asObject(piece["custom"]) ?? {};
    const name = asString(details["name"]) ?? "";
    if (call.name === "") call.name = name;
    const delta = call.input.append(asString(details["arguments"]) ?? asString(details["input"]) ?? "");
    this.#tell(call, delta);
  }

  take(): ReplyEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  all(): ToolCall[] {
    return this.#calls.map(({ key, id, name, input }) => ({
      item: key,
      callId: id,
      name,
      kind: "function",
      input: input.text,
    }));
  }

  /** Another id at a known index is another call: some servers give every call the index 0. */
  #find(index: number | undefined, id: string): LiveCall {
    const same = (call: LiveCall) => id === "" || call.id === "" || call.id === id;
    const known =
      this.#calls.findLast((call) => index !== undefined && call.index === index && same(call)) ??
      this.#calls.find((call) => id !== "" && call.id === id) ??
      (index === undefined && id === "" ? this.#calls.at(-1) : undefined);
    if (known !== undefined) return known;
    const call: LiveCall = {
      key: `call-${this.#calls.length}`,
      index,
      id,
      name: "",
      announced: false,
      input: new TextPart(),
    };
    this.#calls.push(call);
    return call;
  }

  #tell(call: LiveCall, delta: string): void {
    if (call.announced) {
      if (delta !== "") this.#events.push({ type: "call-input", item: call.key, delta });
      return;
    }
    if (call.name === "") return;
    call.announced = true;
    const event = { type: "call" as const, item: call.key, name: call.name, kind: "function" as const };
    this.#events.push(call.id === "" ? event : { ...event, callId: call.id });
    const sofar = call.input.text;
    if (sofar !== "") this.#events.push({ type: "call-input", item: call.key, delta: sofar });
  }
}
