// Tracks where the reader is and when the page may scroll: to the end while the reader is there and wants to follow,
// and to the beginning of a response that was just requested. A reader who has scrolled away is never moved.

import type { Preferences } from "../../../bridge/preferences.ts";
import type { Turn } from "../../../conversation/state.ts";
import { h, setText } from "../../elements/dom.ts";
import { firstLine, questionWords } from "../../words/messages.ts";
import type { TurnView } from "./turn/turn-view.ts";
import type { DrawnTurn } from "./turn-window.ts";

/** Height in pixels; what is scrolled to the top of the view stays clear of it. */
const stuckHeight = 36;

interface StuckQuestion {
  readonly root: HTMLElement;
  /** The scroll position or sizes have changed. */
  update(drawn: readonly DrawnTurn[], turns: readonly Turn[]): void;
}

/**
 * The question of the response being read, in one line above it while the question is out of view. It is only for sight
 * and pointer, since it repeats what is in the conversation: keyboard and screen-reader users navigate to the turn.
 */
export function stuckQuestion(scroller: HTMLElement, goTo: (turn: number) => void): StuckQuestion {
  const text = h("span", { class: "bubble", dir: "auto" });
  const root = h("div", { class: "stuck-question", "aria-hidden": "true", hidden: "" }, text);
  let index = -1;
  root.addEventListener("click", () => goTo(index));
  return {
    root,
    update(drawn, turns) {
      const { top } = scroller.getBoundingClientRect();
      const read = drawn.find(({ view }) => view.root.getBoundingClientRect().bottom > top + 2 * stuckHeight);
      const isOutOfSight =
        read !== undefined && read.view.answer.getBoundingClientRect().top <= top + stuckHeight;
      // A response that continues has the question of the one before it.
      index = isOutOfSight
        ? turns.findLastIndex(
            ({ continues, compacts }, at) => at <= read.index && !continues && compacts !== true,
          )
        : -1;
      const prompt = turns[index]?.prompt.trim() ?? "";
      root.hidden = prompt === "";
      if (prompt !== "") setText(text, firstLine(questionWords(prompt)));
    },
  };
}

type ScrollMode = Preferences["scroll"];

interface Scroll {
  /** Called when sizes have changed, before painting: a following reader stays at the end. */
  settle(): void;
  /** Shows the beginning of a response (or its end, in `follow`), depending on the scroll mode. */
  begin(view: TurnView): void;
  toEnd(): void;
  /** The reader is about to be taken elsewhere: size changes in the meantime must not scroll back. */
  leave(): void;
  /** Another conversation was opened: discards all state of the previous one. */
  reset(): void;
  setMode(mode: ScrollMode): void;
  readonly atEnd: boolean;
  readonly following: boolean;
}

/** Within this distance of the end, in pixels, the reader is at the end: half a line and rounding. */
const nearEnd = 24;

interface Anchored {
  readonly view: TurnView;
  /** The response is still at the top: the reader has not scrolled. */
  inPlace: boolean;
}

export function scrollKeeper(scroller: HTMLElement, moved: () => void): Scroll {
  let mode: ScrollMode = "anchorTop";
  let following = false;
  let last = 0;
  let height = 0;
  /** The response that was scrolled to the top, with room below it to grow. */
  let anchored: Anchored | undefined;

  const endOfAll = () => scroller.scrollHeight - scroller.clientHeight;
  const atEnd = () => endOfAll() - scroller.scrollTop <= nearEnd;
  const scrollTo = (top: number) => {
    scroller.scrollTop = top;
    last = scroller.scrollTop;
  };
  const release = () => {
    if (anchored !== undefined) anchored.view.answer.style.minHeight = "";
    anchored = undefined;
  };

  scroller.addEventListener("scroll", onScroll, { passive: true });

  return {
    settle() {
      if (following) scrollTo(endOfAll());
      else if (anchored?.inPlace && scroller.clientHeight !== height) align(anchored.view);
      height = scroller.clientHeight;
    },
    begin(view) {
      release();
      following = mode === "follow";
      if (mode === "anchorTop") {
        anchored = { view, inPlace: true };
        align(view);
      }
      if (following) scrollTo(endOfAll());
    },
    toEnd() {
      following = mode !== "off";
      scrollTo(endOfAll());
    },
    leave() {
      following = false;
    },
    reset() {
      release();
      following = false;
    },
    setMode(next) {
      if (next === mode) return;
      mode = next;
      following = mode === "follow" && atEnd();
    },
    get atEnd() {
      return atEnd();
    },
    get following() {
      return following;
    },
  };

  function onScroll(): void {
    const top = scroller.scrollTop;
    const down = top > last + 1;
    const up = top < last - 1;
    last = top;
    if (anchored?.inPlace && (up || down)) anchored.inPlace = Math.abs(distance(anchored.view)) < 2;
    if (up && !atEnd()) following = false;
    // Scrolling to the end of the text means following it, but scrolling to the end of the reserved empty room does
    // not.
    else if (down && atEnd() && mode !== "off" && !hasRoom()) following = true;
    moved();
  }

  /** Gives a response enough room to reach the top, and scrolls it there. */
  function align(view: TurnView): void {
    const below = Number.parseFloat(getComputedStyle(view.root).paddingBottom);
    view.answer.style.minHeight = `${scroller.clientHeight - (questionAbove(view) || stuckHeight) - below}px`;
    scrollTo(scroller.scrollTop + distance(view));
  }

  /** Distance of the view's anchor from its place at the top. */
  function distance(view: TurnView): number {
    const top = scroller.getBoundingClientRect().top;
    if (questionAbove(view) > 0) return view.root.getBoundingClientRect().top - top;
    // Above the response, the question is collapsed to one line.
    return view.answer.getBoundingClientRect().top - top - stuckHeight;
  }

  /** A short question stays visible above its response; a long one scrolls out of view. */
  function questionAbove({ root, answer }: TurnView): number {
    const question = answer.getBoundingClientRect().top - root.getBoundingClientRect().top;
    return question <= scroller.clientHeight / 3 ? question : 0;
  }

  function hasRoom(): boolean {
    if (anchored === undefined) return false;
    const { end, answer } = anchored.view;
    return end.getBoundingClientRect().bottom < answer.getBoundingClientRect().bottom - 1;
  }
}
