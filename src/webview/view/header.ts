// The line above the conversation: what it is called, and what can be done with all of it. Models, cache and search
// stand at the composer, where they are decided.
import type { PageCommand } from "../../bridge/protocol.ts";
import type { ViewState } from "../../bridge/view-state.ts";
import { h, iconButton, setLabel, setText } from "../dom.ts";
import type { IconName } from "../icons.ts";
import type { Post } from "../turn-context.ts";
import { fill, words } from "../words.ts";
import { choiceMenu } from "./choice-menu.ts";
import type { Option } from "./option-list.ts";
import { titleBox } from "./title-box.ts";

export interface HeaderNeeds {
  readonly post: Post;
  find(): void;
  step(by: 1 | -1): void;
  say(sentence: string): void;
}

export interface Header {
  readonly root: HTMLElement;
  /** `title`: what it is called when nobody has named it. */
  update(viewState: ViewState, title: string, empty: boolean): void;
}

export function header({ post, find, step, say }: HeaderNeeds): Header {
  const run = (command: PageCommand) => () => {
    post({ type: "run", command });
    if (command === "copy-conversation") say(words.copied);
  };

  const name = h("span", { class: "name", dir: "auto" });
  const title = h("button", { type: "button", class: "title" }, name);
  const renaming = titleBox(title, (text) => {
    setText(name, text);
    post({ type: "rename", title: text });
  });
  title.addEventListener("click", rename);
  const more = choiceMenu({ label: words.moreActions, kind: "act", icon: "more", options });
  more.button.className = "icon-button";
  more.popup.classList.add("below");
  setLabel(more.button, words.moreActions);
  const root = h(
    "header",
    { class: "header", hidden: "" },
    title,
    renaming.root,
    iconButton(words.previousTurn, "up", () => step(-1)),
    iconButton(words.nextTurn, "down", () => step(1)),
    iconButton(words.find, "search", find),
    more.button,
    more.popup,
  );

  return {
    root,
    update(next, fallback, empty) {
      root.hidden = empty;
      const text = next.title ?? fallback;
      setText(name, text);
      setLabel(title, fill(words.renameTitle, { title: text }));
    },
  };

  function rename(): void {
    renaming.open(name.textContent ?? "");
  }

  function options(): readonly Option[] {
    return entries.map(({ doing, label, icon }) => ({
      label,
      icon,
      run: doing === "rename" ? rename : run(doing),
    }));
  }
}

const entries: readonly {
  readonly doing: PageCommand | "rename";
  readonly label: string;
  readonly icon: IconName;
}[] = [
  { doing: "new-conversation", label: words.newConversation, icon: "add" },
  { doing: "rename", label: words.rename, icon: "edit" },
  { doing: "copy-conversation", label: words.copyConversation, icon: "copy" },
  { doing: "export", label: words.exportConversation, icon: "export" },
  { doing: "open-in-editor", label: words.openInEditor, icon: "external" },
];
