// Where the input tokens of a run went: what each request carries of instructions, tools, the words of the workspace, and what
// each tool has answered, once as it came and then with every request that held it. With it one sees which text to mend first.
import { resultsIn } from "../sim/assistant/tools-in-text.ts";
import { isObject, type JsonObject, listAt, stringAt } from "../sim/json.ts";
import { countTokens, responsesTokens } from "../sim/tokens.ts";
import type { RelayedRequest } from "./relay.ts";

export interface Cost {
  readonly what: string;
  /** How many texts of this kind there were. */
  readonly texts: number;
  /** Each counted once. */
  readonly once: number;
  /** With each request that carries it. */
  readonly sent: number;
}

/** The dearest first. */
export function costsOf(requests: readonly Pick<RelayedRequest, "body">[]): readonly Cost[] {
  const costs = new Map<string, { texts: Set<string>; once: number; sent: number }>();
  for (const { body } of requests)
    for (const { what, key, tokens } of partsOf(body)) {
      const cost = costs.get(what) ?? { texts: new Set(), once: 0, sent: 0 };
      costs.set(what, cost);
      cost.sent += tokens;
      if (cost.texts.has(key)) continue;
      cost.texts.add(key);
      cost.once += tokens;
    }
  return [...costs]
    .map(([what, { texts, once, sent }]) => ({ what, texts: texts.size, once, sent }))
    .toSorted((one, other) => other.sent - one.sent);
}

/**
 * What a request comes to where four letters are a token: the measure of a player with a shell, whose requests nobody counts.
 */
export function lettersAsTokens({ body }: Pick<RelayedRequest, "body">): number {
  const texts = [JSON.stringify(listAt(body, "tools")), stringAt(body, "instructions") ?? ""];
  const items = [...listAt(body, "input"), ...listAt(body, "messages")];
  return Math.round([...texts, ...items.map(textOf)].reduce((sum, { length }) => sum + length, 0) / 4);
}

interface Part {
  readonly what: string;
  /** The same text in another request has the same one. */
  readonly key: string;
  readonly tokens: number;
}

function partsOf(body: JsonObject): readonly Part[] {
  if ("messages" in body) return listAt(body, "messages").flatMap(partsOfMessage);
  const input = listAt(body, "input");
  const names = new Map(
    input.flatMap((item) => {
      const [id, name] = [stringAt(item, "call_id"), stringAt(item, "name")];
      return id === undefined || name === undefined ? [] : [[id, name] as const];
    }),
  );
  const items = input.map((item, at): Part => {
    const key = `${at} ${JSON.stringify(item)}`;
    return { what: whatOf(item, names), key, tokens: responsesTokens({ input: [item] }).length };
  });
  return [...beginning(body), ...items];
}

/** Of the form of chat completions, where calls and results stand in the texts. */
function partsOfMessage(message: unknown, at: number): readonly Part[] {
  const text = textOf(message);
  const part = (what: string, own: string, of: number): Part[] =>
    own.trim() === "" ? [] : [{ what, key: `${at} ${of} ${own}`, tokens: countTokens(own) }];
  const role = stringAt(message, "role");
  if (role === "system") {
    const from = text.indexOf("\nYou can call tools.");
    const tools = from < 0 ? "" : text.slice(from);
    return [
      ...beginning({ instructions: from < 0 ? text : text.slice(0, from) }),
      ...part("definitions of tools", tools, 0),
    ];
  }
  if (role === "assistant") return part("text and calls of the model", text, 0);
  const { results, rest } = resultsIn(text);
  return [
    ...results.flatMap(({ name, output }, of) => part(`result of ${name}`, output, of)),
    ...part(whatOf({ ...(isObject(message) ? message : {}), content: rest }, new Map()), rest, -1),
  ];
}

/** Tools and instructions, and apart from these what the workspace brings into them. */
function beginning(body: JsonObject): readonly Part[] {
  const part = (what: string, text: string): Part[] =>
    text === "" ? [] : [{ what, key: text, tokens: countTokens(text) }];
  let own = stringAt(body, "instructions") ?? "";
  const take = (pattern: RegExp): string => {
    const found = pattern.exec(own)?.[0] ?? "";
    own = own.replace(found, "");
    return found;
  };
  const files = take(/\n[^\n]*\n<instructions[\s\S]*<\/instructions>/);
  const surroundings = take(/\n[^\n]*\n<workspace>[\s\S]*?<\/workspace>/);
  const tools = listAt(body, "tools");
  return [
    ...part("definitions of tools", tools.length === 0 ? "" : JSON.stringify(tools)),
    ...part("instructions", own),
    ...part("surroundings", surroundings),
    ...part("instructions of the workspace", files),
  ];
}

function whatOf(item: unknown, names: ReadonlyMap<string, string>): string {
  const type = stringAt(item, "type") ?? "message";
  const name = names.get(stringAt(item, "call_id") ?? "") ?? "";
  if (type.endsWith("_call_output")) return `result of ${name}`;
  if (type.endsWith("_call")) return `call of ${name}`;
  if (type !== "message") return type;
  if (stringAt(item, "role") === "assistant") return "text of the model";
  const text = textOf(item);
  if (text.startsWith("[Patchbay:")) return "word of ours";
  return /^<(file|selection|folder|problems|terminal|diff|text|conversation|editor)\b/.test(text)
    ? "attachments"
    : "questions";
}

function textOf(item: unknown): string {
  if (!isObject(item)) return "";
  const { content } = item;
  const parts = Array.isArray(content) ? content : [content];
  const said = parts.map((part) => (typeof part === "string" ? part : (stringAt(part, "text") ?? "")));
  const other = ["name", "arguments", "input", "output"].map((key) => stringAt(item, key) ?? "");
  return [...said, ...other].join("");
}
