// The place of the card with several tries. The card itself is loaded when there are tries to show.
import type { TrialView } from "../../../bridge/view-state.ts";
import { button, h, setText } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import { loadScript } from "../../markdown/scripts/renderers.ts";
import type { TurnDeps } from "../../render-context.ts";
import { duration, messageText } from "../../words/messages.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings, translated } from "../../words/strings.ts";
import type { TrialCard } from "./trial-card.ts";

interface TrialArea {
  readonly root: HTMLElement;
  /** Returns whether tries are shown that were not there before. */
  update(trial: TrialView | undefined): boolean;
}

export function trialArea({ post, say }: Pick<TurnDeps, "post" | "say">): TrialArea {
  const root = h("section", { class: "trial", "aria-label": strings.tryWays, hidden: "" });
  let shown: TrialView | undefined;
  let card: TrialCard | undefined;

  return {
    root,
    update(trial) {
      if (trial === shown) return false;
      const isNew = shown === undefined;
      shown = trial;
      root.hidden = trial === undefined;
      if (trial === undefined) {
        card = undefined;
        root.replaceChildren();
        return false;
      }
      draw();
      return isNew;
    },
  };

  function draw(): void {
    const make = globalThis.patchbayTrialCard;
    if (make === undefined) {
      loadScript("trial").then(draw, () => root.replaceChildren(h("p", {}, strings.failedPlain)));
      return;
    }
    if (shown === undefined) return;
    if (card === undefined) {
      const kit = { h, button, icon, setText, fill, translated, messageText, duration, exact };
      card = make(kit, { post, say });
      root.replaceChildren(card.root);
    }
    card.update(shown);
  }
}
