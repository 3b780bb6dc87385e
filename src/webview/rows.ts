// What comes whole with every state, and is mostly as it was: questions that wait, chips, files of a patch, a notice. A row that
// says the same, by value, keeps its element, and with it focus, folds and what is selected in it. One that says something else
// is made anew, and whoever was on a control in it is on the same control again; where that is gone, `keepFocus` finds a place.
import { setChildren } from "./dom.ts";

export interface Row {
  /** What it is about. Rows about the same are told apart by their order. */
  readonly id: string;
}

/**
 * Shows what it is given in `root`, which is out of sight while that is nothing, and answers whether anything is different.
 * `make`: with the element whose place the new one takes; a row that has just come has none.
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
      if (focused !== null && next !== element && element.contains(focused))
        counterpart(focused, element, next)?.focus({ preventScroll: true });
    }
    return drawn.size !== before.size || [...drawn].some(([key, row]) => before.get(key) !== row);
  };
}

/** What has another name does something else, and a key that was meant for one must not reach the other. */
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
