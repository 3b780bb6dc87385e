// Reads what stands behind `@@`: nothing, an anchor, a line range as in unified diffs, or both.

export interface HunkHeader {
  readonly anchors: readonly string[];
  readonly range?: { readonly start: number; readonly length: number };
}

const lineRange = /^\s*-(\d{1,9})(?:,(\d{1,9}))?(?:\s+\+\d{1,9}(?:,\d{1,9})?(?:\s*@@|$)|\s*@@)\s?(.*)$/;

export function readHunkHeader(line: string): HunkHeader {
  const text = line.slice(2).trimEnd();
  const match = lineRange.exec(text);
  if (match === null) return { anchors: anchorsIn(text) };
  const range = { start: Number(match[1]), length: match[2] === undefined ? 1 : Number(match[2]) };
  return { anchors: anchorsIn(match[3] ?? ""), range };
}

/** One space belongs to the marker, the rest to the anchor. `@@ a @@ b` stacks, `@@ … @@` says nothing. */
function anchorsIn(text: string): string[] {
  return text
    .replace(/ @@$/, "")
    .replace(/^ ?@@$/, "")
    .split(" @@ ")
    .map((anchor, at) => (at === 0 && anchor.startsWith(" ") ? anchor.slice(1) : anchor))
    .filter((anchor) => !/^[\s.…]*$/.test(anchor));
}
