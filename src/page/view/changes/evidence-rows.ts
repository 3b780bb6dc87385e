// What facts say of the claims of a response, on the card of its changes: a quiet row for each that is contradicted, then
// all of it in one line that unfolds.
import type { EvidenceState } from "../../../bridge/view-state.ts";
import { h } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import { type Row, rows } from "../../elements/rows.ts";
import { messageText } from "../../words/messages.ts";
import { strings } from "../../words/strings.ts";

interface EvidenceRow extends EvidenceState, Row {}

export function evidenceRows(say: (sentence: string) => void) {
  const root = h("div", { class: "evidence" });
  /** Whether a person has unfolded it. */
  let isOpen = false;
  const draw = rows<EvidenceRow>(root, ({ contradicted, line, details }, before) => {
    const against = contradicted.map(messageText);
    // Said once, when they come to be known.
    if (before === undefined && against.length > 0) say(against.join(" "));
    const fold = h(
      "details",
      { class: "fold" },
      h(
        "summary",
        {},
        icon("chevron"),
        h("span", { "data-read": "" }, strings.evidence),
        h("span", { class: "facts", "data-read": "" }, line.map(messageText).join(" · ")),
      ),
      h("ul", {}, ...details.map((each) => h("li", { dir: "auto" }, messageText(each)))),
    );
    fold.open = isOpen;
    fold.addEventListener("toggle", () => {
      isOpen = fold.open;
    });
    return h(
      "div",
      {},
      ...against.map((said) =>
        h("p", { class: "contradicted", dir: "auto" }, icon("warning"), h("span", { "data-read": "" }, said)),
      ),
      fold,
    );
  });
  return {
    root,
    update(evidence: EvidenceState | undefined): void {
      draw(evidence === undefined ? [] : [{ ...evidence, id: "evidence" }]);
      root.hidden = evidence === undefined;
    },
  };
}
