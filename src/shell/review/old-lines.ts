// Where the lines that a hunk speaks of stand in a text, if that is plain to see: for showing, never for applying. Pure.
import type { LineRange } from "../../core/patch/model.ts";

/** The lines of a diff that stand in the file as it is. */
export const oldLinesOf = (diff: string): readonly string[] =>
  diff
    .split("\n")
    .filter((line) => line.startsWith(" ") || line.startsWith("-"))
    .map((line) => line.slice(1));

/** Nothing where they are not, or in more than one place. */
export function locateLines(text: string, lines: readonly string[]): LineRange | undefined {
  if (lines.length === 0) return undefined;
  const words = `\n${lines.join("\n")}\n`;
  const plain = `\n${text.replaceAll("\r\n", "\n")}\n`;
  const at = plain.indexOf(words);
  if (at === -1 || plain.indexOf(words, at + 1) !== -1) return undefined;
  const first = plain.slice(0, at).split("\n").length - 1;
  return { first, last: first + lines.length };
}
