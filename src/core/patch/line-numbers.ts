// Line numbers that were copied into a hunk from a listing: `12\tconst a = 1;`, `12: …`, `12 | …`. They are taken off
// only where every line of a kind bears one, all in the same form, and they count up as the lines do.
import type { HunkLine } from "./model.ts";

const numbered = /^[ \t]{0,8}L?(\d{1,6})(\t|→| ?\||:| |$)/;

interface Numbered {
  readonly line: HunkLine;
  readonly number: number;
  readonly separator: string;
  readonly rest: string;
}

export interface Unnumbered {
  readonly lines: readonly HunkLine[];
  /** Of a hunk in which a single old line bears a number, which then counts for nothing by itself. */
  readonly onlyNumber?: number;
}

export function withoutNumbers(lines: readonly HunkLine[]): Unnumbered | undefined {
  if (!beginsNumbered(lines, "context") && !beginsNumbered(lines, "removed")) return undefined;
  const found = new Map<HunkLine, Numbered>();
  const old: Numbered[] = [];
  const fresh: Numbered[] = [];
  const rows: number[] = [];
  let row = 0;
  for (const line of lines) {
    const own = readNumber(line);
    if (own !== undefined) {
      found.set(line, own);
      (line.kind === "added" ? fresh : old).push(own);
      if (line.kind !== "added") rows.push(row);
    }
    if (line.kind !== "added") row += 1;
  }
  const all = [...old, ...fresh];
  const form = all.find(({ separator }) => separator !== "")?.separator;
  const isSame = all.every(({ separator }) => separator === "" || separator === form);
  if (old.length === 0 || form === undefined || !isSame || !isWhole(lines, found)) return undefined;
  const first = (old[0]?.number ?? 0) - (rows[0] ?? 0);
  if (!old.every(({ number }, at) => number === first + (rows[at] ?? 0)) || !countsUp(fresh))
    return undefined;
  const hasSpace =
    form !== " " && form !== "\t" && all.every(({ rest }) => rest === "" || rest.startsWith(" "));
  const bare = lines.map((line) => {
    const own = found.get(line);
    return own === undefined ? line : { ...line, text: own.rest.slice(hasSpace ? 1 : 0) };
  });
  return old.length === 1 ? { lines: bare, onlyNumber: first } : { lines: bare };
}

/** Of a kind all lines bear a number or none does, so that the first tells: most hunks are read no further. */
function beginsNumbered(lines: readonly HunkLine[], kind: HunkLine["kind"]): boolean {
  const first = lines.find((line) => line.kind === kind && line.bare !== true);
  return first !== undefined && readNumber(first) !== undefined;
}

function readNumber(line: HunkLine): Numbered | undefined {
  const [head, number, separator = ""] = (line.bare === true ? null : numbered.exec(line.text)) ?? [];
  if (head === undefined) return undefined;
  return { line, number: Number(number), separator, rest: line.text.slice(head.length) };
}

/** Of each kind of line all bear a number, or none does; and the context does, where there is any. */
function isWhole(lines: readonly HunkLine[], found: ReadonlyMap<HunkLine, Numbered>): boolean {
  const isMixed = (kind: HunkLine["kind"]) => {
    const own = lines.filter((line) => line.kind === kind && line.bare !== true);
    const count = own.filter((line) => found.has(line)).length;
    return count > 0 && count < own.length;
  };
  const context = lines.find((line) => line.kind === "context" && line.bare !== true);
  return (
    !isMixed("context") &&
    !isMixed("removed") &&
    !isMixed("added") &&
    (context === undefined || found.has(context))
  );
}

function countsUp(fresh: readonly Numbered[]): boolean {
  return fresh.every(({ number }, at) => at === 0 || number > (fresh[at - 1]?.number ?? 0));
}
