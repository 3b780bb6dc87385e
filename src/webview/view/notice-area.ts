// What stands between conversation and composer: what the host has to know before it sends, why nothing can be sent
// yet, and what should not be forgotten.
import type { ViewState } from "../../bridge/view-state.ts";
import type { Problem, ProblemAction } from "../../core/conversation/problem.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import { wordsOf } from "../messages.ts";
import { type Row, rows } from "../rows.ts";
import { problemCard } from "./problem-card.ts";

export interface NoticeArea {
  readonly root: HTMLElement;
  /** What the last turn says or is about to say is not said twice. */
  update(viewState: ViewState, last: Turn | undefined): void;
}

/** `say`: a question that has just come is read out. */
export function noticeArea(
  act: (action: ProblemAction) => void,
  say: (sentence: string) => void,
): NoticeArea {
  const root = h("div", { class: "notice" });
  const draw = rows<Notice>(root, ({ id: sentence, problem, isAsked = false }, before) => {
    if (isAsked && before === undefined) say(sentence);
    return problem === undefined
      ? h("p", { class: "remark", dir: "auto" }, icon("info"), h("span", {}, sentence))
      : problemCard(problem, act);
  });
  return {
    root,
    update({ question, problem, caution, notices }, last) {
      const isShown = last?.status === "running" || last?.problem?.kind === caution?.kind;
      draw([
        ...notices.map((notice) => ({ id: wordsOf(notice) })),
        ...asRow(question, true),
        ...asRow(problem),
        ...asRow(isShown ? undefined : caution),
      ]);
    },
  };
}

/** It is what it says. */
interface Notice extends Row {
  readonly problem?: Problem;
  readonly isAsked?: boolean;
}

const asRow = (problem: Problem | undefined, isAsked = false): readonly Notice[] =>
  problem === undefined ? [] : [{ id: wordsOf(problem.message), problem, isAsked }];
