// What a player writes for a reply, as text that is easy to write and to read again:
//
//   #reasoning
//   What the model thinks; seldom needed.
//   #text
//   What it says. Words without any mark before them are text, too.
//   #call read_file {"path":"src/a.ts"}
//   *** Begin Patch
//   …
//   *** End Patch
//
// The JSON of a call may go on over several lines. A patch that begins at a line of its own calls apply_patch in whichever
// form the request offers it; where it offers none, it is part of the text. Where the instructions offer tools in text, all
// calls are written there.
import { inText, toolsInText } from "../sim/assistant/tools-in-text.ts";
import { isObject, type JsonObject, listAt, stringAt } from "../sim/json.ts";
import { call, type Part, patchCall, reasoning, text } from "../sim/script.ts";

/** The parts of a reply to this request. @throws where a call's JSON does not end. */
export function readReply(written: string, request: JsonObject): readonly Part[] {
  const lines = written.replace(/\r\n/g, "\n").split("\n");
  const parts: Part[] = [];
  let mode: "text" | "reasoning" = "text";
  let said: string[] = [];
  const flush = () => {
    const words = said.join("\n").trim();
    said = [];
    if (words !== "") parts.push(mode === "text" ? text(words) : reasoning(words));
  };
  const [system] = listAt(request, "messages");
  const offered = toolsInText(stringAt(system, "content") ?? "");
  const patches = offered?.patchTag === undefined ? patchForm(request) : "custom";
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, name, begun = ""] = /^#call (\S+) ?(.*)$/.exec(line) ?? [];
    if (line === "#text" || line === "#reasoning") {
      flush();
      mode = line === "#text" ? "text" : "reasoning";
    } else if (name !== undefined) {
      flush();
      let json = begun === "" ? "{}" : begun;
      while (!isJson(json)) {
        at += 1;
        if (at >= lines.length) throw new Error(`The JSON of the call ${name} does not end.`);
        json += `\n${lines[at]}`;
      }
      parts.push(call(name, json));
    } else if (line === "*** Begin Patch" && patches !== "text" && !isInBlock(said)) {
      flush();
      const end = lines.indexOf("*** End Patch", at);
      const last = end < 0 ? lines.length - 1 : end;
      const patch = `${lines.slice(at, last + 1).join("\n")}\n`;
      parts.push(patches === "function" ? call("apply_patch", { input: patch }) : patchCall(patch));
      at = last;
    } else said.push(line);
  }
  flush();
  return offered === undefined ? parts : inText(parts, offered);
}

/** A player has opened the block of the call themselves, in the words of the instructions. */
const isInBlock = (said: readonly string[]): boolean => /^<apply_patch_\w+>$/.test(said.at(-1) ?? "");

function patchForm(request: JsonObject): "custom" | "function" | "text" {
  const tool = listAt(request, "tools").find((each) => isObject(each) && each["name"] === "apply_patch");
  if (!isObject(tool)) return "text";
  return tool["type"] === "function" ? "function" : "custom";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
