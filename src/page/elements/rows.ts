// Draws lists that arrive whole with every state and are mostly unchanged: queued questions, chips, files, notices. An
// equal row keeps its element, and with it focus, folds and selection. A changed row is recreated; the focus moves to
// the same control of the new row, or where `keepFocus` finds a place.
import { setChildren } from "./dom.ts";

export interface Row {
  /** Identifies the row. Rows with the same id are distinguished by their order. */
  readonly id: string;
}

/**
 * Returns a function that shows items in `root`, hides it when there are none, and returns whether anything has
 * changed. `make` receives the element that the new one replaces; there is none for a new row.
 */
export function rows<Item extends Row>(
  root: HTMLElement,
  make: (item: Item, before: HTMLElement | undefined) => HTMLElement,
): (items: readonly Item[]) => boolean {
  let drawn = new Map<string, { readonly value: string; readonly element: HTMLElement }>();
  root.hidden = true;
  return (items) => {
    const before = drawn;
    const focused = root.querySelector<HTMLElement>(":focus");
    drawn = new Map();
    for (const item of items) {
      let key = item.id;
      while (drawn.has(key)) key += "+";
      const old = before.get(key);
      const value = JSON.stringify(item);
      drawn.set(key, old?.value === value ? old : { value, element: make(item, old?.element) });
    }
    const elements = [...drawn.values()].map(({ element }) => element);
    setChildren(root, elements);
    root.hidden = elements.length === 0;
    for (const [key, { element }] of before) {
      const next = drawn.get(key)?.element;
      if (next !== element) passFocus(focused, element, next);
    }
    return drawn.size !== before.size || [...drawn].some(([key, row]) => before.get(key) !== row);
  };
}

/** Moves the focus from a control of a row to the same control of its replacement. */
export function passFocus(
  focused: HTMLElement | null,
  row: HTMLElement,
  next: HTMLElement | undefined,
): void {
  if (focused !== null && row.contains(focused))
    counterpart(focused, row, next)?.focus({ preventScroll: true });
}

/** A control with another name does something else, and must not receive a key that was meant for the first. */
function counterpart(
  control: HTMLElement,
  row: HTMLElement,
  next: HTMLElement | undefined,
): HTMLElement | undefined {
  if (control === row) return next;
  const all = [...(next?.querySelectorAll<HTMLElement>(control.tagName) ?? [])];
  return all.find((one) => one.tagName === "SUMMARY" || nameOf(one) === nameOf(control));
}

const nameOf = ({ ariaLabel, textContent }: HTMLElement): string | null => ariaLabel ?? textContent;
