// Two controls that many views share: a toolbar, and a row that folds.
import { h, setChildren } from "./dom.ts";
import { icon } from "./icons.ts";

interface Toolbar {
  readonly root: HTMLElement;
  /** Shows exactly these buttons; a button that stays keeps the focus. Hidden buttons are skipped. */
  show(buttons: readonly HTMLButtonElement[]): void;
}

/** A row of buttons that is one Tab stop; arrow keys move within it (WAI-ARIA toolbar pattern). */
export function toolbar(label: string, className = "toolbar"): Toolbar {
  const root = h("div", { class: className, role: "toolbar", "aria-label": label });
  let shown: readonly HTMLButtonElement[] = [];
  /** The button that had the focus last. */
  let current: HTMLButtonElement | undefined;

  root.addEventListener("focusin", ({ target }) => {
    const button = shown.find((one) => one === target);
    if (button === undefined) return;
    current = button;
    makeStop(button);
  });
  root.addEventListener("keydown", (event) => {
    const step = stepOf(event.key, root);
    const index = shown.findIndex((button) => button.matches(":focus"));
    if (step === undefined || index < 0) return;
    event.preventDefault();
    const count = shown.length;
    const next = step === "first" ? 0 : step === "last" ? count - 1 : (index + step + count) % count;
    shown[next]?.focus();
  });

  return {
    root,
    show(buttons) {
      shown = buttons.filter(({ hidden }) => !hidden);
      setChildren(root, buttons);
      makeStop(shown.find((button) => button === current) ?? shown[0]);
    },
  };

  function makeStop(button: HTMLButtonElement | undefined): void {
    for (const one of shown) one.tabIndex = one === button ? 0 : -1;
  }
}

function stepOf(key: string, root: HTMLElement): 1 | -1 | "first" | "last" | undefined {
  const leftToRight = getComputedStyle(root).direction !== "rtl";
  if (key === "ArrowRight") return leftToRight ? 1 : -1;
  if (key === "ArrowLeft") return leftToRight ? -1 : 1;
  if (key === "Home") return "first";
  return key === "End" ? "last" : undefined;
}

interface FoldRow {
  /** Returns the element to show now. */
  show(hasBody: boolean): HTMLElement;
  setOpen(isOpen: boolean): void;
}

/**
 * A row that folds a body. Without a body it is not a control: nobody can focus something that does nothing, and screen
 * readers do not announce it as collapsed.
 */
export function foldRow(row: readonly HTMLElement[], body: HTMLElement): FoldRow {
  const pieces = [icon("chevron"), ...row];
  const summary = h("summary");
  const details = h("details", { class: "fold" }, summary, body);
  const flat = h("div", { class: "fold-head empty-fold" }, ...pieces);
  return {
    show(hasBody) {
      const [holder, shown] = hasBody ? [summary, details] : [flat, flat];
      setChildren(holder, pieces);
      return shown;
    },
    setOpen(isOpen) {
      details.open = isOpen;
    },
  };
}
