// One change of a file as the rules of risk see it: what it takes away and what it brings, as code and as comments. Lines
// that only stand elsewhere in the file afterwards are neither.
import type { LineRange } from "../patch/model.ts";
import type { Language } from "./languages.ts";
import type { Source } from "./source.ts";

export interface Side {
  readonly source: Source;
  readonly at: LineRange;
  /** Its lines without those that stand elsewhere on the other side. */
  readonly code: readonly string[];
  readonly notes: readonly string[];
}

export interface Hunk {
  readonly path: string;
  readonly language: Language;
  readonly isTest: boolean;
  readonly removed: string;
  readonly added: string;
  readonly before: Side;
  readonly after: Side;
  /** The code of this one and of those right beside it, which belong to the same test. */
  readonly near: { readonly before: string; readonly after: string };
  /** How many secrets a text holds, by whoever knows them. */
  secretsIn(text: string): number;
  /** The whole file goes. */
  readonly isDeleted: boolean;
}

export const joined = (lines: readonly string[]): string => lines.join("\n");

/** The code of its lines and some around them. */
export function around({ source: { code }, at }: Side, more: number): { text: string; from: number } {
  const from = Math.max(0, at.first - more);
  return { text: joined(code.slice(from, at.last + more)), from };
}

/** How often this stands in its lines, or goes over the place where they are missing. */
export function touching(side: Side, pattern: RegExp, more = 6): number {
  const { text, from } = around(side, more);
  const { first, last } = side.at;
  let [count, row, at] = [0, from, 0];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    row += lineEnds(text.slice(at, index));
    at = index;
    const end = row + lineEnds(found.trimEnd());
    if (first === last ? row < first && end >= first : row < last && end >= first) count += 1;
  }
  return count;
}

const lineEnds = (text: string): number => text.split("\n").length - 1;
