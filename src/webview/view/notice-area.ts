// What stands between conversation and composer: what the host has to know before it sends, why nothing can be sent
// yet, and what should not be forgotten.
import type { ViewState } from "../../bridge/view-state.ts";
import type { Problem, ProblemAction } from "../../core/conversation/problem.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { button, h } from "../dom.ts";
import { firstLine } from "../first-line.ts";
import { icon } from "../icons.ts";
import { wordsOf } from "../messages.ts";
import { type Row, rows } from "../rows.ts";
import { fill, words } from "../words.ts";
import { problemCard } from "./problem-card.ts";

export interface NoticeArea {
  readonly root: HTMLElement;
  /** What the last turn says or is about to say is not said twice. */
  update(viewState: ViewState, last: Turn | undefined): void;
}

export interface NoticeAreaDeps {
  act(action: ProblemAction): void;
  goBack(): void;
  /** A question that has just come is read out, and that another conversation is here. */
  say(sentence: string): void;
}

export function noticeArea({ act, goBack, say }: NoticeAreaDeps): NoticeArea {
  const root = h("div", { class: "notice" });
  const draw = rows<Notice>(root, ({ id: sentence, problem, isNews = false, leadsBack = false }, before) => {
    if (isNews && before === undefined) say(sentence);
    if (problem !== undefined) return problemCard(problem, act);
    const back = leadsBack ? [button(words.goBack, "secondary", goBack)] : [];
    return h("p", { class: "remark", dir: "auto" }, icon("info"), h("span", {}, sentence), ...back);
  });
  return {
    root,
    update({ question, problem, caution, notices, before }, last) {
      const isShown = last?.status === "running" || last?.problem?.kind === caution?.kind;
      draw([
        ...(before === undefined ? [] : [wayBack(before)]),
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
  readonly isNews?: boolean;
  readonly leadsBack?: boolean;
}

const asRow = (problem: Problem | undefined, isNews = false): readonly Notice[] =>
  problem === undefined ? [] : [{ id: wordsOf(problem.message), problem, isNews }];

function wayBack(before: string): Notice {
  const line = firstLine(before);
  const title = line.length > maxTitle ? `${line.slice(0, maxTitle - 1).trimEnd()}…` : line;
  return { id: fill(words.ownConversation, { title }), isNews: true, leadsBack: true };
}

/** Two lines at 300 pixels. */
const maxTitle = 40;
