// Keeps only those turns in the document that are near the reader; the others are empty space of the same height.
// The browser's own scroll anchoring holds what is being read in place, to the pixel, when space becomes turns.
import type { Turn } from "../core/conversation/state.ts";
import { h, setChildren } from "./dom.ts";
import { turnHeights } from "./heights.ts";
import { heldNodes } from "./held-nodes.ts";
import type { Scene } from "./turn-context.ts";
import type { TurnView } from "./view/turn-view.ts";

export interface Content {
  readonly turns: readonly Turn[];
  /** How many turns stand above the first one and are not here yet. */
  readonly above: number;
  readonly scene: Scene;
}

export interface DrawnTurn {
  readonly turn: Turn;
  readonly index: number;
  readonly view: TurnView;
}

export interface TurnWindow {
  readonly root: HTMLElement;
  /** Draws what has changed. Where the reader is, and so what has to be there, is the question of `refresh`. */
  show(content: Content): void;
  /** Makes sure that everything near the reader is in the document. */
  refresh(): void;
  /** Puts this turn into the document, wherever the reader is. */
  bring(index: number): DrawnTurn | undefined;
  drawnTurn(id: string): DrawnTurn | undefined;
  /** Turns in the document, from above to below. */
  readonly drawn: readonly DrawnTurn[];
}

/** Turns this near to the edges of the view have to be there, and those a little further may stay (in view heights). */
const near = 1;
const notFar = 2;

/** Space that stands for the turns `from` to before `to`, below space for turns that are not here yet. */
interface Space {
  readonly element: HTMLElement;
  readonly from: number;
  readonly to: number;
  readonly above: number;
}

/** A turn in sight, and how far below the upper edge it begins. */
interface Reader {
  readonly index: number;
  readonly top: number;
  /** It is not drawn: what is in sight is empty. */
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
      // Where the reader is, is asked once: what is drawn above moves everything until the browser, which holds on to
      // what was in sight, moves it back.
      const reader = whereTheReaderIs();
      if (reader === undefined) return;
      // What was estimated may turn out smaller than the gap it was to fill.
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

  /** Draws exactly these turns, with space for all the others around them. */
  function place(wanted: readonly number[]): void {
    const { turns = [], above = 0 } = content ?? {};
    const children: HTMLElement[] = [];
    const nextSpaces: Space[] = [];
    // The first and the last space stay what they are, so that no turn is ever taken out to be put in again: it would
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
    const { above, turns, scene } = content;
    view.update(turn, { index: above + index, count: above + turns.length }, scene);
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

  /** Indices of the turns that reach into the view, made taller by this many of its heights above and below. */
  function turnsWithin(from: Reader, reach: number): readonly number[] {
    const { turns = [] } = content ?? {};
    const height = scroller.clientHeight;
    const found: number[] = [];
    let y = from.top;
    for (let index = from.index; index < turns.length && y < height * (1 + reach); index += 1) {
      y += heightAt(index);
      if (y > -height * reach) found.push(index);
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
        // Estimates may have learned since this space was made; its turns share what there is.
        const share = (bottom - top - above) / Math.max(1, heightOfTurns(from, to));
        return turnInSpace(from, to, top + above - edge.top, share);
      }
    }
    return undefined;
  }

  /** Nothing was in sight that the browser could hold on to, and the space above has become another. */
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

  /** What has the focus or is selected stays, however far away. */
  function withHeld(wanted: readonly number[]): readonly number[] {
    const held = heldNodes(root).flatMap((article) => indexOf.get(idOf.get(article) ?? "") ?? []);
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

/** The same turns in the same places; what is in them may differ. */
const sameTurns = (before: Content, after: Content): boolean =>
  before.above === after.above &&
  before.turns.length === after.turns.length &&
  before.turns[0]?.id === after.turns[0]?.id &&
  before.turns.at(-1)?.id === after.turns.at(-1)?.id;
