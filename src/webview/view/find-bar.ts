// The bar to find words in the conversation, like the one of VS Code's editors: where it is, what its keys do, what it
// says. It knows nothing of turns.
import { h, iconButton, setText } from "../dom.ts";
import { composingGuard } from "../ime.ts";
import { exact } from "../numbers-and-times.ts";
import { fill, words } from "../words.ts";

export interface FindBarActions {
  /** The words have changed. */
  search(query: string): void;
  step(by: 1 | -1): void;
  closed(): void;
}

export interface FindBar {
  readonly root: HTMLElement;
  /** With these words, when there are any. */
  open(query: string): void;
  close(): void;
  readonly query: string;
  show(count: number, current: number): void;
}

export function findBar({ search, step, closed }: FindBarActions): FindBar {
  const input = h("input", {
    type: "text",
    class: "field",
    "aria-label": words.find,
    placeholder: words.find,
    dir: "auto",
    spellcheck: "false",
  });
  const count = h("span", { class: "count", "aria-live": "polite" });
  const previous = iconButton(words.findPrevious, "up", () => step(-1));
  const next = iconButton(words.findNext, "down", () => step(1));
  const shut = iconButton(words.close, "close", () => closed());
  const root = h("search", { class: "find", hidden: "" }, input, count, previous, next, shut);
  const composing = composingGuard(input);

  input.addEventListener("input", () => search(input.value));
  root.addEventListener("keydown", (event) => {
    if (composing(event)) return;
    if (event.key === "Escape") closed();
    else if (event.key === "Enter" && event.target === input) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    root,
    open(query) {
      root.hidden = false;
      if (query !== "") input.value = query;
      input.focus();
      input.select();
      search(input.value);
    },
    close() {
      root.hidden = true;
      setText(count, "");
    },
    get query() {
      return input.value;
    },
    show(all, current) {
      const nothing = input.value !== "" && all === 0;
      root.classList.toggle("nothing", nothing);
      const place = fill(words.foundAt, { current: exact(current + 1), count: exact(all) });
      setText(count, input.value === "" ? "" : all === 0 ? words.foundNothing : place);
    },
  };
}
