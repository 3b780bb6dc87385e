// Reads some lines of a text file that is too large to load as a whole. Scans its bytes for line ends and keeps only
// the wanted lines, with enough text around them to recognize a secret by its beginning and end.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createYieldPoint } from "../../util/concurrency.ts";

export interface WantedLines {
  /** Starting at 1. */
  readonly first: number;
  readonly last: number;
  /** Limit for all lines together; each counts only the bytes that it shows. */
  readonly maxBytes: number;
  readonly maxBytesPerLine: number;
}

interface FilePart {
  /** The text before the lines, the lines themselves (very long ones are cut), and the text after them. */
  readonly before: string;
  readonly lines: readonly PartLine[];
  readonly after: string;
  /** Number of lines scanned: all lines of the file if it has none of the wanted ones. */
  readonly lineCount: number;
  /** No line follows. */
  readonly isEnd: boolean;
  readonly bytes: number;
}

interface PartLine {
  readonly text: string;
  /** Bytes of the line that are not in the text. */
  readonly left: number;
}

interface Line {
  readonly start: number;
  readonly end: number;
}

const pieceBytes = 256 * 1024;
/** More than the longest key (secret-places.ts). */
const aroundBytes = 72 * 1024;
/** Lines that are closer together are read at once. */
const maxTogether = 1024 * 1024;
const [feed, carriageReturn] = [10, 13];

/** Returns `undefined` if the text does not use single-byte characters. */
export async function readPart(
  place: string,
  wanted: WantedLines,
  signal: AbortSignal,
): Promise<FilePart | undefined> {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  const file = await open(place, O_RDONLY | O_NONBLOCK);
  try {
    if ((await readAt(file, 0, 512)).includes(0)) return undefined;
    const found = await findLines(file, wanted, signal);
    const { lines, lineCount, isEnd, start, end } = found;
    const together = end - start <= maxTogether ? await readAt(file, start, end - start) : undefined;
    const kept: PartLine[] = [];
    for (const line of lines) {
      signal.throwIfAborted();
      const length = line.end - line.start;
      const most = Math.min(length, 4 * wanted.maxBytesPerLine);
      const from = line.start - start;
      const bytes = together?.subarray(from, from + most) ?? (await readAt(file, line.start, most));
      kept.push({ text: textOf(bytes), left: length - bytes.length });
    }
    const from = Math.max(0, start - aroundBytes);
    return {
      before: textOf(await readAt(file, from, start - from)),
      lines: kept,
      after: textOf(await readAt(file, end, aroundBytes)),
      lineCount,
      isEnd,
      bytes: (await file.stat()).size,
    };
  } finally {
    await file.close();
  }
}

async function findLines(file: FileHandle, wanted: WantedLines, signal: AbortSignal) {
  const pause = createYieldPoint(signal);
  const lines: Line[] = [];
  let [number, start, at, previous, taken] = [1, 0, 0, 0, 0];
  const isEnough = () => number > wanted.last || (lines.length > 0 && taken >= wanted.maxBytes);
  const endLine = (end: number) => {
    if (number >= wanted.first) {
      lines.push({ start, end });
      taken += Math.min(end - start, wanted.maxBytesPerLine) + 1;
    }
    number++;
  };
  while (!isEnough()) {
    await pause();
    const piece = await readAt(file, at, pieceBytes);
    if (piece.length === 0) {
      if (at > start) endLine(at);
      break;
    }
    for (let index = 0; index < piece.length; index++) {
      const byte = piece[index];
      const isSecondHalf = byte === feed && previous === carriageReturn;
      previous = byte ?? 0;
      if (byte !== feed && byte !== carriageReturn) continue;
      if (!isSecondHalf) {
        if (isEnough()) break;
        endLine(at + index);
      }
      start = at + index + 1;
    }
    at += piece.length;
  }
  const [first, last] = [lines[0], lines.at(-1)];
  const end = last?.end ?? start;
  const rest = await readAt(file, end, 3);
  const isEnd = rest.length <= 2 && /^(?:\r\n|\r|\n)?$/.test(rest.toString("latin1"));
  return { lines, lineCount: number - 1, isEnd, start: first?.start ?? start, end };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

const textOf = (bytes: Buffer): string => bytes.toString("utf8");
