// Says no and why: the reason goes to the model, which can then do better.
import { button, h } from "../dom.ts";
import { composingGuard } from "../ime.ts";
import { words } from "../words.ts";

export interface ReasonBox {
  /** Opens the box. */
  readonly button: HTMLButtonElement;
  readonly root: HTMLElement;
}

/** `before`: what is drawn again with it; a reason that was begun there is gone on with here. */
export function reasonBox(refuse: (reason: string) => void, before?: HTMLElement): ReasonBox {
  const input = h("input", {
    type: "text",
    class: "field",
    "aria-label": words.rejectReason,
    placeholder: words.rejectReason,
    dir: "auto",
    maxlength: "4000",
  });
  const root = h("div", { class: "reason", hidden: "" }, input);
  const composing = composingGuard(input);
  const open = button(words.rejectBecause, "link", () => toggle(root.hidden !== false));
  open.setAttribute("aria-expanded", "false");

  input.addEventListener("keydown", (event) => {
    if (composing(event)) return;
    if (event.key === "Enter" && input.value.trim() !== "") refuse(input.value.trim());
    else if (event.key === "Escape") {
      toggle(false);
      open.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const begun = before?.querySelector<HTMLInputElement>(".reason:not([hidden]) > input");
  if (begun != null) {
    show(true);
    input.value = begun.value;
    input.setSelectionRange(begun.selectionStart, begun.selectionEnd);
  }
  return { button: open, root };

  function toggle(shown: boolean): void {
    show(shown);
    if (shown) input.focus();
  }

  function show(shown: boolean): void {
    root.hidden = !shown;
    open.setAttribute("aria-expanded", String(shown));
  }
}
