// One change to a file as the risk rules see it: what it removes and adds, as code and as comments. Lines that merely
// move within the file count as neither.
import type { LineRange } from "../../patch/model.ts";
import type { ConfigFile } from "./config-files.ts";
import type { Silencers } from "./silenced-checks.ts";
import type { Language, Source } from "./source.ts";

export class Side {
  readonly source: Source;
  readonly at: LineRange;
  readonly #isElsewhere: (line: string) => boolean;
  #rows: readonly number[] | undefined;
  #code: string | undefined;
  #notes: string | undefined;

  /** `isElsewhere`: whether a line also exists elsewhere on the other side; such lines are not the change's own. */
  constructor(source: Source, at: LineRange, isElsewhere: (line: string) => boolean = () => false) {
    this.source = source;
    this.at = at;
    this.#isElsewhere = isElsewhere;
  }

  /** The code of its own lines. Like `notes`, joined once for all rules. */
  get code(): string {
    this.#code ??= this.#of(this.source.code);
    return this.#code;
  }

  get notes(): string {
    this.#notes ??= this.#of(this.source.notes);
    return this.#notes;
  }

  #of(lines: readonly string[]): string {
    return joined(this.#own().map((row) => lines[row] ?? ""));
  }

  #own(): readonly number[] {
    if (this.#rows !== undefined) return this.#rows;
    const rows: number[] = [];
    for (let row = this.at.first; row < this.at.last; row++)
      if (!this.#isElsewhere(this.source.lines[row] ?? "") && !this.#goesAlong(row)) rows.push(row);
    this.#rows = rows;
    return rows;
  }

  /** `@Test` is too short to be known again, and moves with the lines beside it. */
  #goesAlong(row: number): boolean {
    const { lines } = this.source;
    if (!/^\s*(?:@\w{1,6}|#\[\w{1,6}\]|\[\w{1,6}\])\s*$/.test(lines[row] ?? "")) return false;
    // Where a line goes, the one of the next test may be taken for it.
    return [-3, -2, -1, 1, 2, 3].some((away) => {
      const beside = row + away;
      return beside >= this.at.first && beside < this.at.last && this.#isElsewhere(lines[beside] ?? "");
    });
  }
}

/** A part of a file before and after. */
export interface Form {
  readonly before: Side;
  readonly after: Side;
}

export interface Hunk extends Form {
  readonly path: string;
  readonly language: Language;
  readonly isTest: boolean;
  /** Tests stood in the lines that it removes. */
  readonly wasTest: boolean;
  readonly config: ConfigFile | undefined;
  readonly silencers: Silencers;
  readonly removed: string;
  readonly added: string;
  /** Larger parts of the file that have this change in them, the smaller one first. */
  contexts(): readonly Form[];
  /** The code of this change and of adjacent ones that belong to the same test. */
  near(): { readonly before: string; readonly after: string };
  /** How many lines fewer there are after this change and those around it, without lines that moved as a run. */
  readonly fewer: number;
  /** The whole file is deleted. */
  readonly isDeleted: boolean;
}

export const indentOf = (line: string): number => line.length - line.trimStart().length;

/** How often a pattern with the flag `g` is in a text. */
export const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

export const joined = (lines: readonly string[]): string => lines.join("\n");

/** Lines around a change that are read with it. */
const more = 6;

/**
 * Counts matches that touch the change's lines, or span the place where lines were removed; each counts `weightOf` it,
 * which is told the row where it begins.
 */
export function touching(
  { source: { code }, at: { first, last } }: Side,
  pattern: RegExp,
  weightOf: (found: string, row: number) => number = () => 1,
): number {
  const from = Math.max(0, first - more);
  const text = joined(code.slice(from, last + more));
  // Most code has no match.
  if (text.search(pattern) < 0) return 0;
  let [count, row, at] = [0, from, 0];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    row += lineEnds(text, at, index);
    at = index;
    const end = row + lineEnds(text, index, index + found.trimEnd().length);
    if (first === last ? row < first && end >= first : row < last && end >= first)
      count += weightOf(found, row);
  }
  return count;
}

const lineEnd = "\n".charCodeAt(0);

function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === lineEnd) count += 1;
  return count;
}
