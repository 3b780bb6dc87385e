// A request to the service as text that a person, or whoever plays the model, reads from top to bottom: instructions and
// items with real line breaks, tools with their parameters laid out. Nothing of the body is left out but what is said to be
// the same as elsewhere.
import { isObject, type JsonObject, listAt } from "../sim/json.ts";
import type { SeenRequest } from "../sim/request-log.ts";

export interface ReadableOptions {
  /** Instructions and tools that are those of one of these requests are not told again. */
  readonly known?: readonly KnownRequest[];
  /** Items before this one were told already. */
  readonly from?: number;
}

export interface KnownRequest {
  /** Where it can be read. */
  readonly name: string;
  readonly body: JsonObject;
}

/** Of no interest to whoever reads what a model is told. */
const plumbing =
  /^(host|connection|content-length|accept-encoding|user-agent|transfer-encoding|svc-request-nonce)$/;

export function readableRequest(
  { method, path, headers, body }: Pick<SeenRequest, "method" | "path" | "headers" | "body">,
  options: ReadableOptions = {},
): string {
  const shown = Object.entries(headers).filter(([name]) => !plumbing.test(name));
  const lines = [
    `${method} ${path}`,
    ...shown.map(([name, value]) => `${name}: ${value}`).sort(),
    "",
    ...fields(body, ["instructions", "tools", "input", "messages"]),
    "",
    ...instructionsOf(body, options),
    ...toolsOf(body, options),
    ...itemsOf(body, options),
  ];
  return `${lines.join("\n")}\n`;
}

/** How many items there are, to be handed in as `from` with the next one. */
export const countItems = (body: JsonObject): number => listOf(body).length;

function instructionsOf(body: JsonObject, { known = [] }: ReadableOptions): string[] {
  const text = body["instructions"];
  return typeof text === "string" ? ["=== instructions", ...instructionLines(text, known), ""] : [];
}

/** What comes behind instructions that are known is told alone. */
function instructionLines(text: string, known: readonly KnownRequest[]): string[] {
  const base = known.find(({ body }) => text.startsWith(instructionsIn(body)) && instructionsIn(body) !== "");
  if (base === undefined) return block(text);
  const rest = text.slice(instructionsIn(base.body).length);
  return [
    `  as in ${base.name}${rest === "" ? "" : ", and then:"}`,
    ...(rest === "" ? [] : block(rest.trimStart())),
  ];
}

/** On chat completions they are the first message. */
function instructionsIn(body: JsonObject): string {
  const [first] = listOf(body);
  const said = isObject(first) && first["role"] === "system" ? first["content"] : body["instructions"];
  return typeof said === "string" ? said : "";
}

function toolsOf(body: JsonObject, { known = [] }: ReadableOptions): string[] {
  const tools = listAt(body, "tools");
  if (tools.length === 0) return [];
  const alike = known.find((each) => beginsWithNames(tools, listAt(each.body, "tools")));
  if (alike !== undefined) {
    const before = listAt(alike.body, "tools").map((tool) => JSON.stringify(tool));
    const others = tools.filter(isObject).filter((tool, at) => JSON.stringify(tool) !== before[at]);
    const heading = `=== tools: as in ${alike.name}${others.length === 0 ? "" : ", but for"}`;
    return [heading, ...others.flatMap(toolLines), ""];
  }
  const told = tools.filter(isObject).flatMap((tool) => {
    const raw = JSON.stringify(tool);
    const base = known.find((each) => listAt(each.body, "tools").some((one) => JSON.stringify(one) === raw));
    return base === undefined ? toolLines(tool) : [`--- ${titleOf(tool)}: as in ${base.name}`];
  });
  return [`=== tools (${tools.length})`, ...told, ""];
}

/** The same tools in the same order, though perhaps described otherwise, and possibly more of them. */
const beginsWithNames = (tools: readonly unknown[], known: readonly unknown[]): boolean =>
  known.length > 0 &&
  known.every((tool, at) => {
    const other = tools[at];
    return isObject(tool) && isObject(other) && tool["name"] === other["name"];
  });

const titleOf = ({ type, name }: JsonObject): string =>
  [type, name].filter((each) => each !== undefined).join(" ");

function toolLines({ type, name, description, parameters, format, tools, ...rest }: JsonObject): string[] {
  return [
    `--- ${titleOf({ type, name })}`,
    ...(typeof description === "string" ? block(description) : []),
    ...indented(fields(rest, [])),
    ...(isObject(parameters) ? ["  parameters:", ...indented(schemaLines(parameters), 4)] : []),
    ...(isObject(format) ? ["  format:", ...indented(fields(format, ["definition"]), 4)] : []),
    ...(isObject(format) && typeof format["definition"] === "string"
      ? indented(block(format["definition"]), 4)
      : []),
    ...(Array.isArray(tools) ? indented(tools.filter(isObject).flatMap(toolLines)) : []),
  ];
}

/** A line for each property, and its properties below it. */
function schemaLines({ type, properties, required, ...rest }: JsonObject): string[] {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const own = type === "object" ? [] : [String(type)];
  return [
    ...own,
    ...fields(rest, []),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) =>
      isObject(property)
        ? propertyLines(name, isRequired(name), property)
        : [`${name}: ${compact(property)}`],
    ),
  ];
}

function propertyLines(name: string, isRequired: boolean, property: JsonObject): string[] {
  const { type, description, properties, required, items, ...rest } = property;
  const limits = Object.entries(rest).map(([key, value]) => `${key} ${compact(value)}`);
  const of = isObject(items) ? ` of ${isObject(items["properties"]) ? "objects" : compact(items)}` : "";
  const kind = `${compact(type ?? "any").replaceAll('"', "")}${of}`;
  const facts = [kind, ...(isRequired ? ["required"] : []), ...limits].join(", ");
  const inner = isObject(items) && isObject(items["properties"]) ? items : property;
  return [
    `${name} (${facts})${typeof description === "string" ? ` – ${description}` : ""}`,
    ...(isObject(inner["properties"])
      ? indented(schemaLines({ type: "object", ...pick(inner, ["properties", "required"]) }))
      : []),
  ];
}

const pick = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

function listOf(body: JsonObject): readonly unknown[] {
  const { input, messages } = body;
  if (typeof input === "string") return [{ role: "user", content: input }];
  return Array.isArray(input) ? input : Array.isArray(messages) ? messages : [];
}

function itemsOf(body: JsonObject, { from = 0, known = [] }: ReadableOptions): string[] {
  const all = listOf(body);
  const head = from > 0 ? `=== items from ${from + 1} on (those before are known)` : "=== items";
  return [head, ...all.slice(from).flatMap((item, at) => itemLines(item, from + at + 1, known))];
}

function itemLines(item: unknown, number: number, known: readonly KnownRequest[]): string[] {
  if (!isObject(item)) return [`--- ${number} ${compact(item)}`];
  const { type = "message", role, name, call_id, content, arguments: args, input, output, ...rest } = item;
  const heading = [type, role, name].filter((each) => each !== undefined).join(" ");
  const isInstructions = role === "system" && typeof content === "string";
  return [
    `--- ${number} ${heading}${call_id === undefined ? "" : ` (${compact(call_id).replaceAll('"', "")})`}`,
    ...indented(fields(rest, [])),
    ...(args === undefined ? [] : argumentLines(args)),
    ...(isInstructions
      ? instructionLines(content, known)
      : [content, input, output].flatMap((said) => (said === undefined ? [] : saidLines(said)))),
  ];
}

/** Of a call: each argument on a line of its own, a long text below its name. */
function argumentLines(args: unknown): string[] {
  const read = typeof args === "string" ? parsed(args) : args;
  if (!isObject(read)) return block(String(args));
  return Object.entries(read).flatMap(([name, value]) =>
    typeof value === "string" && value.includes("\n")
      ? [`  ${name}:`, ...indented(block(value))]
      : [`  ${name}: ${compact(value)}`],
  );
}

function saidLines(said: unknown): string[] {
  if (typeof said === "string") return block(said);
  if (!Array.isArray(said)) return [`  ${compact(said)}`];
  return said.flatMap((part: unknown) => {
    if (!isObject(part)) return [`  ${compact(part)}`];
    const { type, text, refusal, ...rest } = part;
    const words = text ?? refusal;
    return [
      `  [${compact(type).replaceAll('"', "")}]`,
      ...(typeof words === "string" ? block(words) : []),
      ...indented(fields(rest, [])),
    ];
  });
}

const fields = (body: JsonObject, without: readonly string[]): string[] =>
  Object.entries(body)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${name}: ${compact(value)}`);

/** One line; bytes of pictures are told by their number. */
function compact(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "string"
      ? inner.replace(dataUrl, (_url, kind, bytes) => `${kind}${bytes.length} characters`)
      : inner,
  );
}

const dataUrl = /^(data:[\w/+.-]+;base64,)([A-Za-z0-9+/=]{40,})$/;

const block = (text: string): string[] => indented(visible(text).split("\n"));

const indented = (lines: readonly string[], by = 2): string[] =>
  lines.map((line) => (line === "" ? "" : " ".repeat(by) + line));

/** What a person would not see is written as JavaScript writes it. */
const visible = (text: string): string =>
  text.replace(/[^\P{C}\n\t]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
