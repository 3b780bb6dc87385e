// Searches texts in memory for lines that match, by the same program that finds them on the disk. Texts are proposals,
// unsaved documents, files that are on no local disk, and every text after its secrets were removed.
import type { LinePattern } from "../../../files/workspace.ts";
import { lettersIn, matchLines } from "../../ripgrep.ts";
import { declares } from "./declarations.ts";
import { excerpt, type FoundLine, type FoundLines, type WantedLines } from "./line-excerpts.ts";

/** Texts that one process searches: starting one takes longer than searching a few hundred kilobytes. */
const charactersAtOnce = 32_000_000;

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
    const input = some.flatMap(({ pieces }) => pieces);
    const matches = some.every(({ text }) => text === "")
      ? []
      : await matchLines(program, input, pattern, signal);
    let [next, first] = [0, 1];
    for (const lines of some) {
      const starts: Start[] = [];
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

interface Lines {
  readonly text: string;
  /** As they are written to the program, each with a line feed behind it. */
  readonly pieces: readonly Uint8Array[];
  readonly count: number;
}

/** As many texts together as are searched at once. */
function* inPortions(texts: readonly string[]): Generator<readonly Lines[], void> {
  let [some, size]: [Lines[], number] = [[], 0];
  for (const text of texts) {
    some.push(linesOf(text));
    size += text.length;
    if (size < charactersAtOnce) continue;
    yield some;
    [some, size] = [[], 0];
  }
  if (some.length > 0) yield some;
}

const lineFeed = Buffer.from("\n");

/** Counts lines from one line feed to the next: splitting the text, of which few lines are shown, takes many times as long. */
function linesOf(text: string): Lines {
  const fed = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const bytes = Buffer.from(fed);
  const isClosed = fed === "" || fed.endsWith("\n");
  let count = isClosed ? 0 : 1;
  for (let at = fed.indexOf("\n"); at >= 0; at = fed.indexOf("\n", at + 1)) count++;
  return { text: fed, pieces: isClosed ? [bytes] : [bytes, lineFeed], count };
}

/** Reads lines in their order. */
function lineReader({ text }: Lines): (index: number) => string {
  let [next, start] = [0, 0];
  return (index) => {
    for (; next < index; next++) start = text.indexOf("\n", start) + 1;
    const end = text.indexOf("\n", start);
    return text.slice(start, end < 0 ? text.length : end);
  };
}

/** The index of a line that matches, and the byte at which the match begins. */
type Start = readonly [index: number, start: number];

interface Picked {
  /** Among all matches of the text. */
  readonly at: number;
  readonly word?: string;
}

/** Further words would hardly be alternatives of one pattern. */
const maxWords = 20;
/** Declarations beyond the first matches, and how many matches are looked at for them. */
const maxDeclarations = 20;
const maxLooked = 2000;

/** The first matches, and later ones that begin with a word of their own or declare something. */
function pickMatches(
  lines: Lines,
  starts: readonly Start[],
  most: number,
  isVaried: boolean,
): readonly Picked[] {
  if (starts.length <= most && !isVaried) return starts.map((_, at) => ({ at }));
  const read = lineReader(lines);
  const words = new Set<string>();
  let declarations = 0;
  return starts.flatMap(([index, start], at): Picked[] => {
    if (!isVaried && at >= most + maxLooked) return [];
    const line = read(index);
    const begin = lettersIn(line, start);
    const word = isVaried ? wordAt(line, begin) : "";
    const isNew = isVaried && words.size < maxWords && !words.has(word);
    if (isNew) words.add(word);
    const isDeclared =
      at >= most && at < most + maxLooked && declarations < maxDeclarations && declares(line, begin);
    if (isDeclared) declarations++;
    return at < most || isNew || isDeclared ? [isVaried ? { at, word } : { at }] : [];
  });
}

const wordAt = (line: string, at: number): string =>
  /^(?:[\p{L}\p{N}_$]+|.?)/u.exec(line.slice(at, at + 60))?.[0].toLowerCase() ?? "";

/** `starts`: in the order of the lines. */
function shownLines(
  lines: Lines,
  starts: readonly Start[],
  { most, context, isVaried = false }: WantedLines,
): FoundLines {
  const picked = pickMatches(lines, starts, most, isVaried);
  const found: FoundLine[] = [];
  const read = lineReader(lines);
  // Lines before this index are done.
  let shown = 0;
  const showNear = (end: number) => {
    for (; shown < end; shown++)
      found.push({ number: shown + 1, ...excerpt(read(shown), 0), isContext: true });
  };
  for (const { at, ...word } of picked) {
    const [index = 0, start = 0] = starts[at] ?? [];
    // A line that matches is never the context of another one.
    shown = Math.max(shown, index - context, (starts[at - 1]?.[0] ?? -1) + 1);
    showNear(index);
    const line = read(index);
    const begin = lettersIn(line, start);
    const isDeclared = declares(line, begin) && { declares: true as const };
    found.push({ number: index + 1, ...excerpt(line, begin), ...isDeclared, ...word });
    shown = index + 1;
    const next = starts[at + 1]?.[0] ?? lines.count;
    showNear(Math.min(index + 1 + context, next));
  }
  return { lines: found, total: starts.length, lineCount: lines.count };
}
