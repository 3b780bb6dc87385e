// What will go out with the next question: one chip each, with its size and a way to take it away again.
import type { DraftAttachment } from "../../core/conversation/attachment.ts";
import { h, iconButton } from "../dom.ts";
import { icon } from "../icons.ts";
import { wordsOfAll } from "../messages.ts";
import { type Row, rows } from "../rows.ts";
import { fill, words } from "../words.ts";
import { attachmentIcon, tokenWeight } from "./attachment-chips.ts";

export interface DraftChips {
  readonly root: HTMLElement;
  /** `conversation`: whose they are; what another one brings along is no news. */
  update(
    attachments: readonly DraftAttachment[],
    conversation: string,
    suggestion: Suggestion | undefined,
  ): void;
}

/** What could go out as well: one click adds it, or takes it away where it goes by itself. */
export interface Suggestion {
  readonly kind: string;
  readonly label: string;
  readonly isOn: boolean;
}

export interface DraftChipsDeps {
  /** Adds what is suggested, or leaves it out this time. */
  toggle(): void;
  detach(id: string): void;
  /** For who does not see that a chip has come. */
  say(sentence: string): void;
}

export function draftChips({ toggle, detach, say }: DraftChipsDeps): DraftChips {
  const root = h("ul", { class: "chips draft", "aria-label": words.attachments });
  let news: string[] = [];
  let shownOf = "";
  const draw = rows<DraftAttachment | (Suggestion & Row)>(root, (each, before) => {
    if ("isOn" in each) return suggestionChip(each);
    if (before === undefined) news.push(each.label);
    return chip(each);
  });
  return {
    root,
    update(attachments, conversation, suggestion) {
      news = [];
      draw([...attachments, ...(suggestion === undefined ? [] : [{ ...suggestion, id: "suggested" }])]);
      if (conversation === shownOf && news.length > 0) say(fill(words.attached, { labels: news.join(", ") }));
      shownOf = conversation;
    },
  };

  function suggestionChip({ kind, label, isOn }: Suggestion): HTMLElement {
    const inside = [icon(attachmentIcon(kind, label)), h("bdi", { class: "name" }, label)];
    if (isOn) {
      const remove = iconButton(fill(words.removeAttachment, { label }), "close", toggle);
      return h("li", { class: "chip", title: label }, ...inside, remove);
    }
    const hint = fill(words.addSuggested, { label });
    const add = h(
      "button",
      { type: "button", class: "chip suggested", title: hint, "aria-label": hint },
      icon("add"),
      ...inside,
    );
    add.addEventListener("click", toggle);
    return h("li", { class: "suggestion" }, add);
  }

  function chip({ id, kind, label, tokens, exact: counted, ...draft }: DraftAttachment): HTMLElement {
    const note = draft.notes && wordsOfAll(draft.notes);
    const remove = iconButton(fill(words.removeAttachment, { label }), "close", () => detach(id));
    const parts = [
      icon(note === undefined ? attachmentIcon(kind, label) : "warning"),
      h("bdi", { class: "name" }, label),
      ...(tokens === undefined ? [] : tokenWeight(tokens, counted ?? false)),
      ...(note === undefined ? [] : [h("span", { class: "heard" }, note)]),
      remove,
    ];
    const item = h(
      "li",
      { class: note === undefined ? "chip" : "chip noted", title: [label, note ?? ""].join("\n").trim() },
      ...parts,
    );
    remove.addEventListener("keydown", (event) => {
      if (event.key !== "Delete" && event.key !== "Backspace") return;
      event.preventDefault();
      detach(id);
    });
    return item;
  }
}
