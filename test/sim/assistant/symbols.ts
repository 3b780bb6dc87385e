// What is in a piece of code: functions, types, constants, headings, with their lines. By pattern, not by parsing.
import type { Attachment } from "./attachments.ts";

export interface CodeSymbol {
  readonly kind: "function" | "class" | "type" | "constant" | "test" | "heading";
  readonly name: string;
  /** Names of the parameters of a function. */
  readonly parameters: readonly string[];
  /** Line numbers in the file. */
  readonly first: number;
  readonly last: number;
  readonly doc: string;
  readonly calls: readonly string[];
}

const patterns: readonly (readonly [CodeSymbol["kind"], RegExp])[] = [
  ["function", /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(\w+)\s*\(([^)]*)/],
  ["function", /^(?:export\s+)?const\s+(\w+)\s*=\s*(?:async\s*)?\(([^)]*)\)\s*(?::[^=]+)?=>/],
  ["function", /^\s*(?:async\s+)?def\s+(\w+)\s*\(([^)]*)/],
  ["class", /^(?:export\s+)?(?:abstract\s+)?class\s+(\w+)/],
  ["type", /^(?:export\s+)?(?:interface|type)\s+(\w+)/],
  ["constant", /^(?:export\s+)?(?:const|let|var)\s+(\w+)/],
  ["test", /^\s*(?:it|test|describe)\(\s*["'`]([^"'`]+)["'`]/],
  ["heading", /^#{1,6}\s+(.+?)\s*$/],
];

export function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path);
}

export function symbolsOf({ path, lines, firstLine }: Attachment): readonly CodeSymbol[] {
  return lines.flatMap((line, index) => {
    const found = patterns.find(
      ([kind, pattern]) => (kind === "heading") === isMarkdown(path) && pattern.test(line),
    );
    if (found === undefined) return [];
    const [kind, pattern] = found;
    const [, name = "", parameters = ""] = pattern.exec(line) ?? [];
    const end = kind === "heading" ? headingEnd(lines, index) : blockEnd(lines, index);
    const body = lines.slice(index + 1, end + 1);
    return [
      {
        kind,
        name,
        parameters: parameterNames(parameters),
        first: firstLine + index,
        last: firstLine + end,
        doc: docOf(lines, index),
        calls: callsIn(body.length === 0 ? [line.replace(name, "")] : body),
      },
    ];
  });
}

function parameterNames(text: string): readonly string[] {
  return text
    .split(",")
    .map((each) => /\w+/.exec(each)?.[0] ?? "")
    .filter((name) => name !== "");
}

/** The line that closes what begins here: a bracket at the same indentation, or the last deeper line. */
function blockEnd(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start] ?? "");
  if (/;\s*$/.test(lines[start] ?? "")) return start;
  let end = start;
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line.trim() === "") continue;
    if (indentOf(line) > indent) end = index;
    else return /^\s*[)}\]]/.test(line) ? index : end;
  }
  return end;
}

function headingEnd(lines: readonly string[], start: number): number {
  const next = lines.findIndex((line, index) => index > start && /^#{1,6}\s/.test(line));
  return (next < 0 ? lines.length : next) - 1;
}

/** The comment above, or the docstring below. */
function docOf(lines: readonly string[], index: number): string {
  const comment: string[] = [];
  for (let above = index - 1; above >= 0 && /^\s*(\/\*|\*|\/\/|#)/.test(lines[above] ?? ""); above -= 1)
    comment.unshift(lines[above] ?? "");
  const docstring = /^\s*("""|''')(.*?)(?:\1)?\s*$/.exec(lines[index + 1] ?? "")?.[2];
  const text = comment.join(" ").replaceAll(/\/\*\*?|\*\/|^\s*(?:\/\/|#)|\s\*\s/g, " ");
  return (text.trim() === "" ? (docstring ?? "") : text).replaceAll(/\s+/g, " ").trim();
}

const notCalls = new Set([
  "if",
  "for",
  "while",
  "switch",
  "return",
  "function",
  "def",
  "catch",
  "print",
  "in",
]);

function callsIn(lines: readonly string[]): readonly string[] {
  const names = lines.flatMap((line) =>
    [...line.matchAll(/(?<![.\w])([A-Za-z_]\w*)\(/g)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].filter((name) => !notCalls.has(name));
}

export function indentOf(line: string): number {
  return /^\s*/.exec(line)?.[0].length ?? 0;
}
