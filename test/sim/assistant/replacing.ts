// Edits for editors that have files changed by calls of their tools: text that stands in the file, and what replaces it.
import { call, type Part, text } from "../script.ts";
import type { Attachment } from "./attachments.ts";
import type { Conversation, ToolResult } from "./conversation.ts";
import { absolutePath } from "./editor-frames.ts";
import type { FileChange, PlannedEdit } from "./edits.ts";

const replaceTool = "replace_string_in_file";
const createTool = "create_file";

/** Lines around a change that make clear where it belongs. */
const contextLines = 3;

export function editedBy(results: readonly ToolResult[]): readonly ToolResult[] {
  return results.filter(({ name }) => name === replaceTool || name === createTool);
}

/** One call for each file; nothing where a tool is missing for one of them. */
export function replacements({ changes }: PlannedEdit, conversation: Conversation): readonly Part[] {
  const { tools, workspace, attachments } = conversation;
  const offers = (name: string) => tools.some((tool) => tool.name === name);
  const isNew = ({ lines }: FileChange) => lines.length === 0;
  if (!changes.every((change) => offers(isNew(change) ? createTool : replaceTool))) return [];
  return changes.map((change) => {
    const filePath = absolutePath(workspace, change.path);
    if (isNew(change))
      return call(createTool, { filePath, content: `${change.edits[0]?.insert.join("\n") ?? ""}\n` });
    return call(replaceTool, { filePath, ...replacement(change, attachments) });
  });
}

/** From the first changed line to the last, with as much around it as it takes to stand in the file only once. */
function replacement(change: FileChange, attachments: readonly Attachment[]) {
  const whole = attachments.find(({ path, selected }) => path === change.path && !selected) ?? change;
  const edits = change.edits
    .map((edit) => ({ ...edit, at: edit.at + change.firstLine - whole.firstLine }))
    .toSorted((one, other) => one.at - other.at);
  const { lines } = whole;
  let first = Math.max(0, Math.min(...edits.map(({ at }) => at)) - contextLines);
  let end = Math.min(lines.length, Math.max(...edits.map(({ at, remove }) => at + remove)) + contextLines);
  const file = lines.join("\n");
  const old = () => lines.slice(first, end).join("\n");
  while (file.split(old()).length > 2 && (first > 0 || end < lines.length)) {
    first = Math.max(0, first - 1);
    end = Math.min(lines.length, end + 1);
  }
  const after: string[] = [];
  let at = first;
  for (const edit of edits) {
    after.push(...lines.slice(at, edit.at), ...edit.insert);
    at = edit.at + edit.remove;
  }
  after.push(...lines.slice(at, end));
  return { oldString: old(), newString: after.join("\n") };
}

/** What was done, once the tools have answered. */
export function afterReplacing(edited: readonly ToolResult[], planned: PlannedEdit | undefined): Part {
  const refused = edited.map(({ output }) => output.split("\n")[0] ?? "").find((line) => !isDone(line));
  if (refused !== undefined) return text(`The file was not changed:\n\n> ${refused}`);
  return text(`Done. ${planned?.summary ?? "The file is changed as asked."}`);
}

const isDone = (line: string) => /success|created|edited/i.test(line) && !/error|fail/i.test(line);
