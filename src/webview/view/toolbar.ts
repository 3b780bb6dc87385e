// A row of buttons that is one stop for the Tab key; arrows move within it (WAI-ARIA toolbar pattern).
import { h, setChildren } from "../dom.ts";

export interface Toolbar {
  readonly root: HTMLElement;
  /** Shows exactly these buttons; a button that stays keeps the focus. */
  show(buttons: readonly HTMLButtonElement[]): void;
}

export function toolbar(label: string): Toolbar {
  const root = h("div", { class: "toolbar", role: "toolbar", "aria-label": label });
  let shown: readonly HTMLButtonElement[] = [];
  let current: HTMLButtonElement | undefined;

  root.addEventListener("focusin", ({ target }) => {
    const button = shown.find((one) => one === target);
    if (button !== undefined) makeCurrent(button);
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
      shown = buttons;
      setChildren(root, buttons);
      makeCurrent(buttons.find((button) => button === current) ?? buttons[0]);
    },
  };

  function makeCurrent(button: HTMLButtonElement | undefined): void {
    current = button;
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
