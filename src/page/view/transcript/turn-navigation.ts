// Keyboard navigation in the conversation: one turn is a Tab stop, arrow keys move between turns, and commands apply to
// the focused turn.
import { answerMarkdown } from "../../../conversation/reduce.ts";
import type { Turn } from "../../../conversation/state.ts";
import { visible } from "../../../util/hidden-characters.ts";
import type { TurnDeps } from "../../render-context.ts";
import { strings } from "../../words/strings.ts";
import type { TurnWindow } from "./turn-window.ts";

interface TurnStepsDeps extends Pick<TurnDeps, "post" | "say"> {
  readonly scroller: HTMLElement;
  readonly window: TurnWindow;
  turns(): readonly Turn[];
  goTo(index: number): void;
  /** Moves the focus below the last turn. */
  leaveDownwards(): void;
}

interface TurnSteps {
  step(by: 1 | -1): void;
  /**
   * The turn that has the focus, or had it last and is visible; else the last visible turn at the end of the
   * conversation, or the first visible one.
   */
  readonly here: number | undefined;
  copyMessage(): void;
  /** Other turns are drawn. */
  drawn(): void;
}

/** Within this distance of the end, in pixels, the reader is at the end. */
const nearEnd = 24;

export function turnSteps(deps: TurnStepsDeps): TurnSteps {
  const { scroller, window, turns, goTo, leaveDownwards, post, say } = deps;
  /** The turn that last had the focus. */
  let last: string | undefined;

  scroller.addEventListener("keydown", onKey);
  scroller.addEventListener("focusin", ({ target }) => {
    const article = target instanceof Element ? target.closest<HTMLElement>("article") : null;
    last = article?.dataset["turn"] ?? last;
    drawn();
  });

  return {
    step,
    get here() {
      return here();
    },
    copyMessage() {
      const texts = [focused()?.turn, turns().findLast((turn) => answerMarkdown(turn) !== "")];
      const text = texts.map((turn) => (turn === undefined ? "" : answerMarkdown(turn))).find(Boolean);
      if (text === undefined) return;
      post({ type: "copy", text: visible(text) });
      say(strings.copied);
    },
    drawn,
  };

  function drawn(): void {
    const stop = window.drawn.find(({ turn }) => turn.id === last) ?? window.drawn.at(-1);
    for (const one of window.drawn) one.view.root.tabIndex = one === stop ? 0 : -1;
  }

  function focused() {
    return window.drawn.find(({ view }) => view.root.contains(document.activeElement));
  }

  function here(): number | undefined {
    const edge = scroller.getBoundingClientRect().top + 1;
    const below = scroller.getBoundingClientRect().bottom - 1;
    const inSight = window.drawn.filter(({ view }) => {
      const { top, bottom } = view.root.getBoundingClientRect();
      return bottom > edge && top < below;
    });
    const isAtEnd = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop <= nearEnd;
    // A button or a command may have moved the focus to the composer.
    const left = inSight.find(({ turn }) => turn.id === last);
    return (focused() ?? left ?? inSight.at(isAtEnd ? -1 : 0))?.index;
  }

  function step(by: 1 | -1): void {
    const from = here();
    if (from === undefined) return;
    if (from + by >= turns().length) leaveDownwards();
    else goTo(Math.max(0, from + by));
  }

  function onKey(event: KeyboardEvent): void {
    if (!(event.target instanceof Element)) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Escape") leaveDownwards();
    else if (event.target.tagName !== "ARTICLE") return;
    else if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else if (event.key === "Home") goTo(0);
    else if (event.key === "End") goTo(turns().length - 1);
    else return;
    event.preventDefault();
  }
}
