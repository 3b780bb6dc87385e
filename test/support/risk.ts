// The flags of changes by the product's own rules, from two texts of a file.

import { lineEdits } from "../../src/patch/edits.ts";
import { isInScope, risksOf } from "../../src/risk/file-risk.ts";

export interface ChangedFile {
  readonly path: string;
  /** Nothing: there was no file, or there is none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** What was in scope: paths, names, and folders with "/" at their end. Absent: everything was. */
  readonly asked?: readonly string[];
}

export interface FlaggedHunk {
  /** Of the text as it would be, from 1, both included; of what only goes, the line before and the line after it. */
  readonly lines: [number, number];
  readonly flags: string[];
}

/** The flags of all hunks, one behind the other. */
export const flagsIn = (path: string, before: string, after: string): string[] =>
  flagsOf({ path, before, after }).flatMap(({ flags }) => flags);

export function flagsOf({ path, before, after, asked }: ChangedFile): FlaggedHunk[] {
  const edits = lineEdits(before ?? "", after ?? "");
  const isOutside = asked !== undefined && !isInScope(path, asked);
  const risks = risksOf({ path, before, after, edits, isOutside });
  let shift = 0;
  return edits.map(({ lines, written }, number) => {
    const first = lines.first + shift;
    shift += written - (lines.last - lines.first);
    const at: [number, number] = written === 0 ? [first, first + 1] : [first + 1, first + written];
    return { lines: at, flags: [...(risks[number]?.flags ?? [])] };
  });
}
