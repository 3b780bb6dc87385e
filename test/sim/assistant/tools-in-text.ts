// Tools that a client describes in its system text, because the wire has none: read there as a model would read them, and
// called in the form that the text asks for.
import { isObject, type JsonObject, stringAt } from "../json.ts";
import { type Part, text } from "../script.ts";

export interface TextTools {
  /** As they would stand in the body of a request. */
  readonly offers: readonly JsonObject[];
  /** Calls stand between `<tag>` and `</tag>`. */
  readonly tag: string;
  /** A patch stands as it is between tags of its own. */
  readonly patchTag: string | undefined;
}

/** A line with an object that has a name and parameters is a tool; the example says how one is called. */
export function toolsInText(system: string): TextTools | undefined {
  const [, tag] = /^<(\w+)>\s*\{"name":.*"arguments":[^\n]*\n<\/\1>$/m.exec(system) ?? [];
  const offers = system.split("\n").flatMap((line) => {
    const value = line.startsWith("{") ? parsed(line) : undefined;
    return isObject(value) && isObject(value["parameters"]) ? [{ type: "function", ...value }] : [];
  });
  const [, patchTag] = /^<(\w+)>\n\*\*\* Begin Patch\n[\s\S]*?^<\/\1>$/m.exec(system) ?? [];
  if (tag === undefined || offers.length + (patchTag?.length ?? 0) === 0) return undefined;
  const patch = patchTag === undefined ? [] : [{ type: "custom", name: "apply_patch" }];
  return { offers: [...offers, ...patch], tag, patchTag };
}

export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
}

/** What a message of the assistant has called. */
export function callsIn(said: string, { tag, patchTag = "-" }: TextTools): readonly WrittenCall[] {
  const blocks = said.matchAll(new RegExp(`^<(${tag}|${patchTag})>\\n([\\s\\S]*?)\\n</\\1>$`, "gm"));
  return [...blocks].map(([, name, inside = ""]) => {
    if (name === patchTag) return { name: "apply_patch", arguments: JSON.stringify({ input: inside }) };
    const value = parsed(inside);
    return {
      name: stringAt(value, "name") ?? "",
      arguments: JSON.stringify(isObject(value) ? value["arguments"] : {}),
    };
  });
}

/** What a message of the user answers to calls, and what else it says. */
export function resultsIn(said: string): {
  readonly results: readonly { readonly name: string; readonly output: string }[];
  readonly rest: string;
} {
  // A tag may have a word of its own behind its name, so that no output can end it.
  const pattern =
    /^<(tool_result[\w-]*) name="([^"]*)"(?: of="[^"]*")?(?: call="[^"]*")?>\n([\s\S]*?)\n<\/\1>$/gm;
  const results = [...said.matchAll(pattern)].map(([, , name = "", output = ""]) => ({ name, output }));
  return { results, rest: said.replace(pattern, "").trim() };
}

/** The same answer, its calls written at the end of its text, or behind these words where it has none. */
export function inText(parts: readonly Part[], tools: TextTools, words = ""): readonly Part[] {
  const calls = parts.flatMap((part) => blockOf(part, tools) ?? []);
  if (calls.length === 0) return parts;
  const rest = parts.filter((part) => blockOf(part, tools) === undefined);
  const isSilent = !rest.some((part) => part.part === "piece" && part.piece.kind === "message");
  return [...rest, text(`${isSilent ? words : ""}\n\n${calls.join("\n")}`)];
}

function blockOf(part: Part, { tag, patchTag }: TextTools): string | undefined {
  if (part.part !== "piece") return undefined;
  const { piece } = part;
  if (piece.kind === "patch" && patchTag !== undefined)
    return `<${patchTag}>\n${piece.input.trimEnd()}\n</${patchTag}>`;
  if (piece.kind !== "call") return undefined;
  return `<${tag}>\n{"name":${JSON.stringify(piece.name)},"arguments":${piece.arguments}}\n</${tag}>`;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
