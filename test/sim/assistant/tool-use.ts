// Which of the offered tools the question asks for, with arguments that fit their schema.
import { isObject, listAt } from "../json.ts";
import { call, type Part } from "../script.ts";
import { pathIn } from "./attachments.ts";
import type { Conversation, ToolOffer } from "./conversation.ts";
import { absolutePath, relativePath } from "./editor-frames.ts";

/** Verbs that ask for a tool whose name holds one of the words. */
const asks: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(problems?|diagnostics|warnings|what is wrong)\b/i, /problem|diagnostic/i],
  [/\b(list|which files|what files|show (?:me )?the files|files are)\b/i, /list/i],
  [/\b(references?|callers?|callees?|calls to|uses|used|usages?)\b/i, /reference/i],
  [/\b(defined|definition|declared|declaration)\b/i, /definition/i],
  [/\b(outline|structure|symbols (?:of|in))\b/i, /outline/i],
  [/\bsymbol\b/i, /symbol/i],
  [/\b(type of|hover)\b/i, /hover/i],
  [/\b(blame|who wrote|who changed)\b/i, /blame/i],
  [/\b(history|commits|git log)\b/i, /log/i],
  [/\b(uncommitted|git diff)\b/i, /diff/i],
  [/\b(find|search|where|grep|used|uses|usages?|occurs?)\b/i, /search|grep/i],
  [/\b(find|where)\b/i, /find/i],
  [/\b(read|open|look at|look into|show)\b/i, /read|open/i],
];

/** A call for a tool the question names or describes; undefined when it asks for none. */
export function askedTool(conversation: Conversation): Part | undefined {
  const { question, tools } = conversation;
  const named = tools.find((tool) => mentions(question, tool.name));
  const path = fileAskedFor(conversation);
  // What is asked about a file needs one; without it, the next best tool is called.
  const isOfFile = (tool: ToolOffer) => /definition|reference|outline|hover|blame/i.test(tool.name);
  const isUsable = (tool: ToolOffer) => path !== undefined || !isOfFile(tool);
  const described = () =>
    asks.flatMap(([words, names]) =>
      words.test(question) ? tools.filter((tool) => names.test(tool.name) && isUsable(tool)) : [],
    )[0];
  const tool = named ?? described();
  if (tool === undefined) return undefined;
  if (/read|open/i.test(tool.name) && pathIn(question) === undefined) return undefined;
  return isOfFile(tool) ? callOf(tool, conversation, question, path) : callOf(tool, conversation, question);
}

/** A command that the question quotes; undefined where none can be run. */
export function askedCommand({ question, tools }: Conversation): Part | undefined {
  const command = /\b(?:run|execute)\s+[`"“]([^`"”]+)[`"”]/i.exec(question)?.[1];
  const isOffered = tools.some(({ name, namespace }) => name === "run_command" && namespace === undefined);
  return command === undefined || !isOffered ? undefined : call("run_command", { command });
}

/** The file that the question is about, by its name, by its words, or because it is the one spoken of. */
export function fileAskedFor({ question, workspace }: Conversation): string | undefined {
  const [listed] = likeliest(question, workspace.files);
  const isPointedAt = /\b(?:this|that|it|here|the (?:file|code|bug|selection))\b/i.test(question);
  return pathIn(question) ?? (listed?.score ? listed.path : isPointedAt ? workspace.current : undefined);
}

/** A call that gets the file the question is about; undefined when no tool can. */
export function lookFor(conversation: Conversation): Part | undefined {
  const { question, tools, results } = conversation;
  const offer = (pattern: RegExp) =>
    tools.find((tool) => pattern.test(tool.name) && tool.namespace === undefined);
  const done = (pattern: RegExp) => results.some((result) => pattern.test(result.name));
  const read = offer(/read/i);
  if (read === undefined || done(/read/i)) return undefined;
  const listing = results.map((result) => result.output).join("\n");
  const path = fileAskedFor(conversation) ?? conversation.workspace.current ?? bestPath(question, listing);
  if (path !== undefined) return callOf(read, conversation, path, path);
  const list = offer(/list/i);
  return list === undefined || done(/list/i) ? undefined : callOf(list, conversation, "");
}

/** The listed path that shares most words with the question. */
function bestPath(question: string, listing: string): string | undefined {
  return likeliest(question, listing.match(/(?:[\w@.-]+\/)*[\w@-]+\.[A-Za-z]\w{0,9}/g) ?? [])[0]?.path;
}

function likeliest(question: string, paths: readonly string[]) {
  const words = new Set(wordsIn(question));
  const scored = paths.map((path) => ({
    path,
    score: wordsIn(path).filter((word) => words.has(word)).length,
  }));
  return scored.toSorted((one, other) => other.score - one.score || one.path.length - other.path.length);
}

function wordsIn(text: string): readonly string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => word.replace(/s$/, ""))
    .filter((word) => word.length > 3);
}

function mentions(question: string, name: string): boolean {
  return question.includes(name) || question.toLowerCase().includes(name.replaceAll("_", " ").toLowerCase());
}

function callOf(tool: ToolOffer, { workspace }: Conversation, about: string, asked = pathIn(about)): Part {
  const path = workspace.root === "" ? asked : absolutePath(workspace, relativePath(workspace, asked ?? ""));
  const properties = isObject(tool.parameters["properties"]) ? tool.parameters["properties"] : {};
  const required = listAt(tool.parameters, "required");
  const filled = Object.entries(properties).flatMap(([name, schema]) => {
    const isNamedPath = /path|file/i.test(name) && /read|open|problem/i.test(tool.name) && path !== undefined;
    if (name === "ranges" && rangesIn(about) !== undefined) return [[name, rangesIn(about)] as const];
    if (!required.includes(name) && !isNamedPath) return [];
    return [[name, argument(name, schema, about, path)] as const];
  });
  return call(
    tool.name,
    Object.fromEntries(filled),
    tool.namespace === undefined ? {} : { namespace: tool.namespace },
  );
}

/** Several ranges of lines at once, such as "lines 1-5 and 9-12". */
function rangesIn(question: string): string | undefined {
  const ranges = [...question.matchAll(/\b(\d+) ?[-–] ?(\d+)\b/g)].map(([, from, to]) => `${from}-${to}`);
  return ranges.length > 1 ? ranges.join(", ") : undefined;
}

/** Beyond the end of what anybody shows at once. */
const farLine = 500;

function argument(name: string, schema: unknown, about: string, path: string | undefined): unknown {
  if (isObject(schema) && Array.isArray(schema["enum"])) return schema["enum"][0];
  const type = isObject(schema) ? schema["type"] : "string";
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return /end|last/i.test(name) ? farLine : 1;
  if (type === "array") return [];
  if (type === "object") return {};
  if (/path|file|uri|folder|directory/i.test(name)) return path;
  return subject(about);
}

/** What a search is for: words in quotes or backticks, else a name that is asked about, a word that looks like code, else the last long word. */
function subject(question: string): string {
  const quoted = /[`"'“]([^`"'”]+)[`"'”]/.exec(question)?.[1];
  const code = /\b(?:[a-z]+[A-Z]\w*|\w+_\w+|[A-Z][a-z]+[A-Z]\w*)\b/.exec(question)?.[0];
  const asked =
    /\b(?:references? to|callers? of|calls to|uses of|definition of|declaration of|type of|symbol) (\w+)/i.exec(
      question,
    )?.[1] ?? /\b(\w+) (?:is |are )?(?:used|defined|declared|called)\b/i.exec(question)?.[1];
  const words = question.match(/\p{L}{3,}/gu) ?? [question];
  return quoted ?? asked ?? code ?? words.at(-1) ?? question;
}
