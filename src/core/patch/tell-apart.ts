// Two lines that differ, quoted so that a reader sees where: what cannot be seen is spelled out, long lines are shown
// around their first difference, and where only white space or look-alikes differ that is said in words.

import { indentOf } from "./indent-step.ts";
import { fold } from "./line-equality.ts";
import { quote } from "./quote-foreign.ts";

interface Told {
  readonly patch: string;
  readonly file: string;
  /** What differs where it may be overlooked. */
  readonly how: string | undefined;
}

/** What is shown of a line, and what stands before the difference where its beginning is left out. */
const [shown, before] = [60, 10];

export function tellApart(patch: string, file: string): Told {
  let at = 0;
  while (at < patch.length && patch[at] === file[at]) at += 1;
  const isLate = at > shown - before || quote(visible(patch.slice(0, at))).length > shown;
  const from = isLate ? Math.max(0, at - before) : 0;
  const around = (text: string) =>
    quote(
      `${from > 0 ? "…" : ""}${visible(text.slice(from, from + shown))}${text.length > from + shown ? "…" : ""}`,
    );
  return { patch: around(patch), file: around(file), how: howTheyDiffer(patch, file) };
}

/** A mark on its own, and a space that is none of the keyboard's, look like nothing. */
function visible(text: string): string {
  return text.replace(/[\p{M}\p{Zs}]/gu, (char) => (char === " " ? char : inHex(char)));
}

function inHex(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

function howTheyDiffer(patch: string, file: string): string | undefined {
  if (patch.trim() === file.trim()) {
    const [one, other] = [indentOf(patch), indentOf(file)];
    if (one !== other)
      return `only the indentation differs: ${spaceInWords(one)} in the patch, ${spaceInWords(other)} in the file`;
    const end = (text: string) => spaceInWords(text.slice(text.trimEnd().length));
    return `only the end of the line differs: ${end(patch)} in the patch, ${end(file)} in the file`;
  }
  if (fold(patch) !== fold(file)) return undefined;
  const [own, there] = [[...patch.trim()], [...file.trim()]];
  const at = own.findIndex((char, step) => char !== there[step]);
  return `they only look alike: ${named(own[at])} in the patch, ${named(there[at])} in the file`;
}

function named(char: string | undefined): string {
  return char === undefined
    ? "nothing"
    : `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** `2 tabs and 1 space`. */
function spaceInWords(space: string): string {
  const runs = space.match(/(.)\1*/gsu) ?? [];
  const words = runs.slice(0, 4).map((run) => {
    const word = run.startsWith("\t") ? "tab" : run.startsWith(" ") ? "space" : named(run[0]);
    return `${run.length} ${word}${run.length > 1 ? "s" : ""}`;
  });
  return words.length === 0 ? "nothing" : words.join(" and ");
}
