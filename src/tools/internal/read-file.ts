// `read_file`: returns a text file, or some of its lines, with line numbers. The model reads long files in pieces.
import * as z from "zod/mini";
import { inEnglish } from "../../conversation/english.ts";
import { message } from "../../conversation/messages.ts";
import type { GuardedFiles } from "../../files/guarded-files.ts";
import { secretsNote } from "../../files/privacy.ts";
import { unlessTooLarge } from "../../files/refusal.ts";
import { forModel } from "../../util/sentences.ts";
import { functionTool } from "../tool.ts";

/**
 * Below the cap of every output (tool.ts), so that a piece ends at a line end and says where the next one starts.
 */
const maxBytes = 56 * 1024;
const longestLine = 2000;

const line = z.optional(z.int().check(z.positive()));

export const readFile = functionTool({
  name: "read_file",
  ability: "read files",
  description:
    "Reads a text file, or a range of its lines, as the user sees it, with unsaved changes and your proposals. Each line comes behind its number and a tab, which are not part of the file.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string" },
      start_line: { type: "integer", description: "From 1." },
      end_line: { type: "integer" },
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
  async run(
    { path, start_line: start = 1, end_line: end = Number.POSITIVE_INFINITY },
    { files, offers },
    signal,
  ) {
    if (end < start)
      return { output: `end_line ${end} is before start_line ${start}: no line of ${path} was read.` };
    const file = await files.read(path, signal).catch(unlessTooLarge);
    if (file === undefined) {
      const cutLines = cutLinesNote(offers("search_text"));
      return { output: await readLarge(files, path, { first: start, last: end, cutLines }, signal) };
    }
    const shown = numbered(file.path, linesOf(file.text), start, end);
    return { output: shown + undecodedIn(file.undecoded) + secretsIn(file.removed) };
  },
});

const secretsIn = (removed: number): string => (removed > 0 ? `\n[${inEnglish(secretsNote(removed))}]` : "");

/** Warns about undecodable bytes. Otherwise their replacement character would be taken for what the file contains. */
const undecodedIn = (encoding: string | undefined): string =>
  encoding === undefined
    ? ""
    : `\n[The file is not valid ${encoding}: bytes that cannot be read are shown as \uFFFD. It cannot be patched.]`;

/** The total number of lines is not counted: there may be millions. */
async function readLarge(
  files: GuardedFiles,
  path: string,
  { first, last, cutLines }: { readonly first: number; readonly last: number; readonly cutLines: string },
  signal: AbortSignal,
): Promise<string> {
  const wanted = { first, last, maxBytes, maxBytesPerLine: longestLine };
  const part = await files.readLines(path, wanted, signal);
  if (part.lines.length === 0) return `${part.path} has only ${part.lineCount} lines.`;
  const reached = first + part.lines.length - 1;
  const more = reached < last && !part.isEnd ? `; call again with start_line ${reached + 1} for more` : "";
  const lines = part.lines.map(
    ({ text, left }, at) => `${first + at}\t${truncateLine(text, longestLine, left)}`,
  );
  const size = `${(part.bytes / 1_000_000).toFixed(1)} MB`;
  const isCut = part.lines.some(({ text, left }) => left > 0 || text.length > longestLine);
  const cut = isCut ? `\n[${cutLines}]` : "";
  const saved = part.isOpen
    ? "\n[This is the file on the disk: what is typed and not saved is not in it.]"
    : "";
  return `${part.path}, lines ${first}–${reached} of a file of ${size}${more}\n${lines.join("\n")}${cut}${saved}${secretsIn(part.removed)}`;
}

const cutLinesNote = (canSearch: boolean): string =>
  forModel(
    `Of lines with more than ${longestLine} characters only the beginning is shown${canSearch ? "; search_text shows what stands around a match in them" : ""}.`,
  );

function numbered(path: string, lines: readonly string[], start: number, end: number): string {
  if (lines.length === 0) return `${path} is empty.`;
  if (start > lines.length) return `${path} has only ${lines.length} lines.`;
  const last = Math.min(end, lines.length);
  const taken: string[] = [];
  let bytes = 0;
  for (let number = start; number <= last && bytes < maxBytes; number++) {
    const text = `${number}\t${truncateLine(lines[number - 1] ?? "")}`;
    taken.push(text);
    bytes += Buffer.byteLength(text) + 1;
  }
  const reached = start + taken.length - 1;
  const more = reached < last ? `; call again with start_line ${reached + 1} for more` : "";
  return `${path}, lines ${start}–${Math.max(reached, start)} of ${lines.length}${more}\n${taken.join("\n")}`;
}

/** Drops the empty piece after a final line end. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** `left`: number of characters that were cut from the line before. */
export const truncateLine = (text: string, most = longestLine, left = 0): string =>
  text.length + left <= most ? text : `${text.slice(0, most)} [${text.length + left - most} more characters]`;
