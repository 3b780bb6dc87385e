// What a picture shows, in words: its kind, how much is in it, and what is connected to what. Read from what the
// renderer notes at the elements of its SVG.
import { diagramSentences } from "../../words/diagram-sentences.ts";
import type { DiagramKit } from "./diagram-blocks.ts";
import { nodesUnder, type SvgNode } from "./svg-tree.ts";

export type Word = keyof typeof diagramSentences;

const kinds: readonly (readonly [RegExp, Word])[] = [
  [/^sequence/i, "sequence"],
  [/^state/i, "state"],
  [/^class/i, "class"],
  [/^er/i, "er"],
];

/** More would be an hour of listening; the code has them all. */
const mostLinks = 40;

export function describe(kit: DiagramKit, source: string, svg: SvgNode): string {
  const { exact, fill, plural, translated, withEscapes } = kit;
  const word = (key: Word) => translated(diagramSentences[key]);
  const names = new Map<string, string>();
  const groups = new Map<string, string>();
  const links: ReadonlyMap<string, string>[] = [];
  for (const { attributes } of nodesUnder(svg)) {
    const [id, kind] = [attributes.get("data-id"), attributes.get("class")];
    if (id !== undefined) (kind === "subgraph" ? groups : names).set(id, nameOf(attributes, word));
    const isLink = attributes.has("data-from") || attributes.has("data-entity1");
    if (isLink && kind !== "edge-label") links.push(attributes);
  }
  const called = (id = "") => names.get(id) ?? groups.get(id) ?? id;
  const list = links.slice(0, mostLinks).map((link) => {
    const label = link.get("data-label") ?? "";
    return fill(word(label === "" ? "link" : "linkNamed"), {
      from: called(link.get("data-from") ?? link.get("data-entity1")),
      to: called(link.get("data-to") ?? link.get("data-entity2")),
      label,
    });
  });
  const rest = links.length - list.length;
  const header = headerOf(source);
  const kind = kinds.find(([pattern]) => pattern.test(header))?.[1] ?? "flowchart";
  const told = fill(word("described"), {
    kind: word(kind),
    nodes: plural(names.size, word("oneNode"), word("nodes")),
    links: plural(links.length, word("oneLink"), word("links")),
    list: [...list, ...(rest > 0 ? [fill(word("more"), { count: exact(rest) })] : [])].join(word("between")),
  });
  return withEscapes(told.trim());
}

/** The first line that says what kind of diagram it is: behind front matter and comments. */
function headerOf(source: string): string {
  const lines = source.split("\n").map((line) => line.trim());
  const first = lines.findIndex((line) => line !== "");
  const last = lines[first] === "---" ? lines.indexOf("---", first + 1) : -1;
  return lines.slice(last + 1).find((line) => line !== "" && !line.startsWith("%%")) ?? "";
}

/** A state diagram begins and ends at points without a name. */
function nameOf(attributes: ReadonlyMap<string, string>, word: (key: Word) => string): string {
  const shape = attributes.get("data-shape");
  if (shape === "state-start") return word("start");
  if (shape === "state-end") return word("end");
  return attributes.get("data-label") ?? "";
}
