// The list of tools of a custom agent, as its file names them, read as a list of ours. It is written for other programs:
// for VS Code with the sets that its tools come in, or for Claude Code. What nobody here knows limits nothing and is told.

import type { Tool } from "../../tools/tool.ts";
import { fullName, ownTools } from "../../tools/tool-table.ts";

const symbols = ["find_definition", "find_references", "find_symbol", "outline", "hover"];
const history = ["git_log", "git_diff", "git_blame"];
const edit = ["apply_patch", "rename_symbol"];
const run = ["run_command", "run_checks"];
const read = ["read_file", "read_skill"];
/** What searches in VS Code also reads what it has found. */
const search = [...read, "search_text", "list_files", ...symbols, ...history];

/** Tools and sets of tools of other programs in lower case, without the set in front, and which of ours do the same. */
const sameTools: Readonly<Record<string, readonly string[]>> = {
  read: [...read, "problems"],
  readfile: read,
  view: read,
  skill: ["read_skill"],
  problems: ["problems"],
  search,
  codebase: search,
  textsearch: ["search_text"],
  searchresults: ["search_text"],
  grep: ["search_text"],
  filesearch: ["list_files"],
  findtestfiles: ["list_files"],
  listdirectory: ["list_files"],
  glob: ["list_files"],
  ls: ["list_files"],
  usages: symbols,
  lsp: symbols,
  changes: history,
  edit,
  editfiles: edit,
  multiedit: edit,
  write: ["apply_patch"],
  createfile: ["apply_patch"],
  createdirectory: ["apply_patch"],
  rename: ["rename_symbol"],
  execute: run,
  shell: run,
  bash: run,
  runcommands: run,
  runinterminal: run,
  terminalcommand: run,
  runtests: ["run_checks"],
  testfailure: ["run_checks"],
  runtasks: ["run_checks"],
  runtask: ["run_checks"],
  web: ["web_search"],
  websearch: ["web_search"],
  fetch: ["web_search"],
  webfetch: ["web_search"],
  todo: ["update_plan"],
  todos: ["update_plan"],
  todowrite: ["update_plan"],
  askquestions: ["ask_user"],
  askuserquestion: ["ask_user"],
};

/** In front of the name of a tool of VS Code. */
const sets = /^(?:vscode|read|search|edit|execute|runcommands|runtasks|web|agent|todo)\//;

const everything = "*";
/** Runs on the service, so it is in no table. */
const searchesWeb = "web_search";
const known = new Set([...ownTools.map(({ name }) => name), searchesWeb]);

/** Splits what a field says: a list, or one text with commas. Rules in parentheses are for other programs. */
export function toolNames(field: readonly string[] | undefined): readonly string[] | undefined {
  // A field without a value says nothing.
  if (field === undefined || (field.length === 1 && field[0]?.trim() === "")) return undefined;
  const names = field
    .flatMap((each) => each.replace(/\([^()]*\)/g, "").split(","))
    .map((each) => each.trim())
    .filter((each) => each !== "");
  return names.includes(everything) ? undefined : names;
}

const namesOfOurs = (name: string): readonly string[] => {
  const plain = name.toLowerCase();
  const same = sameTools[plain.replace(sets, "")] ?? [plain];
  return same.filter((each) => known.has(each));
};

/** What a conversation keeps of a list: our own tools by their names, those of others as the file has them. */
export const readToolList = (names: readonly string[]): readonly string[] => [
  ...new Set(
    names.flatMap((name) => {
      const ours = namesOfOurs(name);
      return ours.length > 0 ? ours : [name];
    }),
  ),
];

/** As names are on the wire, and as Claude Code writes them: `mcp__server__tool`. */
const written = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^mcp__/, "")
    .replace("__", "/")
    .replace(/[^a-z0-9_/-]+/g, "_");

/** Whether a list allows a tool. One of others is named with its namespace, or by that alone. */
export function isListed(tool: Pick<Tool, "name" | "namespace">, list: readonly string[]): boolean {
  if (tool.namespace === undefined) return list.includes(tool.name);
  const wanted = [fullName(tool), tool.namespace, `${tool.namespace}/`].map(written);
  return list.some((each) => wanted.includes(written(each.replace(/\/\*$/, ""))));
}

export const isSearchListed = (list: readonly string[] | undefined): boolean =>
  list === undefined || list.includes(searchesWeb);

/** The names in a list that match none of these tools. */
export const unknownTools = (
  list: readonly string[],
  others: readonly Pick<Tool, "name" | "namespace">[],
): readonly string[] =>
  list.filter((name) => !known.has(name) && !others.some((tool) => isListed(tool, [name])));
