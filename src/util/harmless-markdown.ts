// Makes Markdown of a model or a person safe to open, so that nothing loads automatically: images become links, and
// HTML markup becomes text. Code is kept only where every Markdown reader takes it for code: in fences at the margin,
// and in spans within one line. Anything ambiguous is escaped. Pure.

/** A fence line with a pipe may be a table head for some readers, so it does not count. */
const fenceLine = /^(`{3,}(?!.*[`|])|~{3,}(?!.*\|))/;
/** A possible fence in a list or a quotation: after it, what is code becomes ambiguous. */
const innerFence = /^[\s>*+\-\d.)]+(`{3,}|~{3,})/;
/** Matches an escape, an address in angle brackets, or a run of backticks, whichever comes first. */
const pieces = /\\.|<https?:[^\s\p{Cc}<>]*>|`+/giu;
const runs = /`+/g;

/**
 * A fence for some readers only, or one that may be inside a list. Left as it is, it could swallow the text that
 * follows.
 */
const looseFence = /^( {0,3})(?=`{3}(?!.*`)|~{3})/;
/** The marker of a list item at the margin, up to its text. */
const itemStart = /^ ?(?:[-+*]|\d{1,9}[.)]) {1,4}(?=\S)/;
const ruled = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;

export function harmlessMarkdown(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  let inDoubt = false;
  let spansInDoubt = false;
  /** The column from which lines belong to the current list item. */
  let item: number | undefined;
  let isParagraph = false;
  for (const line of text.split(/\r\n?|\n/)) {
    if (fence !== undefined) {
      lines.push(line);
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    fence = fenceLine.exec(line)?.[1];
    if (fence !== undefined) {
      lines.push(line);
      spansInDoubt = false;
      item = undefined;
      isParagraph = false;
      continue;
    }
    inDoubt ||= innerFence.test(line) || /^(?:`{3}|~{3})/.test(line);
    // Only spaces and tabs make a line blank and end a paragraph.
    const isBlank = /^[ \t]*$/.test(line);
    if (isBlank) spansInDoubt = false;
    const isInItem = item !== undefined && line.search(/[^ ]/) >= item;
    const [start] = ruled.test(line) ? [] : (itemStart.exec(line) ?? []);
    // Within a paragraph only some numbers begin a list, so a numbered item is not assumed.
    if (start !== undefined && (item !== undefined || !isParagraph || !/\d/.test(start))) item = start.length;
    else if (!isBlank && !isInItem) item = undefined;
    isParagraph = !isBlank;
    const spans: readonly Span[] | undefined = spansInDoubt || inDoubt ? undefined : spansOf(line);
    // An unmatched run may be closed in the next line.
    spansInDoubt ||= spans === undefined;
    const written = writtenOut(line, spans ?? []);
    lines.push(isInItem ? written : written.replace(looseFence, "$1\\"));
  }
  // Close the fence, so that text appended later is not part of it.
  if (fence !== undefined) lines.push(fence);
  return lines.join("\n");
}

const closes = (line: string, fence: string): boolean => {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return found?.[0] === fence[0] && (found?.length ?? 0) >= fence.length;
};

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The code spans of a line; `undefined` if a run of backticks has no partner, or a table may split a span. A backslash
 * before a run prevents a span, but is an ordinary character within code (CommonMark 6.1).
 */
function spansOf(line: string): Span[] | undefined {
  const spans: Span[] = [];
  const marks = [...line.matchAll(runs)];
  let mark = 0;
  pieces.lastIndex = 0;
  for (let piece = pieces.exec(line); piece !== null; piece = pieces.exec(line)) {
    const [text] = piece;
    if (text === "\\`") return undefined;
    if (!text.startsWith("`")) continue;
    while ((marks[mark]?.index ?? line.length) < pieces.lastIndex) mark += 1;
    while (mark < marks.length && marks[mark]?.[0] !== text) mark += 1;
    const close = marks[mark];
    if (close === undefined) return undefined;
    const span = { from: piece.index, to: close.index + text.length };
    if (line.slice(span.from, span.to).includes("|")) return undefined;
    spans.push(span);
    pieces.lastIndex = span.to;
  }
  return spans;
}

function writtenOut(line: string, spans: readonly Span[]): string {
  let written = "";
  let from = 0;
  for (const span of spans) {
    written += withoutLoads(line.slice(from, span.from)) + line.slice(span.from, span.to);
    from = span.to;
  }
  return written + withoutLoads(line.slice(from));
}

const loads = /(?<!\\)(\\*)(!(?=\[)|(?!<https?:[^\s\p{Cc}<>]*>)<(?=[a-z/!?]))/giu;

/**
 * An odd number of backslashes means that the character is escaped already. An address in angle brackets is only a
 * link.
 */
const withoutLoads = (text: string): string =>
  text.replaceAll(loads, (whole, slashes: string, mark: string) =>
    slashes.length % 2 === 1 ? whole : `${slashes}\\${mark}`,
  );

/** For text that is placed after other text, where the width of a tab at its margin would depend on that text. */
export const withoutTabs = (text: string): string =>
  text.replaceAll(/^[ \t]*\t[ \t]*/gm, (margin) => margin.replaceAll("\t", "    "));

/** A name or path as a code span, whatever characters it contains. */
export function codeSpan(name: string): string {
  const plain = name.replaceAll(/\s+/g, " ").trim();
  let longest = 0;
  for (const [run] of plain.matchAll(runs)) longest = Math.max(longest, run.length);
  const mark = "`".repeat(longest + 1);
  const blank = longest > 0 ? " " : "";
  return `${mark}${blank}${plain}${blank}${mark}`;
}
