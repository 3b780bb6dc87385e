// The lines of a code block, sixteen to an element, so that the browser does not lay out ten thousand old lines for a
// new one, and existing lines are not touched when others are added.

import type { LineRuns } from "../../../code-colours/colour-runs.ts";
import { hasHidden, showHidden } from "../../../util/hidden-characters.ts";
import { h } from "../../elements/dom.ts";
import type { Coloured, Run } from "./colours.ts";
import type { ColourSheet } from "./editor-colours.ts";

const size = 16;

interface Chunk {
  readonly root: HTMLElement;
  /** How many of its first lines are coloured. */
  coloured: number;
  /** How many nodes those lines have. */
  nodes: number;
  /** The plain text of the remaining lines, if it is a single node. */
  text: Text | undefined;
}

interface CodeLines {
  readonly all: readonly string[];
  /** Keeps the lines before `from`, then shows these; returns the index of the first line that differs from before. */
  show(from: number, lines: readonly string[]): number;
  /**
   * Colours these lines, starting with line `from`, which must be the first of its element. Later lines lose their
   * colours.
   */
  colour(from: number, lines: Coloured): void;
  /** Redraws `count` lines, starting with line `from`, which must begin an element or follow a line drawn this way. */
  paint(from: number, count: number, draw: (line: string, index: number) => readonly Node[]): void;
}

export function codeLines(root: HTMLElement): CodeLines {
  const all: string[] = [];
  const chunks: Chunk[] = [];
  return {
    all,
    show(from, lines) {
      let first = from;
      while (first < all.length && first - from < lines.length && all[first] === lines[first - from])
        first += 1;
      if (first === all.length && first - from === lines.length) return first;
      // The last line may have grown.
      all.length = first;
      for (const line of lines.slice(first - from)) all.push(line);
      drawFrom(Math.min(first, Math.max(0, all.length - 1)));
      return first;
    },
    colour(from, lines) {
      for (let start = from; ; start += size) {
        const chunk = chunks[start / size];
        if (chunk === undefined || (start >= from + lines.length && chunk.coloured === 0)) return;
        const coloured = lines.slice(start - from, start - from + size);
        chunk.root.replaceChildren(...coloured.flatMap(lineNodes));
        chunk.coloured = coloured.length;
        chunk.nodes = chunk.root.childNodes.length;
        chunk.text = undefined;
        drawPlain(chunk, start, all);
      }
    },
    paint(from, count, draw) {
      const end = Math.min(from + count, all.length);
      for (let line = from; line < end; ) {
        const start = line - (line % size);
        const chunk = chunks[start / size];
        if (chunk === undefined || (line > start && chunk.coloured !== line - start)) return;
        const upTo = Math.min(end, start + size);
        const nodes = all.slice(line, upTo).flatMap((text, index) => draw(text, line + index));
        if (line === start) {
          chunk.root.replaceChildren(...nodes);
          Object.assign(chunk, { coloured: upTo - start, nodes: nodes.length, text: undefined });
        } else {
          const rest = chunk.root.childNodes[chunk.nodes] ?? null;
          for (const node of nodes) chunk.root.insertBefore(node, rest);
          Object.assign(chunk, { coloured: upTo - start, nodes: chunk.nodes + nodes.length });
        }
        drawPlain(chunk, start, all);
        line = upTo;
      }
    },
  };

  function drawFrom(line: number): void {
    const needed = Math.ceil(all.length / size);
    for (const { root: gone } of chunks.splice(needed)) gone.remove();
    for (let index = Math.floor(line / size); index < needed; index += 1) {
      const chunk = chunks[index] ?? addChunk();
      if (index * size + chunk.coloured > line) {
        chunk.root.replaceChildren();
        Object.assign(chunk, { coloured: 0, nodes: 0, text: undefined });
      }
      drawPlain(chunk, index * size, all);
    }
  }

  function addChunk(): Chunk {
    const chunk: Chunk = { root: h("span", { class: "md-lines" }), coloured: 0, nodes: 0, text: undefined };
    chunks.push(chunk);
    root.append(chunk.root);
    return chunk;
  }
}

function drawPlain(chunk: Chunk, start: number, all: readonly string[]): void {
  const lines = all.slice(start + chunk.coloured, start + size);
  const source = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  const pieces = showHidden(source);
  const [only] = pieces;
  if (chunk.text !== undefined && pieces.length === 1 && only !== undefined && !only.hidden) {
    replaceEnd(chunk.text, only.text);
    return;
  }
  while (chunk.root.childNodes.length > chunk.nodes) chunk.root.lastChild?.remove();
  chunk.text = undefined;
  if (source === "") return;
  const nodes = nodesOf(source);
  chunk.root.append(...nodes);
  const [node] = nodes;
  if (nodes.length === 1 && node instanceof Text) chunk.text = node;
}

/** Replaces only what differs, so that a selection before it survives. */
function replaceEnd(node: Text, text: string): void {
  const before = node.data;
  let same = Math.max(0, Math.min(before.length, text.length) - 1);
  // A search from before the beginning would find a line break at the beginning again and again.
  while (same > 0 && !text.startsWith(before.slice(0, same)))
    same = same === 1 ? 0 : before.lastIndexOf("\n", same - 2) + 1;
  node.replaceData(same, before.length - same, text.slice(same));
}

function lineNodes(runs: readonly Run[]): Node[] {
  const nodes = runs.flatMap(({ text, colour }) =>
    colour === undefined ? nodesOf(text) : [h("span", { class: `md-${colour}` }, ...nodesOf(text))],
  );
  return [...nodes, document.createTextNode("\n")];
}

const nodesOf = (text: string): Node[] =>
  showHidden(text).map((piece) =>
    piece.hidden ? h("span", { class: "md-hidden" }, piece.text) : document.createTextNode(piece.text),
  );

/** Creates the nodes of a line of code in the editor's colours. */
export function colouredLine(line: string, runs: LineRuns, classOf: ColourSheet["classOf"]): Node[] {
  // Most lines contain no hidden characters, so their pieces need no check.
  const draw = hasHidden(line) ? nodesOf : (text: string) => [document.createTextNode(text)];
  const nodes: Node[] = [];
  let at = 0;
  for (let index = 0; index + 1 < runs.length && at < line.length; index += 2) {
    const end = at + (runs[index] ?? 0);
    const className = classOf(runs[index + 1] ?? 0);
    const pieces = draw(line.slice(at, end));
    const around = className === undefined ? undefined : document.createElement("span");
    if (around !== undefined && className !== undefined) {
      around.className = className;
      nodes.push(around);
    }
    for (const piece of pieces) {
      if (around === undefined) nodes.push(piece);
      else around.append(piece);
    }
    at = end;
  }
  if (at < line.length) for (const piece of draw(line.slice(at))) nodes.push(piece);
  return nodes;
}
