// Where the reader is, and when the page may move them: to the end while they are there and want to follow, to the
// beginning of an answer they have just asked for. Somebody who has scrolled away is never moved.
import type { Preferences } from "../bridge/view-state.ts";
import type { TurnView } from "./view/turn-view.ts";

export type ScrollMode = Preferences["scroll"];

export interface Scroll {
  /** Sizes have changed and nothing is painted yet: those who follow stay at the end. */
  settle(): void;
  /** Shows the beginning of an answer (or its end, in `follow`) to somebody who wants to see it. */
  begin(view: TurnView): void;
  toEnd(): void;
  /** The reader is about to be taken elsewhere: sizes that change meanwhile do not take them back. */
  leave(): void;
  /** Another conversation: nothing of the old one holds. */
  reset(): void;
  setMode(mode: ScrollMode): void;
  readonly atEnd: boolean;
  readonly following: boolean;
}

/** As near as this to the end is at the end: half a line, and what rounding does. */
const nearEnd = 24;

interface Anchored {
  readonly view: TurnView;
  /** It still stands at the top: nobody has scrolled. */
  inPlace: boolean;
}

export function scrollKeeper(scroller: HTMLElement, moved: () => void): Scroll {
  let mode: ScrollMode = "anchorTop";
  let following = false;
  let last = 0;
  let height = 0;
  /** The answer that was put at the top, with room below it to grow into. */
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
    // Who goes to the end of what is there wants to see what comes; but the end of empty room is no such place.
    else if (down && atEnd() && mode !== "off" && !hasRoom()) following = true;
    moved();
  }

  /** Gives an answer room to reach the top, and puts it there. */
  function align(view: TurnView): void {
    const below = Number.parseFloat(getComputedStyle(view.root).paddingBottom);
    view.answer.style.minHeight = `${scroller.clientHeight - questionAbove(view) - below}px`;
    scrollTo(scroller.scrollTop + distance(view));
  }

  /** How far the place that belongs at the top is from there. */
  function distance(view: TurnView): number {
    const start = questionAbove(view) > 0 ? view.root : view.answer;
    return start.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  }

  /** A short question stays in sight above its answer, a long one makes way. */
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
