// The sources a text cites: numbered marks at their positions in the Markdown, and the list of sources. Positions and
// addresses come from the service: a mark that would break the surrounding text is left out, and the source is only
// listed.

import type { Citation } from "../../../conversation/state.ts";
import { nameOfUrl, webUrl } from "../../../util/web-url.ts";
import { h } from "../../elements/dom.ts";
import type { Post } from "../../render-context.ts";

export interface SourceFacts {
  readonly url: string;
  readonly title?: string | undefined;
}

/**
 * A link to a web page or image with its host. The host checks the address before it opens it, and nothing is loaded
 * here. What is not clearly a web page (requirements D6) is only text.
 */
export function sourceLink({ url, title }: SourceFacts, post: Post): HTMLElement {
  const address = webUrl(url);
  const name = nameOfUrl({ url, title });
  if (address === undefined) return h("span", { dir: "auto", "data-read": "" }, name);
  // A button, not a link, so that there is nothing the browser itself could follow.
  const look = { class: "link", role: "link", dir: "auto", title: address.href, "data-read": "" };
  const open = h("button", { type: "button", ...look }, name);
  open.addEventListener("click", () => post({ type: "open-link", url: address.href }));
  return h("span", {}, open, h("span", { class: "host" }, address.host));
}

interface Cited {
  readonly text: string;
  readonly citations?: readonly Citation[] | undefined;
}

/** Each address once, in the order of its first citation. */
export function sourcesOf({ citations = [] }: Cited): readonly SourceFacts[] {
  const sources = new Map<string, SourceFacts>();
  for (const { url, title } of citations) if (!sources.has(url)) sources.set(url, { url, title });
  return [...sources.values()];
}

/** Returns the Markdown with marks as links. */
export const withLinks = (part: Cited): string =>
  withMarks(part, (number, { url, title = "" }) => {
    // A mark may stand in a cell of a table, which a bar would end.
    const named = title
      .replaceAll(/[\\"\s]+/g, " ")
      .replaceAll("|", "&#124;")
      .trim();
    // Encode what an address cannot contain, so that nothing in it ends the link.
    const address = url.replaceAll(/[<>|\\\s]/g, encodeURIComponent);
    // As entities: after a backslash, these brackets would begin a formula.
    return `[&#91;${number}&#93;](<${address}> "${named}")`;
  });

/** Returns the text with readable marks. */
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

/** Whether a mark can be inserted: not in code, in a link, or within a character. */
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

/** Only this much of a line is examined. */
const longestLine = 4_000;

export const citationWords = (part: Cited): readonly string[] => sourcesOf(part).map(nameOfUrl);
