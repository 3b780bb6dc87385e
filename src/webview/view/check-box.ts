// A box to tick, with words for those who listen: yes, no, or some of what it stands for.
import { h, setLabel } from "../dom.ts";

export interface CheckBox {
  readonly root: HTMLInputElement;
  show(wanted: number, all: number): void;
}

export function checkBox(label: string, changed: (on: boolean) => void): CheckBox {
  const root = h("input", { type: "checkbox", class: "tick-box" });
  setLabel(root, label);
  root.addEventListener("change", () => changed(root.checked));
  return {
    root,
    show(wanted, all) {
      root.checked = wanted === all;
      root.indeterminate = wanted > 0 && wanted < all;
    },
  };
}
