// The line above a code block: what language it is, and buttons for what can be done with it. The buttons are the only
// controls that a text brings, and only where somebody listens to them.

import { withEscapes } from "../../core/conversation/hidden-characters.ts";
import { h, iconButton } from "../dom.ts";
import { type IconName, icon } from "../icons.ts";
import { languageTitle } from "./languages.ts";
import type { Surroundings } from "./surroundings.ts";

/** Shorter blocks have nothing to fold. */
const longBlock = 16;
const showDone = 1_500;

interface HeadOptions {
  readonly root: HTMLElement;
  readonly language: string;
  readonly around: Surroundings;
  code(): string;
}

export interface CodeHead {
  readonly root: HTMLElement;
  update(lines: number): void;
}

export function codeHead({ root: block, language, around, code }: HeadOptions): CodeHead {
  const { labels, codeActions } = around;
  const title = withEscapes(languageTitle(language) ?? labels.plainText);
  const buttons = h("span", { class: "md-code-actions" });
  const root = h("div", { class: "md-code-head" }, h("span", { class: "md-language" }, title), buttons);
  const fold = toggle(block, { label: labels.fold, icon: "fold", className: "md-folded" });
  fold.hidden = true;
  if (codeActions.length > 0) {
    buttons.append(
      fold,
      toggle(block, { label: labels.wrap, icon: "wrap", className: "md-wrapped" }),
      ...codeActions.map((action) => {
        const button = iconButton(action.label, action.icon, () => {
          around.act(action.id, code(), language);
          confirm(button, action.icon);
        });
        button.dataset["action"] = action.id;
        return button;
      }),
    );
  }
  const terminal = buttons.querySelector<HTMLElement>('[data-action="terminal"]');
  return {
    root,
    update(lines) {
      fold.hidden = lines <= longBlock;
      // More than a line would have to run for the rest of it to be pasted.
      if (terminal !== null) terminal.hidden = lines > 1;
    },
  };
}

function toggle(
  block: HTMLElement,
  look: { label: string; icon: IconName; className: string },
): HTMLButtonElement {
  const button = iconButton(look.label, look.icon, () => {
    button.setAttribute("aria-pressed", String(block.classList.toggle(look.className)));
  });
  button.setAttribute("aria-pressed", "false");
  return button;
}

/** A moment of "done" on the button itself. */
function confirm(button: HTMLButtonElement, name: IconName): void {
  button.replaceChildren(icon("check"));
  setTimeout(() => button.replaceChildren(icon(name)), showDone);
}
