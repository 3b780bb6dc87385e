// What the person asked, and the box to ask it again in other words.
import { maxText } from "../../bridge/protocol.ts";
import type { AttachmentView } from "../../core/conversation/attachment.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { followDirection } from "../box-direction.ts";
import { button, h, setText } from "../dom.ts";
import { firstLine } from "../first-line.ts";
import { composingGuard } from "../ime.ts";
import { fullTimeOf, isoTimeOf, timeOf } from "../numbers-and-times.ts";
import { type Row, rows } from "../rows.ts";
import { sends } from "../send-key.ts";
import type { Scene, TurnCost, TurnDeps } from "../turn-context.ts";
import { lossInWords } from "../usage-text.ts";
import { words } from "../words.ts";
import { sentChip } from "./attachment-chips.ts";

/** Longer questions (a pasted file) are folded, so that the answer is in sight. */
const foldFrom = { lines: 12, characters: 1200 };

export interface Question {
  readonly root: HTMLElement;
  update(turn: Turn, scene: Scene): void;
  edit(): void;
  takeCost(cost: TurnCost): void;
}

export function question({ post, choices, rewrites }: TurnDeps): Question {
  const time = h("time", {});
  const text = h("div", { class: "prompt plain", dir: "auto", "data-read": "" });
  const more = button("", "link more", () => {
    if (turn !== undefined) choices.set(`prompt ${turn.id}`, folded() ? "open" : "folded");
    fold(folded());
  });
  const attached = h("ul", { class: "chips attached", "aria-label": words.attachments });
  const drawAttached = rows<AttachmentView & Row>(attached, (each) => h("li", {}, sentChip(each, post)));
  const shownBody = h("div", { class: "asked" }, attached, text, more);
  const author = h("span", { class: "author" }, words.you);
  const root = h("div", { class: "question" }, h("div", { class: "byline" }, author, time), shownBody);
  /** What asking it again in other words gives up, once the host has said it. */
  const cost = h("p", { class: "detail", role: "status" });
  let turn: Turn | undefined;
  let drawnFor: Scene | undefined;

  return {
    root,
    update(next, scene) {
      const begun = turn === undefined ? rewrites.get(next.id) : undefined;
      const sameWords = next.id === turn?.id && next.prompt === turn.prompt;
      turn = next;
      if (sameWords && scene === drawnFor) return;
      drawnFor = scene;
      // An answer that was asked to go on has no question of its own.
      root.hidden = next.continues || next.compacts === true;
      drawAttached(next.attachments.map((each, index) => ({ ...each, id: String(index) })));
      if (!sameWords) setText(text, next.prompt);
      if (isHeading(next.prompt)) {
        text.setAttribute("role", "heading");
        text.ariaLevel = "3";
      } else text.removeAttribute("role");
      setText(time, timeOf(next.at));
      time.dateTime = isoTimeOf(next.at);
      time.title = fullTimeOf(next.at);
      more.hidden = !isLong(next.prompt);
      fold(folded());
      if (begun !== undefined) showEditor(next, begun);
    },
    edit() {
      if (turn === undefined || root.querySelector(".rewrite") !== null) return;
      showEditor(turn, turn.prompt).focus({ preventScroll: true });
      bringEditorIntoSight();
    },
    takeCost({ edit, editPrice }) {
      setText(cost, lossInWords(words.editCost, edit, editPrice));
      cost.hidden = edit === 0;
      bringEditorIntoSight();
    },
  };

  function folded(): boolean {
    return turn !== undefined && isLong(turn.prompt) && choices.get(`prompt ${turn.id}`) !== "open";
  }

  function fold(closed: boolean): void {
    text.classList.toggle("folded", closed);
    setText(more, closed ? words.showAll : words.showLess);
    more.setAttribute("aria-expanded", String(!closed));
  }

  function showEditor({ id, prompt }: Turn, begun: string): HTMLTextAreaElement {
    const input = h("textarea", { class: "input", "aria-label": words.editPrompt, dir: "auto" });
    input.value = begun;
    followDirection(input)();
    const composing = composingGuard(input);
    const close = () => {
      rewrites.set(id, undefined);
      form.replaceWith(shownBody);
      root.closest<HTMLElement>(".turn")?.focus();
    };
    const resend = () => {
      const next = input.value.trim();
      if (next === "") return;
      if (next.length > maxText) {
        setText(cost, words.tooLong);
        cost.hidden = false;
        return;
      }
      close();
      post({ type: "edit-turn", turn: id, prompt: next });
    };
    const form = h(
      "div",
      { class: "rewrite" },
      input,
      cost,
      h(
        "div",
        { class: "buttons" },
        button(words.resend, "primary", resend),
        button(words.cancel, "secondary", close),
      ),
    );
    input.addEventListener("input", () => rewrites.set(id, input.value === prompt ? undefined : input.value));
    input.addEventListener("keydown", (event) => {
      if (composing(event)) return;
      if (event.key === "Escape") close();
      else if (sends(event, drawnFor?.preferences.sendKey ?? "enter")) resend();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    cost.hidden = true;
    post({ type: "cost", turn: id });
    shownBody.replaceWith(form);
    return input;
  }

  /** All of it, buttons and price as well: it is opened from below the answer. */
  function bringEditorIntoSight(): void {
    const form = root.querySelector(".rewrite");
    if (form?.contains(document.activeElement)) form.scrollIntoView({ block: "nearest" });
  }
}

/** Short enough to be read out as one; of others a heading above them says the beginning. */
export const isHeading = (prompt: string): boolean =>
  prompt.trim() !== "" && firstLine(prompt) === prompt.trim();

const isLong = (text: string): boolean =>
  text.length > foldFrom.characters || text.split("\n", foldFrom.lines + 1).length > foldFrom.lines;
