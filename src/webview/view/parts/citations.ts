// What a text says it is based on: numbered marks at their places in the Markdown, and the list that the numbers are of.
// Places and addresses come from the service: a mark that would break the text around it stands in the list alone.
import type { Citation } from "../../../core/conversation/events.ts";
import { type SourceFacts, sourceName } from "../source-link.ts";

interface Cited {
  readonly text: string;
  readonly citations?: readonly Citation[] | undefined;
}

/** Each address once, in the order in which it is first named. */
export function sourcesOf({ citations = [] }: Cited): readonly SourceFacts[] {
  const sources = new Map<string, SourceFacts>();
  for (const { url, title } of citations) if (!sources.has(url)) sources.set(url, { url, title });
  return [...sources.values()];
}

/** As Markdown with links. */
export const withLinks = (part: Cited): string =>
  withMarks(part, (number, { url, title = "" }) => {
    const named = title.replaceAll(/[\\"\s]+/g, " ").trim();
    // Only what an address may hold: nothing in it ends the link.
    const address = url.replaceAll(/[<>\\\s]/g, encodeURIComponent);
    // As entities: with a backslash these brackets would begin a formula.
    return `[&#91;${number}&#93;](<${address}> "${named}")`;
  });

/** As it can be read. */
export const withNumbers = (part: Cited): string => withMarks(part, (number) => `[${number}]`);

function withMarks(part: Cited, mark: (number: number, source: SourceFacts) => string): string {
  const { text, citations = [] } = part;
  if (citations.length === 0) return text;
  const sources = sourcesOf(part);
  const fences = [...text.matchAll(/^ {0,3}(?:```|~~~)/gm)].map(({ index }) => index);
  const marks = citations
    .flatMap(({ url, end }) => {
      const at = sources.findIndex((source) => source.url === url);
      const source = sources[at];
      return source === undefined || end === undefined ? [] : [{ end, number: at + 1, source }];
    })
    .filter(({ end }) => isBetweenWords(text, end, fences))
    .sort((one, other) => one.end - other.end || one.number - other.number);
  let from = 0;
  let marked = "";
  let last = "";
  for (const { end, number, source } of marks) {
    const name = `${end} ${number}`;
    if (name === last) continue;
    last = name;
    marked += text.slice(from, end) + mark(number, source);
    from = end;
  }
  return marked + text.slice(from);
}

/** Neither in code, nor in a link, nor within a character. */
function isBetweenWords(text: string, at: number, fences: readonly number[]): boolean {
  if (at < 1 || at > text.length || /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1))) return false;
  const begins = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(Math.max(begins, at - longestLine), at);
  const isFenced = fences.filter((fence) => fence < begins).length % 2 === 1;
  if (isFenced || fences.includes(begins) || /^(?: {4}|\t)/.test(line)) return false;
  const isInCode = (line.split("`").length - 1) % 2 === 1;
  const target = line.lastIndexOf("](");
  const isInLink =
    line.lastIndexOf("[") > line.lastIndexOf("]") || (target >= 0 && !line.slice(target).includes(")"));
  const angle = line.lastIndexOf("<");
  const isInTag = angle > line.lastIndexOf(">") && !/\s/.test(line.slice(angle));
  return !isInCode && !isInLink && !isInTag;
}

/** More of a line is not looked at. */
const longestLine = 4_000;

export const citationWords = (part: Cited): readonly string[] => sourcesOf(part).map(sourceName);
