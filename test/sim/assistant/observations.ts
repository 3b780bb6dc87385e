// What a careful reader notices in code: here one kind of mistake, a limit that the comment includes and the code does not.
import type { Attachment } from "./attachments.ts";

export interface Boundary {
  /** Index of the line, from 0. */
  readonly at: number;
  readonly fixed: string;
  /** The words of the comment that say otherwise. */
  readonly words: string;
}

export function findBoundary(file: Attachment): Boundary | undefined {
  for (const [at, line] of file.lines.entries()) {
    if (!/\s>\s(?!=)/.test(line) || !/\b(if|return|while)\b/.test(line)) continue;
    const above = file.lines.slice(Math.max(0, at - 4), at).join(" ");
    const words = /(?:\w+ or (?:more|above)|at least \w+)[^.:*]*/i.exec(above)?.[0];
    if (words !== undefined) return { at, fixed: line.replace(/\s>\s(?!=)/, " >= "), words: words.trim() };
  }
  return undefined;
}
