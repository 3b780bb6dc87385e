// Draws a Mermaid text as an SVG, in the thread for it (src/diagrams/internal/diagram-thread.ts): an odd text may take long. Colours in
// it are variables (`--_line`), so that the page draws it in the colours of its theme. The SVG has the author's words
// and colours in it and is not trusted: the page keeps what it knows.
import { renderMermaidSVG } from "beautiful-mermaid";
import { readClasses } from "./classes.ts";
import { readEntities } from "./entities.ts";
import { readFlowchart } from "./flowchart.ts";
import { readSequence } from "./sequence.ts";
import { type Reading, signOf, standsIn, type Written, written } from "./statements.ts";
import { readStates } from "./states.ts";

/** `kind`: it is none of those below; `text`: it is not, or not wholly, understood; `size`: its picture is too large. */
export type Drawing = { readonly svg: string } | { readonly why: "kind" | "text" | "size" };

interface Kind {
  readonly header: RegExp;
  read(text: Written): Reading | undefined;
}

const kinds: readonly Kind[] = [
  {
    header: /^(?:graph|flowchart)(?:\s+(?:TD|TB|LR|BT|RL))?$/i,
    read: ({ header, lines }) => readFlowchart(header, lines),
  },
  { header: /^stateDiagram(?:-v2)?$/i, read: ({ lines }) => readStates(lines) },
  { header: /^sequenceDiagram$/i, read: ({ lines }) => readSequence(lines) },
  { header: /^classDiagram(?:-v2)?$/i, read: ({ lines }) => readClasses(lines) },
  { header: /^erDiagram$/i, read: ({ lines }) => readEntities(lines) },
];

/** In characters. */
const longestPicture = 500_000;

export function drawDiagram(source: string): Drawing {
  const text = written(source);
  const kind = kinds.find((each) => each.header.test(text.header));
  if (kind === undefined) return { why: "kind" };
  // The renderer decodes these before it reads, and signs of a statement may come out.
  const hasCodes = /&#|[\ue000-\ue008]/.test(source);
  const reading = hasCodes ? undefined : kind.read(text);
  const svg = reading && tryToDraw(reading.lines);
  if (reading === undefined || svg === undefined || !isWhole(svg, reading)) return { why: "text" };
  return svg.length > longestPicture ? { why: "size" } : { svg: svg.replace(standsIn, signOf) };
}

function tryToDraw(lines: readonly string[]): string | undefined {
  try {
    return renderMermaidSVG(lines.join("\n"), { padding: 16 });
  } catch {
    // It says what is wrong in words for authors of diagrams; the text is shown instead.
    return undefined;
  }
}

function isWhole(svg: string, { drawn }: Reading): boolean {
  const counts = new Map<string, number>();
  for (const [, name = ""] of svg.matchAll(/<\w+ class="([\w-]+)"/g))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return (
    /<text\b/.test(svg) && Object.entries(drawn).every(([name, count]) => (counts.get(name) ?? 0) === count)
  );
}
