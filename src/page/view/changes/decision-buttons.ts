// Approve and reject buttons. They arm after a moment, so that a click or key meant for what was in this place just
// before decides nothing (threats B7). Until then they look disabled, and pressing one explains why.

import { toolbar } from "../../elements/controls.ts";
import { button, h, iconButton, setAvailable } from "../../elements/dom.ts";
import { strings } from "../../words/strings.ts";
import { composingGuard } from "../composer/text-input.ts";

interface ReasonBox {
  /** Opens the input. */
  readonly button: HTMLButtonElement;
  readonly root: HTMLElement;
}

/**
 * Rejects with a reason, which is sent to the model so that it can improve. `before` is the element that is drawn again
 * with it; a reason begun there is carried over.
 */
function reasonBox(refuse: (reason: string) => void, before?: HTMLElement): ReasonBox {
  const input = h("input", {
    type: "text",
    class: "field",
    "aria-label": strings.rejectReason,
    placeholder: strings.rejectReason,
    dir: "auto",
    maxlength: "4000",
  });
  const root = h("div", { class: "reason", hidden: "" }, input);
  const composing = composingGuard(input);
  const open = iconButton(strings.rejectBecause, "comment", () => toggle(root.hidden !== false));
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

const arming = 500;

export interface Choice {
  readonly label: string;
  readonly primary?: boolean;
  run(): void;
}

interface DecisionDeps {
  /** What the buttons decide about, for screen readers. */
  readonly label: string;
  readonly choices: readonly Choice[];
  /** The buttons are a toolbar with one Tab stop, because they stay while much else happens. */
  readonly isToolbar?: boolean;
  /** Rejects with a reason. */
  readonly refuse?: ((reason: string) => void) | undefined;
  /** The element that these buttons replace. */
  readonly before?: HTMLElement | undefined;
  /** Announces a sentence to screen readers. */
  say(sentence: string): void;
}

export function decisionButtons({
  label: name,
  choices,
  isToolbar = false,
  refuse,
  before,
  say,
}: DecisionDeps): HTMLElement {
  let armed = false;
  const buttons = choices.map(({ label, primary = false, run }) => {
    const one = button(label, primary ? "primary" : "secondary", () => {
      if (armed) run();
      else tellTooSoon();
    });
    setAvailable(one, false);
    return one;
  });
  const reason = refuse && reasonBox(refuse, before);
  const shown = [...buttons, ...(reason === undefined ? [] : [reason.button])];
  const row = isToolbar ? bar() : h("div", { class: "buttons", role: "group", "aria-label": name }, ...shown);
  const tooSoon = h("p", { class: "too-soon", hidden: "" }, strings.tooSoon);
  const root = h("div", {}, row, tooSoon, ...(reason === undefined ? [] : [reason.root]));
  setTimeout(() => {
    armed = true;
    root.dataset["armed"] = "";
    for (const one of buttons) setAvailable(one, true);
  }, arming);
  return root;

  function bar(): HTMLElement {
    const { root, show } = toolbar(name, "buttons");
    show(shown);
    return root;
  }

  function tellTooSoon(): void {
    tooSoon.hidden = false;
    say(strings.tooSoon);
  }
}
