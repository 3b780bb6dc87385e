// Searches texts in memory for lines that match, by the same program that finds them on the disk. Texts are proposals,
// unsaved documents, files that are on no local disk, and every text after its secrets were removed.
import type { LinePattern } from "../files/workspace.ts";
import { excerpt, type FoundLine, type FoundLines, type WantedLines } from "./line-excerpts.ts";
import { lettersIn, matchLines } from "./ripgrep.ts";

/** Texts that one process searches: starting one takes longer than searching a few hundred kilobytes. */
const charactersAtOnce = 8_000_000;

/** The lines of each text, in the order of the texts. Throws Refusal, and the signal's reason when aborted. */
export async function findLines(
  program: string,
  texts: readonly string[],
  pattern: LinePattern,
  wanted: WantedLines,
  signal: AbortSignal,
): Promise<readonly FoundLines[]> {
  const found: FoundLines[] = [];
  for (const some of inPortions(texts)) {
    // No pattern reaches beyond its line, so that texts may lie behind each other.
    const joined = some.map(({ text }) => text).join("");
    const matches = joined === "" ? [] : await matchLines(program, joined, pattern, signal);
    let [next, first] = [0, 1];
    for (const lines of some) {
      const starts: [index: number, start: number][] = [];
      for (let match = matches[next]; match !== undefined; match = matches[++next]) {
        if (match.line >= first + lines.count) break;
        starts.push([match.line - first, match.start]);
      }
      first += lines.count;
      found.push(shownLines(lines, starts, wanted));
    }
  }
  return found;
}

/** Whole lines, each with a line feed behind it. */
interface Lines {
  readonly text: string;
  readonly count: number;
}

/** As many texts together as are searched at once. */
function* inPortions(texts: readonly string[]): Generator<readonly Lines[], void> {
  let [some, size]: [Lines[], number] = [[], 0];
  for (const text of texts) {
    some.push(wholeLines(text));
    size += text.length;
    if (size < charactersAtOnce) continue;
    yield some;
    [some, size] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/** Splitting a text takes several times as long as counting its lines, of which few are shown. */
function wholeLines(text: string): Lines {
  const fed = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const whole = fed === "" || fed.endsWith("\n") ? fed : `${fed}\n`;
  let count = 0;
  for (let at = whole.indexOf("\n"); at >= 0; at = whole.indexOf("\n", at + 1)) count++;
  return { text: whole, count };
}

/** Reads lines in their order. */
function lineReader({ text }: Lines): (index: number) => string {
  let [next, start] = [0, 0];
  return (index) => {
    for (; next < index; next++) start = text.indexOf("\n", start) + 1;
    return text.slice(start, text.indexOf("\n", start));
  };
}

/** `starts`: the indexes of the lines that match, in order, and the byte at which the match begins. */
function shownLines(
  lines: Lines,
  starts: readonly (readonly [index: number, start: number])[],
  { most, context }: WantedLines,
): FoundLines {
  const found: FoundLine[] = [];
  const read = lineReader(lines);
  // Lines before this index are done.
  let shown = 0;
  const showNear = (end: number) => {
    for (; shown < end; shown++)
      found.push({ number: shown + 1, ...excerpt(read(shown), 0), isContext: true });
  };
  for (const [at, [index, start]] of starts.slice(0, most).entries()) {
    shown = Math.max(shown, index - context);
    showNear(index);
    const line = read(index);
    found.push({ number: index + 1, ...excerpt(line, lettersIn(line, start)) });
    shown = index + 1;
    const next = starts[at + 1]?.[0] ?? lines.count;
    showNear(Math.min(index + 1 + context, next));
  }
  return { lines: found, total: starts.length };
}
