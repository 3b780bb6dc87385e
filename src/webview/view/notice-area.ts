// What stands between conversation and composer: what the host has to know before it sends, why nothing can be sent
// yet, and what should not be forgotten.
import type { ViewState } from "../../bridge/view-state.ts";
import type { ProblemAction } from "../../core/conversation/problem.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { h, setChildren } from "../dom.ts";
import { icon } from "../icons.ts";
import { wordsOf } from "../messages.ts";
import { problemCard } from "./problem-card.ts";

export interface NoticeArea {
  readonly root: HTMLElement;
  /** What the last turn says or is about to say is not said twice. */
  update(viewState: ViewState, last: Turn | undefined): void;
}

/** `tell`: a question that has just come is read out. */
export function noticeArea(
  act: (action: ProblemAction) => void,
  say: (sentence: string) => void,
): NoticeArea {
  const root = h("div", { class: "notice" });
  let shown = "";
  let asked: string | undefined;
  return {
    root,
    update({ question, problem, caution: given, notices }, last) {
      const isShown = last?.status === "running" || last?.problem?.kind === given?.kind;
      const caution = isShown ? undefined : given;
      const text = JSON.stringify([question, problem, caution, notices]);
      if (text === shown) return;
      shown = text;
      const lines = notices.map((notice) =>
        h("p", { class: "remark", dir: "auto" }, icon("info"), h("span", {}, wordsOf(notice))),
      );
      const cards = [question, problem, caution].flatMap((each) =>
        each === undefined ? [] : [problemCard(each, act)],
      );
      setChildren(root, [...lines, ...cards]);
      const now = question && wordsOf(question.message);
      if (now !== undefined && now !== asked) say(now);
      asked = now;
    },
  };
}
