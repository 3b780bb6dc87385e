// A row of buttons that is one stop for the Tab key; arrows move within it (WAI-ARIA toolbar pattern).
import { h, setChildren } from "../dom.ts";

export interface Toolbar {
  readonly root: HTMLElement;
  /** Shows exactly these buttons; a button that stays keeps the focus. Nobody is led to one that is hidden. */
  show(buttons: readonly HTMLButtonElement[]): void;
}

export function toolbar(label: string, className = "toolbar"): Toolbar {
  const root = h("div", { class: className, role: "toolbar", "aria-label": label });
  let shown: readonly HTMLButtonElement[] = [];
  /** The one that had the focus last. */
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
