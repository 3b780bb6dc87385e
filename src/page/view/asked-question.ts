// The user's question, and the editor to ask it again in other words.
import { maxText } from "../../bridge/protocol.ts";
import { isOwnQuestion } from "../../conversation/messages.ts";
import type { AttachmentView, Turn } from "../../conversation/state.ts";
import { button, h, setText } from "../dom.ts";
import { firstLine, questionWords } from "../messages.ts";
import { fullTimeOf, isoTimeOf, timeOf } from "../numbers-and-times.ts";
import type { RenderContext, TurnCost, TurnDeps } from "../render-context.ts";
import { type Row, rows } from "../rows.ts";
import { strings } from "../strings.ts";
import { lossInWords } from "../usage-text.ts";
import { sentChip } from "./attachment-chips.ts";
import { composingGuard, followDirection, isSendKey } from "./text-input.ts";

/** Longer questions (a pasted file) are folded, so that the response is visible. */
const foldFrom = { lines: 12, characters: 1200 };

export interface Question {
  readonly root: HTMLElement;
  update(turn: Turn, context: RenderContext): void;
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
  const attached = h("ul", { class: "chips attached", "aria-label": strings.attachments });
  const drawAttached = rows<AttachmentView & Row>(attached, (each) => h("li", {}, sentChip(each, post)));
  const shownBody = h("div", { class: "asked" }, attached, text, more);
  const author = h("span", { class: "author" }, strings.you);
  const root = h("div", { class: "question" }, h("div", { class: "byline" }, author, time), shownBody);
  /** What editing the question would cost, once the host has reported it. */
  const cost = h("p", { class: "detail", role: "status" });
  let turn: Turn | undefined;
  let drawnFor: RenderContext | undefined;

  return {
    root,
    update(next, context) {
      const begun = turn === undefined ? rewrites.get(next.id) : undefined;
      const sameWords = next.id === turn?.id && next.prompt === turn.prompt;
      turn = next;
      if (sameWords && context === drawnFor) return;
      drawnFor = context;
      // A turn that continues a response has no question of its own.
      root.hidden = next.continues || next.compacts === true;
      drawAttached(next.attachments.map((each, index) => ({ ...each, id: String(index) })));
      const said = questionWords(next.prompt);
      if (!sameWords) setText(text, said);
      // The question was asked by a button, not typed by the user.
      const isOwn = isOwnQuestion(next.prompt);
      root.classList.toggle("own", isOwn);
      setText(author, isOwn ? "Patchbay" : strings.you);
      if (isHeading(said)) {
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
      setText(cost, lossInWords(strings.editCost, edit, editPrice));
      cost.hidden = edit === 0;
      bringEditorIntoSight();
    },
  };

  function folded(): boolean {
    return turn !== undefined && isLong(turn.prompt) && choices.get(`prompt ${turn.id}`) !== "open";
  }

  function fold(closed: boolean): void {
    text.classList.toggle("folded", closed);
    setText(more, closed ? strings.showAll : strings.showLess);
    more.setAttribute("aria-expanded", String(!closed));
  }

  function showEditor({ id, prompt }: Turn, begun: string): HTMLTextAreaElement {
    const input = h("textarea", { class: "input", "aria-label": strings.editPrompt, dir: "auto" });
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
        setText(cost, strings.tooLong);
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
        button(strings.resend, "primary", resend),
        button(strings.cancel, "secondary", close),
      ),
    );
    input.addEventListener("input", () => rewrites.set(id, input.value === prompt ? undefined : input.value));
    input.addEventListener("keydown", (event) => {
      if (composing(event)) return;
      if (event.key === "Escape") close();
      else if (isSendKey(event, drawnFor?.preferences.sendKey ?? "enter")) resend();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    cost.hidden = true;
    post({ type: "cost", turn: id });
    shownBody.replaceWith(form);
    return input;
  }

  /** Scrolls to the whole form with its buttons and price: it may have been opened from below the response. */
  function bringEditorIntoSight(): void {
    const form = root.querySelector(".rewrite");
    if (form?.contains(document.activeElement)) form.scrollIntoView({ block: "nearest" });
  }
}

/** Short enough to be a heading as a whole; longer questions get a heading with their first line. */
export const isHeading = (prompt: string): boolean =>
  prompt.trim() !== "" && firstLine(prompt) === prompt.trim();

const isLong = (text: string): boolean =>
  text.length > foldFrom.characters || text.split("\n", foldFrom.lines + 1).length > foldFrom.lines;
