// The lines of a code block in the page: sixteen to an element, so that a browser that lays out a new line does not lay
// out ten thousand old ones, and lines that are there are not touched when others come.

import { showHidden } from "../../core/conversation/hidden-characters.ts";
import { h } from "../dom.ts";
import type { Coloured, Run } from "./colours.ts";

const size = 16;

interface Chunk {
  readonly root: HTMLElement;
  /** How many of its first lines have their colours. */
  coloured: number;
  /** How many nodes those are. */
  nodes: number;
  /** The lines after them, if they are one piece of plain text. */
  text: Text | undefined;
}

export interface CodeLines {
  readonly all: readonly string[];
  /** Keeps the lines before `from`, then shows these; answers the first one that is not as it was. */
  show(from: number, lines: readonly string[]): number;
  /** Colours these lines, of which the first is line `from`: the first of its element. Those after them have no colours. */
  colour(from: number, lines: Coloured): void;
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

/** Only what differs, so that a selection in what stands before it survives. */
function replaceEnd(node: Text, text: string): void {
  const before = node.data;
  let same = Math.max(0, Math.min(before.length, text.length) - 1);
  while (same > 0 && !text.startsWith(before.slice(0, same))) same = before.lastIndexOf("\n", same - 2) + 1;
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
