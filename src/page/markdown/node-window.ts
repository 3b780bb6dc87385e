// Keeps only those children of a long element in the document that are near the reader: the blocks of a response, the
// items of a list, the lines of a code block. A few neighbours at a time leave as one and an empty element of the same
// height stands in for them. They are the same nodes when they come back, so nothing that happened to them is lost, and
// what is drawn in them meanwhile is there. The browser's own scroll anchoring keeps what is being read in place.
import { h } from "../elements/dom.ts";
import { readableText, standFor } from "../view/find/find-highlights.ts";
import { keepSelection } from "../view/transcript/selected-text.ts";

/** How many neighbours leave together. */
const size = 8;
/** In heights of the view: what is this near to it must be in the document, and what is a little further may stay. */
const near = 1;
const notFar = 1.5;
/** Letters by which a screen reader says what is not in the document. */
const beginning = 120;

interface WindowOptions {
  /** Makes an empty element in place of some children; the last of them is the one with this index. */
  standIn(last: number): HTMLElement;
  /** How many of the first children always stay. */
  readonly keep?: number;
  /** Some children are about to leave. */
  leaves?(): void;
}

export interface NodeWindows {
  /** Calls after the first one for the same element do nothing. The last children stay: they may still change. */
  watch(parent: HTMLElement, options: WindowOptions): void;
  /** The scroll position or sizes have changed. */
  refresh(scroller: Element): void;
  /** Puts everything into the document until the next `refresh`. */
  drawAll(): void;
  clear(): void;
}

/** `label` says to a screen reader what is not in the document. */
export function nodeWindows(root: HTMLElement, label: (words: string) => string): NodeWindows {
  const windows = new Map<HTMLElement, NodeWindow>();
  let seenIn: Element | undefined;
  // Long code scrolls in itself. The event does not bubble.
  root.addEventListener("scroll", () => seenIn && refresh(seenIn), { capture: true, passive: true });

  function refresh(scroller: Element): void {
    seenIn = scroller;
    let view: View | undefined;
    for (const [parent, each] of windows) {
      if (!each.isLong() || !parent.isConnected || parent.getClientRects().length === 0) continue;
      view ??= viewOf(scroller);
      each.refresh(view);
    }
  }

  return {
    watch(parent, options) {
      if (!windows.has(parent)) windows.set(parent, nodeWindow(parent, options, label));
    },
    refresh,
    drawAll() {
      for (const each of windows.values()) each.drawAll();
    },
    clear() {
      windows.clear();
    },
  };
}

interface View {
  readonly top: number;
  readonly bottom: number;
  /** Nodes that stay wherever the reader is: the focused one, and where the selection begins and ends. */
  readonly held: readonly Node[];
}

function viewOf(scroller: Element): View {
  const { top, bottom } = scroller.getBoundingClientRect();
  const selection = document.getSelection();
  const held = [
    document.activeElement,
    nodeAt(selection?.anchorNode, selection?.anchorOffset),
    nodeAt(selection?.focusNode, selection?.focusOffset),
  ];
  return { top, bottom, held: held.filter((node) => node != null) };
}

const nodeAt = (node: Node | null | undefined, offset = 0): Node | null | undefined =>
  node?.childNodes[offset] ?? node;

/** Neighbours that leave together. */
interface Run {
  readonly first: ChildNode;
  readonly last: ChildNode;
  readonly firstElement: Element;
  readonly lastElement: Element;
  readonly standIn: HTMLElement;
  /** The nodes while they are away. */
  readonly nodes: DocumentFragment;
  isAway: boolean;
  /** Their readable text, if somebody has searched for it since they left. */
  words: string | undefined;
  /** Where the boxes among them were scrolled to, which the browser forgets. */
  scrolled: readonly ScrolledBox[];
}

interface ScrolledBox {
  readonly box: Element;
  readonly left: number;
  readonly top: number;
}

/** Elements that are as wide as what is in them. */
const hasOwnWidth: ReadonlySet<string> = new Set(["code", "tbody"]);

interface NodeWindow {
  isLong(): boolean;
  refresh(view: View): void;
  drawAll(): void;
}

function nodeWindow(
  parent: HTMLElement,
  { standIn, keep = 0, leaves }: WindowOptions,
  label: (words: string) => string,
): NodeWindow {
  const runs: Run[] = [];
  const drawn = new Set<Run>();
  const runOf = new WeakMap<Node, Run>();
  /** How many children are in runs, or stay as the first ones; the last of them. */
  let taken = 0;
  let lastTaken: ChildNode | undefined;
  let width = 0;

  return {
    isLong: () => runs.length > 0 || parent.childNodes.length >= keep + 2 * size,
    refresh(view) {
      takeRuns();
      adaptHeights();
      const reach = view.bottom - view.top;
      const held = new Set(view.held.flatMap((node) => runAround(node) ?? []));
      // All positions are read before anything moves.
      const coming = within(view.top - near * reach, view.bottom + near * reach);
      const stays = new Set([...held, ...coming, ...[...held].flatMap(neighboursOf)]);
      const leaving = [...drawn]
        .filter((run) => !stays.has(run) && isOutside(run, view, notFar * reach))
        .map((run) => ({ run, height: heightOf(run), scrolled: scrolledBoxes(run) }));
      const isMoving = leaving.length > 0 || [...stays].some(({ isAway }) => isAway);
      if (!isMoving) return;
      if (leaving.length > 0) leaves?.();
      keepSelection(() => {
        for (const run of stays) draw(run);
        for (const { run, ...looks } of leaving) leave(run, looks);
      });
    },
    drawAll() {
      for (const run of runs) draw(run);
    },
  };

  /** Makes runs of the children that were added, but for the last ones. */
  function takeRuns(): void {
    const run = lastTaken && runOf.get(lastTaken);
    const end = run?.isAway === true ? run.standIn : lastTaken;
    const added: ChildNode[] = [];
    for (let node = parent.lastChild; node !== null && node !== end; node = node.previousSibling)
      added.push(node);
    added.reverse();
    if (taken === 0) take(added.splice(0, keep));
    while (added.length >= 2 * size) makeRun(take(added.splice(0, size)));
  }

  function take(nodes: readonly ChildNode[]): readonly ChildNode[] {
    taken += nodes.length;
    lastTaken = nodes.at(-1) ?? lastTaken;
    return nodes;
  }

  function makeRun(nodes: readonly ChildNode[]): void {
    const elements = nodes.filter((node) => node instanceof Element);
    const [first, last, firstElement, lastElement] = [nodes[0], nodes.at(-1), elements[0], elements.at(-1)];
    // Definitions take no room, so nothing need stand in for them.
    if (first === undefined || last === undefined || !firstElement || !lastElement) return;
    const run: Run = {
      ...{ first, last, firstElement, lastElement, standIn: standIn(taken - 1) },
      ...{ nodes: document.createDocumentFragment(), isAway: false, words: undefined, scrolled: [] },
    };
    run.standIn.classList.add("md-away");
    runs.push(run);
    drawn.add(run);
    for (const node of nodes) runOf.set(node, run);
  }

  function neighboursOf(run: Run): readonly Run[] {
    const at = runs.indexOf(run);
    return [runs[at - 1], runs[at + 1]].filter((one) => one !== undefined);
  }

  /** Text is broken into more lines in a narrower page. */
  function adaptHeights(): void {
    const now = parent.clientWidth;
    if (width !== 0 && now !== width && !hasOwnWidth.has(parent.localName)) {
      for (const {
        isAway,
        standIn: { style },
      } of runs)
        if (isAway) style.height = `${(Number.parseFloat(style.height) * width) / now}px`;
    }
    width = now;
  }

  function runAround(node: Node): Run | undefined {
    if (!parent.contains(node)) return undefined;
    let child: Node | null = node;
    while (child !== null && child.parentNode !== parent) child = child.parentNode;
    return child === null ? undefined : runOf.get(child);
  }

  /** The runs that overlap the range between these two heights. */
  function within(upper: number, lower: number): readonly Run[] {
    let low = 0;
    for (let high = runs.length; low < high; ) {
      const middle = (low + high) >> 1;
      const run = runs[middle];
      if (run !== undefined && bottomOf(run) <= upper) low = middle + 1;
      else high = middle;
    }
    const found: Run[] = [];
    for (let run = runs[low]; run !== undefined && topOf(run) < lower; run = runs[low]) {
      found.push(run);
      low += 1;
    }
    return found;
  }

  function draw(run: Run): void {
    if (!run.isAway) return;
    run.isAway = false;
    run.words = undefined;
    standFor(run.standIn, undefined);
    run.standIn.replaceWith(run.nodes);
    for (const { box, ...place } of run.scrolled) box.scrollTo({ ...place, behavior: "instant" });
    drawn.add(run);
  }

  function leave(run: Run, { height, scrolled }: { height: number; scrolled: readonly ScrolledBox[] }): void {
    const { first, last, nodes } = run;
    // Children that were replaced since stay.
    if (first.parentNode !== parent || last.parentNode !== parent) return;
    run.isAway = true;
    run.scrolled = scrolled;
    drawn.delete(run);
    run.standIn.style.height = `${height}px`;
    if (parent.localName === "code") run.standIn.style.width = `${width}px`;
    run.standIn.setAttribute("aria-label", label((run.firstElement.textContent ?? "").slice(0, beginning)));
    standFor(run.standIn, { words: () => [wordsOf(run)], draw: () => draw(run) });
    parent.insertBefore(run.standIn, first);
    for (let node: ChildNode | null = first; node !== null; ) {
      const next: ChildNode | null = node === last ? null : node.nextSibling;
      nodes.append(node);
      node = next;
    }
  }
}

function wordsOf(run: Run): string {
  run.words ??= readableText(run.nodes);
  return run.words;
}

const topOf = ({ isAway, standIn, firstElement }: Run): number =>
  (isAway ? standIn : firstElement).getBoundingClientRect().top;

const bottomOf = ({ isAway, standIn, lastElement }: Run): number =>
  (isAway ? standIn : lastElement).getBoundingClientRect().bottom;

/** The space above the first child is part of it. */
function heightOf(run: Run): number {
  const before = run.firstElement.previousElementSibling?.getBoundingClientRect().bottom;
  return bottomOf(run) - (before ?? topOf(run));
}

function scrolledBoxes({ first, last }: Run): readonly ScrolledBox[] {
  const found: ScrolledBox[] = [];
  for (let node: Node | null = first; node !== null; node = node === last ? null : node.nextSibling) {
    if (!(node instanceof Element)) continue;
    for (const box of [node, ...node.querySelectorAll("pre, .md-table")]) {
      const { scrollLeft: left, scrollTop: top } = box;
      if (left !== 0 || top !== 0) found.push({ box, left, top });
    }
  }
  return found;
}

const isOutside = (run: Run, { top, bottom }: View, reach: number): boolean =>
  bottomOf(run) < top - reach || topOf(run) > bottom + reach;

/** The element in place of blocks or lines. */
export const emptyNote = (tag: "div" | "span"): HTMLElement => h(tag, { role: "note" });
