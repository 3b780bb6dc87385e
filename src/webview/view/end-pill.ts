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
  /** The reader has moved, or was moved. */
  scrolled(): void;
}

export interface EndPillDeps {
  readonly scroller: HTMLElement;
  following(): boolean;
  goToEnd(): void;
}

export function endPill({ scroller, following, goToEnd }: EndPillDeps): EndPill {
  const text = h("span", {}, words.newText);
  const root = h("button", { type: "button", class: "pill", hidden: "" }, icon("down"), text);
  let inSight = true;
  let unread = false;
  /** When text came last: what the browser saw before that says nothing about it. */
  let newsAt = 0;
  let watched: Element | undefined;
  const observer = new IntersectionObserver(
    (entries) => {
      const entry = entries.findLast(({ target }) => target === watched);
      if (entry === undefined) return;
      inSight = entry.isIntersecting;
      if (inSight && entry.time >= newsAt) unread = false;
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
      newsAt = performance.now();
      // The browser only tells of changes: it is asked again whether the end is in sight with this text above it.
      if (watched !== undefined) {
        observer.unobserve(watched);
        observer.observe(watched);
      }
      draw();
    },
    reset() {
      unread = false;
    },
    scrolled: draw,
  };

  function draw(): void {
    root.hidden = inSight || following();
    root.classList.toggle("news", unread);
    setText(text, unread ? words.newText : words.toEnd);
  }
}
