// The way to the end of the conversation, shown while that end is out of sight; it says when something new is there.
import { h, setText } from "../dom.ts";
import { icon } from "../icons.ts";
import { words } from "../words.ts";

export interface EndPill {
  readonly root: HTMLElement;
  /** Where the conversation ends now; nothing when that is not drawn, `empty` when there is nothing at all. */
  watch(foot: HTMLElement | undefined, empty: boolean): void;
  /** Text has come that may be out of sight. */
  news(): void;
  /** Another conversation: nothing in it is new. */
  reset(): void;
  /** The reader has moved. */
  scrolled(): void;
}

export interface EndPillNeeds {
  readonly scroller: HTMLElement;
  following(): boolean;
  goToEnd(): void;
}

export function endPill({ scroller, following, goToEnd }: EndPillNeeds): EndPill {
  const text = h("span", {}, words.newText);
  const root = h("button", { type: "button", class: "pill", hidden: "" }, icon("down"), text);
  let inSight = true;
  let unread = false;
  /** Text has come since the reader last moved. */
  let growing = false;
  let watched: Element | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      inSight = entries.at(-1)?.isIntersecting ?? false;
      if (inSight) unread = false;
      // What pushed the end out of sight is new, however late the browser says so.
      else if (growing) unread = true;
      draw();
    },
    { root: scroller },
  );
  root.addEventListener("click", goToEnd);

  return {
    root,
    watch(foot, empty) {
      if (foot === watched) return;
      if (watched !== undefined) observer.unobserve(watched);
      watched = foot;
      if (foot === undefined) inSight = empty;
      else observer.observe(foot);
      draw();
    },
    news() {
      unread = true;
      growing = true;
    },
    reset() {
      unread = false;
      growing = false;
    },
    scrolled() {
      // The observer has not spoken about this scroll yet: this is what was in sight before it.
      if (inSight) unread = false;
      growing = false;
      draw();
    },
  };

  function draw(): void {
    root.hidden = inSight || following();
    root.classList.toggle("news", unread);
    setText(text, unread ? words.newText : words.toEnd);
  }
}
