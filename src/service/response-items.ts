// Output items of a reply: what one contains, which calls of a reply may run, and changes of their raw JSON. Every
// field may be missing; an item's raw bytes are kept elsewhere and never rebuilt from this view (interface, "Output
// items").

import type { CleanText } from "../conversation/events.ts";
import {
  asArray,
  asCount,
  asObject,
  asString,
  isObject,
  type JsonObject,
  parseJson,
  skipBlank,
  skipString,
  writeJson,
} from "../util/json.ts";
import { parsedUrl } from "../util/parsed-url.ts";
import { present } from "../util/present.ts";
import { forModel } from "../util/sentences.ts";
import { wellFormed } from "../util/text.ts";
import type { Citation, ItemView, MessagePart, OutputItem, Source, ToolCall } from "./reply.ts";
import { customCallTypes, customInputFields, imageFields } from "./request.ts";

/** "vendor:web_search_call" is a web_search_call (wire §3.1). Without a type the shape decides. */
export function itemType(item: JsonObject): string {
  const type = asString(item["type"])?.replace(/^[\w-]+:/, "");
  if (type === undefined) return typeByShape(item);
  return itemKind(type) === "other" && isPatchCall(item, type) ? "apply_patch_call" : type;
}

/** Requirements F2: any call of `apply_patch` that contains a patch is a patch call, whatever its type. */
const isPatchCall = (item: JsonObject, type: string): boolean =>
  item["name"] === "apply_patch" && !type.endsWith("_output") && callInput(item, true) !== undefined;

function typeByShape({ role, content, call_id: callId, arguments: given }: JsonObject): string {
  if (typeof callId === "string" && given !== undefined) return "function_call";
  return typeof role === "string" && content !== undefined ? "message" : "";
}

export type ItemKind = "message" | "reasoning" | "call" | "search" | "other";

export function itemKind(type: string): ItemKind {
  if (type === "message" || type === "reasoning") return type;
  if (type === "function_call" || customCallTypes.has(type)) return "call";
  return type === "web_search_call" ? "search" : "other";
}

export function viewItem(item: JsonObject, raw: string): ItemView {
  const type = itemType(item);
  switch (itemKind(type)) {
    case "message":
      return { kind: "message", parts: messageParts(item) };
    case "reasoning":
      return {
        kind: "reasoning",
        summary: textsOf(item["summary"]),
        text: textsOf(item["content"]).join(""),
      };
    case "call":
      return viewCall(item, type);
    case "search":
      // What cannot be serialized again could not be stored either.
      return {
        kind: "search",
        results: asArray(item["results"]).filter((result) => writeJson(result) !== ""),
      };
    case "other":
      return { kind: "other", type, bytes: Buffer.byteLength(raw) };
  }
}

/**
 * Interface: "Fields of the `message` output item … not shown", so the text is searched for where other services put
 * it.
 */
export function messageParts(item: JsonObject): MessagePart[] {
  const content = item["content"];
  if (typeof content === "string") return [{ type: "text", text: wellFormed(content), citations: [] }];
  const parts = asArray(content)
    .filter(isObject)
    .map(messagePart)
    .filter((part) => part !== undefined);
  if (parts.length > 0) return parts;
  const text = asString(item["text"]);
  return text === undefined ? [] : [{ type: "text", text: wellFormed(text), citations: [] }];
}

export function messagePart(part: JsonObject): MessagePart | undefined {
  const refusal = asString(part["refusal"]);
  if (part["type"] === "refusal" && refusal !== undefined)
    return { type: "refusal", text: wellFormed(refusal), citations: [] };
  const text = asString(part["text"]);
  if (text === undefined || part["type"] === "reasoning_text") return undefined;
  return { type: "text", text: wellFormed(text), citations: citationsIn(part) };
}

const citationsIn = (part: JsonObject): Citation[] =>
  asArray(part["annotations"]).slice(0, maxCitations).flatMap(citation);

/** More are of no use, and each has to be located in the text. */
const maxCitations = 200;

function citation(annotation: unknown): Citation[] {
  const url = asString(asObject(annotation)?.["url"]);
  if (!isObject(annotation) || url === undefined || !isWebAddress(url)) return [];
  return [
    present({
      url,
      title: asString(annotation["title"]),
      start: asCount(annotation["start_index"]),
      end: asCount(annotation["end_index"]),
    }),
  ];
}

export function textsOf(parts: unknown): string[] {
  return asArray(parts)
    .flatMap((part) => asString(asObject(part)?.["text"]) ?? [])
    .map(wellFormed);
}

function viewCall(item: JsonObject, type: string): ItemView {
  // A missing status counts as completed.
  const { status = "completed", arguments: given = "" } = item;
  const custom = customCallTypes.has(type);
  const id = asString(item["id"]) ?? "";
  // The item's id replaces it only where the interface shows no field at all; an empty call_id is a malformed call.
  const callId = asString(item["call_id"]) ?? (custom && type !== "custom_tool_call" ? id : "");
  return present({
    kind: "call" as const,
    id,
    callId,
    name: asString(item["name"]) ?? (type === "apply_patch_call" ? "apply_patch" : ""),
    namespace: asString(item["namespace"]),
    call: custom ? ("custom" as const) : ("function" as const),
    input: callInput(item, custom) ?? "",
    // Interface: `arguments` is a "string holding JSON"; anything else is not guessed at. Some services never report an
    // item as completed; whether the response and the arguments are complete is checked elsewhere.
    isReady: (status === "completed" || status === "in_progress") && typeof given === "string",
  });
}

/** `undefined` when the item does not contain its input as text. */
export function callInput(item: JsonObject, custom: boolean): string | undefined {
  if (!custom) {
    const given = item["arguments"];
    // Shown as it is; a call with such arguments does not run.
    return isObject(given) ? writeJson(given) : asText(given);
  }
  const operation = operationPatch(item["operation"]);
  if (operation !== undefined) return operation;
  for (const field of customInputFields) {
    const given = item[field];
    const text = isObject(given) ? writeJson(given) : asText(given);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** `apply_patch_call`: one file, and the lines of its patch without the envelope. */
function operationPatch(operation: unknown): string | undefined {
  const { type, path, diff = "", move_to: moveTo } = asObject(operation) ?? {};
  const [, kind = ""] = /^(create|update|delete)_file$/.exec(asString(type) ?? "") ?? [];
  const heading = { create: "Add", update: "Update", delete: "Delete" }[kind];
  if (heading === undefined || typeof path !== "string" || typeof diff !== "string") return undefined;
  const lines = kind === "delete" || diff === "" ? [] : [diff.replace(/\n$/, "")];
  const moved = typeof moveTo === "string" ? [`*** Move to: ${moveTo}`] : [];
  const section = [`*** ${heading} File: ${path}`, ...moved, ...lines];
  return wellFormed(["*** Begin Patch", ...section, "*** End Patch"].join("\n"));
}

const asText = (value: unknown): string | undefined =>
  typeof value === "string" ? wellFormed(value) : undefined;

interface Searched {
  readonly query?: string;
  readonly sources: readonly Source[];
  readonly images: readonly Source[];
}

export function searchAction(item: JsonObject): Searched {
  const action = asObject(item["action"]) ?? {};
  const query =
    asString(action["query"]) ?? asString(asArray(action["queries"])[0]) ?? asString(action["url"]);
  const sources = asArray(action["sources"]).flatMap((source) => {
    const url = asString(asObject(source)?.["url"]);
    if (url === undefined || !isWebAddress(url)) return [];
    return [present({ url, title: asString(asObject(source)?.["title"]) })];
  });
  const images = asArray(item["results"]).flatMap((result) => imageResult(result) ?? []);
  return present({ query, sources, images });
}

/** The title and address of an image result; the interface shows no field of it. */
export function imageResult(result: unknown): Source | undefined {
  const fields = asObject(result) ?? {};
  const first = (names: readonly string[]) =>
    names.map((name) => asString(fields[name]) ?? asString(asObject(fields[name])?.["url"])).find(Boolean);
  const url = first(imageFields.url);
  if (url === undefined || !isWebAddress(url)) return undefined;
  return present({ url, title: first(imageFields.title) });
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(parsedUrl(text)?.protocol ?? "");

// Calls of a reply: which may run, how their input is read, and the item that answers one. Strict on purpose: an
// incomplete call is never guessed at. Independent of tools; whether a name is known is checked elsewhere.

/** The calls among complete items, in order. One call_id is one call, however often it occurs. */
export function callsOf(items: readonly OutputItem[]): ToolCall[] {
  const seen = new Set<string>();
  return items.flatMap(({ view }) => {
    if (view.kind !== "call" || seen.has(view.callId)) return [];
    if (view.callId !== "") seen.add(view.callId);
    const { id: item, callId, name, namespace, call: kind, input } = view;
    return [present({ item, callId, name, namespace, kind, input })];
  });
}

/** Requirements E8: a repeated call is an error of the service without consequences, and is reported. */
export function duplicateCallIds(items: readonly OutputItem[]): string[] {
  const ids = items.flatMap(({ view }) => (view.kind === "call" && view.callId !== "" ? [view.callId] : []));
  const seen = new Set<string>();
  const again = ids.filter((id) => seen.size === seen.add(id).size);
  return [...new Set(again)].map((id) => `the call ${id} came twice in one reply; it counts once`);
}

/**
 * The identity of a call. The call id alone is not enough, because some models restart counting with each reply. An
 * item that is repeated with its own id, or literally if it has none, is a replay; bridges derive the item's id from
 * the call's.
 */
export const identityOf = ({ callId, item, input }: Pick<ToolCall, "callId" | "item" | "input">): string =>
  JSON.stringify(item === "" || item.endsWith(callId) ? [callId, "", input] : [callId, item]);

/** The calls in a history. Most items are not calls, which is recognized without parsing their JSON. */
export function callsIn(items: readonly string[]): ReadonlySet<string> {
  const found = items.flatMap((raw) => {
    const item = raw.includes('"call_id"') ? parseJson(raw) : undefined;
    const view = isObject(item) ? viewItem(item, raw) : undefined;
    return view?.kind === "call" ? [identityOf({ ...view, item: view.id })] : [];
  });
  return new Set(found);
}

/**
 * Faults R3, requirements E5 and E8. The caller must make sure that the reply and each item completed. `answered` are
 * the calls that the history already contains.
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

/** `undefined` when they are not a JSON object; missing arguments are an empty object. */
export function readArguments(input: string): JsonObject | undefined {
  if (input.trim() === "") return {};
  const value = parseJson(input);
  return isObject(value) ? withoutPrototypeKeys(value) : undefined;
}

/** `__proto__` in parsed JSON is an own key, but would become a prototype where the object is copied. */
export function withoutPrototypeKeys(value: JsonObject): JsonObject {
  if (!Object.hasOwn(value, "__proto__")) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "__proto__"));
}

/**
 * A model may call apply_patch as a function although it was offered as a custom tool (wire §9.3), and a custom call
 * may contain JSON; a patch never begins with a brace.
 */
export function patchText(call: ToolCall): string | undefined {
  const given = readArguments(call.input);
  for (const key of ["input", "patch"]) {
    const text = given?.[key];
    if (typeof text === "string") return text;
  }
  return call.kind === "custom" ? call.input : undefined;
}

/** The output of a tool as text, even if it returned data. */
export const outputText = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output) ?? "");

/**
 * Interface, "Input items": `call_id` must equal the call's, `output` is a string. The content is never empty and
 * contains no lone surrogates.
 */
export function callOutput(call: ToolCall, output: CleanText): string {
  const type = call.kind === "custom" ? "custom_tool_call_output" : "function_call_output";
  return JSON.stringify({
    type,
    call_id: call.callId,
    output: output.trim() === "" ? forModel("The tool returned nothing.") : wellFormed(output),
  });
}

// Values of a JSON text are read and replaced without changing another byte: "output items are passed back unchanged"
// (interface, "Input items"), and a parsed copy would lose number forms, escapes and the order of keys. The text must
// be one that JSON.parse accepts.

/** The raw value at a path of keys; of duplicate keys the last counts, as for JSON.parse. */
export function rawAt(json: string, path: readonly string[]): string | undefined {
  let text: string | undefined = json;
  for (const key of path) text = text === undefined ? undefined : rawMember(text, key);
  return text;
}

export function rawMember(json: string, key: string): string | undefined {
  const range = memberRange(json, key);
  return range && json.slice(...range);
}

/** Returns the object with this value for a key; a new key is inserted first. */
export function withMember(json: string, key: string, raw: string): string {
  const range = memberRange(json, key);
  if (range !== undefined) return json.slice(0, range[0]) + raw + json.slice(range[1]);
  const at = skipBlank(json, 0) + 1;
  const rest = json.slice(at);
  const isEmpty = rest[skipBlank(rest, 0)] === "}";
  return `${json.slice(0, at)}${JSON.stringify(key)}:${raw}${isEmpty ? "" : ","}${rest}`;
}

function memberRange(json: string, key: string): readonly [start: number, end: number] | undefined {
  let found: readonly [number, number] | undefined;
  let at = skipBlank(json, 0);
  if (json[at] !== "{") return undefined;
  at = skipBlank(json, at + 1);
  while (at < json.length && json[at] !== "}") {
    const nameEnd = skipValue(json, at);
    const name = json.slice(at, nameEnd);
    const start = skipBlank(json, skipBlank(json, nameEnd) + 1);
    const end = skipValue(json, start);
    if (name === `"${key}"` || (name.includes("\\") && JSON.parse(name) === key)) found = [start, end];
    at = skipSeparator(json, end);
  }
  return found;
}

export function rawElements(json: string): string[] {
  const elements: string[] = [];
  let at = skipBlank(json, 0);
  if (json[at] !== "[") return elements;
  at = skipBlank(json, at + 1);
  while (at < json.length && json[at] !== "]") {
    const end = skipValue(json, at);
    elements.push(json.slice(at, end));
    at = skipSeparator(json, end);
  }
  return elements;
}

function skipSeparator(json: string, from: number): number {
  const at = skipBlank(json, from);
  return json[at] === "," ? skipBlank(json, at + 1) : at;
}

/** Returns the position after the value that begins here, or the end of the text if it is cut off. */
export function skipValue(json: string, from: number): number {
  const first = json[from];
  if (first === '"') return skipString(json, from);
  if (first === "{" || first === "[") return skipNested(json, from);
  let at = from;
  while (at < json.length && !",]} \n\r\t".includes(json.charAt(at))) at++;
  return at;
}

function skipNested(json: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = skipString(json, at);
      continue;
    }
    if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) depth--;
    at++;
    if (depth === 0) return at;
  }
  return at;
}

const quote = 0x22;
