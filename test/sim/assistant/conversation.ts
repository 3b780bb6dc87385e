// A request of either wire as a conversation: what is asked, what is attached, which tools may be called and what
// they have returned since.
import { isObject, type JsonObject, listAt, stringAt } from "../json.ts";
import type { SeenRequest } from "../request-log.ts";
import { type Attachment, attachmentFrom, attachmentsIn, changedIn, wordsOf } from "./attachments.ts";
import { type Frame, frameOf, noWorkspace, relativePath, type Workspace } from "./editor-frames.ts";
import { callsIn, resultsIn, type TextTools, toolsInText } from "./tools-in-text.ts";

export interface ToolOffer {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly description: string;
  readonly parameters: JsonObject;
}

export interface ToolResult {
  readonly name: string;
  readonly input: string;
  readonly output: string;
}

export interface Conversation {
  readonly wire: "responses" | "chat";
  /** What the user said, as it came, oldest first. */
  readonly said: readonly string[];
  /** The last words of the user, without what was attached. */
  readonly question: string;
  readonly workspace: Workspace;
  /** Newest first; a part the user pointed at comes before whole files of the same message. */
  readonly attachments: readonly Attachment[];
  /** Files that a diff of the user changes. */
  readonly changed: readonly string[];
  /** Results since the question, oldest first. */
  readonly results: readonly ToolResult[];
  readonly tools: readonly ToolOffer[];
  readonly canSearch: boolean;
  readonly canPatch: boolean;
  /** Its tools stand in the system text, and are called in text. */
  readonly written: TextTools | undefined;
  /** Chat completions: the beginning of the answer, to be continued. */
  readonly prefix: string;
}

interface Entry {
  readonly role: "user" | "assistant" | "result" | "call";
  readonly text: string;
  readonly name?: string;
  readonly id?: string;
}

export function readConversation({ operation, body }: SeenRequest): Conversation {
  const written = operation === "chat" ? toolsInText(systemOf(body)) : undefined;
  const entries = operation === "chat" ? chatEntries(body, written) : responsesEntries(body);
  const said = entries.flatMap((entry) => (entry.role === "user" ? [entry.text] : []));
  const frame = frameOf(said);
  const asked = entries.findLastIndex(
    ({ role, text }) => role === "user" && (frame === undefined || text === frame.message),
  );
  const offers = written?.offers ?? listAt(body, "tools");
  const results = resultsOf(entries);
  const recent = resultsOf(entries.slice(asked + 1), entries);
  const last = listAt(body, "messages").at(-1);
  const isPartial = isObject(last) && last["partial"] === true;
  return {
    wire: operation === "chat" ? "chat" : "responses",
    said,
    ...(frame === undefined
      ? {
          question: wordsOf(entries[asked]?.text ?? ""),
          workspace: noWorkspace,
          attachments: [...readFiles(results), ...attachedFiles(entries)],
        }
      : framed(frame, recent, results)),
    changed: entries.flatMap((entry) => (entry.role === "user" ? changedIn(entry.text) : [])),
    results: recent,
    tools: offers
      .flatMap((tool) => toolOffers(tool))
      .filter(({ name }) => frame === undefined || familiar.has(name) || frame.question.includes(name)),
    canSearch: offers.some((tool) => stringAt(tool, "type") === "web_search"),
    canPatch: offers.some((tool) => nameOf(tool) === "apply_patch"),
    written,
    prefix: isPartial ? textOf(last["content"]) : "",
  };
}

/** An editor offers dozens of tools, most of which change something; the others are for whoever names them. */
const familiar = new Set([
  "create_file",
  "get_errors",
  "grep_search",
  "list_dir",
  "read_file",
  "replace_string_in_file",
]);

/** What was read for an earlier question may have changed since: an editor's user keeps edits, undoes them, and types. */
function framed(
  { question, workspace, attachments }: Frame,
  recent: readonly ToolResult[],
  results: readonly ToolResult[],
): Pick<Conversation, "question" | "workspace" | "attachments"> {
  const short = (file: Attachment) => ({ ...file, path: relativePath(workspace, file.path) });
  const lastRead = readFiles(results).map(short)[0]?.path;
  return {
    question,
    workspace: { ...workspace, current: workspace.current ?? lastRead },
    attachments: [...readFiles(recent), ...attachments].map(short),
  };
}

function attachedFiles(entries: readonly Entry[]): readonly Attachment[] {
  return entries
    .filter((entry) => entry.role === "user")
    .reverse()
    .flatMap((entry) => {
      const found = attachmentsIn(entry.text);
      return [...found.filter((each) => each.selected), ...found.filter((each) => !each.selected)];
    });
}

function readFiles(results: readonly ToolResult[]): readonly Attachment[] {
  return results.toReversed().flatMap(({ name, input, output }) => {
    const path = pathArgument(input);
    if (!/read/i.test(name) || path === undefined || /^(error|cannot|could not|no such)/i.test(output))
      return [];
    return [attachmentFrom(path, output)];
  });
}

export function pathArgument(input: string): string | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return ["path", "file", "file_path", "filePath", "filename", "uri"]
      .map((key) => stringAt(value, key))
      .find(Boolean);
  } catch {
    return undefined;
  }
}

/** Results among these entries; the calls may stand before them. */
function resultsOf(entries: readonly Entry[], all = entries): readonly ToolResult[] {
  return entries.flatMap((entry) => {
    if (entry.role !== "result") return [];
    const made = all.find((each) => each.role === "call" && each.id === entry.id);
    return [{ name: made?.name ?? "", input: made?.text ?? "", output: entry.text }];
  });
}

function responsesEntries(body: JsonObject): readonly Entry[] {
  if (typeof body["input"] === "string") return [{ role: "user", text: body["input"] }];
  return listAt(body, "input").flatMap((item): Entry[] => {
    if (!isObject(item)) return [];
    const id = stringAt(item, "call_id") ?? "";
    const name = stringAt(item, "name") ?? "";
    switch (item["type"] ?? "message") {
      case "message":
        return [{ role: item["role"] === "user" ? "user" : "assistant", text: textOf(item["content"]) }];
      case "function_call":
        return [{ role: "call", text: stringAt(item, "arguments") ?? "", name, id }];
      case "custom_tool_call":
        return [{ role: "call", text: stringAt(item, "input") ?? "", name, id }];
      case "function_call_output":
      case "custom_tool_call_output":
        return [{ role: "result", text: textOf(item["output"]), id }];
      default:
        return [];
    }
  });
}

const systemOf = (body: JsonObject): string =>
  listAt(body, "messages")
    .map((message) => (stringAt(message, "role") === "system" ? (stringAt(message, "content") ?? "") : ""))
    .join("\n");

function chatEntries(body: JsonObject, written: TextTools | undefined): readonly Entry[] {
  // Results name their tool, and follow the calls in the same order.
  const made: { readonly name: string; readonly id: string }[] = [];
  let count = 0;
  return listAt(body, "messages").flatMap((message): Entry[] => {
    if (!isObject(message)) return [];
    const text = textOf(message["content"]);
    const id = stringAt(message, "tool_call_id") ?? "";
    if (message["role"] === "tool") return [{ role: "result", text, id }];
    if (message["role"] === "user") {
      if (written === undefined) return [{ role: "user", text }];
      const { results, rest } = resultsIn(text);
      const answers = results.map(({ name, output }): Entry => {
        const at = made.findIndex((call) => call.name === name);
        return { role: "result", text: output, id: made.splice(at, 1)[0]?.id ?? "" };
      });
      return rest === "" ? answers : [...answers, { role: "user", text: rest }];
    }
    if (written !== undefined && message["role"] === "assistant") {
      const calls = callsIn(text, written).map(({ name, arguments: given }): Entry => {
        const id = `written-${++count}`;
        made.push({ name, id });
        return { role: "call", text: given, name, id };
      });
      return [{ role: "assistant", text }, ...calls];
    }
    const calls = listAt(message, "tool_calls").map((call): Entry => {
      const made = isObject(call) ? call["function"] : undefined;
      return {
        role: "call",
        text: stringAt(made, "arguments") ?? "",
        name: stringAt(made, "name") ?? "",
        id: stringAt(call, "id") ?? "",
      };
    });
    return [{ role: "assistant", text }, ...calls];
  });
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => stringAt(part, "text") ?? "").join("\n") : "";
}

function toolOffers(tool: unknown, namespace?: string): readonly ToolOffer[] {
  if (!isObject(tool)) return [];
  if (tool["type"] === "namespace")
    return listAt(tool, "tools").flatMap((inner) => toolOffers(inner, stringAt(tool, "name")));
  const definition = isObject(tool["function"]) ? tool["function"] : tool;
  const name = stringAt(definition, "name") ?? "";
  if (tool["type"] !== "function" || name === "apply_patch") return [];
  const parameters = isObject(definition["parameters"]) ? definition["parameters"] : {};
  return [{ name, namespace, description: stringAt(definition, "description") ?? "", parameters }];
}

function nameOf(tool: unknown): string | undefined {
  return stringAt(tool, "name") ?? (isObject(tool) ? stringAt(tool["function"], "name") : undefined);
}
