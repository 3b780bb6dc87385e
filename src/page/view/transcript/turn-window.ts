// Keeps only the turns near the reader in the document; the others are empty space of the same height. The browser's
// own scroll anchoring keeps what is being read in place, to the pixel, when space becomes turns.

import type { ViewState } from "../../../bridge/view-state.ts";
import type { Turn } from "../../../conversation/state.ts";
import { h, setChildren } from "../../elements/dom.ts";
import type { RenderContext } from "../../render-context.ts";
import { finishedSteps } from "./turn/collapsed-steps.ts";
import type { TurnView } from "./turn/turn-view.ts";

interface Heights {
  of(turn: Turn): number;
  /** Height to expect of a turn about which nothing is known. */
  readonly average: number;
  measured(turn: Turn, height: number): void;
  /** The width of the page has changed: measurements are discarded. */
  widthChanged(width: number): void;
}

const lineHeight = 20;
const characterWidth = 7;
/** Height of bylines, footer and padding. */
const frame = 150;

/**
 * The heights of turns: measured where a turn has been drawn, otherwise estimated from its text. Estimates are scaled
 * by the measurements. Does not use the DOM.
 */
function turnHeights(): Heights {
  let known = new Map<string, number>();
  let width = 400;
  /** Sums of measured and estimated heights of the turns measured so far. */
  let seen = { real: 0, guessed: 0, turns: 0 };

  const guess = (turn: Turn): number =>
    frame + lineHeight * linesOf(turn, Math.max(20, width / characterWidth));
  const scale = (): number => (seen.guessed === 0 ? 1 : seen.real / seen.guessed);

  return {
    of: (turn) => known.get(turn.id) ?? guess(turn) * scale(),
    get average() {
      return seen.turns === 0 ? frame * 2 : seen.real / seen.turns;
    },
    measured(turn, height) {
      const before = known.get(turn.id);
      if (before === undefined) {
        seen = { real: seen.real + height, guessed: seen.guessed + guess(turn), turns: seen.turns + 1 };
      } else seen = { ...seen, real: seen.real + height - before };
      known.set(turn.id, height);
    },
    widthChanged(next) {
      if (next === width) return;
      width = next;
      known = new Map();
      seen = { real: 0, guessed: 0, turns: 0 };
    },
  };
}

const lineCounts = new WeakMap<Turn, readonly [columns: number, lines: number]>();

function linesOf(turn: Turn, columns: number): number {
  const remembered = lineCounts.get(turn);
  if (remembered?.[0] === columns) return remembered[1];
  let lines = Math.min(12, wrapped(turn.prompt, columns));
  for (const part of turn.parts) lines += part.type === "text" ? wrapped(part.text, columns) + 1 : 1.5;
  // These steps are collapsed into one row.
  lines -= 1.5 * Math.max(0, finishedSteps(turn).length - 1);
  lineCounts.set(turn, [columns, lines]);
  return lines;
}

function wrapped(text: string, columns: number): number {
  let lines = 0;
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    lines += Math.max(1, Math.ceil((end - start) / columns));
    start = end + 1;
  }
  return lines;
}

const longestSelection = 200;

/**
 * Turns that must stay in the document wherever the reader scrolls: the one that has the focus, those inside a
 * selection, so that it can be copied whole, and those in which the user has begun to type a reason or a reply, or has
 * edited a command.
 */
function pinnedTurns(root: HTMLElement): readonly Element[] {
  const typed = root.querySelectorAll(":is(.reason, .asks) > input:not(:placeholder-shown)");
  const commands = [...root.querySelectorAll<HTMLTextAreaElement>("textarea.command")];
  const edited = commands.filter(({ value, defaultValue }) => value !== defaultValue);
  const used = [document.activeElement, ...typed, ...edited].flatMap(
    (node) => articleAround(node, root) ?? [],
  );
  return [...used, ...selectedArticles(root)];
}

function selectedArticles(root: HTMLElement): readonly Element[] {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return [];
  const articles = [...root.children].filter((child) => child.tagName === "ARTICLE");
  const touched = articles.filter((article) => selection.containsNode(article, true));
  return touched.slice(0, longestSelection);
}

function articleAround(node: Node | null, root: HTMLElement): Element | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element != null && root.contains(element) ? (element.closest("article") ?? undefined) : undefined;
}

export interface Content {
  readonly turns: readonly Turn[];
  /** Number of turns above the first one that are not loaded yet. */
  readonly above: number;
  readonly context: RenderContext;
  /** Suggestions for a conversation without questions. */
  readonly starting: Pick<ViewState, "suggested" | "starters">;
}

export interface DrawnTurn {
  readonly turn: Turn;
  readonly index: number;
  readonly view: TurnView;
}

export interface TurnWindow {
  readonly root: HTMLElement;
  /** Draws what has changed. `refresh` determines which turns are near the reader. */
  show(content: Content): void;
  /** Ensures that everything near the reader is in the document. */
  refresh(): void;
  /** Puts this turn into the document, wherever the reader is. */
  bring(index: number): DrawnTurn | undefined;
  drawnTurn(id: string): DrawnTurn | undefined;
  /** The turns in the document, from top to bottom. */
  readonly drawn: readonly DrawnTurn[];
}

/**
 * Turns this near to the edges of the view must be in the document, and those a little further may stay (in view
 * heights).
 */
const near = 1;
const notFar = 2;

/**
 * Empty space in place of the turns from `from` up to, but not including, `to`, below space for turns that are not
 * loaded.
 */
interface Space {
  readonly element: HTMLElement;
  readonly from: number;
  readonly to: number;
  readonly above: number;
}

/** A visible turn, and how far below the upper edge it begins. */
interface Reader {
  readonly index: number;
  readonly top: number;
  /** The turn is not drawn: only space is visible. */
  readonly inSpace: boolean;
}

export function turnWindow(scroller: HTMLElement, label: string, makeView: () => TurnView): TurnWindow {
  const root = h("div", { class: "turns", role: "log", "aria-label": label, "aria-live": "off" });
  const heights = turnHeights();
  const views = new Map<string, TurnView>();
  const idOf = new WeakMap<Element, string>();
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) measure(target);
  });
  const [topSpace, bottomSpace] = [makeSpace(), makeSpace()];
  let content: Content | undefined;
  let indexOf: ReadonlyMap<string, number> = new Map();
  let drawn: readonly DrawnTurn[] = [];
  let spaces: readonly Space[] = [];
  let width = 0;

  return {
    root,
    show(next) {
      const moved = content === undefined || !sameTurns(content, next);
      content = next;
      root.dataset["above"] = String(next.above);
      if (moved) {
        indexOf = new Map(next.turns.map(({ id }, index) => [id, index]));
        place([...views.keys()].flatMap((id) => indexOf.get(id) ?? []).sort(upwards));
      } else {
        drawn = drawn.flatMap(({ index }) => draw(index) ?? []);
      }
    },
    refresh() {
      if (root.clientWidth !== width) {
        width = root.clientWidth;
        heights.widthChanged(width);
      }
      // Determine the reader's position only once: drawing turns above shifts everything until the browser, which
      // anchors to what was visible, shifts it back.
      const reader = whereTheReaderIs();
      if (reader === undefined) return;
      // A turn may turn out smaller than estimated and leave part of the gap unfilled.
      for (let round = 0; round < 8; round += 1) {
        const needed = turnsWithin(reader, near);
        const here = new Set(drawn.map(({ index }) => index));
        if (needed.every((index) => here.has(index))) break;
        place(withHeld(turnsWithin(reader, notFar)));
      }
      if (reader.inSpace) keepInPlace(reader);
    },
    bring(index) {
      if (!drawn.some((one) => one.index === index))
        place([...drawn.map((one) => one.index), index].sort(upwards));
      return drawn.find((one) => one.index === index);
    },
    drawnTurn: (id) => drawn.find(({ turn }) => turn.id === id),
    get drawn() {
      return drawn;
    },
  };

  /** Draws exactly these turns, with space in place of the others. */
  function place(wanted: readonly number[]): void {
    const { turns = [], above = 0 } = content ?? {};
    const children: HTMLElement[] = [];
    const nextSpaces: Space[] = [];
    // The first and the last space keep their elements, so that no turn is ever removed and inserted again: it would
    // lose focus and selection.
    const space = (from: number, to: number, element = makeSpace()) => {
      const unknown = from === 0 ? above * heights.average : 0;
      element.style.height = `${unknown + heightOfTurns(from, to)}px`;
      children.push(element);
      nextSpaces.push({ element, from, to, above: unknown });
    };
    let next = 0;
    const nextDrawn: DrawnTurn[] = [];
    for (const index of wanted) {
      if (index > next || next === 0) space(next, index, next === 0 ? topSpace : undefined);
      const one = draw(index);
      if (one === undefined) continue;
      nextDrawn.push(one);
      children.push(one.view.root);
      next = index + 1;
    }
    space(next, turns.length, bottomSpace);
    const kept = new Set(nextDrawn.map(({ view }) => view));
    for (const [id, view] of views) if (!kept.has(view)) drop(id, view);
    setChildren(root, children);
    drawn = nextDrawn;
    spaces = nextSpaces;
    for (const { view } of drawn) measure(view.root);
  }

  function draw(index: number): DrawnTurn | undefined {
    const turn = content?.turns[index];
    if (content === undefined || turn === undefined) return undefined;
    let view = views.get(turn.id);
    if (view === undefined) {
      view = makeView();
      views.set(turn.id, view);
      idOf.set(view.root, turn.id);
      sizes.observe(view.root);
    }
    const { above, turns, context } = content;
    view.update(turn, { index: above + index, count: above + turns.length }, context);
    return { turn, index, view };
  }

  function drop(id: string, view: TurnView): void {
    sizes.unobserve(view.root);
    views.delete(id);
  }

  function measure(element: Element): void {
    const turn = content?.turns[indexOf.get(idOf.get(element) ?? "") ?? -1];
    if (turn !== undefined && element.isConnected)
      heights.measured(turn, element.getBoundingClientRect().height);
  }

  /** Indices of the turns that overlap the view, extended by this many of its heights above and below. */
  function turnsWithin(from: Reader, reach: number): readonly number[] {
    const { turns = [] } = content ?? {};
    const height = scroller.clientHeight;
    const found: number[] = [];
    let y = from.top;
    for (let index = from.index; index < turns.length && y < height * (1 + reach); index += 1) {
      y += heightAt(index);
      // The reader's turn is visible, whatever its estimated height is by now.
      if (index === from.index || y > -height * reach) found.push(index);
    }
    y = from.top;
    for (let index = from.index - 1; index >= 0 && y > -height * reach; index -= 1) {
      found.unshift(index);
      y -= heightAt(index);
    }
    return found;
  }

  function whereTheReaderIs(): Reader | undefined {
    const edge = scroller.getBoundingClientRect();
    for (const { index, view } of drawn) {
      const { top, bottom } = view.root.getBoundingClientRect();
      if (bottom > edge.top && top < edge.bottom) return { index, top: top - edge.top, inSpace: false };
    }
    for (const { element, from, to, above } of spaces) {
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom > edge.top && top < edge.bottom) {
        // Estimates may have changed since this space was made; its turns share its height.
        const share = (bottom - top - above) / Math.max(1, heightOfTurns(from, to));
        return turnInSpace(from, to, top + above - edge.top, share);
      }
    }
    return undefined;
  }

  /** No turn was visible that the browser could anchor to, and the space above has changed. */
  function keepInPlace({ index, top }: Reader): void {
    const one = drawn.find((each) => each.index === index);
    if (one === undefined) return;
    const now = one.view.root.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTop += now - top;
  }

  function turnInSpace(from: number, to: number, start: number, share: number): Reader {
    let top = start;
    let index = from;
    while (index < to - 1 && top + heightAt(index) * share < 0) {
      top += heightAt(index) * share;
      index += 1;
    }
    return { index, top, inSpace: true };
  }

  /** Adds turns that have the focus or are selected, however far away. */
  function withHeld(wanted: readonly number[]): readonly number[] {
    const held = pinnedTurns(root).flatMap((article) => indexOf.get(idOf.get(article) ?? "") ?? []);
    return [...new Set([...wanted, ...held])].sort(upwards);
  }

  function heightAt(index: number): number {
    const turn = content?.turns[index];
    return turn === undefined ? 0 : heights.of(turn);
  }

  function heightOfTurns(from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index += 1) sum += heightAt(index);
    return sum;
  }
}

const makeSpace = (): HTMLElement => h("div", { class: "space-of-turns" });

const upwards = (one: number, other: number): number => one - other;

/** Whether the turns and their positions are the same; their contents may differ. */
const sameTurns = (before: Content, after: Content): boolean =>
  before.above === after.above &&
  before.turns.length === after.turns.length &&
  before.turns[0]?.id === after.turns[0]?.id &&
  before.turns.at(-1)?.id === after.turns.at(-1)?.id;
