// One change of a file as the rules of risk see it: what it takes away and what it brings, as code and as comments. Lines
// that only stand elsewhere in the file afterwards are neither.
import type { LineRange } from "../patch/model.ts";
import type { ConfigFile } from "./config-files.ts";
import type { Language } from "./languages.ts";
import type { Silencers } from "./silenced.ts";
import type { Source } from "./source.ts";

export class Side {
  readonly source: Source;
  readonly at: LineRange;
  readonly #isElsewhere: (line: string) => boolean;
  #rows: readonly number[] | undefined;
  #code: string | undefined;
  #notes: string | undefined;

  /** `isElsewhere`: the line stands elsewhere on the other side, and is none of its own. */
  constructor(source: Source, at: LineRange, isElsewhere: (line: string) => boolean = () => false) {
    this.source = source;
    this.at = at;
    this.#isElsewhere = isElsewhere;
  }

  /** Of its own lines, as are the notes: put together once, for all the rules that read them. */
  get code(): string {
    this.#code ??= this.#of(this.source.code);
    return this.#code;
  }

  get notes(): string {
    this.#notes ??= this.#of(this.source.notes);
    return this.#notes;
  }

  /** How many of its own lines say something. */
  get written(): number {
    const { code, notes } = this.source;
    const isEmpty = (line: string | undefined) => line === undefined || line.trim() === "";
    return this.#own().filter((row) => !isEmpty(code[row]) || !isEmpty(notes[row])).length;
  }

  #of(lines: readonly string[]): string {
    return joined(this.#own().map((row) => lines[row] ?? ""));
  }

  #own(): readonly number[] {
    if (this.#rows !== undefined) return this.#rows;
    const rows: number[] = [];
    for (let row = this.at.first; row < this.at.last; row++)
      if (!this.#isElsewhere(this.source.lines[row] ?? "")) rows.push(row);
    this.#rows = rows;
    return rows;
  }
}

export interface Hunk {
  readonly path: string;
  readonly language: Language;
  readonly isTest: boolean;
  readonly config: ConfigFile | undefined;
  readonly silencers: Silencers;
  readonly removed: string;
  readonly added: string;
  readonly before: Side;
  readonly after: Side;
  /** The code of this one and of those right beside it, which belong to the same test. */
  near(): { readonly before: string; readonly after: string };
  /** How many secrets a text holds, by whoever knows them. */
  secretsIn(text: string): number;
  /** The whole file goes. */
  readonly isDeleted: boolean;
}

export const joined = (lines: readonly string[]): string => lines.join("\n");

/** So many lines around a change are read with it. */
const more = 6;

/** How often this stands in its lines, or goes over the place where they are missing. */
export function touching({ source: { code }, at: { first, last } }: Side, pattern: RegExp): number {
  const from = Math.max(0, first - more);
  const text = joined(code.slice(from, last + more));
  // Most code has none.
  if (text.search(pattern) < 0) return 0;
  let [count, row, at] = [0, from, 0];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    row += lineEnds(text, at, index);
    at = index;
    const end = row + lineEnds(text, index, index + found.trimEnd().length);
    if (first === last ? row < first && end >= first : row < last && end >= first) count += 1;
  }
  return count;
}

const lineEnd = "\n".charCodeAt(0);

function lineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === lineEnd) count += 1;
  return count;
}
