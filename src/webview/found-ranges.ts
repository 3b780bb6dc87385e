// Where a pattern stands in what can be read of a turn (searchable-text.ts), as ranges the browser can mark and scroll to,
// across the little elements that colours and links make of a line, never across two paragraphs.

interface Piece {
  readonly node: Text;
  readonly start: number;
}

const blocks = "p, li, td, th, pre, h1, h2, h3, h4, h5, h6, blockquote, summary, div";

export function rangesIn(root: Element, pattern: RegExp): readonly Range[] {
  const { text, pieces } = textOf(root);
  const ranges: Range[] = [];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    const from = placeAt(pieces, index);
    const to = placeAt(pieces, index + found.length - 1);
    if (from === undefined || to === undefined) continue;
    const range = document.createRange();
    range.setStart(from.node, Math.min(index - from.start, from.node.length));
    range.setEnd(to.node, Math.min(index + found.length - to.start, to.node.length));
    // A path shows its name before its folder: what was found in both is both.
    if (range.collapsed) {
      range.setStart(to.node, 0);
      range.setEnd(from.node, from.node.length);
    }
    ranges.push(range);
  }
  return ranges;
}

function textOf(root: Element): { readonly text: string; readonly pieces: readonly Piece[] } {
  const pieces: Piece[] = [];
  let text = "";
  for (const area of root.querySelectorAll(readableAreas)) {
    let block: Element | null = null;
    for (const [index, node] of nodesIn(area).entries()) {
      const around: Element | null = node.parentElement?.closest(blocks) ?? null;
      if (index === 0 || around !== block) text += "\n";
      else if (area.matches(paths)) text += "/";
      block = around;
      pieces.push({ node, start: text.length });
      text += node.data;
    }
  }
  return { text, pieces };
}

/** As they are read, without what belongs to the controls inside. */
function nodesIn(area: Element): readonly Text[] {
  const nodes: Text[] = [];
  const walk = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const control = node.parentElement?.closest(controls) ?? null;
    const isInside = control !== null && control !== area && area.contains(control);
    if (node instanceof Text && node.data !== "" && !isInside) nodes.push(node);
  }
  return area.matches(paths) ? nodes.reverse() : nodes;
}

const readableAreas = ".md, [data-read]:not(.heard)";
const controls = ".md-code-head, button:not(.md-file)";
const paths = ".whole-path";

function placeAt(pieces: readonly Piece[], at: number): Piece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

/** Marks in the colours of VS Code's own find; styles are in styles/header.css. */
export function mark(all: readonly Range[], current: Range | undefined): void {
  CSS.highlights.set("found", new Highlight(...all.filter((range) => range !== current)));
  if (current === undefined) CSS.highlights.delete("found-now");
  else CSS.highlights.set("found-now", new Highlight(current));
  const [before, now] = [document.querySelector(".found-here"), current && areaAround(current)];
  if (before === now) return;
  before?.classList.remove("found-here");
  now?.classList.add("found-here");
}

const areaAround = ({ startContainer }: Range): Element | null | undefined =>
  startContainer.parentElement?.closest("[data-read]");

/** A place that is out of sight comes to the middle, also sideways inside code. True when something had to move. */
export function bringIntoSight(range: Range, scroller: HTMLElement): boolean {
  const box = range.getBoundingClientRect();
  const edge = scroller.getBoundingClientRect();
  const out = box.top < edge.top + hiddenByBar || box.bottom > edge.bottom - 20;
  if (out) scroller.scrollTop += box.top - edge.top - scroller.clientHeight / 2;
  const pre = range.startContainer.parentElement?.closest("pre");
  const inner = pre?.getBoundingClientRect();
  if (pre != null && inner !== undefined && (box.left < inner.left || box.right > inner.right)) {
    pre.scrollLeft += box.left - inner.left - inner.width / 2;
  }
  return out;
}

const hiddenByBar = 44;
