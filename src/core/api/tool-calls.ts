// Which calls of a reply may run, what their input means, and the item that answers one. Strict on purpose: a call
// that is not wholly there is never guessed at. Knows no tools; whether a name is known is asked elsewhere.
import type { CleanText } from "../conversation/content.ts";
import { isObject, type JsonObject, parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";
import { wellFormed } from "../util/well-formed.ts";
import type { OutputItem, ToolCall } from "./reply.ts";
import { viewItem } from "./response-items.ts";

/** The calls among whole items, in order. One call_id is one call, however often it comes. */
export function callsOf(items: readonly OutputItem[]): ToolCall[] {
  const seen = new Set<string>();
  return items.flatMap(({ view }) => {
    if (view.kind !== "call" || seen.has(view.callId)) return [];
    if (view.callId !== "") seen.add(view.callId);
    const { id: item, callId, name, namespace, call: kind, input } = view;
    return [present({ item, callId, name, namespace, kind, input })];
  });
}

/** Requirements E8: one that comes again is a mistake of the service that costs nobody anything, and is said. */
export function twiceCalled(items: readonly OutputItem[]): string[] {
  const ids = items.flatMap(({ view }) => (view.kind === "call" && view.callId !== "" ? [view.callId] : []));
  const seen = new Set<string>();
  const again = ids.filter((id) => seen.size === seen.add(id).size);
  return [...new Set(again)].map((id) => `the call ${id} came twice in one reply; it counts once`);
}

/**
 * What makes a call this one. Its call id alone does not: some models start counting over with each reply. An item that comes
 * again with its own id, or word for word where items have none, is a replay.
 */
export const identityOf = ({ callId, item, input }: Pick<ToolCall, "callId" | "item" | "input">): string =>
  JSON.stringify(item === "" ? [callId, "", input] : [callId, item]);

/** The calls of a history; most items are none, and their JSON need not be read to know that. */
export function callsIn(items: readonly string[]): ReadonlySet<string> {
  const found = items.flatMap((raw) => {
    const item = raw.includes('"call_id"') ? parseJson(raw) : undefined;
    const view = isObject(item) ? viewItem(item, raw) : undefined;
    return view?.kind === "call" ? [identityOf({ ...view, item: view.id })] : [];
  });
  return new Set(found);
}

/**
 * Faults R3, requirements E5 and E8. The caller has made sure that the reply completed and that each item did.
 * `answered` are the calls that the history already holds.
 */
export function runnableCalls(calls: readonly ToolCall[], answered: ReadonlySet<string>): ToolCall[] {
  const seen = new Set<string>();
  return calls.filter((call) => {
    if (call.callId === "" || call.name === "" || seen.has(call.callId)) return false;
    if (answered.has(identityOf(call))) return false;
    seen.add(call.callId);
    return call.kind === "custom" ? call.input.trim() !== "" : readArguments(call.input) !== undefined;
  });
}

/** `undefined` when they are not a JSON object; no arguments at all are an empty one. */
export function readArguments(input: string): JsonObject | undefined {
  if (input.trim() === "") return {};
  const value = parseJson(input);
  return isObject(value) ? withoutPrototypeKeys(value) : undefined;
}

/** `__proto__` from the wire is an own key here, and would become a prototype wherever it is copied. */
export function withoutPrototypeKeys(value: JsonObject): JsonObject {
  if (!Object.hasOwn(value, "__proto__")) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "__proto__"));
}

/**
 * A model may call apply_patch as a function although it was offered as a custom tool (wire §9.3), and a custom call
 * may hold JSON all the same: a patch begins with no brace.
 */
export function patchText(call: ToolCall): string | undefined {
  const given = readArguments(call.input);
  for (const key of ["input", "patch"]) {
    const text = given?.[key];
    if (typeof text === "string") return text;
  }
  return call.kind === "custom" ? call.input : undefined;
}

/** What a tool hands over, as text: whoever wrote it may hand over data all the same. */
export const outputText = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output) ?? "");

/**
 * Interface, "Input items": `call_id` must equal the call's, `output` is a string. The content is never empty,
 * and never half a surrogate pair.
 */
export function callOutput(call: ToolCall, output: CleanText): string {
  const type = call.kind === "custom" ? "custom_tool_call_output" : "function_call_output";
  return JSON.stringify({
    type,
    call_id: call.callId,
    output: output.trim() === "" ? "The tool returned nothing." : wellFormed(output),
  });
}
