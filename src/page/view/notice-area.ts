// Notices between the conversation and the composer: questions the host has before it sends, why nothing can be sent
// yet, and reminders.
import type { ViewState } from "../../bridge/view-state.ts";
import type { Problem, ProblemAction } from "../../conversation/problem.ts";
import type { Turn } from "../../conversation/state.ts";
import { button, h, setAvailable } from "../elements/dom.ts";
import { icon } from "../elements/icons.ts";
import { type Row, rows } from "../elements/rows.ts";
import { isSaidBy } from "../render-context.ts";
import { firstLine, messageText, questionWords } from "../words/messages.ts";
import { fill, strings } from "../words/strings.ts";
import { problemCard } from "./transcript/problem-card.ts";

interface NoticeArea {
  readonly root: HTMLElement;
  /** What the last turn says or is about to say is not repeated. */
  update(viewState: ViewState, last: Turn | undefined, isPrimary: boolean): void;
}

interface NoticeAreaDeps {
  act(action: ProblemAction): void;
  answer(question: string, action: ProblemAction): void;
  goBack(): void;
  /** Asks the window that writes the conversation to hand it over. */
  takeOver(): void;
  /** Announces a new question, that another conversation was opened, and which window continues this one. */
  say(sentence: string): void;
}

export function noticeArea({ act, answer, goBack, takeOver, say }: NoticeAreaDeps): NoticeArea {
  const root = h("div", { class: "notice" });
  let wasAsked = false;
  const draw = rows<Notice>(
    root,
    (
      {
        id: sentence,
        problem,
        question,
        isNews = false,
        isPrimary = false,
        leadsBack = false,
        takeOver: over,
      },
      before,
    ) => {
      if (isNews && before === undefined) say(sentence);
      const choose = question === undefined ? act : (action: ProblemAction) => answer(question, action);
      if (problem !== undefined) return problemCard(problem, choose, { isPrimary });
      const back = leadsBack ? [button(strings.goBack, "secondary", goBack)] : [];
      const text = over === "asked" ? `${sentence} ${strings.takingOver}` : sentence;
      const ask = over === undefined ? [] : [takeOverButton(over, takeOver)];
      return h("p", { class: "remark", dir: "auto" }, icon("info"), h("span", {}, text), ...back, ...ask);
    },
  );
  return {
    root,
    update({ question, problem, caution, notices, before, takeOver: over }, last, isPrimary) {
      if (over === "asked" && !wasAsked) say(strings.takingOver);
      if (over === "done" && wasAsked) say(strings.takenOver);
      wasAsked = over === "asked";
      const isShown = caution !== undefined && isSaidBy(last, caution.kind);
      const asks = [
        ...asRow(question, question?.id),
        ...asRow(problem),
        ...asRow(isShown ? undefined : caution),
      ];
      draw([
        ...(before === undefined ? [] : [wayBack(before)]),
        ...notices.map((notice) => ({
          id: messageText(notice),
          ...(notice.code === "keptElsewhere" && { isNews: true, takeOver: over }),
        })),
        ...asks.map((each, index) => ({ ...each, isPrimary: isPrimary && index === 0 })),
      ]);
    },
  };
}

/** Keeps its place, and with it the focus, while the other window is asked. */
function takeOverButton(over: ViewState["takeOver"], act: () => void): HTMLButtonElement {
  const element = button(strings.takeOver, "secondary", () => over === "offered" && act());
  setAvailable(element, over === "offered");
  return element;
}

/** A notice is identified by its text. */
interface Notice extends Row {
  readonly problem?: Problem;
  /** The id of the question that the problem is. */
  readonly question?: string;
  readonly isNews?: boolean;
  readonly isPrimary?: boolean;
  readonly leadsBack?: boolean;
  readonly takeOver?: ViewState["takeOver"];
}

const asRow = (problem: Problem | undefined, question?: string): readonly Notice[] =>
  problem === undefined
    ? []
    : [
        {
          id: messageText(problem.message),
          problem,
          ...(question !== undefined && { question, isNews: true }),
        },
      ];

function wayBack(before: string): Notice {
  const line = firstLine(questionWords(before));
  const title = line.length > maxTitle ? `${line.slice(0, maxTitle - 1).trimEnd()}…` : line;
  return { id: fill(strings.ownConversation, { title }), isNews: true, leadsBack: true };
}

/** Fits two lines at 300 pixels. */
const maxTitle = 40;
