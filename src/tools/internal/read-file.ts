// `read_file`: returns a text file, or ranges of its lines, with line numbers. The model reads long files in pieces.
import * as z from "zod/mini";
import { inEnglish } from "../../conversation/english.ts";
import { message } from "../../conversation/messages.ts";
import type { GuardedFiles } from "../../files/guarded-files.ts";
import { secretsNote } from "../../files/privacy.ts";
import { Refusal, unlessTooLarge } from "../../files/refusal.ts";
import { forModel } from "../../util/sentences.ts";
import { functionTool } from "../tool.ts";
import { withNearNames } from "./near-names.ts";

/**
 * Below the cap of every output (tool.ts), so that a piece ends at a line end and says where the next one starts.
 */
const maxBytes = 56 * 1024;
const longestLine = 2000;
/** Ranges of one answer; further ones are named in it. */
const maxRanges = 20;

const rangesExample = "1-40, 210-260";

const line = z.optional(z.int().check(z.minimum(1)));

export const readFile = functionTool({
  name: "read_file",
  ability: "read files",
  description:
    "Reads a text file, or some of its lines, with unsaved changes and your proposals. Each line comes behind its number and a tab.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string" },
      start_line: { type: "integer" },
      end_line: { type: "integer" },
      ranges: { type: "string", description: `Several at once: ${rangesExample}` },
    },
    required: ["path"],
    additionalProperties: false,
  },
  input: z.object({
    path: z.string(),
    start_line: line,
    end_line: line,
    ranges: z.optional(z.string()),
  }),
  summary: ({ path, start_line: start, end_line: end, ranges }) => {
    if (ranges !== undefined) return message("toolLinesOf", { path, ranges });
    if (start === undefined && end === undefined) return path;
    const first = start ?? 1;
    return end === undefined
      ? message("toolLinesToEnd", { path, first })
      : message("toolLines", { path, first, last: end });
  },
  async run({ path, start_line: start = 1, end_line: end, ranges }, { files, offers }, signal) {
    const whole = { first: start, last: end ?? Number.POSITIVE_INFINITY };
    if (whole.last < start)
      return { output: `end_line ${end} is before start_line ${start}: no line of ${path} was read.` };
    const wanted = ranges === undefined ? [whole] : rangesIn(ranges);
    const file = await withNearNames(files, { path, kind: "file" }, signal, () =>
      files.read(path, signal).catch(unlessTooLarge),
    );
    if (file === undefined) {
      const cutLines = cutLinesNote(offers("search_text"));
      return { output: await readLarge(files, path, { wanted, cutLines }, signal), paths: [path] };
    }
    const shown = numbered(file.path, linesOf(file.text), wanted);
    return { output: shown + undecodedIn(file.undecoded) + secretsIn(file.removed), paths: [file.path] };
  },
});

/** Lines from 1 on; `last` is included, and infinite where the file is read to its end. */
interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Reads `1-40, 75, 210-`, sorted and without lines that occur twice. Throws Refusal. */
function rangesIn(text: string): readonly Lines[] {
  const refuse = (problem: string) =>
    new Refusal(message("toolNoFit", { name: "read_file", problem: `ranges: ${problem}` }));
  const all = text.split(",").map((each): Lines => {
    const [, first, to, last] = /^(\d{1,9})(?:([-–])(\d{0,9}))?$/.exec(each.replaceAll(" ", "")) ?? [];
    const from = Number(first);
    const end = to === undefined ? from : last === "" ? Number.POSITIVE_INFINITY : Number(last);
    if (first === undefined || from < 1 || end < from) throw refuse(`must be like ${rangesExample}`);
    return { first: from, last: end };
  });
  const merged: Lines[] = [];
  for (const each of all.toSorted((one, other) => one.first - other.first)) {
    const before = merged.at(-1);
    if (before === undefined || each.first > before.last + 1) merged.push(each);
    else merged[merged.length - 1] = { ...before, last: Math.max(before.last, each.last) };
  }
  return merged;
}

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
  { wanted, cutLines }: { readonly wanted: readonly Lines[]; readonly cutLines: string },
  signal: AbortSignal,
): Promise<string> {
  const pieces: string[] = [];
  let [room, removed, isCut, isOpen] = [maxBytes, 0, false, false];
  for (const [index, { first, last }] of wanted.entries()) {
    if (room <= 0 || index === maxRanges) {
      pieces.push(noRoomFor(wanted.slice(index)));
      break;
    }
    const asked = { first, last, maxBytes: room, maxBytesPerLine: longestLine };
    const part = await files.readLines(path, asked, signal);
    if (part.lines.length === 0) {
      pieces.push(`${part.path} has only ${part.lineCount} lines.`);
      break;
    }
    const reached = first + part.lines.length - 1;
    const more = reached < last && !part.isEnd ? `; call again with start_line ${reached + 1} for more` : "";
    const size = `${(part.bytes / 1_000_000).toFixed(1)} MB`;
    const lines = part.lines.map(
      ({ text, left }, at) => `${first + at}\t${truncateLine(text, longestLine, left)}`,
    );
    const piece = `${part.path}, lines ${first}–${reached} of a file of ${size}${more}\n${lines.join("\n")}`;
    pieces.push(piece);
    room -= Buffer.byteLength(piece);
    removed += part.removed;
    isCut ||= part.lines.some(({ text, left }) => left > 0 || text.length > longestLine);
    isOpen ||= part.isOpen;
  }
  const cut = isCut ? `\n[${cutLines}]` : "";
  const saved = isOpen ? "\n[This is the file on the disk: what is typed and not saved is not in it.]" : "";
  return `${pieces.join("\n")}${cut}${saved}${secretsIn(removed)}`;
}

const written = ({ first, last }: Lines): string =>
  first === last ? `${first}` : `${first}-${Number.isFinite(last) ? last : ""}`;

const noRoomFor = (left: readonly Lines[]): string =>
  forModel(`[No room for more: call again with ranges ${left.map(written).join(", ")}]`);

const cutLinesNote = (canSearch: boolean): string =>
  forModel(
    `Of lines with more than ${longestLine} characters only the beginning is shown${canSearch ? "; search_text shows what stands around a match in them" : ""}.`,
  );

function numbered(path: string, lines: readonly string[], wanted: readonly Lines[]): string {
  if (lines.length === 0) return `${path} is empty.`;
  const pieces: string[] = [];
  let room = maxBytes;
  for (const [index, { first, last }] of wanted.entries()) {
    if (first > lines.length) {
      pieces.push(`${path} has only ${lines.length} lines.`);
      break;
    }
    if (room <= 0 || index === maxRanges) {
      pieces.push(noRoomFor(wanted.slice(index)));
      break;
    }
    const end = Math.min(last, lines.length);
    const taken: string[] = [];
    for (let number = first; number <= end && room > 0; number++) {
      const text = `${number}\t${truncateLine(lines[number - 1] ?? "")}`;
      taken.push(text);
      room -= Buffer.byteLength(text) + 1;
    }
    const reached = first + taken.length - 1;
    const more = reached < end ? `; call again with start_line ${reached + 1} for more` : "";
    pieces.push(`${path}, lines ${first}–${reached} of ${lines.length}${more}\n${taken.join("\n")}`);
  }
  return pieces.join("\n");
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
