// Assembles the tool calls of a chat reply from their pieces. An index may be missing, reused or interleaved, a call
// may arrive as a whole, or its name after the arguments (wire §7).
import { asCount, asObject, asString, isObject, type JsonObject, writeJson } from "../../util/json.ts";
import type { ReplyEvent, ToolCall } from "../reply.ts";
import { limitPieces } from "./stream-records.ts";
import { TextPart } from "./text-part.ts";

interface LiveCall {
  readonly key: string;
  readonly index: number | undefined;
  id: string;
  name: string;
  announced: boolean;
  /** Its arguments are not a string. */
  isOdd: boolean;
  readonly input: TextPart;
}

const toolCall = ({ key, id, name, input }: LiveCall): ToolCall => ({
  item: key,
  callId: id,
  name,
  kind: "function",
  input: input.text,
});

export class ChatCalls {
  readonly #calls: LiveCall[] = [];
  readonly #newestAt = new Map<number, LiveCall>();
  readonly #firstById = new Map<string, LiveCall>();
  #events: ReplyEvent[] = [];

  get any(): boolean {
    return this.#calls.length > 0;
  }

  add(piece: JsonObject): void {
    const id = asString(piece["id"]) ?? "";
    const call = this.#find(asCount(piece["index"]), id);
    if (call.id === "") call.id = id;
    if (call.id !== "" && !this.#firstById.has(call.id)) this.#firstById.set(call.id, call);
    const details = asObject(piece["function"]) ?? asObject(piece["custom"]) ?? {};
    const name = asString(details["name"]) ?? "";
    if (call.name === "") call.name = name;
    const given = details["arguments"];
    // Interface: arguments are a string; anything else is shown as it is, and the call does not run.
    if (isObject(given) || Array.isArray(given)) call.isOdd = true;
    const text = call.isOdd ? writeJson(given) : (asString(given) ?? asString(details["input"]) ?? "");
    this.#tell(call, call.input.append(text));
  }

  take(): ReplyEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** In the order of their indexes if each has one, otherwise in the order of arrival. */
  all(): ToolCall[] {
    return this.#ordered().map(toolCall);
  }

  /** The calls whose arguments are strings, as required. */
  wellFormed(): ToolCall[] {
    return this.#ordered().flatMap((call) => (call.isOdd ? [] : [toolCall(call)]));
  }

  /** One id is one call, however often it occurs. */
  #ordered(): readonly LiveCall[] {
    const seen = new Set<string>();
    return this.#sorted().filter(({ id }) => {
      if (seen.has(id)) return false;
      if (id !== "") seen.add(id);
      return true;
    });
  }

  #sorted(): readonly LiveCall[] {
    if (this.#calls.some(({ index }) => index === undefined)) return this.#calls;
    return this.#calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
  }

  /** Another id at a known index is another call: some servers give every call the index 0. */
  #find(index: number | undefined, id: string): LiveCall {
    const isAt = (call: LiveCall) => index === undefined || call.index === undefined || index === call.index;
    const same = (call: LiveCall) => id === "" || call.id === "" || call.id === id;
    const placed = index === undefined ? undefined : this.#newestAt.get(index);
    const named = this.#firstById.get(id);
    const known =
      (placed !== undefined && same(placed) ? placed : undefined) ??
      (named !== undefined && isAt(named) ? named : undefined) ??
      (index === undefined && id === "" ? this.#calls.at(-1) : undefined);
    if (known !== undefined) return known;
    limitPieces(this.#calls.length + 1);
    const call: LiveCall = {
      key: `call-${this.#calls.length}`,
      index,
      id,
      name: "",
      announced: false,
      isOdd: false,
      input: new TextPart(),
    };
    this.#calls.push(call);
    if (index !== undefined) this.#newestAt.set(index, call);
    return call;
  }

  #tell(call: LiveCall, delta: string): void {
    if (call.announced) {
      if (delta !== "") this.#events.push({ type: "call-input", item: call.key, delta });
      return;
    }
    if (call.name === "") return;
    call.announced = true;
    this.#events.push({ type: "call", item: call.key, name: call.name });
    const sofar = call.input.text;
    if (sofar !== "") this.#events.push({ type: "call-input", item: call.key, delta: sofar });
  }
}
