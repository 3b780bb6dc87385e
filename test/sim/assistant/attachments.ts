// Code that stands in a conversation: attached files, selections and what a read tool returned. Read tolerantly,
// since the interface says nothing of how a client shows a file to the model.

export interface Attachment {
  readonly path: string;
  readonly lines: readonly string[];
  /** Number of the first line in its file, from 1. */
  readonly firstLine: number;
  /** The user pointed at this very part. */
  readonly selected: boolean;
}

const pathPattern = /(?:[\w@.-]+\/)*[\w@.-]+\.[A-Za-z]\w{0,9}/;
const rangePattern = /(?:lines?\s*|[:#(]\s*L?)(\d+)(?:\s*(?:-|–|to)\s*L?(\d+))?/i;

/** Tags with a path, fences with a path in their info string, fences below a line that names a path. */
export function attachmentsIn(text: string): readonly Attachment[] {
  return [...tagged(withSelectedLines(text)), ...fenced(withoutTags(text))];
}

/** A selection whose whole file is attached too may name its lines only. They are filled in from the file. */
export function withSelectedLines(text: string): string {
  const blocks = [...text.matchAll(tagPattern)];
  return text.replace(tagPattern, (block: string, _, attributes: string, path: string, body: string) => {
    const [, from, to = from] = /\blines="(\d+)-?(\d+)?"/.exec(attributes) ?? [];
    if (from === undefined || !/^\[[^\n]*\]\s*$/.test(body)) return block;
    const whole = blocks.find(([, , other = "", name]) => name === path && !/\blines=/.test(other));
    if (whole === undefined) return block;
    const { lines, firstLine } = attachmentFrom(path, whole[4] ?? "");
    const selected = lines.slice(Number(from) - firstLine, Number(to) - firstLine + 1);
    const numbered = selected.map((line, at) => `${Number(from) + at}\t${line}\n`).join("");
    return block.replace(body, () => numbered);
  });
}

/** What the user wrote, without the code that was attached to it. */
export function wordsOf(text: string): string {
  const words = withoutTags(text).replace(fencePattern, (block, info: string) =>
    pathPattern.test(info) ? "" : block,
  );
  return words.trim();
}

export function pathIn(text: string): string | undefined {
  const quoted = /`([^`\s]+\.[A-Za-z]\w{0,9})`/.exec(text)?.[1];
  return quoted ?? pathPattern.exec(text)?.[0];
}

/** A word in the name of a file asks for nothing. */
export function withoutPaths(text: string): string {
  return text.replaceAll(new RegExp(pathPattern, "g"), "");
}

/** A file as a read tool returned it: plain, fenced, as JSON, or with line numbers. */
export function attachmentFrom(path: string, output: string): Attachment {
  const fence = /^```[^\n]*\n([\s\S]*?)\n?```\s*$/m.exec(output)?.[1];
  const text = fence ?? contentOfJson(output) ?? output;
  const lines = linesOf(text);
  const numbered = /^\s*(\d+)(?:\t|\s?[|:│→] ?)(.*)$/;
  const matches = lines.map((line) => numbered.exec(line));
  const first = matches.find((match) => match !== null);
  // A heading above numbered lines and notes below them are not part of the file.
  const kept = matches.flatMap((match) => (match === null ? [] : [match[2] ?? ""]));
  if (first === undefined || first === null || kept.length < lines.length - 3)
    return { path, lines, firstLine: 1, selected: false };
  return { path, lines: kept, firstLine: Number(first[1]), selected: false };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function contentOfJson(output: string): string | undefined {
  try {
    const value: unknown = JSON.parse(output);
    if (typeof value !== "object" || value === null) return undefined;
    const { content, text } = value as Record<string, unknown>;
    return [content, text].find((each) => typeof each === "string") as string | undefined;
  } catch {
    return undefined;
  }
}

const tagPattern = /<([\w-]+)\s([^>]*\b(?:filePath|path|file|name|src)="([^"]+)"[^>]*)>\n?([\s\S]*?)<\/\1>/g;
const fencePattern = /^(?:`{3,}|~{3,})([^\n]*)\n([\s\S]*?)\n?^(?:`{3,}|~{3,})[ \t]*$/gm;

function withoutTags(text: string): string {
  return text.replace(tagPattern, "");
}

/** Frames around something that is not the code of one file. */
const otherFrames = /^(?:problems|diff|terminal|folder|conversation)\b/i;

/** Files that an attached diff changes. */
export function changedIn(text: string): readonly string[] {
  return [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = ""]) => path);
}

function tagged(text: string): readonly Attachment[] {
  const found = [...text.matchAll(tagPattern)].filter(([, tag = ""]) => !otherFrames.test(tag));
  return found.map(([, tag = "", attributes = "", path = "", body = ""]) => {
    const inner = /^\s*(?:```[^\n]*\n)([\s\S]*?)\n?```\s*$/.exec(body)?.[1] ?? body;
    return attachment(path, attributes.replaceAll('"', " ").replace(/lines?=/, "lines "), inner, tag);
  });
}

function fenced(text: string): readonly Attachment[] {
  return [...text.matchAll(fencePattern)].flatMap((match) => {
    const [, info = "", body = ""] = match;
    const above = text.slice(0, match.index).trimEnd().split("\n").at(-1) ?? "";
    const label = pathPattern.test(info) ? info : above;
    const path = pathIn(label);
    return path === undefined ? [] : [attachment(path, label.replace(path, ""), body, label)];
  });
}

function attachment(path: string, label: string, body: string, kind: string): Attachment {
  const first = Number(rangePattern.exec(label)?.[1] ?? "1");
  const read = attachmentFrom(path, body);
  return {
    ...read,
    firstLine: read.firstLine === 1 ? first : read.firstLine,
    selected: /select/i.test(kind) || first > 1 || rangePattern.test(label),
  };
}
