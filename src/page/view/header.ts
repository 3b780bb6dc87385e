// The header of the conversation: its title and navigation. Actions on the whole conversation are in the menu of the
// view or tab; models and request options are at the composer.

import type { ViewState } from "../../bridge/view-state.ts";
import { h, iconButton, setLabel, setText } from "../elements/dom.ts";
import type { Post } from "../render-context.ts";
import { fill, strings } from "../words/strings.ts";
import { composingGuard } from "./composer/text-input.ts";

interface TitleBox {
  readonly root: HTMLElement;
  open(text: string): void;
  /** Another conversation was opened: what is typed is not its name. */
  reset(): void;
}

/**
 * The input that renames a conversation, in place of its title. As in VS Code's own lists, Enter and leaving it accept
 * the name, Escape keeps the old one.
 */
function titleBox(title: HTMLElement, take: (text: string) => void): TitleBox {
  const input = h("input", {
    type: "text",
    class: "field title-box",
    "aria-label": strings.conversationName,
    maxlength: "200",
    dir: "auto",
    hidden: "",
  });
  const composing = composingGuard(input);
  let before = "";

  input.addEventListener("keydown", (event) => {
    if (composing(event)) return;
    if (event.key === "Enter") close(input.value, true);
    else if (event.key === "Escape") close(before, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  input.addEventListener("blur", () => close(input.value, false));

  return {
    root: input,
    open(text) {
      before = text;
      input.value = text;
      title.hidden = true;
      input.hidden = false;
      input.focus();
      input.select();
    },
    reset: () => close(before, false),
  };

  function close(text: string, byKey: boolean): void {
    if (input.hidden) return;
    input.hidden = true;
    title.hidden = false;
    if (byKey) title.focus();
    const name = text.trim();
    if (name !== "" && name !== before) take(name);
  }
}

interface HeaderDeps {
  readonly post: Post;
  find(): void;
  step(by: 1 | -1): void;
}

interface Header {
  readonly root: HTMLElement;
  /** `title` is the name of a conversation that has not been renamed. */
  update(viewState: ViewState, title: string, empty: boolean): void;
  /** Another conversation was opened. */
  reset(): void;
}

export function header({ post, find, step }: HeaderDeps): Header {
  const name = h("span", { class: "name", dir: "auto" });
  const title = h("button", { type: "button", class: "title" }, name);
  const renaming = titleBox(title, (text) => {
    setText(name, text);
    post({ type: "rename", title: text });
  });
  title.addEventListener("click", rename);
  const root = h(
    "header",
    { class: "header", hidden: "" },
    title,
    renaming.root,
    iconButton(strings.previousTurn, "up", () => step(-1)),
    iconButton(strings.nextTurn, "down", () => step(1)),
    iconButton(strings.find, "search", find),
  );

  return {
    root,
    update(next, fallback, empty) {
      root.hidden = empty;
      const text = next.title ?? fallback;
      setText(name, text);
      setLabel(title, fill(strings.renameTitle, { title: text }));
    },
    reset: renaming.reset,
  };

  function rename(): void {
    renaming.open(name.textContent ?? "");
  }
}
