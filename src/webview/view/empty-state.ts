// What a conversation shows before its first question: three lines that say what one would not guess.
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import { words } from "../words.ts";

export function emptyState(): HTMLElement {
  const lines = [
    ["mention", words.emptyFirst],
    ["diff", words.emptySecond],
    ["thought", words.emptyThird],
  ] as const;
  return h(
    "div",
    { class: "empty" },
    h("h2", {}, words.emptyTitle),
    ...lines.map(([picture, line]) => h("p", {}, icon(picture), h("span", {}, line))),
  );
}
