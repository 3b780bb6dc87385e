// One turn: the question, who answers, the parts of the answer in order, its foot. Only what changed is drawn again.

import { visible } from "../../core/conversation/hidden-characters.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { h, setText, setTitle } from "../dom.ts";
import { firstLine } from "../first-line.ts";
import { fullTimeOf, isoTimeOf, timeOf } from "../numbers-and-times.ts";
import type { Scene, TurnCost, TurnDeps } from "../turn-context.ts";
import { words } from "../words.ts";
import { type PartView, partView } from "./parts/part-view.ts";
import { isHeading, question } from "./question-view.ts";
import { turnFoot } from "./turn-foot.ts";

/** Where the turn stands: for screen readers, and because only the last one can be asked again. */
export interface Place {
  readonly index: number;
  readonly count: number;
}

export interface TurnView {
  readonly root: HTMLElement;
  /** Where the answer begins. */
  readonly answer: HTMLElement;
  /** Where it ends; below it there may be room. */
  readonly end: HTMLElement;
  update(turn: Turn, place: Place, scene: Scene): void;
  /** Opens the question to be asked in other words. */
  edit(): void;
  takeCost(cost: TurnCost): void;
  tick(): void;
}

export function turnView(deps: TurnDeps): TurnView {
  const asked = question(deps);
  const heading = h("h3", { class: "heard" });
  const author = h("span", { class: "author" });
  const time = h("time", {});
  const body = h("div", { class: "parts" });
  const foot = turnFoot(deps, asked.edit);
  const byline = h("div", { class: "byline" }, author, time);
  const answer = h("div", { class: "answer" }, byline, body, foot.root);
  const root = h("article", { class: "turn", tabindex: "-1" }, heading, asked.root, answer);
  /** Around the summary that stands for what is above. */
  let handOver: HTMLDetailsElement | undefined;
  const parts = new Map<string, PartView>();
  let shown: { turn: Turn; scene: Scene; last: boolean } | undefined;

  return {
    root,
    answer,
    end: foot.root,
    update(turn, { index, count }, scene) {
      root.setAttribute("aria-posinset", String(index + 1));
      root.setAttribute("aria-setsize", String(count));
      const last = index === count - 1;
      if (shown?.turn === turn && shown.scene === scene && shown.last === last) return;
      asked.update(turn, scene);
      drawHead(turn, scene);
      drawParts(turn, scene);
      if (turn.compacts === true) drawHandOver(turn);
      foot.update(turn, last, scene);
      shown = { turn, scene, last };
    },
    edit: asked.edit,
    takeCost(cost) {
      asked.takeCost(cost);
      foot.takeCost(cost);
    },
    tick: foot.tick,
  };

  function drawHead(turn: Turn, scene: Scene): void {
    if (shown?.turn.id === turn.id && shown.scene === scene && shown.turn.status === turn.status) return;
    const model = scene.models.find(({ id }) => id === turn.model)?.label ?? turn.model;
    setText(author, model);
    setTitle(author, turn.model);
    setText(time, timeOf(turn.endedAt ?? turn.at));
    // The question has just said the same.
    time.hidden = !turn.continues && time.textContent === timeOf(turn.at);
    time.dateTime = isoTimeOf(turn.endedAt ?? turn.at);
    time.title = fullTimeOf(turn.endedAt ?? turn.at);
    const name = nameOf(turn);
    setText(heading, name);
    // A short question is a heading itself; nobody has to hear it twice.
    heading.hidden = name === "" || (!turn.continues && isHeading(turn.prompt));
    root.setAttribute("aria-label", visible(name));
    root.dataset["turn"] = turn.id;
    root.setAttribute("aria-busy", String(turn.status === "running"));
  }

  /** Older turns stay above the line; while it is written it is an answer like any other. */
  function drawHandOver({ status }: Turn): void {
    if (handOver === undefined) {
      handOver = h("details", { class: "hand-over" }, h("summary", {}, words.handOver));
      body.replaceWith(handOver);
      handOver.append(body);
      root.append(h("p", { class: "compacted" }, words.compactedAbove));
    }
    if (shown?.turn.status !== status) handOver.open = status !== "done";
    root.dataset["compacted"] = String(status === "done");
  }

  function drawParts(turn: Turn, scene: Scene): void {
    const situation = { turn, scene };
    for (const part of turn.parts) {
      let view = parts.get(part.id);
      if (view === undefined) {
        view = partView(part.type, deps);
        parts.set(part.id, view);
        body.append(view.root);
      }
      view.update(part, situation);
    }
  }
}

function nameOf({ compacts, continues, prompt }: Turn): string {
  if (compacts === true) return words.compacted;
  return continues ? words.continued : firstLine(prompt);
}
