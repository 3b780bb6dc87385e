// The row below the input: attachments, the model, its options, and the size of the question. Shows only what the host
// offers.
import type { Completion } from "../../../../bridge/protocol.ts";
import type { ViewState } from "../../../../bridge/view-state.ts";
import type { Turn } from "../../../../conversation/state.ts";
import { h, setHint, setLabel, setText } from "../../../elements/dom.ts";
import { isHosted, type Post } from "../../../render-context.ts";
import { exact } from "../../../words/numbers-and-times.ts";
import { fill, strings } from "../../../words/strings.ts";
import { tokensText } from "../../../words/usage-text.ts";
import { type CompletionResults, contextOptions } from "../suggestions.ts";
import { choiceMenu } from "./choice-menu.ts";
import { contextMeter } from "./context-meter.ts";
import { modelMenu } from "./model-menu.ts";

interface RequestOptions {
  readonly root: HTMLElement;
  /** Lists that open above the row. */
  readonly popups: readonly HTMLElement[];
  chooseModel(): void;
  takeCompletions(found: CompletionResults): void;
  update(viewState: ViewState, last: Turn | undefined): void;
}

/** `tryWays`: proposes to try the question in several ways. */
export function requestOptions(post: Post, tryWays: () => void): RequestOptions {
  let now: ViewState | undefined;
  /** Open and recent files. */
  let files: readonly Completion[] = [];

  const add = choiceMenu({
    label: strings.attach,
    icon: "add",
    options: contextNow,
    opens: () => post({ type: "complete", query: "" }),
  });
  add.button.className = "icon-button";
  setLabel(add.button, strings.attach);
  const models = modelMenu(post, tryWays);
  const estimateText = h("span", {});
  const estimate = h("button", { type: "button", class: "estimate" }, estimateText);
  estimate.addEventListener("click", () => {
    if (now?.countsTokens) post({ type: "run", command: "count-tokens" });
  });
  const meter = contextMeter(post);
  const root = h("div", { class: "options-row" }, add.button, models.button, meter.root, estimate);

  return {
    root,
    popups: [add.popup, models.popup],
    chooseModel: models.open,
    takeCompletions({ query, items }) {
      if (query !== "") return;
      files = items;
      add.refresh();
    },
    update(next, last) {
      models.update(next, last);
      if (next === now) return;
      now = next;
      draw(next);
    },
  };

  function draw(next: ViewState): void {
    add.button.hidden = !isHosted(next);
    meter.update(next);
    estimate.hidden = next.estimate === undefined;
    if (next.estimate !== undefined) {
      const { tokens, exact: counted, altogether } = next.estimate;
      const draft = tokensText(tokens, counted);
      const hint = fill(counted ? strings.estimateExact : strings.estimateLocal, { tokens: exact(tokens) });
      if (altogether === undefined) {
        setText(estimateText, fill(strings.chipTokens, { tokens: draft }));
        setHint(estimate, hint);
      } else {
        setText(estimateText, fill(strings.estimateOfAll, { draft, all: tokensText(altogether, false) }));
        setHint(estimate, [hint, fill(strings.estimateAgain, { tokens: exact(altogether) })].join("\n"));
      }
    }
  }

  function contextNow() {
    if (now === undefined) return [];
    return contextOptions(now, "", files, {
      pick: (kind) => () => post({ type: "pick", kind }),
      attach:
        ({ attachment }) =>
        () =>
          post({ type: "attach", attachment }),
    });
  }
}
