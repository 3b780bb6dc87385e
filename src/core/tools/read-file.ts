// `read_file`: a text file, or some of its lines, with their numbers. Long files come in pieces the model can ask for.

import * as z from "zod/mini";
import type { GuardedFiles } from "../files/guarded-files.ts";
import { unlessTooLarge } from "../files/refusal.ts";
import { secretsNote } from "../files/secrets.ts";
import { inEnglish } from "../messages/english.ts";
import { message } from "../messages/message.ts";
import { functionTool } from "./tool.ts";

/** Below the cap of every output (cap-output.ts), so that a piece ends at a line and says where the next begins. */
const maxBytes = 56 * 1024;
const longestLine = 2000;

const line = z.optional(z.int().check(z.positive()));

export const readFile = functionTool({
  name: "read_file",
  description:
    "Reads a text file of the workspace as the user sees it, unsaved changes included. Each line comes with its number and a tab; they are not part of the file. Long files come in pieces: ask again from the line that is named.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "Path of the file, relative to the workspace." },
      start_line: { type: "integer", description: "First line, from 1. Default: the first." },
      end_line: { type: "integer", description: "Last line. Default: the last." },
    },
    required: ["path"],
    additionalProperties: false,
  },
  input: z.object({ path: z.string(), start_line: line, end_line: line }),
  summary: ({ path, start_line: start, end_line: end }) => {
    if (start === undefined && end === undefined) return path;
    const first = start ?? 1;
    return end === undefined
      ? message("toolLinesToEnd", { path, first })
      : message("toolLines", { path, first, last: end });
  },
  async run({ path, start_line: start = 1, end_line: end = Number.POSITIVE_INFINITY }, { files }, signal) {
    const file = await files.read(path, signal).catch(unlessTooLarge);
    if (file === undefined) return { output: await readLarge(files, path, [start, end], signal) };
    return { output: numbered(file.path, linesOf(file.text), start, end) + secretsIn(file.removed) };
  },
});

const secretsIn = (removed: number): string => (removed > 0 ? `\n[${inEnglish(secretsNote(removed))}]` : "");

/** How many lines it has nobody counts: they may be millions. */
async function readLarge(
  files: GuardedFiles,
  path: string,
  [first, last]: readonly [number, number],
  signal: AbortSignal,
): Promise<string> {
  const wanted = { first, last, maxBytes, maxBytesPerLine: longestLine };
  const part = await files.readLines(path, wanted, signal);
  if (part.lines.length === 0) return `${part.path} has only ${part.lineCount} lines.`;
  const reached = first + part.lines.length - 1;
  const more = reached < last && !part.isEnd ? `; call again with start_line ${reached + 1} for more` : "";
  const lines = part.lines.map(
    ({ text, left }, at) => `${first + at}\t${shortened(text, longestLine, left)}`,
  );
  const size = `${(part.bytes / 1_000_000).toFixed(1)} MB`;
  const isCut = part.lines.some(({ text, left }) => left > 0 || text.length > longestLine);
  const cut = isCut ? `\n[${longLines}]` : "";
  const saved = part.isOpen
    ? "\n[This is the file on the disk: what is typed and not saved is not in it.]"
    : "";
  return `${part.path}, lines ${first}–${reached} of a file of ${size}${more}\n${lines.join("\n")}${cut}${saved}${secretsIn(part.removed)}`;
}

const longLines = `Of lines with more than ${longestLine} characters only the beginning is shown; search_text shows what stands around a match in them.`;

function numbered(path: string, lines: readonly string[], start: number, end: number): string {
  if (lines.length === 0) return `${path} is empty.`;
  if (start > lines.length) return `${path} has only ${lines.length} lines.`;
  const last = Math.min(end, lines.length);
  const taken: string[] = [];
  let bytes = 0;
  for (let number = start; number <= last && bytes < maxBytes; number++) {
    const text = `${number}\t${shortened(lines[number - 1] ?? "")}`;
    taken.push(text);
    bytes += Buffer.byteLength(text) + 1;
  }
  const reached = start + taken.length - 1;
  const more = reached < last ? `; call again with start_line ${reached + 1} for more` : "";
  return `${path}, lines ${start}–${Math.max(reached, start)} of ${lines.length}${more}\n${taken.join("\n")}`;
}

/** Without the empty piece behind a final line end. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** `left`: how much is missing of it already. */
export const shortened = (text: string, most = longestLine, left = 0): string =>
  text.length + left <= most ? text : `${text.slice(0, most)} [${text.length + left - most} more characters]`;
