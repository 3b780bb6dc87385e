// The user's question, which can be rewritten and asked again.
import { isOwnQuestion } from "../../../../conversation/messages.ts";
import { wordsOf } from "../../../../conversation/reduce.ts";
import type { AttachmentView, Turn } from "../../../../conversation/state.ts";
import { button, h, setText } from "../../../elements/dom.ts";
import { type Row, rows } from "../../../elements/rows.ts";
import type { RenderContext, TurnCost, TurnDeps } from "../../../render-context.ts";
import { firstLine, questionWords } from "../../../words/messages.ts";
import { fullTimeOf, isoTimeOf, timeOf } from "../../../words/numbers-and-times.ts";
import { strings } from "../../../words/strings.ts";
import { sentChip } from "../../composer/attachment-chips.ts";
import { type QuestionEditor, questionEditor } from "./question-editor.ts";

/** Longer questions (a pasted file) are folded, so that the response is visible. */
const foldFrom = { lines: 12, characters: 1200 };

interface Question {
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
  let editor: QuestionEditor | undefined;
  let turn: Turn | undefined;
  let drawnFor: RenderContext | undefined;

  return {
    root,
    update(next, context) {
      const begun = turn === undefined ? rewrites.get(next.id) : undefined;
      const sameWords = next.id === turn?.id && next.prompt === turn.prompt;
      const sameChips = next.beside === turn?.beside;
      turn = next;
      if (sameWords && sameChips && context === drawnFor) return;
      drawnFor = context;
      // A turn that continues a response has no question of its own.
      root.hidden = next.continues || next.compacts === true;
      const all = [...next.attachments, ...(next.beside ?? [])];
      drawAttached(all.map((each, index) => ({ ...each, id: String(index) })));
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
      if (turn === undefined || editor !== undefined) return;
      const opened = showEditor(turn, wordsOf(turn));
      opened.focus();
      opened.bringIntoSight();
    },
    takeCost: (cost) => editor?.takeCost(cost),
  };

  function folded(): boolean {
    return turn !== undefined && isLong(turn.prompt) && choices.get(`prompt ${turn.id}`) !== "open";
  }

  function fold(closed: boolean): void {
    text.classList.toggle("folded", closed);
    setText(more, closed ? strings.showAll : strings.showLess);
    more.setAttribute("aria-expanded", String(!closed));
  }

  function showEditor(asked: Turn, begun: string): QuestionEditor {
    const { id } = asked;
    const opened = questionEditor({
      // What was said meanwhile leaves the conversation with the turn, so it is edited as well.
      prompt: wordsOf(asked),
      begun,
      sendKey: () => drawnFor?.preferences.sendKey ?? "enter",
      keep: (written) => rewrites.set(id, written),
      leave() {
        opened.root.replaceWith(shownBody);
        editor = undefined;
        root.closest<HTMLElement>(".turn")?.focus();
      },
      resend: (next) => post({ type: "edit-turn", turn: id, prompt: next }),
    });
    post({ type: "cost", turn: id });
    shownBody.replaceWith(opened.root);
    editor = opened;
    return opened;
  }
}

/** Short enough to be a heading as a whole; longer questions get a heading with their first line. */
export const isHeading = (prompt: string): boolean =>
  prompt.trim() !== "" && firstLine(prompt) === prompt.trim();

const isLong = (text: string): boolean =>
  text.length > foldFrom.characters || text.split("\n", foldFrom.lines + 1).length > foldFrom.lines;
