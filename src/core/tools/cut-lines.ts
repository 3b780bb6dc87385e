// A text that is too long, cut at a line end: its beginning, or its end where the end is what matters. A line that is
// too long by itself is cut between two characters. Pure.

export interface CutLines {
  readonly lines: readonly string[];
  /** Index of the first line that is left. */
  readonly first: number;
  readonly isCut: boolean;
  /** Not one whole line fits: a part of one is left. */
  readonly isInside: boolean;
}

type Keep = "beginning" | "end";

export function cutLines(lines: readonly string[], maxBytes: number, keep: Keep): CutLines {
  const ordered = keep === "beginning" ? lines : lines.toReversed();
  let bytes = 0;
  let count = 0;
  for (const line of ordered) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    count++;
  }
  const isCut = count < lines.length;
  const isInside = isCut && count === 0;
  const kept = isInside ? [cutText(ordered[0] ?? "", maxBytes, keep)] : ordered.slice(0, count);
  return {
    lines: keep === "beginning" ? kept : kept.toReversed(),
    first: keep === "beginning" ? 0 : lines.length - kept.length,
    isCut,
    isInside,
  };
}

/** As much of it as these bytes hold, in whole characters. */
export function cutText(text: string, maxBytes: number, keep: Keep): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const goesOn = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let at = keep === "beginning" ? maxBytes : bytes.length - maxBytes;
  while (goesOn(at)) at += keep === "beginning" ? -1 : 1;
  return (keep === "beginning" ? bytes.subarray(0, at) : bytes.subarray(at)).toString("utf8");
}
