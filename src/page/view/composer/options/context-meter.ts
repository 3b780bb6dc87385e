// How full the model's context window is, as a button that compacts the conversation. It offers that where the next
// question would send a long history again because the cache no longer has it.
import type { ViewState } from "../../../../bridge/view-state.ts";
import { h, setHint, setText } from "../../../elements/dom.ts";
import type { Post } from "../../../render-context.ts";
import { exact } from "../../../words/numbers-and-times.ts";
import { fill, strings } from "../../../words/strings.ts";
import { tokensText } from "../../../words/usage-text.ts";

/** From this share of the context window on, compacting is worthwhile. */
const nearlyFull = 0.8;

/** Milliseconds; a longer timer ends at once. */
const longestTimer = 2 ** 31 - 1;

interface ContextMeter {
  readonly root: HTMLElement;
  update(now: Pick<ViewState, "window" | "cold">): void;
}

export function contextMeter(post: Post): ContextMeter {
  const text = h("span", {});
  const root = h("button", { type: "button", class: "window-meter" }, h("span", { class: "bar" }), text);
  root.addEventListener("click", () => post({ type: "run", command: "compact" }));
  let timer: ReturnType<typeof setTimeout> | undefined;

  function draw({ window, cold }: Pick<ViewState, "window" | "cold">): void {
    clearTimeout(timer);
    const left = cold === undefined ? 0 : cold.from - Date.now();
    if (left > 0) timer = setTimeout(() => draw({ window, cold }), Math.min(left, longestTimer));
    const offer = left > 0 ? undefined : cold;
    root.hidden = window === undefined && offer === undefined;
    root.classList.toggle("sizeless", window === undefined);
    const share = window === undefined ? 0 : window.used / window.size;
    const percent = window === undefined ? "" : `${exact(Math.round(100 * share))}%`;
    const isFull = share >= nearlyFull;
    root.style.setProperty("--used", `${Math.min(100, Math.round(100 * share))}%`);
    root.classList.toggle("full", isFull);
    const tokens = tokensText(offer?.tokens ?? 0, false);
    const said = offer === undefined ? [percent] : [percent, fill(strings.coldAgain, { tokens })];
    const shown = [...said, isFull || offer !== undefined ? strings.compact : ""];
    setText(text, shown.filter((each) => each !== "").join(" · "));
    const hints = [
      ...(window === undefined
        ? []
        : [fill(strings.windowUsed, { used: exact(window.used), size: exact(window.size) })]),
      offer === undefined
        ? fill(strings.compactHint, { used: exact(window?.used ?? 0) })
        : fill(strings.coldHint, { tokens, summary: tokensText(offer.summary, false) }),
    ];
    setHint(root, hints.join("\n"));
  }

  return { root, update: draw };
}
