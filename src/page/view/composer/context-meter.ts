// How full the model's context window is, as a button that compacts the conversation.
import type { ViewState } from "../../../bridge/view-state.ts";
import { h, setHint, setText } from "../../elements/dom.ts";
import type { Post } from "../../render-context.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";

/** From this share of the context window on, compacting is worthwhile. */
const nearlyFull = 0.8;

interface ContextMeter {
  readonly root: HTMLElement;
  update(window: ViewState["window"]): void;
}

export function contextMeter(post: Post): ContextMeter {
  const text = h("span", {});
  const root = h("button", { type: "button", class: "window-meter" }, h("span", { class: "bar" }), text);
  root.addEventListener("click", () => post({ type: "run", command: "compact" }));
  return {
    root,
    update(window) {
      root.hidden = window === undefined;
      if (window === undefined) return;
      const share = window.used / window.size;
      const percent = `${exact(Math.round(100 * share))}%`;
      const isFull = share >= nearlyFull;
      root.style.setProperty("--used", `${Math.min(100, Math.round(100 * share))}%`);
      root.classList.toggle("full", isFull);
      setText(text, isFull ? `${percent} · ${strings.compact}` : percent);
      const [used, size] = [exact(window.used), exact(window.size)];
      setHint(root, `${fill(strings.windowUsed, { used, size })}\n${fill(strings.compactHint, { used })}`);
    },
  };
}
