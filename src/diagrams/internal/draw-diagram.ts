// Draws a Mermaid text as an SVG, in the thread for it (src/diagrams/internal/diagram-thread.ts): an odd text may take long. Colours in
// it are variables (`--_line`), so that the page draws it in the colours of its theme. The SVG has the author's words
// and colours in it and is not trusted: the page keeps what it knows.
import { renderMermaidSVG } from "beautiful-mermaid";

/** `kind`: it is none of those below; `text`: it is not, or not wholly, understood; `size`: its picture is too large. */
export type Drawing = { readonly svg: string } | { readonly why: "kind" | "text" | "size" };

interface Kind {
  readonly header: RegExp;
  /** A statement that connects two things. */
  readonly connects: RegExp;
  /** What is drawn for it. */
  readonly drawn: RegExp;
  /** A statement that the renderer passes over. */
  readonly lost?: RegExp;
}

const flowchart: Kind = {
  header: /^(?:graph|flowchart)(?:\s+(?:TD|TB|LR|BT|RL))?$/i,
  connects: /--[->xo]|-\.+->?|={2,}[=>]/,
  drawn: /class="edge"/g,
};
const kinds: readonly Kind[] = [
  flowchart,
  { header: /^stateDiagram(?:-v2)?$/i, connects: /-->/, drawn: /class="edge"/g, lost: /^note\b/ },
  { header: /^sequenceDiagram$/i, connects: /^(?=[^:]*:)[^:]*?-(?:-?>>?|-?[x)])/, drawn: /class="message"/g },
  {
    header: /^classDiagram(?:-v2)?$/i,
    connects: /^[\w~"\s.]+?(?:<\||[*o<])?(?:--|\.\.)/,
    drawn: /class="class-relationship"/g,
    lost: /^note\b/,
  },
  { header: /^erDiagram$/i, connects: /[|}][o|](?:--|\.\.)[o|][|{]/, drawn: /class="er-relationship"/g },
];

/** In characters. */
const longestPicture = 500_000;

export function drawDiagram(source: string): Drawing {
  const lines = statementsOf(source);
  const header = lines[0] ?? "";
  const kind = kinds.find((each) => each.header.test(header));
  if (kind === undefined) return { why: "kind" };
  const isLost = lines.some((line) => kind.lost?.test(line) === true);
  const svg = isLost ? undefined : tryToDraw(kind === flowchart ? lines.map(withSpaces) : lines);
  if (svg === undefined) return { why: "text" };
  // The renderer leaves out statements that it cannot read: half of a diagram would be a wrong one.
  const connections = lines.slice(1).filter((line) => kind.connects.test(withoutWords(line))).length;
  const isWhole =
    /<text\b/.test(svg) &&
    !/data-(?:from|to)="-+"/.test(svg) &&
    [...svg.matchAll(kind.drawn)].length >= connections;
  if (!isWhole) return { why: "text" };
  return svg.length > longestPicture ? { why: "size" } : { svg };
}

function tryToDraw(lines: readonly string[]): string | undefined {
  try {
    return renderMermaidSVG(lines.join("\n"), { padding: 16 });
  } catch {
    // It says what is wrong in words for authors of diagrams; the text is shown instead.
    return undefined;
  }
}

/** One statement on each line, without what only concerns looks; in words that the renderer knows. */
function statementsOf(source: string): readonly string[] {
  const lines = withoutFrontMatter(source.split("\n").map((line) => line.trim()))
    .map((line) => (line.endsWith(";") ? line.slice(0, -1).trimEnd() : line))
    .filter((line) => line !== "" && !line.startsWith("%%"));
  const isOneLine = lines[0]?.includes(";") === true;
  const [header = "", ...rest] = isOneLine ? lines.flatMap(statementsIn) : lines;
  const named = /^(?:graph|flowchart)$/i.test(header)
    ? `${header} TD`
    : header.replace(/^(classDiagram)-v2$/i, "$1");
  return [named, ...namedInGroups(rest)];
}

const statementsIn = (line: string): readonly string[] => line.split(";").map((each) => each.trim());

/** What stands between two lines of dashes at the beginning says how it looks. */
function withoutFrontMatter(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  const last = lines[first] === "---" ? lines.indexOf("---", first + 1) : -1;
  return last < 0 ? lines : lines.slice(last + 1);
}

/** A group that only names nodes which are known already gets them, as in Mermaid. */
function namedInGroups(lines: readonly string[]): readonly string[] {
  let depth = 0;
  const known = new Set<string>();
  return lines.map((line) => {
    if (/^subgraph\b/.test(line)) depth += 1;
    else if (line === "end") depth -= 1;
    else if (depth > 0 && known.has(line)) return `${line}[${line}]`;
    else if (depth === 0) for (const [word] of line.matchAll(/\w+(?:-+\w+)*/g)) known.add(word);
    return line;
  });
}

/** What closes each sign that words begin with. */
const labels: Readonly<Record<string, string>> = { '"': '"', "[": "]", "|": "|" };
const shapes: Readonly<Record<string, string>> = { ...labels, "(": ")", "{": "}" };

/** What is between words, and at each odd place words with what they are in. Looks for what never closes only once. */
function splitAtWords(line: string, closing: Readonly<Record<string, string>>): readonly string[] {
  const parts: string[] = [];
  const missing = new Set<string>();
  let from = 0;
  for (let at = 0; at < line.length; at++) {
    const close = closing[line.charAt(at)];
    if (close === undefined || missing.has(close)) continue;
    const end = line.indexOf(close, at + 1);
    if (end < 0) missing.add(close);
    else {
      parts.push(line.slice(from, at), line.slice(at, end + 1));
      from = end + 1;
      at = end;
    }
  }
  return [...parts, line.slice(from)];
}

const withoutWords = (line: string): string =>
  splitAtWords(line, labels)
    .map((part, index) => (index % 2 === 1 && part.length > 2 ? '""' : part))
    .join("");

/** The renderer takes the dashes of a line for a part of the name before them. */
const withSpaces = (line: string): string =>
  splitAtWords(line, shapes)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/(?<=\w)(?:<?-{2,}>?|<?-\.+->?|<?={2,}>?)/g, " $& "),
    )
    .join("");
