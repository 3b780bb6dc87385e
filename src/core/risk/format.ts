// Whether a change is about form alone: the same words, signs and literals in the same order, with other white space, line
// breaks, quotes, commas before a closing sign, semicolons where a line ends anyway. Where indentation means something it
// has to be the same.
import { type Hunk, joined, type Side } from "./hunk.ts";
import { isIndented } from "./languages.ts";

export function isFormat({ before, after, language, removed, added, isDeleted }: Hunk): boolean {
  if (isDeleted || removed === added) return false;
  const [old, now] = [codeOf(before), codeOf(after)];
  if (bare(old) !== bare(now)) return false;
  // What a literal says, white space and all, is no form.
  if (isInLiteral(before) || isInLiteral(after)) return false;
  if (wordsOf(notesOf(before)) !== wordsOf(notesOf(after))) return false;
  if (language === "prose") return wordsOf(joined(old)) === wordsOf(joined(now));
  if (isIndented(language)) return logical(old).join("\n") === logical(now).join("\n");
  if (language === "data" || language === "style") return signsIn(joined(old)) === signsIn(joined(now));
  return signsIn(joined(old)) === signsIn(joined(now)) && breaks(old) === breaks(now);
}

/** What a change of form leaves as it is, whatever the language: most changes are seen not to be one by this alone. */
const bare = (lines: readonly string[]): string => joined(lines).replace(/[\s,;*]+/g, "");

const codeOf = ({ source, at }: Side): readonly string[] => source.code.slice(at.first, at.last);
const notesOf = ({ source, at }: Side): string => joined(source.notes.slice(at.first, at.last));

function isInLiteral({ source: { isInside }, at }: Side): boolean {
  return isInside.subarray(at.first, Math.max(at.last, at.first + 1)).includes(1);
}

const wordsOf = (text: string): string => text.replace(/[\s*]+/g, " ").trim();

/** Each word and sign once, apart where they would else be one word. */
function signsIn(code: string): string {
  return (code.match(/[\p{L}\p{N}_$]+|\S/gu) ?? [])
    .join(" ")
    .replace(/, (?=[)\]}>])/g, "")
    .replace(/,$/, "")
    .replace(/ ?;/g, "");
}

/** Where the end of a line ends what is said, as after a lonely `return`; and lines that would go on with the one before. */
function breaks(lines: readonly string[]): string {
  const found = lines.filter((line) => /\b(?:return|throw|break|continue|yield)\s*$/.test(line.slice(-20)));
  const leading = lines.filter(
    (line, at) => at > 0 && isEnded(lines[at - 1] ?? "") && /^\s*[;([`+\-/]/.test(line),
  );
  return `${found.length} ${leading.map((line) => line.trim().slice(0, 2)).join()}`;
}

const isEnded = (line: string): boolean =>
  /[\w)\]"];?\s*$/.test(line.slice(-20)) && !/;\s*$/.test(line.slice(-20));

/** With what stands in brackets on one line: each with its indentation. */
function logical(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  let [line, depth] = ["", 0];
  for (const each of lines) {
    if (each.trim() === "" && depth === 0) continue;
    line = depth > 0 ? `${line} ${each.trim()}` : each;
    for (const sign of each) {
      if ("([{".includes(sign)) depth += 1;
      else if (")]}".includes(sign)) depth = Math.max(0, depth - 1);
    }
    if (depth > 0) continue;
    found.push(`${/^\s*/.exec(line)?.[0] ?? ""}${signsIn(line)}`);
  }
  if (depth > 0) found.push(signsIn(line));
  return found;
}
