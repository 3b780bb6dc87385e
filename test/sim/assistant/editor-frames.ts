// What VS Code's own chat wraps around the words of a person: where the workspace lies, what is attached, which file is
// open, how to use its tools. Only what stands in the frame meant for them was asked.
import { type Attachment, attachmentsIn, wordsOf } from "./attachments.ts";

export interface Workspace {
  /** Absolute; empty where nobody has said. Tools of an editor want absolute paths, people read relative ones. */
  readonly root: string;
  /** Every file that was listed, relative. */
  readonly files: readonly string[];
  /** The file that is spoken of where none is named. */
  readonly current: string | undefined;
}

export interface Frame {
  /** The message that holds the question, as it came. */
  readonly message: string;
  readonly question: string;
  readonly workspace: Workspace;
  readonly attachments: readonly Attachment[];
}

export const noWorkspace: Workspace = { root: "", files: [], current: undefined };

const inlinePattern =
  /^The filepath is `([^`]+)` and this is its content:\n<file>\n```[^\n]*\n([\s\S]*?)\n?```\n<\/file>/m;

/** Of the messages of a user, oldest first; undefined for a client that frames nothing. */
export function frameOf(messages: readonly string[]): Frame | undefined {
  const asked = messages.findLast((message) => requestIn(message) !== undefined);
  if (asked !== undefined) return chatFrame(asked, messages);
  const prompt = messages.findLast((message) => inside("prompt", message) !== undefined);
  const file = messages.findLast((message) => inlinePattern.test(message));
  return prompt === undefined || file === undefined ? undefined : inlineFrame(prompt, file);
}

/** What a person wrote, in a message of the chat view. */
export function requestIn(message: string): string | undefined {
  return inside("userRequest", message);
}

export function relativePath({ root, files }: Workspace, path: string): string {
  const short = root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  return files.includes(short) ? short : (files.find((file) => file.endsWith(`/${short}`)) ?? short);
}

export function absolutePath({ root }: Workspace, path: string): string {
  if (root === "" || path.startsWith("/")) return path;
  return path === "" ? root : `${root}/${path}`;
}

function chatFrame(message: string, messages: readonly string[]): Frame {
  const about = messages.find((each) => each.includes("<workspace_info>")) ?? "";
  const open = /The user's current file is (.+?)\.\s/.exec(inside("editorContext", message) ?? "")?.[1];
  const root = /following folders:\n- (.+?) *$/m.exec(about)?.[1] ?? "";
  const workspace = { root, files: filesOf(about), current: undefined };
  return {
    message,
    question: wordsOf(requestIn(message) ?? ""),
    workspace: { ...workspace, current: open === undefined ? undefined : relativePath(workspace, open) },
    attachments: attachmentsIn(message.slice(0, message.lastIndexOf("<userRequest>"))),
  };
}

/** Inline chat: one file, of which lines may be selected, and one question. */
function inlineFrame(message: string, fileMessage: string): Frame {
  const [, path = "", content = ""] = inlinePattern.exec(fileMessage) ?? [];
  const whole = { path, lines: content.split("\n"), firstLine: 1, selected: false };
  return {
    message,
    question: wordsOf(inside("prompt", message) ?? ""),
    workspace: { ...noWorkspace, current: path },
    attachments: [...selectionIn(fileMessage, whole), whole],
  };
}

function selectionIn(message: string, whole: Attachment): readonly Attachment[] {
  const marked = inside("file-selection", message);
  const code = /^```[^\n]*\n([\s\S]*?)\n?```$/m.exec(marked ?? "")?.[1];
  if (code === undefined) return [];
  // It begins at its first letter, wherever in the line that is.
  const selected = code.split("\n");
  const first = whole.lines.findIndex((_, at) =>
    selected.every((each, index) => (whole.lines[at + index] ?? "").trim().startsWith(each.trim())),
  );
  if (first < 0) return [];
  const lines = whole.lines.slice(first, first + selected.length);
  return [{ path: whole.path, lines, firstLine: first + 1, selected: true }];
}

/** The tree of the workspace: a tab for each folder that something lies in, a slash behind each folder. */
function filesOf(message: string): readonly string[] {
  const tree = /following structure:\n```\n([\s\S]*?)\n```/.exec(message)?.[1] ?? "";
  const folders: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const depth = /^\t*/.exec(line)?.[0].length ?? 0;
    const name = line.trim();
    folders.length = Math.min(folders.length, depth);
    if (!name.endsWith("/")) return name === "" ? [] : [`${folders.join("")}${name}`];
    folders[depth] = name;
    return [];
  });
}

function inside(tag: string, message: string): string | undefined {
  const begin = message.lastIndexOf(`<${tag}>\n`);
  const end = message.lastIndexOf(`\n</${tag}>`);
  return begin < 0 || end < begin ? undefined : message.slice(begin + tag.length + 3, end);
}
