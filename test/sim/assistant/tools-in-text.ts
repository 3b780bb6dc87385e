// Tools that a client describes in its system text, because the wire has none: read there as a model would read them, and
// called in the form that the text asks for.
import { isObject, type JsonObject, stringAt } from "../json.ts";
import { type Part, text } from "../script.ts";

export interface TextTools {
  /** As they would stand in the body of a request. */
  readonly offers: readonly JsonObject[];
  /** Calls stand between `<tag>` and `</tag>`. */
  readonly tag: string;
}

/** A line with an object that has a name and parameters is a tool; the example says how one is called. */
export function toolsInText(system: string): TextTools | undefined {
  const [, tag] = /^<(\w+)>\s*\{"name":.*"arguments":[^\n]*\n<\/\1>$/m.exec(system) ?? [];
  const offers = system.split("\n").flatMap((line) => {
    const value = line.startsWith("{") ? parsed(line) : undefined;
    return isObject(value) && isObject(value["parameters"]) ? [{ type: "function", ...value }] : [];
  });
  return tag === undefined || offers.length === 0 ? undefined : { offers, tag };
}

export interface WrittenCall {
  readonly name: string;
  readonly arguments: string;
}

/** What a message of the assistant has called. */
export function callsIn(said: string, { tag }: TextTools): readonly WrittenCall[] {
  return [...said.matchAll(new RegExp(`^<${tag}>\\n(.*)\\n</${tag}>$`, "gm"))].map(([, json = ""]) => {
    const value = parsed(json);
    return {
      name: stringAt(value, "name") ?? "",
      arguments: JSON.stringify((value as JsonObject)["arguments"]),
    };
  });
}

/** What a message of the user answers to calls, and what else it says. */
export function resultsIn(said: string): {
  readonly results: readonly { readonly name: string; readonly output: string }[];
  readonly rest: string;
} {
  // A tag may have a word of its own behind its name, so that no output can end it.
  const pattern = /^<(tool_result[\w-]*) name="([^"]*)">\n([\s\S]*?)\n<\/\1>$/gm;
  const results = [...said.matchAll(pattern)].map(([, , name = "", output = ""]) => ({ name, output }));
  return { results, rest: said.replace(pattern, "").trim() };
}

/** The same answer, its calls written at the end of its text. */
export function inText(parts: readonly Part[], { tag }: TextTools): readonly Part[] {
  const calls = parts.flatMap((part) =>
    part.part === "piece" && part.piece.kind === "call"
      ? [
          `<${tag}>\n{"name":${JSON.stringify(part.piece.name)},"arguments":${part.piece.arguments}}\n</${tag}>`,
        ]
      : [],
  );
  if (calls.length === 0) return parts;
  const rest = parts.filter((part) => part.part !== "piece" || part.piece.kind !== "call");
  return [...rest, text(`I look.\n\n${calls.join("\n")}`)];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
