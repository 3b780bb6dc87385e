// Markdown of a model or of a person so that nothing loads by itself where it is opened: pictures become links, and markup
// of HTML becomes text. Code stays as it is, where every reader of Markdown takes it for code: in fences that begin at the
// margin, and in spans of one line. Whatever is in doubt is written out. Pure.

const fenceLine = /^(`{3,}(?!.*`)|~{3,})/;
/** What may open a fence for somebody, in a list or a quotation: from there on nobody knows what is code. */
const innerFence = /^[\s>*+\-\d.)]+(`{3,}|~{3,})/;
const runs = /\\`|`+/g;

export function harmlessMarkdown(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  let inDoubt = false;
  let spansInDoubt = false;
  for (const line of text.split(/\r\n?|\n/)) {
    if (fence !== undefined) {
      lines.push(line);
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    fence = inDoubt ? undefined : fenceLine.exec(line)?.[1];
    if (fence !== undefined) {
      lines.push(line);
      spansInDoubt = false;
      continue;
    }
    inDoubt ||= innerFence.test(line) || /^(?:`{3}|~{3})/.test(line);
    if (line.trim() === "") spansInDoubt = false;
    const spans: readonly Span[] | undefined = spansInDoubt || inDoubt ? undefined : spansOf(line);
    // A run that finds no partner in its line may find one in the next.
    spansInDoubt ||= spans === undefined;
    lines.push(writtenOut(line, spans ?? []));
  }
  // What comes behind is no longer its code.
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

/** Where code stands in a line; `undefined`: not all of its marks come in pairs, or a table may part them. */
function spansOf(line: string): Span[] | undefined {
  const spans: Span[] = [];
  const marks = [...line.matchAll(runs)];
  for (let at = 0; at < marks.length; at += 1) {
    const open = marks[at];
    if (open === undefined || open[0].startsWith("\\")) return undefined;
    const other = marks.findIndex(([mark], index) => index > at && mark === open[0]);
    const close = marks[other];
    if (close === undefined) return undefined;
    const span = { from: open.index, to: close.index + close[0].length };
    if (line.slice(span.from, span.to).includes("|")) return undefined;
    spans.push(span);
    at = other;
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

/** The backslashes before it tell whether it is written out already. A plain address in angle brackets is only a link. */
const withoutLoads = (text: string): string =>
  text.replaceAll(
    /(?<!\\)(\\*)(!(?=\[)|<(?!https?:[^\s<>]*>)(?=[a-z/!?]))/gi,
    (whole, slashes: string, mark: string) => (slashes.length % 2 === 1 ? whole : `${slashes}\\${mark}`),
  );
