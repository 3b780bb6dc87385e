// One turn: the question, the model, the parts of the response in order, and the foot. Only what changed is drawn again.
import { stepTexts } from "../../../../conversation/reduce.ts";
import type { Turn } from "../../../../conversation/state.ts";
import { visible } from "../../../../util/hidden-characters.ts";
import { h, setText, setTitle } from "../../../elements/dom.ts";
import type { RenderContext, TurnCost, TurnDeps, TurnRewindPlan } from "../../../render-context.ts";
import { firstLine, questionWords } from "../../../words/messages.ts";
import { fullTimeOf, isoTimeOf, timeOf } from "../../../words/numbers-and-times.ts";
import { strings } from "../../../words/strings.ts";
import { type PartView, partView } from "../../parts/part-view.ts";
import { isHeading, question } from "./asked-question.ts";
import { stepsRow } from "./collapsed-steps.ts";
import { rewindForm } from "./rewind-form.ts";
import { turnFoot } from "./turn-foot.ts";

/** The position of the turn: for screen readers, and because only the last turn can be regenerated. */
interface TurnPosition {
  readonly index: number;
  readonly count: number;
}

export interface TurnView {
  readonly root: HTMLElement;
  /** The beginning of the response. */
  readonly answer: HTMLElement;
  /** The end of the response; there may be room below it. */
  readonly end: HTMLElement;
  update(turn: Turn, place: TurnPosition, context: RenderContext): void;
  /** Opens the editor of the question. */
  edit(): void;
  takeCost(cost: TurnCost): void;
  takeRewindPlan(plan: TurnRewindPlan): void;
  /** The scroll position or sizes have changed. */
  refresh(scroller: HTMLElement): void;
  tick(): void;
}

export function turnView(deps: TurnDeps): TurnView {
  const asked = question(deps);
  const heading = h("h3", { class: "heard" });
  const author = h("span", { class: "author" });
  const time = h("time", {});
  const body = h("div", { class: "parts" });
  const going = rewindForm(deps, () => root.focus());
  const foot = turnFoot(deps, asked.edit, () => going.open(root.dataset["turn"] ?? ""));
  const byline = h("div", { class: "byline" }, author, time);
  const answer = h("div", { class: "answer" }, byline, body, foot.root, going.root);
  const root = h("article", { class: "turn", tabindex: "-1" }, heading, asked.root, answer);
  /** Wraps the summary that replaces the turns above. */
  let handOver: HTMLDetailsElement | undefined;
  const parts = new Map<string, PartView>();
  const steps = stepsRow(deps);
  let shown: { turn: Turn; context: RenderContext; last: boolean } | undefined;

  return {
    root,
    answer,
    end: foot.root,
    update(turn, { index, count }, context) {
      root.setAttribute("aria-posinset", String(index + 1));
      root.setAttribute("aria-setsize", String(count));
      const last = index === count - 1;
      if (shown?.turn === turn && shown.context === context && shown.last === last) return;
      asked.update(turn, context);
      drawHead(turn, context);
      drawParts(turn, context);
      if (turn.compacts === true) drawHandOver(turn);
      foot.update(turn, last, context);
      shown = { turn, context, last };
    },
    edit: asked.edit,
    takeCost(cost) {
      asked.takeCost(cost);
      foot.takeCost(cost);
    },
    takeRewindPlan: going.takePlan,
    refresh(scroller) {
      for (const part of parts.values()) part.refresh?.(scroller);
    },
    tick: foot.tick,
  };

  function drawHead(turn: Turn, context: RenderContext): void {
    if (shown?.turn.id === turn.id && shown.context === context && shown.turn.status === turn.status) return;
    const model = context.models.find(({ id }) => id === turn.model)?.label ?? turn.model;
    setText(author, model);
    setTitle(author, turn.model);
    setText(time, timeOf(turn.endedAt ?? turn.at));
    // The question has just shown the same time.
    time.hidden = !turn.continues && time.textContent === timeOf(turn.at);
    time.dateTime = isoTimeOf(turn.endedAt ?? turn.at);
    time.title = fullTimeOf(turn.endedAt ?? turn.at);
    const name = nameOf(turn);
    setText(heading, name);
    // A short question is a heading itself, which must not be read twice.
    heading.hidden = name === "" || (!turn.continues && isHeading(questionWords(turn.prompt)));
    root.setAttribute("aria-label", visible(name));
    root.dataset["turn"] = turn.id;
    root.setAttribute("aria-busy", String(turn.status === "running"));
  }

  /** Older turns stay above the line; while the summary is being written it looks like any other response. */
  function drawHandOver({ status }: Turn): void {
    if (handOver === undefined) {
      handOver = h("details", { class: "hand-over" }, h("summary", {}, strings.handOver));
      body.replaceWith(handOver);
      handOver.append(body);
      root.append(h("p", { class: "compacted" }, strings.compactedAbove));
    }
    if (shown?.turn.status !== status) handOver.open = status !== "done";
    root.dataset["compacted"] = String(status === "done");
  }

  function drawParts(turn: Turn, context: RenderContext): void {
    const situation = { turn, context, steps: stepTexts(turn) };
    for (const part of turn.parts) {
      let view = parts.get(part.id);
      if (view === undefined) {
        view = partView(part.type, deps);
        parts.set(part.id, view);
        body.append(view.root);
      }
      view.update(part, situation);
    }
    steps.update(turn, context, (id) => parts.get(id)?.root);
  }
}

function nameOf({ compacts, continues, prompt }: Turn): string {
  if (compacts === true) return strings.compacted;
  return continues ? strings.continued : firstLine(questionWords(prompt));
}
