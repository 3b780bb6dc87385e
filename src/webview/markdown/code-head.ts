// The line above a code block: what language it is, and buttons for what can be done with it. The buttons are the only
// controls that a text brings, and only where somebody listens to them: a row that is one stop of the Tab key.

import { withEscapes } from "../../core/conversation/hidden-characters.ts";
import { h, iconButton } from "../dom.ts";
import { type IconName, icon } from "../icons.ts";
import { toolbar } from "../view/toolbar.ts";
import { languageTitle } from "./languages.ts";
import type { MarkdownContext } from "./markdown-context.ts";

/** Shorter blocks have nothing to fold. */
const longBlock = 16;
const showDone = 1_500;

interface HeadOptions {
  readonly root: HTMLElement;
  readonly language: string;
  readonly around: MarkdownContext;
  code(): string;
}

export interface CodeHead {
  readonly root: HTMLElement;
  update(lines: number): void;
}

export function codeHead({ root: block, language, around, code }: HeadOptions): CodeHead {
  const { labels, codeActions } = around;
  const title = withEscapes(languageTitle(language) ?? labels.plainText);
  const root = h("div", { class: "md-code-head" }, h("span", { class: "md-language" }, title));
  if (codeActions.length === 0) return { root, update: () => undefined };
  const fold = toggle(block, { label: labels.fold, icon: "fold", className: "md-folded" });
  const wrap = toggle(block, { label: labels.wrap, icon: "wrap", className: "md-wrapped" });
  const actions = codeActions.map((action) => {
    const button = iconButton(action.label, action.icon, () => {
      around.act(action.id, code(), language);
      confirm(button, action.icon);
    });
    button.dataset["action"] = action.id;
    return button;
  });
  const buttons = [fold, wrap, ...actions];
  const terminal = actions.find(({ dataset }) => dataset["action"] === "terminal");
  const bar = toolbar(labels.codeActions, "md-code-actions");
  root.append(bar.root);
  let shownFor: string | undefined;

  return {
    root,
    update(lines) {
      fold.hidden = lines <= longBlock;
      // More than a line would have to run for the rest of it to be pasted.
      if (terminal !== undefined) terminal.hidden = lines > 1;
      const wanted = `${fold.hidden} ${terminal?.hidden}`;
      if (wanted !== shownFor) bar.show(buttons);
      shownFor = wanted;
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
