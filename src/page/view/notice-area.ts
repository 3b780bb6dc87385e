// Notices between the conversation and the composer: questions the host has before it sends, why nothing can be sent
// yet, and reminders.
import type { ViewState } from "../../bridge/view-state.ts";
import type { Problem, ProblemAction } from "../../conversation/problem.ts";
import type { Turn } from "../../conversation/state.ts";
import { button, h } from "../dom.ts";
import { icon } from "../icons.ts";
import { firstLine, messageText } from "../messages.ts";
import { isSaidBy } from "../render-context.ts";
import { type Row, rows } from "../rows.ts";
import { fill, strings } from "../strings.ts";
import { problemCard } from "./problem-card.ts";

interface NoticeArea {
  readonly root: HTMLElement;
  /** What the last turn says or is about to say is not repeated. */
  update(viewState: ViewState, last: Turn | undefined, isPrimary: boolean): void;
}

interface NoticeAreaDeps {
  act(action: ProblemAction): void;
  goBack(): void;
  /** Announces a new question, and that another conversation was opened. */
  say(sentence: string): void;
}

export function noticeArea({ act, goBack, say }: NoticeAreaDeps): NoticeArea {
  const root = h("div", { class: "notice" });
  const draw = rows<Notice>(
    root,
    ({ id: sentence, problem, isNews = false, isPrimary = false, leadsBack = false }, before) => {
      if (isNews && before === undefined) say(sentence);
      if (problem !== undefined) return problemCard(problem, act, { isPrimary });
      const back = leadsBack ? [button(strings.goBack, "secondary", goBack)] : [];
      return h("p", { class: "remark", dir: "auto" }, icon("info"), h("span", {}, sentence), ...back);
    },
  );
  return {
    root,
    update({ question, problem, caution, notices, before }, last, isPrimary) {
      const isShown = caution !== undefined && isSaidBy(last, caution.kind);
      const asks = [...asRow(question, true), ...asRow(problem), ...asRow(isShown ? undefined : caution)];
      draw([
        ...(before === undefined ? [] : [wayBack(before)]),
        ...notices.map((notice) => ({ id: messageText(notice) })),
        ...asks.map((each, index) => ({ ...each, isPrimary: isPrimary && index === 0 })),
      ]);
    },
  };
}

/** A notice is identified by its text. */
interface Notice extends Row {
  readonly problem?: Problem;
  readonly isNews?: boolean;
  readonly isPrimary?: boolean;
  readonly leadsBack?: boolean;
}

const asRow = (problem: Problem | undefined, isNews = false): readonly Notice[] =>
  problem === undefined ? [] : [{ id: messageText(problem.message), problem, isNews }];

function wayBack(before: string): Notice {
  const line = firstLine(before);
  const title = line.length > maxTitle ? `${line.slice(0, maxTitle - 1).trimEnd()}…` : line;
  return { id: fill(strings.ownConversation, { title }), isNews: true, leadsBack: true };
}

/** Fits two lines at 300 pixels. */
const maxTitle = 40;
