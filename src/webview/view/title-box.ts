// The box in which a conversation gets another name, in the place of its title. As in VS Code's own lists, Enter and
// leaving it take the name, Escape leaves the old one.
import { h } from "../dom.ts";
import { composingGuard } from "../ime.ts";
import { words } from "../words.ts";

export interface TitleBox {
  readonly root: HTMLElement;
  open(text: string): void;
  /** Another conversation is here, and what is typed is no name for it. */
  reset(): void;
}

export function titleBox(title: HTMLElement, take: (text: string) => void): TitleBox {
  const input = h("input", {
    type: "text",
    class: "field title-box",
    "aria-label": words.conversationName,
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
