// A text that is too long, cut at a line end: its beginning, or its end where the end is what matters. Pure.

export interface CutLines {
  readonly lines: readonly string[];
  /** Index of the first line that is left. */
  readonly first: number;
  readonly isCut: boolean;
}

export function cutLines(lines: readonly string[], mostBytes: number, keep: "beginning" | "end"): CutLines {
  const ordered = keep === "beginning" ? lines : lines.toReversed();
  let bytes = 0;
  let count = 0;
  for (const line of ordered) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > mostBytes) break;
    count++;
  }
  const isCut = count < lines.length;
  if (keep === "beginning") return { lines: lines.slice(0, count), first: 0, isCut };
  return { lines: lines.slice(lines.length - count), first: lines.length - count, isCut };
}
