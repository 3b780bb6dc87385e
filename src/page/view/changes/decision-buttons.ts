// Approve and reject buttons. They arm once they have been in sight for a moment, so that a click or key meant for what was
// in this place just before decides nothing (threats B7): neither the second click of a double click nor a key that is held.
// Until then they look disabled, and pressing one explains why. Out of sight they are not called so to screen readers.

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
function reasonBox(refuse: (reason: string, enter: KeyboardEvent) => void, before?: HTMLElement): ReasonBox {
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
    if (event.key === "Enter" && input.value.trim() !== "") refuse(input.value.trim(), event);
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

/** Milliseconds in sight. */
const arming = 500;

interface Choice {
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
  const buttons = choices.map(({ label, primary = false, run }) => {
    const one = button(label, primary ? "primary" : "secondary", (event) => {
      if (isMeant(event)) run();
      else tellTooSoon();
    });
    setAvailable(one, false);
    return one;
  });
  const reason =
    refuse &&
    reasonBox((words, enter) => {
      if (isMeant(enter)) refuse(words);
      else tellTooSoon();
    }, before);
  const shown = [...buttons, ...(reason === undefined ? [] : [reason.button])];
  const row = isToolbar ? bar() : h("div", { class: "buttons", role: "group", "aria-label": name }, ...shown);
  const tooSoon = h("p", { class: "too-soon", hidden: "" }, strings.tooSoon);
  const root = h("div", {}, row, tooSoon, ...(reason === undefined ? [] : [reason.root]));
  const isMeant = armWhenSeen(root, row, () => {
    root.dataset["armed"] = "";
    for (const one of buttons) setAvailable(one, true);
  });
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

/**
 * Arms buttons once `root` has been in sight for a moment; those that are drawn out of sight look so before. Returns
 * whether a click on one of them, or a key in what belongs to them, was meant for it: the whole press, and of several
 * clicks in a row the first one, began after that.
 */
function armWhenSeen(
  root: HTMLElement,
  row: HTMLElement,
  arm: () => void,
): (event: MouseEvent | KeyboardEvent) => boolean {
  let armedAt = Number.POSITIVE_INFINITY;
  /** When the last press began that may become a click: of the pointer, with those that follow quickly, or of a key. */
  let pressed: number | undefined;
  let typed: number | undefined;
  const sight = new IntersectionObserver((entries) => {
    const seen = entries.find(({ isIntersecting }) => isIntersecting);
    setTimeout(arm, arming);
    if (seen === undefined) return;
    sight.disconnect();
    armedAt = seen.time + arming;
  });
  sight.observe(root);
  row.addEventListener("mousedown", ({ detail, timeStamp }) => {
    if (detail <= 1) pressed = timeStamp;
  });
  row.addEventListener("keydown", (event) => {
    if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    else typed = event.timeStamp;
  });
  return (event) => {
    if (event instanceof KeyboardEvent) return !event.repeat && event.timeStamp >= armedAt;
    const { detail, timeStamp } = event;
    const began = detail === 0 ? typed : (pressed ?? (detail > 1 ? 0 : undefined));
    typed = undefined;
    return (began ?? timeStamp) >= armedAt;
  };
}
