// One problem: a sentence and its buttons. Shown where it happened, in a turn or above the composer.
import type { Problem, ProblemAction } from "../../core/conversation/problem.ts";
import { button, h } from "../dom.ts";
import { actionLabels } from "../words.ts";

export function problemCard(problem: Problem, act: (action: ProblemAction) => void): HTMLElement {
  const card = h("div", { class: "card problem", role: "group" }, h("p", {}, problem.message));
  if (problem.detail !== undefined && problem.detail !== problem.message) {
    card.append(h("p", { class: "detail", dir: "auto" }, problem.detail));
  }
  if (problem.actions.length > 0) {
    const buttons = problem.actions.map((action, index) =>
      button(actionLabels[action], index === 0 ? "primary" : "secondary", () => act(action)),
    );
    card.append(h("div", { class: "actions" }, ...buttons));
  }
  return card;
}
