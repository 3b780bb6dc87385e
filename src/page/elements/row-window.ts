// A list that keeps only the rows near the reader in the document when it is long; the others are empty space of the
// same height. Rows keep their elements as in rows.ts. The browser's own scroll anchoring keeps what is being read in
// place when space becomes rows.

import { standFor } from "../view/find/find-highlights.ts";
import { h, setChildren } from "./dom.ts";
import { passFocus } from "./rows.ts";

interface RowHeights {
  of(row: string): number;
  /** `isFolded`: the row looks like those that are not drawn. */
  measured(row: string, height: number, isFolded: boolean): void;
  /** Returns whether the width has changed; then all measurements are discarded. */
  widthChanged(width: number): boolean;
}

/** Height in pixels of a row while none has been measured. */
const unmeasured = 24;

/**
 * The heights of rows in a long list: measured where a row has been drawn, otherwise the average of the folded rows
 * measured so far. Does not use the DOM.
 */
function rowHeights(): RowHeights {
  let known = new Map<string, number>();
  let folded = { height: 0, rows: 0 };
  let width = 0;
  return {
    of: (row) => known.get(row) ?? (folded.rows === 0 ? unmeasured : folded.height / folded.rows),
    measured(row, height, isFolded) {
      // Counts each row once, so that rows that are measured often weigh no more than others.
      if (isFolded && !known.has(row)) folded = { height: folded.height + height, rows: folded.rows + 1 };
      known.set(row, height);
    },
    widthChanged(next) {
      if (next === width) return false;
      width = next;
      known = new Map();
      folded = { height: 0, rows: 0 };
      return true;
    },
  };
}

interface ScrolledBoxes {
  /** Passes the positions of the boxes in `row` to those with the same label in `next`. */
  pass(row: Element, next: Element): void;
}

/** Keeps the scroll position of boxes inside a row, such as the lines of a change, when the row is recreated. */
function scrolledBoxes(root: HTMLElement): ScrolledBoxes {
  const places = new Map<Element, ScrollToOptions>();
  // The event does not bubble.
  root.addEventListener(
    "scroll",
    ({ target }) => {
      if (target instanceof Element) places.set(target, { left: target.scrollLeft, top: target.scrollTop });
    },
    { capture: true, passive: true },
  );
  return {
    pass(row, next) {
      for (const [box, place] of places) {
        if (row.contains(box)) {
          const same = [...next.querySelectorAll(box.tagName)].find((one) => one.ariaLabel === box.ariaLabel);
          same?.scrollTo(place);
        }
        if (!box.isConnected) places.delete(box);
      }
    },
  };
}

interface RowWindow<Item> {
  /** Draws what has changed. `refresh` determines which rows are near the reader. */
  show(items: readonly Item[]): void;
  /** Ensures that every row near the reader is in the document. */
  refresh(scroller: HTMLElement): void;
}

interface RowWindowDeps<Item> {
  /** Identifies an item. Items with the same key are distinguished by their order. */
  key(item: Item): string;
  isSame(one: Item, other: Item): boolean;
  /** The readable text of its row. */
  words(item: Item): readonly string[];
  /** `before` is the element that the new one replaces. */
  make(item: Item, before: HTMLElement | undefined): HTMLElement;
  /** Called when a row is removed from the document. It may be made again. */
  leaves(item: Item, element: HTMLElement): void;
}

interface Row<Item> {
  readonly item: Item;
  readonly element: HTMLElement;
}

/** Empty space in place of the rows from `from` up to, but not including, `to`. */
interface Space {
  readonly element: HTMLElement;
  readonly from: number;
  readonly to: number;
}

/** A visible row, or the nearest one, and how far below the upper edge it begins. */
interface Reader {
  readonly index: number;
  readonly top: number;
  /** Only space is visible there. */
  readonly inSpace: boolean;
}

/** Number of rows that are in the document wherever the reader is. */
const fewRows = 40;
/** In pixels: rows this near to the view must be in the document, and those a little further may stay. */
const near = 300;
const notFar = 600;
/** Number of distant rows that are not worth removing. */
const fewTooMany = 10;
/** Selected rows stay, so that a selection can be copied whole. */
const longestSelection = 200;

export function rowWindow<Item>(root: HTMLElement, deps: RowWindowDeps<Item>): RowWindow<Item> {
  const heights = rowHeights();
  const scrolled = scrolledBoxes(root);
  let keys: readonly string[] = [];
  let items: readonly Item[] = [];
  let rows = new Map<number, Row<Item>>();
  let spaces: readonly Space[] = [];
  let unmeasured = new WeakSet<Element>();
  root.hidden = true;
  // Keyboard users find the next row in the document before the page has scrolled.
  root.addEventListener("focusin", () => {
    const held = withHeld([]);
    if (isLong() && held.some((index) => !rows.has(index))) place([...rows.keys(), ...held]);
  });

  // A row that is unfolded has a new height. The event does not bubble.
  root.addEventListener(
    "toggle",
    ({ target }) => {
      const row = target instanceof Element ? target.closest("li") : null;
      if (row !== null) unmeasured.add(row);
    },
    true,
  );

  return {
    show(next) {
      const drawn = new Map([...rows].map(([index, row]) => [keys[index] ?? "", row]));
      const focused = root.querySelector<HTMLElement>(":focus");
      items = next;
      keys = uniqueKeys(next.map(deps.key));
      rows = new Map();
      for (const [index, key] of keys.entries()) {
        const row = drawn.get(key);
        if (row === undefined) continue;
        drawn.delete(key);
        rows.set(index, updated(index, row, focused));
      }
      for (const { item, element } of drawn.values()) deps.leaves(item, element);
      place(isLong() ? [...rows.keys(), ...atFirst()] : [...keys.keys()]);
      root.hidden = next.length === 0;
    },
    refresh(scroller) {
      // A surrounding fold may be closed.
      if (!isLong() || root.clientWidth === 0) return;
      if (heights.widthChanged(root.clientWidth))
        for (const { element } of rows.values()) unmeasured.add(element);
      measure();
      const edge = scroller.getBoundingClientRect();
      const reader = whereTheReaderIs(edge.top, edge.bottom);
      // A row may turn out smaller than estimated and leave part of the gap unfilled.
      for (let round = 0; round < 8; round += 1) {
        const needed = withHeld(rowsWithin(reader, -near, edge.height + near));
        const kept = withHeld(rowsWithin(reader, -notFar, edge.height + notFar));
        if (needed.every((index) => rows.has(index)) && rows.size <= kept.length + fewTooMany) break;
        place(kept);
        measure();
      }
      if (reader.inSpace) keepInPlace(scroller, reader);
    },
  };

  function isLong(): boolean {
    return items.length > fewRows;
  }

  /** Initially it is unknown where the reader is. */
  function atFirst(): readonly number[] {
    return rows.size === 0 ? Array.from({ length: fewRows }, (_, index) => index) : [];
  }

  function updated(index: number, row: Row<Item>, focused: HTMLElement | null): Row<Item> {
    const item = items[index];
    if (item === undefined || deps.isSame(item, row.item)) return row;
    const element = deps.make(item, row.element);
    unmeasured.add(element);
    row.element.replaceWith(element);
    passFocus(focused, row.element, element);
    scrolled.pass(row.element, element);
    return { item, element };
  }

  /** Draws exactly these rows, with space in place of the others. */
  function place(wanted: readonly number[]): void {
    const here = new Set([...wanted, 0, items.length - 1].filter((index) => index in items));
    const children: HTMLElement[] = [];
    const nextSpaces: Space[] = [];
    let next = 0;
    for (const index of [...here].sort((one, other) => one - other)) {
      if (index > next) nextSpaces.push(spaceFor(next, index, children));
      const row = rows.get(index) ?? made(index);
      if (row !== undefined) children.push(tellPlace(row.element, index));
      next = index + 1;
    }
    for (const [index, { item, element }] of rows) {
      if (here.has(index)) continue;
      deps.leaves(item, element);
      rows.delete(index);
    }
    setChildren(root, children);
    spaces = nextSpaces;
  }

  function made(index: number): Row<Item> | undefined {
    const item = items[index];
    if (item === undefined) return undefined;
    const row = { item, element: deps.make(item, undefined) };
    rows.set(index, row);
    unmeasured.add(row.element);
    return row;
  }

  function spaceFor(from: number, to: number, children: HTMLElement[]): Space {
    const known = spaces.find((space) => space.from === from || space.to === to)?.element;
    // An element that stays the same need not be laid out again.
    const element =
      known === undefined || children.includes(known)
        ? h("li", { class: "space-of-rows", "aria-hidden": "true" })
        : known;
    element.style.height = `${heightOfRows(from, to)}px`;
    const within = items.slice(from, to);
    standFor(element, {
      words: () => within.flatMap(deps.words),
      draw(piece) {
        const index = from + itemOf(within, piece);
        place([...rows.keys(), index]);
      },
    });
    children.push(element);
    return { element, from, to };
  }

  function itemOf(within: readonly Item[], piece: number): number {
    let left = piece;
    return within.findIndex((item) => {
      left -= deps.words(item).length;
      return left < 0;
    });
  }

  /** Tells screen readers the position of a row and the length of the list. */
  function tellPlace(element: HTMLElement, index: number): HTMLElement {
    const [place, count] = [String(index + 1), String(items.length)];
    if (isLong() && element.ariaPosInSet !== place) element.ariaPosInSet = place;
    if (isLong() && element.ariaSetSize !== count) element.ariaSetSize = count;
    return element;
  }

  function measure(): void {
    for (const [index, { element }] of rows) {
      if (!unmeasured.has(element)) continue;
      const isFolded = element.querySelector(":scope details[open]") === null;
      heights.measured(keys[index] ?? "", element.getBoundingClientRect().height, isFolded);
    }
    unmeasured = new WeakSet();
  }

  /** The first row or space that is not above the view, or else the last one. */
  function whereTheReaderIs(upper: number, lower: number): Reader {
    const drawn = [...rows].map(([index, { element }]) => ({ element, from: index, to: index + 1 }));
    const all = [...drawn, ...spaces].sort((one, other) => one.from - other.from);
    for (const { element, from, to } of all) {
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom <= upper && to < items.length) continue;
      const isRow = rows.get(from)?.element === element;
      if (isRow) return { index: from, top: top - upper, inSpace: false };
      const share = (bottom - top) / Math.max(1, heightOfRows(from, to));
      return { ...rowInSpace(from, to, top - upper, share), inSpace: top < lower && bottom > upper };
    }
    return { index: 0, top: 0, inSpace: false };
  }

  function rowInSpace(from: number, to: number, start: number, share: number) {
    let top = start;
    let index = from;
    while (index < to - 1 && top + heightAt(index) * share < 0) {
      top += heightAt(index) * share;
      index += 1;
    }
    return { index, top };
  }

  /** Rows that overlap the range between these two distances below the upper edge. */
  function rowsWithin({ index: start, top }: Reader, upper: number, lower: number): readonly number[] {
    const found: number[] = [];
    let y = top;
    for (let index = start; index < items.length && y < lower; index += 1) {
      y += heightAt(index);
      if (y > upper) found.push(index);
    }
    y = top;
    for (let index = start - 1; index >= 0 && y > upper; index -= 1) {
      if (y < lower + heightAt(index)) found.unshift(index);
      y -= heightAt(index);
    }
    return found;
  }

  /** Adds the focused row with its neighbours, for the Tab key, and the selected rows. */
  function withHeld(wanted: readonly number[]): readonly number[] {
    const { activeElement } = document;
    const focused = root.contains(activeElement)
      ? [...rows].find(([, { element }]) => element.contains(activeElement))?.[0]
      : undefined;
    const around = focused === undefined ? [] : [focused - 1, focused, focused + 1];
    const held = [0, ...around, items.length - 1].filter((index) => index in items);
    return [...new Set([...wanted, ...held, ...selectedRows().slice(0, longestSelection)])];
  }

  function selectedRows(): readonly number[] {
    const selection = document.getSelection();
    if (selection === null || !selection.containsNode(root, true)) return [];
    // A collapsed selection counts too: the next Shift+click extends it from there.
    const drawn = [...rows].filter(([, { element }]) => selection.containsNode(element, true));
    const between = spaces.filter(({ element }) => selection.containsNode(element, true));
    return [
      ...drawn.map(([index]) => index),
      ...between.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
    ];
  }

  /** No row was visible that the browser could anchor to, and the space above has changed. */
  function keepInPlace(scroller: HTMLElement, { index, top }: Reader): void {
    const now = rows.get(index)?.element.getBoundingClientRect().top;
    if (now !== undefined) scroller.scrollTop += now - scroller.getBoundingClientRect().top - top;
  }

  function heightAt(index: number): number {
    return heights.of(keys[index] ?? "");
  }

  function heightOfRows(from: number, to: number): number {
    let sum = 0;
    for (let index = from; index < to; index += 1) sum += heightAt(index);
    return sum;
  }
}

function uniqueKeys(keys: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return keys.map((each) => {
    let key = each;
    while (taken.has(key)) key += "+";
    taken.add(key);
    return key;
  });
}
