// Finds where a pattern matches in the readable text of a turn (searchable-text.ts), as ranges the browser can
// highlight and scroll to. A match may cross the inline elements that colours and links create within a line, but never
// two paragraphs.

/**
 * Readable text that is not in the document: rows of a long list that are far from the reader, or the changes of a
 * folded file. An element stands in for each, so that a search counts the text in its order and can have it drawn.
 */
interface UndrawnText {
  /** The pieces in the order in which they would be drawn. */
  words(): readonly string[];
  /** Draws the piece, or enough to come nearer to it. */
  draw(piece: number): void;
}

const undrawn = new WeakMap<Element, UndrawnText>();

/** Marks `element` as a stand-in for `text`; `undefined` means that everything in it is drawn. */
export function standFor(element: HTMLElement, text: UndrawnText | undefined): void {
  element.toggleAttribute("data-undrawn", text !== undefined);
  if (text === undefined) undrawn.delete(element);
  else undrawn.set(element, text);
}

export const undrawnText = (element: Element): UndrawnText | undefined => undrawn.get(element);

interface Piece {
  readonly node: Text;
  readonly start: number;
}

/** Text that is not in the document. */
interface UndrawnPiece {
  readonly text: UndrawnText;
  readonly index: number;
  readonly start: number;
}

interface Undrawn {
  /** Draws the text or brings it nearer; another search may be needed afterwards. */
  draw(): void;
}

interface Readable {
  readonly text: string;
  readonly pieces: readonly (Piece | UndrawnPiece)[];
}

const blocks = "p, li, td, th, pre, h1, h2, h3, h4, h5, h6, blockquote, summary, div";

/** All matches in drawn text. */
export function rangesIn(root: Element, pattern: RegExp): readonly Range[] {
  const { text, pieces } = textOf(areasIn(root, drawnAreas), false);
  return [...text.matchAll(pattern)].flatMap((match) => {
    const place = placeOf(pieces, match);
    return place instanceof Range ? [place] : [];
  });
}

/** The match with this number, drawn or not; the last one if there are fewer. */
export function nthPlace(root: Element, pattern: RegExp, nth: number): Range | Undrawn | undefined {
  const { text, pieces } = textOf(areasIn(root, `${drawnAreas}, ${undrawnAreas}`), true);
  let last: RegExpExecArray | undefined;
  let count = 0;
  for (const match of text.matchAll(pattern)) {
    last = match;
    if (count++ === nth) break;
  }
  return last && placeOf(pieces, last);
}

function placeOf(
  pieces: Readable["pieces"],
  { index, 0: found }: RegExpExecArray,
): Range | Undrawn | undefined {
  const from = pieceAt(pieces, index);
  const to = pieceAt(pieces, index + found.length - 1);
  if (from === undefined || to === undefined) return undefined;
  if ("text" in from) return { draw: () => from.text.draw(from.index) };
  if ("text" in to) return undefined;
  const range = document.createRange();
  range.setStart(from.node, Math.min(index - from.start, from.node.length));
  range.setEnd(to.node, Math.min(index + found.length - to.start, to.node.length));
  // A path shows its name before its folder, so a match that covers both is the whole path.
  if (range.collapsed) {
    range.setStart(to.node, 0);
    range.setEnd(from.node, from.node.length);
  }
  return range;
}

/** Everything that can be read in `part`, drawn or not, as it would be if it was drawn. */
export const readableText = (part: DocumentFragment): string => textOf([part], true).text;

const areasIn = (root: Element, areas: string): readonly Element[] => [...root.querySelectorAll(areas)];

function textOf(areas: readonly (Element | DocumentFragment)[], withUndrawn: boolean): Readable {
  const pieces: (Piece | UndrawnPiece)[] = [];
  const texts: string[] = [];
  let length = 0;
  const add = (text: string) => {
    texts.push(text);
    length += text.length;
  };
  for (const area of areas) {
    let block: Element | null | undefined;
    for (const node of nodesIn(area)) {
      if (node instanceof Text) {
        const around = node.parentElement?.closest(blocks) ?? null;
        if (around !== block) add("\n");
        else if (isPath(area)) add("/");
        block = around;
        pieces.push({ node, start: length });
        add(node.data);
        continue;
      }
      block = undefined;
      if (!withUndrawn) continue;
      for (const [index, words] of node.words().entries()) {
        add("\n");
        pieces.push({ text: node, index, start: length });
        add(words);
      }
    }
  }
  return { text: texts.join(""), pieces };
}

/** Text nodes in reading order, without those inside nested controls, and what is not drawn between them. */
function nodesIn(area: Element | DocumentFragment): readonly (Text | UndrawnText)[] {
  const self = area instanceof Element ? undrawnText(area) : undefined;
  if (self !== undefined) return [self];
  const nodes: (Text | UndrawnText)[] = [];
  const walk = document.createTreeWalker(area, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const undrawn = node instanceof Element ? undrawnText(node) : undefined;
    if (undrawn !== undefined) nodes.push(undrawn);
    else if (node instanceof Text && node.data !== "" && !isInControl(node, area)) nodes.push(node);
  }
  return isPath(area) ? nodes.reverse() : nodes;
}

function isInControl(node: Text, area: Element | DocumentFragment): boolean {
  const control = node.parentElement?.closest(controls) ?? null;
  return control !== null && control !== area && area.contains(control);
}

const isPath = (area: Element | DocumentFragment): boolean => area instanceof Element && area.matches(paths);

const drawnAreas = ".md, [data-read]:not(.heard)";
/** What is not drawn of a Markdown text is between what is. */
const undrawnAreas = "[data-undrawn]:not(.md *)";
/** A diagram's words are those of its code, which is beside it. */
const controls = ".md-code-head, .md-diagram, button:not(.md-file)";
const paths = ".whole-path";

function pieceAt(pieces: Readable["pieces"], at: number): Piece | UndrawnPiece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

/** Highlights matches in the colours of VS Code's own find; the styles are in styles/header.css. */
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

/**
 * Scrolls a match that is out of view to the middle, also inside code. Returns true when it had to scroll vertically.
 */
export function bringIntoSight(range: Range, scroller: HTMLElement): boolean {
  const isMoved = bringIntoCode(range);
  const box = range.getBoundingClientRect();
  const edge = scroller.getBoundingClientRect();
  const out = box.top < edge.top + hiddenByBar || box.bottom > edge.bottom - 20;
  if (out) scroller.scrollTop += box.top - edge.top - scroller.clientHeight / 2;
  return out || isMoved;
}

function bringIntoCode(range: Range): boolean {
  const pre = range.startContainer.parentElement?.closest("pre");
  if (pre == null) return false;
  const box = range.getBoundingClientRect();
  const inner = pre.getBoundingClientRect();
  if (box.left < inner.left || box.right > inner.right)
    pre.scrollLeft += box.left - inner.left - inner.width / 2;
  const before = pre.scrollTop;
  if (box.top < inner.top || box.bottom > inner.bottom)
    pre.scrollTop += box.top - inner.top - inner.height / 2;
  return pre.scrollTop !== before;
}

const hiddenByBar = 44;
