// The line above the conversation: what it is called, and what can be done with all of it. Models, cache and search
// stand at the composer, where they are decided.
import type { PageCommand } from "../../bridge/protocol.ts";
import type { Surroundings } from "../../bridge/surroundings.ts";
import { h, iconButton, setLabel, setText } from "../dom.ts";
import type { IconName } from "../icons.ts";
import { can, type Post } from "../turn-context.ts";
import { fill, words } from "../words.ts";
import { choiceMenu } from "./choice-menu.ts";
import type { Option } from "./option-list.ts";

export interface HeaderNeeds {
  readonly post: Post;
  find(): void;
  step(by: 1 | -1): void;
}

export interface Header {
  readonly root: HTMLElement;
  /** `title`: what it is called when nobody has named it. */
  update(surroundings: Surroundings, title: string, empty: boolean): void;
}

export function header({ post, find, step }: HeaderNeeds): Header {
  let now: Surroundings | undefined;
  const run = (command: PageCommand) => () => post({ type: "run", command });

  const name = h("span", { class: "name", dir: "auto" });
  const title = h("button", { type: "button", class: "title" }, name);
  title.addEventListener("click", () => {
    if (title.ariaDisabled !== "true") run("rename")();
  });
  const more = choiceMenu({ label: words.moreActions, kind: "act", icon: "more", options });
  more.button.className = "icon-button";
  more.popup.classList.add("below");
  setLabel(more.button, words.moreActions);
  const root = h(
    "header",
    { class: "header", hidden: "" },
    title,
    iconButton(words.previousTurn, "up", () => step(-1)),
    iconButton(words.nextTurn, "down", () => step(1)),
    iconButton(words.find, "search", find),
    more.button,
    more.popup,
  );

  return {
    root,
    update(next, fallback, empty) {
      now = next;
      root.hidden = empty;
      const text = next.title ?? fallback;
      setText(name, text);
      const renames = can(next, "rename");
      title.ariaDisabled = renames ? null : "true";
      setLabel(title, renames ? fill(words.renameTitle, { title: text }) : text);
      more.button.hidden = options().length === 0;
    },
  };

  function options(): readonly Option[] {
    return commands
      .filter(({ command }) => now !== undefined && can(now, command))
      .map(({ command, label, icon }) => ({ label, icon, run: run(command) }));
  }
}

const commands: readonly {
  readonly command: PageCommand;
  readonly label: string;
  readonly icon: IconName;
}[] = [
  { command: "new-conversation", label: words.newConversation, icon: "add" },
  { command: "rename", label: words.rename, icon: "edit" },
  { command: "copy-conversation", label: words.copyConversation, icon: "copy" },
  { command: "export", label: words.exportConversation, icon: "export" },
  { command: "open-in-editor", label: words.openInEditor, icon: "external" },
];
