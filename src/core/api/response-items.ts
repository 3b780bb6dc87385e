// One output item → what we make of it. Every field may be missing; the item's own bytes are kept elsewhere and
// never rebuilt from here. Interface, "Output items": the kinds, and which of their fields are shown.
import { asArray, asCount, asObject, asString, isObject, type JsonObject, writeJson } from "../util/json.ts";
import { present } from "../util/present.ts";
import { wellFormed } from "../util/well-formed.ts";
import type { Citation, ItemView, MessagePart, Source } from "./reply.ts";
import { customCallTypes, customInputFields, imageFields } from "./undocumented-names.ts";

/** "vendor:web_search_call" is a web_search_call (wire §3.1). Without a type the shape tells. */
export function itemType(item: JsonObject): string {
  const type = asString(item["type"])?.replace(/^[\w-]+:/, "");
  if (type === undefined) return typeByShape(item);
  return itemKind(type) === "other" && isPatchCall(item, type) ? "apply_patch_call" : type;
}

/** Requirements F2: by whatever type it comes, a call of `apply_patch` with something to apply is one. */
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
      // What cannot be written again could not be kept either.
      return {
        kind: "search",
        results: asArray(item["results"]).filter((result) => writeJson(result) !== ""),
      };
    case "other":
      return { kind: "other", type, bytes: Buffer.byteLength(raw) };
  }
}

/** Interface: "Fields of the `message` output item … not shown", so its text is looked for where others keep it. */
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

/** More help nobody, and each is looked for in the text. */
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
  // A missing status says nothing against it.
  const { status = "completed", arguments: given = "" } = item;
  const custom = customCallTypes.has(type);
  const id = asString(item["id"]) ?? "";
  // The id stands in only where the interface shows no field at all; an empty call_id is a broken call.
  const callId = asString(item["call_id"]) ?? (custom && type !== "custom_tool_call" ? id : "");
  return present({
    kind: "call" as const,
    id,
    callId,
    name: asString(item["name"]) ?? (type === "apply_patch_call" ? "apply_patch" : ""),
    namespace: asString(item["namespace"]),
    call: custom ? ("custom" as const) : ("function" as const),
    input: callInput(item, custom) ?? "",
    // Interface: `arguments` is a "string holding JSON"; anything else is not guessed at.
    isReady: status === "completed" && typeof given === "string",
  });
}

/** `undefined` when the item itself does not carry its input as text. */
export function callInput(item: JsonObject, custom: boolean): string | undefined {
  if (!custom) {
    const given = item["arguments"];
    // Shown as what it is; a call with such arguments does not run.
    return isObject(given) ? writeJson(given) : asText(given);
  }
  for (const field of customInputFields) {
    const given = item[field];
    const text = isObject(given) ? writeJson(given) : asText(given);
    if (text !== undefined) return text;
  }
  return undefined;
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
  const images = asArray(item["results"]).flatMap((result) => foundImage(result) ?? []);
  return present({ query, sources, images });
}

/** What a picture that was found is called, and where it lies; the interface shows no field of it. */
export function foundImage(result: unknown): Source | undefined {
  const fields = asObject(result) ?? {};
  const first = (names: readonly string[]) =>
    names.map((name) => asString(fields[name]) ?? asString(asObject(fields[name])?.["url"])).find(Boolean);
  const url = first(imageFields.url);
  if (url === undefined || !isWebAddress(url)) return undefined;
  return present({ url, title: first(imageFields.title) });
}

const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
