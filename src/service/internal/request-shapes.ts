// Shapes tool definitions and input items as an origin accepts them, and converts calls back to the shape that we know.
// What the service sent goes back byte for byte; only what we wrote ourselves is changed. The interface shows the types
// but not the fields of `custom` and `namespace`, so each has a plainer form to fall back to (requirements B21, F1;
// wire §6.2, §6.4). Pure.
import { type Message, message } from "../../conversation/messages.ts";
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../../util/json.ts";
import { forLog } from "../../util/sentences.ts";
import { wellFormed } from "../../util/text.ts";
import type { Capabilities } from "../capabilities.ts";
import type { ToolCall } from "../reply.ts";
import type { ChatMessage } from "../request.ts";
import { messageParts } from "../response-items.ts";
import type { Forms } from "./dialect.ts";

/** Returns a message when a definition is not supported by the interface. */
export function refuseTools(tools: readonly string[]): Message | undefined {
  const names = new Set<string>();
  for (const raw of tools) {
    const tool = parseJson(raw);
    if (!isObject(tool)) return message("verbatim", { text: forLog("A tool definition is not an object.") });
    const refusal = refuseTool(tool, names);
    if (refusal !== undefined) return message("verbatim", { text: refusal });
  }
  return undefined;
}

function refuseTool(tool: JsonObject, names: Set<string>): string | undefined {
  const name = asString(tool["name"]) ?? "";
  switch (tool["type"]) {
    case "web_search":
      return Object.keys(tool).length === 1 ? undefined : forLog("The web search tool has no fields to set.");
    case "custom":
      if (name !== "apply_patch") return forLog("Only apply_patch can be a custom tool.");
      break;
    case "namespace":
      for (const inner of asArray(tool["tools"]).filter(isObject)) {
        const refusal = refuseTool({ ...inner, name: `${name}__${asString(inner["name"])}` }, names);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    case "function":
      if (!isObject(tool["parameters"])) return forLog(`The tool ${name} has no parameters object.`);
      break;
    default:
      return forLog("A tool of this type is not supported by the service.");
  }
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    return forLog(`The tool name "${name}" has characters that are not allowed.`);
  if (names.has(name)) return forLog(`Two tools are named ${name}.`);
  names.add(name);
  return undefined;
}

export const hasTool = (tools: readonly string[], type: string): boolean =>
  tools.some((raw) => asObject(parseJson(raw))?.["type"] === type);

export function shapeTools(tools: readonly string[], shapes: Forms): readonly string[] {
  return tools.flatMap((raw) => {
    const tool = asObject(parseJson(raw)) ?? {};
    if (tool["type"] === "custom" && shapes.patch !== "grammar") return [shapePatch(tool, shapes.patch)];
    if (tool["type"] === "namespace" && shapes.namespaces === "flat") return flatten(tool);
    return [raw];
  });
}

function shapePatch(tool: JsonObject, shape: Exclude<Forms["patch"], "grammar">): string {
  const { format: _, ...plain } = tool;
  if (shape === "text") return JSON.stringify(plain);
  return JSON.stringify({
    type: "function",
    name: tool["name"],
    description: tool["description"],
    parameters: {
      type: "object",
      properties: {
        input: { type: "string", description: "The whole patch, from *** Begin Patch to *** End Patch." },
      },
      required: ["input"],
      additionalProperties: false,
    },
    strict: false,
  });
}

function flatten(tool: JsonObject): string[] {
  return asArray(tool["tools"])
    .filter(isObject)
    .map((inner) =>
      JSON.stringify({ ...inner, name: `${asString(tool["name"])}__${asString(inner["name"])}` }),
    );
}

/** Maps a call to the tool it means, however its namespace is spelled (wire §6.4). Unknown names stay as they are. */
export function callResolver(tools: readonly string[]): (call: ToolCall) => ToolCall {
  const plain = new Set<string>();
  const spaced = new Map<string, Set<string>>();
  for (const tool of tools.map((raw) => asObject(parseJson(raw)))) {
    const name = asString(tool?.["name"]) ?? "";
    if (tool?.["type"] !== "namespace") plain.add(name);
    else
      spaced.set(
        name,
        new Set(asArray(tool["tools"]).map((inner) => asString(asObject(inner)?.["name"]) ?? "")),
      );
  }
  return (call) => {
    const { name, namespace } = call;
    if (namespace !== undefined && spaced.get(namespace)?.has(name) === true) return call;
    const { namespace: _, ...bare } = call;
    if (plain.has(name)) return bare;
    const found = spelledIn(name, spaced) ?? onlyIn(name, spaced);
    if (found !== undefined) return { ...call, ...found };
    const unprefixed = withoutPrefix(name);
    if (plain.has(unprefixed)) return { ...bare, name: unprefixed };
    const only = onlyIn(unprefixed, spaced);
    return only === undefined ? call : { ...call, ...only };
  };
}

/** Removes a namespace that models invent: `functions.read_file`, `default_api:read_file`. */
const withoutPrefix = (name: string): string => name.replace(/^[\w-]{1,64}(?:[./:]|__)(?=[\w-]+$)/, "");

interface Spaced {
  readonly namespace: string;
  readonly name: string;
}

function spelledIn(full: string, spaced: ReadonlyMap<string, ReadonlySet<string>>): Spaced | undefined {
  for (const [namespace, names] of spaced) {
    for (const between of [".", "__", "/", ":"]) {
      const name = full.startsWith(namespace + between) ? full.slice(namespace.length + between.length) : "";
      if (names.has(name)) return { namespace, name };
    }
  }
  return undefined;
}

function onlyIn(name: string, spaced: ReadonlyMap<string, ReadonlySet<string>>): Spaced | undefined {
  const found = [...spaced].filter(([, names]) => names.has(name)).map(([namespace]) => namespace);
  const [namespace] = found;
  return namespace === undefined || found.length > 1 ? undefined : { namespace, name };
}

export const resultType = '"type":"custom_tool_call_output"';

export function shapeInput(raw: string, { customOutput, assistantText }: Forms): string {
  const foreign = assistantText === "recap" ? foreignAssistant(raw) : undefined;
  if (foreign !== undefined) return recap(foreign);
  const shaped = customOutput === "function" ? raw.replace(resultType, '"type":"function_call_output"') : raw;
  const ours = shaped.includes('"role":"user"') || shaped.includes('_output"');
  return ours && /\\u[dD][89a-fA-F]/.test(shaped) ? joinSurrogates(shaped) : shaped;
}

/** An assistant message that is not an item of the service: another model wrote it (requirements B4). */
export function foreignAssistant(raw: string): JsonObject | undefined {
  if (!raw.includes('"assistant"')) return undefined;
  const item = asObject(parseJson(raw));
  const isForeign = item?.["type"] === "message" && item["role"] === "assistant" && item["id"] === undefined;
  return isForeign ? item : undefined;
}

function recap(item: JsonObject): string {
  const text = messageParts(item)
    .map((part) => part.text)
    .join("");
  return toWellFormedJson({ type: "message", role: "user", content: `[The assistant answered:]\n${text}` });
}

/** Replaces escapes of lone surrogates in JSON that we wrote ourselves. */
function joinSurrogates(json: string): string {
  return json.replace(
    /\\\\|\\u[dD][89abAB]\w{2}(\\u[dD][c-fC-F]\w{2})?|\\u[dD][c-fC-F]\w{2}/g,
    (found, low) => (found === "\\\\" || low !== undefined ? found : "\\ufffd"),
  );
}

/** Replaces lone surrogates, which cannot be sent, with U+FFFD. */
export function toWellFormedJson(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) => (typeof held === "string" ? wellFormed(held) : held));
}

// A request for a service or model that accepts no pictures: the text beside them is sent as plain text.

const leftOut = "[An image was here. It could not be sent.]";

export const holdsPicture = (json: string): boolean => /"type":"(?:input_image|image_url)"/.test(json);

/** Converts an input item that we wrote. */
export function withoutPictures(raw: string, { pictures }: Pick<Capabilities, "pictures">): string {
  if (pictures !== "omitted" || !holdsPicture(raw)) return raw;
  const item = asObject(parseJson(raw));
  if (item === undefined || item["type"] !== "message") return raw;
  return JSON.stringify({ ...item, content: wordsOf(item["content"]) });
}

export function withoutImages(message: ChatMessage): ChatMessage {
  return typeof message.content === "string" ? message : { ...message, content: wordsOf(message.content) };
}

const wordsOf = (content: unknown): string =>
  asArray(content)
    .filter(isObject)
    .map((part) => asString(part["text"]) ?? leftOut)
    .join("\n");
