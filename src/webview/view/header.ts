// The line above the conversation: what it is called, and the ways through it. What can be done with all of it stands in the
// menu of the view or of the tab; models and what they can be told, at the composer.
import type { ViewState } from "../../bridge/view-state.ts";
import { h, iconButton, setLabel, setText } from "../dom.ts";
import type { Post } from "../turn-context.ts";
import { fill, words } from "../words.ts";
import { titleBox } from "./title-box.ts";

export interface HeaderDeps {
  readonly post: Post;
  find(): void;
  step(by: 1 | -1): void;
}

export interface Header {
  readonly root: HTMLElement;
  /** `title`: what it is called when nobody has named it. */
  update(viewState: ViewState, title: string, empty: boolean): void;
  /** Another conversation is here. */
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
    iconButton(words.previousTurn, "up", () => step(-1)),
    iconButton(words.nextTurn, "down", () => step(1)),
    iconButton(words.find, "search", find),
  );

  return {
    root,
    update(next, fallback, empty) {
      root.hidden = empty;
      const text = next.title ?? fallback;
      setText(name, text);
      setLabel(title, fill(words.renameTitle, { title: text }));
    },
    reset: renaming.reset,
  };

  function rename(): void {
    renaming.open(name.textContent ?? "");
  }
}
