// One turn: the question, the parts of the answer in order, how it ended. Parts are drawn again only when they change.
import type { ProblemAction } from "../../core/conversation/problem.ts";
import type { Part, Turn } from "../../core/conversation/state.ts";
import { h, setText } from "../dom.ts";
import { endings, waitingText, words } from "../words.ts";
import { problemCard } from "./problem-card.ts";

export interface TurnView {
  readonly root: HTMLElement;
  update(next: Turn): void;
}

interface PartView {
  readonly root: HTMLElement;
  update(next: Part): void;
}

export function turnView(act: (action: ProblemAction) => void): TurnView {
  const prompt = h("p", { class: "prompt", dir: "auto" });
  const model = h("span", { class: "author" });
  const body = h("div", { class: "answer" });
  const foot = h("div", { class: "foot" });
  const root = h(
    "article",
    { class: "turn", tabindex: "-1" },
    h("div", { class: "question" }, h("span", { class: "author" }, words.you), prompt),
    model,
    body,
    foot,
  );
  const parts = new Map<string, PartView>();
  let shown: Turn | undefined;

  return {
    root,
    update(next) {
      if (next === shown) return;
      setText(prompt, next.prompt);
      setText(model, next.model);
      root.setAttribute("aria-busy", String(next.status === "running"));
      for (const part of next.parts) {
        let view = parts.get(part.id);
        if (view === undefined) {
          view = partView(part);
          parts.set(part.id, view);
          body.append(view.root);
        }
        view.update(part);
      }
      if (next.status !== shown?.status || next.waiting !== shown.waiting) {
        foot.replaceChildren(...footOf(next, act));
      }
      shown = next;
    },
  };
}

function footOf(turn: Turn, act: (action: ProblemAction) => void): HTMLElement[] {
  if (turn.problem !== undefined) return [problemCard(turn.problem, act)];
  if (turn.waiting !== undefined) {
    const seconds = Math.max(1, Math.round((turn.waiting.until - Date.now()) / 1000));
    return [h("p", { class: "state" }, waitingText(seconds, turn.waiting.reason))];
  }
  return turn.status === "done" ? [] : [h("p", { class: `state ${turn.status}` }, endings[turn.status])];
}

function partView(part: Part): PartView {
  switch (part.type) {
    case "reasoning":
      return reasoningView();
    case "search":
      return searchView();
    default:
      return textView(part.type);
  }
}

function textView(kind: string): PartView {
  const root = h("p", { class: `part ${kind}`, dir: "auto" });
  const text = document.createTextNode("");
  root.append(text);
  return {
    root,
    update(next) {
      if (!("text" in next) || next.text === text.data) return;
      if (next.text.startsWith(text.data)) text.appendData(next.text.slice(text.data.length));
      else text.data = next.text;
    },
  };
}

function reasoningView(): PartView {
  const inner = textView("reasoning-text");
  const root = h("details", { class: "part reasoning" }, h("summary", {}, words.reasoning), inner.root);
  return { root, update: inner.update };
}

function searchView(): PartView {
  const summary = h("summary", {});
  const list = h("ul", {});
  const root = h("details", { class: "part search" }, summary, list);
  return {
    root,
    update(next) {
      if (next.type !== "search") return;
      const verb = next.status === "completed" ? words.search : words.searching;
      setText(summary, next.query === undefined ? verb : `${verb}: ${next.query}`);
      list.replaceChildren(...next.sources.map(({ url, title }) => h("li", {}, title ?? url)));
    },
  };
}
