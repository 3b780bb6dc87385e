// The form in which the user rewrites a question to ask it again, with what that would cost.
import type { Preferences } from "../../../../bridge/preferences.ts";
import { maxText } from "../../../../bridge/protocol.ts";
import { button, h, setText } from "../../../elements/dom.ts";
import type { TurnCost } from "../../../render-context.ts";
import { strings } from "../../../words/strings.ts";
import { lossInWords } from "../../../words/usage-text.ts";
import { composingGuard, followDirection, isSendKey } from "../../composer/text-input.ts";

interface QuestionEditorDeps {
  readonly prompt: string;
  /** What the user had written of it when it was last shown. */
  readonly begun: string;
  sendKey(): Preferences["sendKey"];
  /** Keeps what is written while the form is open; undefined when nothing has to be kept. */
  keep(written: string | undefined): void;
  /** Shows the question in place of the form. */
  leave(): void;
  resend(prompt: string): void;
}

export interface QuestionEditor {
  readonly root: HTMLElement;
  focus(): void;
  takeCost(cost: TurnCost): void;
  /** Scrolls to the whole form with its buttons and price: it may have been opened from below the response. */
  bringIntoSight(): void;
}

export function questionEditor(deps: QuestionEditorDeps): QuestionEditor {
  const input = h("textarea", { class: "input", "aria-label": strings.editPrompt, dir: "auto" });
  input.value = deps.begun;
  followDirection(input)();
  const composing = composingGuard(input);
  /** What editing the question would cost, once the host has reported it. */
  const cost = h("p", { class: "detail", role: "status" });
  cost.hidden = true;
  const close = () => {
    deps.keep(undefined);
    deps.leave();
  };
  const resend = () => {
    const next = input.value.trim();
    if (next === "") return;
    if (next.length > maxText) {
      setText(cost, strings.tooLong);
      cost.hidden = false;
      return;
    }
    close();
    deps.resend(next);
  };
  const root = h(
    "div",
    { class: "rewrite" },
    input,
    cost,
    h(
      "div",
      { class: "buttons" },
      button(strings.resend, "primary", resend),
      button(strings.cancel, "secondary", close),
    ),
  );
  input.addEventListener("input", () => deps.keep(input.value === deps.prompt ? undefined : input.value));
  input.addEventListener("keydown", (event) => {
    if (composing(event)) return;
    if (event.key === "Escape") close();
    else if (isSendKey(event, deps.sendKey())) resend();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const bringIntoSight = () => {
    if (root.contains(document.activeElement)) root.scrollIntoView({ block: "nearest" });
  };
  return {
    root,
    focus: () => input.focus({ preventScroll: true }),
    takeCost({ edit, editPrice }) {
      setText(cost, lossInWords(strings.editCost, edit, editPrice));
      cost.hidden = edit === 0;
      bringIntoSight();
    },
    bringIntoSight,
  };
}
