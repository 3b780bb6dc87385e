// Lines of a text as a search shows them.

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
  /** What was found is declared there. */
  readonly declares?: true;
  /** For a pattern with alternatives: the word that the match begins with. */
  readonly word?: string;
}

export interface FoundLines {
  /** The first matching lines with their context. */
  readonly lines: readonly FoundLine[];
  /** Total number of matching lines. */
  readonly total: number;
  /** Number of lines of the whole text. */
  readonly lineCount: number;
}

/** How many matches of a file are wanted, and how many lines before and after each of them. */
export interface WantedLines {
  readonly most: number;
  readonly context: number;
  /** Wanted are matches that begin with different words as well, beyond the first ones. */
  readonly isVaried?: boolean;
}

/** Shortens a long line. `at`: where the match starts. */
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
