// The step by which a text indents around a place, read from its lines: what breaks ties where a patch alone does not
// say how one of its own steps is written in the file.
import { isBlank, type Lines, lineAt } from "./text.ts";

/** One step of indentation: a tab, or so many spaces. */
export interface Step {
  readonly char: "\t" | " ";
  readonly size: number;
}

/** Asked for a row; undefined where the lines around it show no step, or several. */
export type StepAt = (row: number) => Step | undefined;

/** So many lines above and below a place speak for it. */
const around = 500;
/** So much of what is indented has to agree. */
const most = 0.8;

export function stepsOf(lines: Lines): StepAt {
  const known = new Map<number, { readonly step: Step | undefined }>();
  return (row) => {
    const block = Math.floor(row / around);
    const found = known.get(block) ?? { step: stepIn(lines, (block - 1) * around, (block + 2) * around) };
    known.set(block, found);
    return found.step;
  };
}

function stepIn(lines: Lines, first: number, last: number): Step | undefined {
  const indents: string[] = [];
  for (let row = Math.max(0, first); row < Math.min(last, lines.count); row++) {
    if (!isBlank(lines, row)) indents.push(indentOf(lineAt(lines, row)));
  }
  const indented = indents.filter((indent) => indent !== "");
  const tabs = indented.filter((indent) => indent.startsWith("\t")).length;
  if (indented.length === 0) return undefined;
  if (tabs >= most * indented.length) return { char: "\t", size: 1 };
  return tabs > (1 - most) * indented.length ? undefined : stepOfSpaces(indents);
}

/** The most frequent way down one level that the widths of nearly all lines are multiples of. */
function stepOfSpaces(indents: readonly string[]): Step | undefined {
  const widths = indents.filter((indent) => !indent.includes("\t")).map((indent) => indent.length);
  const jumps = new Map<number, number>();
  for (const [at, width] of widths.entries()) {
    const jump = width - (widths[at - 1] ?? width);
    if (jump > 1) jumps.set(jump, (jumps.get(jump) ?? 0) + 1);
  }
  const indented = widths.filter((width) => width > 0);
  const byCount = [...jumps].sort(([one, count], [other, often]) => often - count || one - other);
  const size = byCount.find(([jump]) => {
    return indented.filter((width) => width % jump === 0).length >= most * indented.length;
  })?.[0];
  return size === undefined ? undefined : { char: " ", size };
}

/** The white space that a line begins with; only its first part counts, however much follows. */
export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}
