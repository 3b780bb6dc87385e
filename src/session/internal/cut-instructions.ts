// Cuts long instructions at a line, and says what was cut off and where it can be read.
import { cutText } from "../../tools/attached-text.ts";

/** Sent with every later request, so of a longer file the model gets the beginning and a list of the other sections. */
const mostOfInstructions = 16 * 1024;
const maxSections = 40;
const longestSection = 80;
/** How many characters after the beginning are searched for sections. */
const longestRest = 256 * 1024;

export function cutInstructions(
  path: string,
  whole: string,
  maxBytes = mostOfInstructions,
): { readonly text: string; readonly isCut: boolean } {
  const cut = wholeLines(cutText(whole, maxBytes, "beginning"), whole);
  return { text: cut + restOf(path, cut, whole), isCut: cut !== whole };
}

/** Cuts at the end of a line, because half a sentence may say the opposite. */
function wholeLines(cut: string, whole: string): string {
  if (cut === whole) return cut;
  const end = cut.lastIndexOf("\n") + 1;
  return end > 0 ? cut.slice(0, end) : cut;
}

/** States what was cut off and where it can be read. */
function restOf(path: string, cut: string, whole: string): string {
  if (cut === whole) return "";
  const next = cut.split("\n").length;
  const sections = sectionsOf(whole.slice(cut.length, cut.length + longestRest), next);
  const named = sections === "" ? "" : ` Read there what your task needs: ${sections}.`;
  return `${cut.endsWith("\n") ? "" : "\n"}[Only the beginning of ${path} is shown. The rest begins at line ${next}.${named}]`;
}

/** The headings of a text with their line numbers; `first`: the number of its first line. */
function sectionsOf(text: string, first: number): string {
  const headings: string[] = [];
  let isCode = false;
  for (const [at, line] of text.split("\n").entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, name] = (!isCode && /^#{1,3} +(\S.*)/.exec(line.slice(0, longestSection))) || [];
    if (name !== undefined) headings.push(`${first + at} ${name.trim()}`);
  }
  const more = headings.length - maxSections;
  return [...headings.slice(0, maxSections), ...(more > 0 ? [`${more} more`] : [])].join("; ");
}
