// Finds matching lines in a text, and tells whether a file has any. Part of the search thread (search-thread.ts): these
// functions are converted to source text, so they may only use each other and their arguments.
import type * as nodeFs from "node:fs";

export interface FoundLine {
  /** Starting at 1. */
  readonly number: number;
  /** The line; of a long line, an excerpt around the match. */
  readonly text: string;
  /** The line is context of a match nearby. */
  readonly isContext?: true;
  /** The line was shortened, and its text says so. */
  readonly isCut?: true;
  /** For a line long enough to be shortened: where the match starts in `text`. */
  readonly at?: number;
}

export interface FoundLines {
  /** The first matching lines with their context. */
  readonly lines: readonly FoundLine[];
  /** Total number of matching lines. */
  readonly total: number;
}

/** How many matches of a file are wanted, and how many lines before and after each of them. */
export interface WantedLines {
  readonly most: number;
  readonly context: number;
}

/** Whether a file contains a match. `ask`: only the editor can tell, since it knows the encoding. */
export type Sifted = "no" | "ask" | "large";

export interface Tools {
  readonly fs: typeof nodeFs;
  readonly isUtf8: (bytes: Buffer) => boolean;
  readonly isAscii: (bytes: Buffer) => boolean;
  readonly pattern: RegExp;
  readonly holds: RegExp;
  readonly maxBytes: number;
}

export function excerpt(line: string, at: number): Pick<FoundLine, "text" | "isCut" | "at"> {
  const most = 600;
  if (line.length <= most) return at > 100 ? { text: line, at } : { text: line };
  const from = at < most - 100 ? 0 : at - 100;
  const rest = line.length - from - most;
  const [before, after] = [
    from > 0 ? `[${from} characters] ` : "",
    rest > 0 ? ` [${rest} more characters]` : "",
  ];
  const text = before + line.slice(from, from + most) + after;
  return { text, isCut: true, at: before.length + at - from };
}

/** Splitting at a single kind of line end is by far the fastest. */
export function splitLines(text: string): string[] {
  return text.includes("\r") ? text.split(/\r\n|\r|\n/) : text.split("\n");
}

/** Where a match starts, -1 if there is none. A simpler expression rules out most lines first. */
export function searchLine({ pattern, holds }: Tools, line: string): number {
  return holds.test(line) ? line.search(pattern) : -1;
}

export function findLines(tools: Tools, text: string, { most, context }: WantedLines): FoundLines {
  const lines = splitLines(text);
  if (lines.at(-1) === "") lines.pop();
  const found: FoundLine[] = [];
  let total = 0;
  // `shown`: lines before this index are done. `behind`: number of lines after the last match that belong to it.
  let [shown, behind] = [0, 0];
  const showNear = (end: number) => {
    for (; shown < end; shown++)
      found.push({ number: shown + 1, ...excerpt(lines[shown] ?? "", 0), isContext: true });
  };
  for (const [index, line] of lines.entries()) {
    const at = searchLine(tools, line);
    if (at < 0) {
      if (behind-- > 0) showNear(index + 1);
    } else if (++total > most) behind = 0;
    else {
      shown = Math.max(shown, index - context);
      showNear(index);
      found.push({ number: index + 1, ...excerpt(line, at) });
      [shown, behind] = [index + 1, context];
    }
  }
  return { lines: found, total };
}

function hasLine(tools: Tools, text: string): boolean {
  const { pattern, holds } = tools;
  if (!holds.test(text)) return false;
  // A pattern that is a plain text without line ends can only match within one line.
  if (holds.source === pattern.source && !/[\r\n]/.test(holds.source)) return true;
  return splitLines(text).some(
    (line, index, all) => searchLine(tools, line) >= 0 && (index < all.length - 1 || line !== ""),
  );
}

/** Uses VS Code's heuristic: zeros at every second position only. */
export function isUtf16(head: Buffer): boolean {
  if (head.length > 1 && (head.readUInt16BE(0) === 0xfeff || head.readUInt16BE(0) === 0xfffe)) return true;
  const zeros = [false, false];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = true;
  return zeros[0] !== zeros[1];
}

export function siftFile(tools: Tools, place: string, utf8: boolean): Sifted {
  const { fs } = tools;
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  let file: number | undefined;
  try {
    file = fs.openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stat = fs.fstatSync(file);
    if (!stat.isFile()) return "no";
    const isLarge = stat.size > tools.maxBytes;
    const bytes = isLarge ? Buffer.alloc(512) : fs.readFileSync(file);
    if (isLarge) fs.readSync(file, bytes);
    if (isUtf16(bytes.subarray(0, 512))) return isLarge ? "large" : "ask";
    if (bytes.includes(0)) return utf8 || isLarge ? "no" : "ask";
    if (isLarge) return "large";
    if (utf8 ? !tools.isUtf8(bytes) : !tools.isAscii(bytes)) return "ask";
    return hasLine(tools, bytes.toString("utf8").replace(/^\ufeff/, "")) ? "ask" : "no";
  } catch {
    return "ask";
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

/** Functions for the search thread. */
export const lineParts = [excerpt, splitLines, searchLine, findLines, hasLine, isUtf16, siftFile];
