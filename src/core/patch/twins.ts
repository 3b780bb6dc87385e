// The one ambiguity that the text alone does not show: a hunk fits the file, but it would also fit directly below
// what an earlier hunk of the patch writes. Which of the two was meant cannot be told.
import type { Candidates } from "./candidates.ts";
import { applyEdits } from "./edits.ts";
import { hashOf } from "./fold.ts";
import type { Pattern } from "./pattern.ts";
import { findPlaces, indexLines, type Place } from "./seek.ts";
import { editsOf, type Splice } from "./splice.ts";
import { type Lines, splitLines } from "./text.ts";

interface Written {
  readonly first: number;
  readonly last: number;
  readonly hunks: readonly number[];
}

/** For each hunk that has one, the place it got and its twin's. */
export function findTwins(
  lines: Lines,
  hunks: readonly Candidates[],
  places: readonly Place[],
  splices: readonly Splice[],
  from: number,
): ReadonlyMap<number, readonly Place[]> {
  const found = new Map<number, readonly Place[]>();
  const suspects = findSuspects(hunks);
  if (suspects.length === 0) return found;
  const after = splitLines(applyEdits(lines.text, editsOf(lines, splices)));
  const index = indexLines(
    after,
    suspects.flatMap((at) => hunks[at]?.pattern ?? []),
  );
  const written = writtenBy(splices);
  for (const at of suspects) {
    const [pattern, place] = [hunks[at]?.pattern, places[at]];
    if (pattern === undefined || place === undefined) continue;
    const twin = findPlaces(index, pattern).find((own) => {
      return own.tier <= place.tier && isBelowWritten(pattern, own, written, from + at);
    });
    if (twin !== undefined) found.set(at, [place, twin]);
  }
  return found;
}

/** Hunks with an old line that an earlier hunk adds, and nothing but their lines to say where they belong. */
function findSuspects(hunks: readonly Candidates[]): number[] {
  const added = new Set<number>();
  const suspects: number[] = [];
  for (const [at, { pattern, pinned }] of hunks.entries()) {
    if (!pinned && pattern.hashes.some((hash) => added.has(hash))) suspects.push(at);
    for (const line of pattern.hunk.lines) if (line.kind === "added") added.add(hashOf(line.text));
  }
  return suspects;
}

function writtenBy(splices: readonly Splice[]): Written[] {
  let shift = 0;
  return splices.map(({ first, last, lines, hunks }) => {
    const start = first + shift;
    shift += lines.length - (last - first);
    return { first: start, last: start + lines.length, hunks };
  });
}

/** It begins in lines that earlier hunks wrote, and what it changes stands below them. */
function isBelowWritten(pattern: Pattern, place: Place, written: readonly Written[], hunk: number): boolean {
  const [first, last] = [place.at, place.at + pattern.lines.length];
  const under = written.filter((own) => own.first < last && own.last > first);
  const change = place.at + pattern.change.first;
  return under.length > 0 && under.every((own) => own.last <= change && own.hunks.every((at) => at < hunk));
}
